"""tacit.torch: a training of several parties is the training of one that has all data."""

import subprocess
import sys

import numpy
import pytest
import ranks
import tacit

torch = pytest.importorskip("torch", reason="python3-torch is not installed (tools/setup --tests)")


def model_of(seed):
    torch.manual_seed(seed)
    return torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))


def data_of(rank):
    random = torch.Generator().manual_seed(100 + rank)
    x = torch.randn(16, 4, generator=random)
    return x, x.sum(1, keepdim=True) + 0.1 * rank


def steps(model, batches, count):
    optimiser = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for _ in range(count):
        optimiser.zero_grad()
        for x, y in batches:
            (((model(x) - y) ** 2).mean() / len(batches)).backward()
        optimiser.step()
    return [parameter.detach().numpy().copy() for parameter in model.parameters()]


@pytest.mark.parametrize("parties", [1, 2, 3])
@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize("bucket_mb", [1e-5, 25])
def test_training_together_is_training_on_all_data(parties, secure, bucket_mb):
    def program(mesh):
        model = models[mesh.rank]
        tacit.torch.synchronise(model, mesh, bucket_mb=bucket_mb, secure=secure)
        return steps(model, [data_of(mesh.rank)], 30)

    models = [model_of(rank) for rank in range(parties)]  # different at first: all begin with rank 0's
    alone = steps(model_of(0), [data_of(rank) for rank in range(parties)], 30)
    results = ranks.results_of(parties, program)
    for weights in results:
        for ours, first, expected in zip(weights, results[0], alone):
            numpy.testing.assert_array_equal(ours, first)
            assert numpy.abs(ours - expected).max() < 1e-4


def test_several_backward_passes_in_a_step_add_up():
    def program(mesh):
        model = models[mesh.rank]
        tacit.torch.synchronise(model, mesh)
        x, y = data_of(mesh.rank)
        return steps(model, [(x[:8], y[:8]), (x[8:], y[8:])], 5)

    models = [model_of(0) for _ in range(2)]
    together = steps(model_of(0), [data_of(0), data_of(1)], 5)
    for weights in ranks.results_of(2, program):
        for ours, expected in zip(weights, together):
            assert numpy.abs(ours - expected).max() < 1e-5


def test_a_parameter_that_only_one_party_uses_gets_its_part_and_a_frozen_one_nothing():
    def program(mesh):
        model = models[mesh.rank]
        model[0].weight.requires_grad_(False)
        tacit.torch.synchronise(model, mesh)
        x = torch.ones(3, 4)
        (model(x) if mesh.rank else model[2].bias * 4).sum().backward()
        return [None if p.grad is None else p.grad.numpy().copy() for p in model.parameters()]

    models = [model_of(0) for _ in range(2)]
    alone = model_of(0)
    alone(torch.ones(3, 4)).sum().backward()
    for frozen, bias, weight, last in ranks.results_of(2, program):
        assert frozen is None
        assert numpy.abs(bias - alone[0].bias.grad.numpy() / 2).max() < 1e-5
        assert numpy.abs(weight - alone[2].weight.grad.numpy() / 2).max() < 1e-5
        assert abs(last[0] - (3 + 4) / 2) < 1e-5


def test_buffers_and_types_are_those_of_rank_0():
    def program(mesh):
        model = models[mesh.rank]
        tacit.torch.synchronise(model, mesh)
        model(torch.ones(2, 3, dtype=torch.float64)).sum().backward()
        return {name: tensor.clone() for name, tensor in model.state_dict().items()}, model[1].bias.grad

    def double_model(mean):
        model = torch.nn.Sequential(torch.nn.BatchNorm1d(3), torch.nn.Linear(3, 2)).double().eval()
        model[0].running_mean.fill_(mean)
        return model

    models = [double_model(5.5), double_model(-1)]
    (first, gradient), (second, _) = ranks.results_of(2, program)
    assert (first["0.running_mean"] == 5.5).all() and gradient.dtype == torch.float64 and (gradient == 2).all()
    for name in first:
        assert first[name].dtype == second[name].dtype and torch.equal(first[name], second[name])


def test_without_its_hooks_a_model_trains_alone():
    def program(mesh):
        model = models[mesh.rank]
        synchronised = tacit.torch.synchronise(model, mesh)
        synchronised.close()
        (model(torch.ones(1, 4)).sum() * (mesh.rank + 1)).backward()
        return float(model[2].bias.grad)

    models = [model_of(0) for _ in range(2)]
    assert ranks.results_of(2, program) == [1.0, 2.0]


def test_a_gradient_that_is_no_number_ends_the_step_with_a_sentence():
    def program(mesh):
        tacit.torch.synchronise(models[mesh.rank], mesh)
        factor = float("inf") if mesh.rank == 1 else 1.0
        (models[mesh.rank](torch.ones(1, 4)).sum() * factor).backward()

    models = [model_of(0) for _ in range(2)]
    results = ranks.threads(2, program)
    assert isinstance(results[1], tacit.ConfigError) and "are NaN or infinite" in str(results[1])
    assert isinstance(results[0], tacit.NetError) and "its program raised ConfigError" in str(results[0])


def test_models_that_differ_are_refused_at_every_rank():
    models = [torch.nn.Linear(4, 2), torch.nn.Linear(4, 3)]
    for result in ranks.threads(2, lambda mesh: tacit.torch.synchronise(models[mesh.rank], mesh)):
        assert isinstance(result, tacit.ConfigError), result
    (mesh,) = tacit.net.in_memory(1)
    with mesh, pytest.raises(tacit.ConfigError, match="the model has no parameter with requires_grad"):
        tacit.torch.synchronise(torch.nn.ReLU(), mesh)


def test_without_pytorch_the_import_says_what_to_install():
    program = "import sys; sys.modules['torch'] = None\nimport tacit\ntacit.torch"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 1 and "tacit.torch needs PyTorch (Debian: apt-get install python3-torch)" in ended.stderr
