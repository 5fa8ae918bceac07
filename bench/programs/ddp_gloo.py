#!/usr/bin/python3
"""One rank of a data-parallel training of VGG-11 with PyTorch's DistributedDataParallel over Gloo (plain TCP), for
comparison with gradient_trainer: the same model, data, batch and optimiser. `tacit bench gradients` starts it where
python3-torch is installed. RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT are in the environment. The options and the JSON
are those of gradient_trainer; bytes are not counted.

With `--way hook` or `--way secure-hook`, tacit.torch.synchronise takes the place of DistributedDataParallel, over TLS
(TACIT_KEY and TACIT_ROSTER in the environment): torch_hook.py starts both.
"""

import argparse
import hashlib
import json
import math
import os
import resource
import sys
import time

import numpy
import torch

WAYS = ("ddp-gloo", "hook", "secure-hook")
SIDE, COLOURS, CLASSES = 32, 3, 10
RECORD = 1 + COLOURS * SIDE * SIDE
MEANS = torch.tensor([0.4914, 0.4822, 0.4465]).view(1, 3, 1, 1) * 255
DEVIATIONS = torch.tensor([0.2470, 0.2435, 0.2616]).view(1, 3, 1, 1) * 255
PADDING = 4
LOSS_EVERY = 20


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    for name, kind, default in [("way", str, "ddp-gloo"), ("data", str, None), ("bucket", str, "25MB"), ("json", str, None),
                                ("batch", int, 64), ("epochs", int, 1), ("iterations", int, 0), ("seed", int, 1),
                                ("train", int, 0), ("test", int, 0), ("rate", float, 0.1), ("momentum", float, 0.9),
                                ("weight-decay", float, 1e-4), ("threads", int, 1)]:
        parser.add_argument("--" + name, type=kind, default=default)
    parser.add_argument("--batch-norm", action="store_true")
    return parser.parse_args()


def pictures(folder, names, most):
    records = numpy.concatenate([numpy.fromfile(os.path.join(folder, name), dtype=numpy.uint8) for name in names])
    records = records.reshape(-1, RECORD)
    if most:
        records = records[:most]
    pixels = torch.from_numpy(records[:, 1:].copy()).view(-1, COLOURS, SIDE, SIDE)
    return pixels, torch.from_numpy(records[:, 0].astype(numpy.int64))


def standardised(pixels):
    return (pixels.float() - MEANS) / DEVIATIONS


def augmented(pixels, random):
    padded = numpy.pad(pixels.numpy(), ((0, 0), (0, 0), (PADDING, PADDING), (PADDING, PADDING)))
    out = numpy.empty_like(pixels.numpy())
    for i, (down, right) in enumerate(random.integers(0, 2 * PADDING + 1, (len(out), 2))):
        out[i] = padded[i, :, down:down + SIDE, right:right + SIDE]
        if random.integers(2):
            out[i] = out[i, :, :, ::-1]
    return standardised(torch.from_numpy(out))


def vgg11(batch_norm):
    layers, channels = [], COLOURS
    for width in [64, "M", 128, "M", 256, 256, "M", 512, 512, "M", 512, 512, "M"]:
        if width == "M":
            layers.append(torch.nn.MaxPool2d(2))
            continue
        layers.append(torch.nn.Conv2d(channels, width, 3, padding=1))
        if batch_norm:
            layers.append(torch.nn.BatchNorm2d(width))
        layers.append(torch.nn.ReLU(inplace=True))
        torch.nn.init.kaiming_normal_(layers[-3 if batch_norm else -2].weight)
        channels = width
    return torch.nn.Sequential(*layers, torch.nn.Flatten(), torch.nn.Linear(512, CLASSES))


def megabytes(bucket):
    for unit, size in (("KiB", 1 << 10), ("MiB", 1 << 20), ("kB", 1e3), ("KB", 1e3), ("MB", 1e6), ("B", 1)):
        if bucket.endswith(unit):
            return float(bucket[:-len(unit)]) * size / (1 << 20)
    raise SystemExit(f"--bucket {bucket}: expected a size as 25MB")


