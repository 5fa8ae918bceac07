"""tacit.torch: a training of several parties is the training of one that has all data."""

import math
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


@pytest.mark.parametrize("parties", [1, 2, 3])
def test_a_clip_that_nothing_reaches_changes_no_training_and_a_small_one_slows_it(parties):
    def program(mesh):
        model = models[mesh.rank]
        tacit.torch.synchronise(model, mesh, clip=clip)
        return steps(model, [data_of(mesh.rank)], 30)

    alone = steps(model_of(0), [data_of(rank) for rank in range(parties)], 30)
    for clip, differ in ((50.0, False), (0.01, True)):
        models = [model_of(rank) for rank in range(parties)]
        for weights in ranks.results_of(parties, program):
            distance = max(numpy.abs(ours - expected).max() for ours, expected in zip(weights, alone))
            assert (distance > 0.1) if differ else (distance < 1e-4), (clip, distance)


@pytest.mark.parametrize("parties", [1, 2, 4])
def test_the_mean_of_the_gradients_has_noise_and_each_backward_pass_is_a_step_of_the_account(parties):
    clip, noise = 0.5, 8.0

    def program(mesh):
        model = models[mesh.rank]
        synchronised = tacit.torch.synchronise(model, mesh, clip=clip, noise=noise)
        got = []
        for _ in range(3):
            for parameter in model.parameters():
                parameter.grad = None
            (model(torch.zeros(2, 50)) * 0).sum().backward()
            got.append(numpy.concatenate([parameter.grad.numpy().reshape(-1) for parameter in model.parameters()]))
        return numpy.concatenate(got), synchronised.epsilon(1e-5), synchronised.epsilon(1e-5, steps=3)

    models = [torch.nn.Sequential(torch.nn.Linear(50, 300), torch.nn.Linear(300, 3)) for _ in range(parties)]
    results = ranks.results_of(parties, program)
    z = results[0][0] * parties / (noise * clip)
    assert z.size == 3 * (50 * 300 + 300 + 903)
    assert abs(z.mean()) < 5 / math.sqrt(z.size) and abs((z**2).mean() - 1) < 5 * math.sqrt(2 / z.size)
    for gradient, told, three in results:
        assert (gradient == results[0][0]).all() and told == three
        assert len(told) == min(parties, 3) and 0 < list(told.values())[0] < 2


def test_noise_for_a_torch_model_is_refused_without_a_clip_and_so_is_a_gradient_that_is_no_number():
    (mesh,) = tacit.net.in_memory(1)
    with mesh:
        for options, sentence in (({"noise": 1.0}, "noise=1 is given without clip"),
                                  ({"clip": -2}, "clip is -2; expected a number"),
                                  ({"clip": 1.0, "noise": 1.0, "secure": False}, "without secure=True")):
            with pytest.raises(tacit.ConfigError, match=sentence):
                tacit.torch.synchronise(model_of(0), mesh, **options)
        model = model_of(0)
        tacit.torch.synchronise(model, mesh, clip=1.0, noise=1.0)
        with pytest.raises(tacit.ConfigError, match=r"of parameter \d \(\d.\w+\): \d+ of \d+ elements are NaN or infinite"):
            (model(torch.ones(1, 4)).sum() * float("nan")).backward()


def test_a_model_on_another_device_is_refused_with_the_name_of_the_tensor():
    (mesh,) = tacit.net.in_memory(1)
    sentence = r"weight is on the device meta; expected a model on the CPU: model.cpu\(\)"
    with mesh, pytest.raises(tacit.ConfigError, match=sentence):
        tacit.torch.synchronise(torch.nn.Linear(2, 3, device="meta"), mesh)


def test_a_model_of_a_type_that_numpy_lacks_is_refused_with_the_name_of_the_tensor():
    (mesh,) = tacit.net.in_memory(1)
    with mesh, pytest.raises(tacit.ConfigError, match=r"weight has the type torch.bfloat16; expected .*: model.float\(\)"):
        tacit.torch.synchronise(torch.nn.Linear(2, 3).to(torch.bfloat16), mesh)


def test_models_that_differ_are_refused_at_every_rank():
    models = [torch.nn.Linear(4, 2), torch.nn.Linear(4, 3)]
    for result in ranks.threads(2, lambda mesh: tacit.torch.synchronise(models[mesh.rank], mesh)):
        assert isinstance(result, tacit.ConfigError), result
    (mesh,) = tacit.net.in_memory(1)
    with mesh, pytest.raises(tacit.ConfigError, match="the model has no parameter with requires_grad"):
        tacit.torch.synchronise(torch.nn.ReLU(), mesh)


TRAINS = """
import torch, tacit.net
torch.set_num_threads(1)
with tacit.net.from_env(deadline=60) as mesh:
    model = torch.nn.Linear(3, 2)
    synchronised = tacit.torch.synchronise(model, mesh, clip=100.0)
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(4):
        optimiser.zero_grad()
        (model(torch.full((2, 3), float(mesh.rank + step))) ** 2).sum().backward()
        optimiser.step()
    print(model.weight.tolist(), model.bias.tolist(), mesh.traffic()["wire_bytes_sent"] > 1000)
"""


def test_processes_train_over_tls_with_equal_weights(tmp_path):
    results = ranks.Processes(tmp_path, 2).run(TRAINS)
    assert [code for code, _, _ in results] == [0, 0], results
    assert results[0][1] == results[1][1] and results[0][1].endswith("True\n")


def test_without_pytorch_the_import_says_what_to_install():
    program = "import sys; sys.modules['torch'] = None\nimport tacit\ntacit.torch"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ended.returncode == 1 and "tacit.torch needs PyTorch (Debian: apt-get install python3-torch)" in ended.stderr