def tested(model, pixels, labels):
    loss, correct = 0.0, 0
    model.eval()
    with torch.no_grad():
        for begin in range(0, len(labels), 256):
            scores = model(standardised(pixels[begin:begin + 256]))
            wanted = labels[begin:begin + 256]
            loss += torch.nn.functional.cross_entropy(scores, wanted, reduction="sum").item()
            correct += (scores.argmax(1) == wanted).sum().item()
    model.train()
    return loss / max(1, len(labels)), correct


def synchronised(model, its):
    """The model in the form that a rank calls, and a function that waits for all ranks."""
    if its.way == "ddp-gloo":
        from torch import distributed
        from torch.nn.parallel import DistributedDataParallel
        distributed.init_process_group("gloo")
        return DistributedDataParallel(model, bucket_cap_mb=megabytes(its.bucket)), distributed.barrier
    import tacit.net
    import tacit.torch
    mesh = tacit.net.from_env()
    tacit.torch.synchronise(model, mesh, bucket_mb=megabytes(its.bucket) * (1 << 20) / 1e6, secure=its.way == "secure-hook")
    return model, mesh.barrier


def main():
    its = options()
    if its.way not in WAYS:
        raise SystemExit(f"--way {its.way}: expected one of {', '.join(WAYS)}")
    rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    torch.set_num_threads(its.threads)
    torch.manual_seed(its.seed)
    train, labels = pictures(its.data, [f"data_batch_{i}.bin" for i in range(1, 6)], its.train)
    test, test_labels = pictures(its.data, ["test_batch.bin"], its.test)
    plain = vgg11(its.batch_norm)
    model, wait_for_all = synchronised(plain, its)
    optimiser = torch.optim.SGD(model.parameters(), lr=its.rate, momentum=its.momentum, weight_decay=its.weight_decay)
    random = numpy.random.default_rng([its.seed, rank])
    iterations, losses, recent, epochs = [], [], [], []
    steps = max(1, len(labels) // (its.batch * ranks))
    begun, cpu = time.monotonic(), time.process_time()
    diverged = 0
    for epoch in range(1, its.epochs + 1):
        order = numpy.random.default_rng([its.seed, epoch]).permutation(len(labels))
        sums = 0.0
        for step in range(steps):
            if its.iterations and len(iterations) == its.iterations:
                break
            began = time.monotonic()
            mine = torch.from_numpy(order[(step * ranks + rank) * its.batch:(step * ranks + rank + 1) * its.batch])
            optimiser.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(augmented(train[mine], random)), labels[mine])
            loss.backward()
            optimiser.step()
            iterations.append({"seconds": time.monotonic() - began})
            if not math.isfinite(loss.item()):
                diverged = len(iterations)
                break
            recent.append(loss.item())
            sums += recent[-1]
            if len(iterations) % LOSS_EVERY == 0:
                losses.append({"iteration": len(iterations), "loss": sum(recent) / len(recent)})
                recent = []
                print(f"iteration {len(iterations)}: loss {losses[-1]['loss']:.4f}", flush=True)
        if diverged:
            break
        test_loss, correct = tested(plain, test, test_labels) if rank == 0 else (0.0, 0)
        epochs.append({"epoch": epoch, "train_loss": sums / steps,
                       "test_loss": test_loss if math.isfinite(test_loss) else None, "correct": correct,
                       "tested": len(test_labels) if rank == 0 else 0})
        wait_for_all()
    digest = hashlib.sha256(b"".join(p.detach().numpy().tobytes() for p in plain.parameters())).hexdigest()
    measured = {"way": its.way, "rank": rank, "ranks": ranks, "batch": its.batch, "seed": its.seed,
                "parameters": sum(p.numel() for p in plain.parameters()), "digest": digest, "iterations": iterations,
                "losses": losses, "epochs": epochs, "wall_seconds": time.monotonic() - begun,
                "cpu_seconds": time.process_time() - cpu,
                "resident_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}
    if diverged:
        measured["diverged"] = diverged
    with open(its.json + ".new", "w", encoding="ascii") as file:
        json.dump(measured, file)
    os.replace(its.json + ".new", its.json)
    if diverged:
        print(f"the loss is not finite in iteration {diverged}: the training diverges; try a smaller --rate", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
