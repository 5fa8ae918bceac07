#!/usr/bin/env python3
"""kubernetes_test.py TACIT SOURCE: tools/cluster/kubernetes.yaml is a valid indexed Job, as far
as can be checked without Kubernetes, and the command of its pods trains. Each rank is started
here like its pod, with the manifest's own environment and command, and with folders of this test
in place of its volumes. Exit code 77: there is no PyYAML."""

import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("kubernetes_test: skipped: python3-yaml is not installed (tools/setup --tests)")
    sys.exit(77)

TACIT, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])


def expect(holds, what):
    if not holds:
        sys.exit(f"kubernetes_test: {what}")


def check_shape(service, job):
    name, spec = job["metadata"]["name"], job["spec"]
    pod = spec["template"]["spec"]
    (container,) = pod["containers"]
    expect((service["apiVersion"], service["kind"]) == ("v1", "Service"), "the first document is no Service")
    expect((job["apiVersion"], job["kind"]) == ("batch/v1", "Job"), "the second document is no Job")
    expect(spec["completionMode"] == "Indexed", "pods would not know their ranks")
    expect(spec["completions"] == spec["parallelism"] == 4, "not all ranks run at once")
    expect(service["spec"]["clusterIP"] == "None" and service["spec"]["publishNotReadyAddresses"], "pods have no names")
    expect(service["spec"]["selector"] == {"job-name": name}, "the Service does not select the Job's pods")
    expect(pod["subdomain"] == service["metadata"]["name"], "pods are not named by the Service")
    expect(pod["restartPolicy"] == "Never", "podFailurePolicy needs restartPolicy Never")
    (rule,) = spec["podFailurePolicy"]["rules"]
    expect(rule["action"] == "FailJob" and rule["onExitCodes"]["containerName"] == container["name"], "no such rule")
    expect(sorted(rule["onExitCodes"]["values"]) == [2, 4, 70], "a restart cannot help after exit codes 2, 4 and 70")
    environment = {each["name"]: each["value"] for each in container["env"]}
    expect(all(isinstance(value, str) for value in environment.values()), "Kubernetes takes only text in env")
    expect(environment["MASTER_ADDR"] == f"{name}-0.{pod['subdomain']}", "rank 0 is not looked for in the first pod")
    expect([str(p["containerPort"]) for p in container["ports"]] == [environment["MASTER_PORT"]], "another port is open")
    volumes = {each["name"] for each in pod["volumes"]}
    expect(volumes == {each["name"] for each in container["volumeMounts"]}, "some volumes are not mounted, or not defined")
    (keys,) = [each["secret"] for each in pod["volumes"] if "secret" in each]
    expect(keys["defaultMode"] & 0o007 == 0, "any process in the pod may read all keys")
    expect(pod["automountServiceAccountToken"] is False, "a rank holds a token of the cluster's")
    expect(container["securityContext"]["allowPrivilegeEscalation"] is False, "a rank could become root")
    return spec["completions"], environment, container


def tacit(*words, **options):
    return subprocess.run([TACIT, *words], check=True, capture_output=True, text=True, **options).stdout


def fill_volumes(folder, ranks):
    for name in ("job", "keys", "work/data", "run/tacit", "bin"):
        (folder / name).mkdir(parents=True)
    job = folder / "job/job.toml"
    shutil.copy(SOURCE / "examples/jobs/sensors.toml", job)
    tacit("data", "make", "sensors", "--stations", "60", "--out", folder / "whole.npz")
    tacit("data", "split", folder / "whole.npz", "--job", job, "--out", folder / "work/data")
    roster = []
    for rank in range(ranks):
        key = folder / f"keys/rank{rank}.key"
        tacit("keys", "new", key)
        roster += ["--party" if rank + 1 < ranks else "--dealer", tacit("keys", "show", key).split()[0]]
        key.chmod(0o440)  # the mode of a Secret with an fsGroup
    (folder / "job/roster").write_text(tacit("keys", "roster", *roster))


def own(text, folder, rank):
    """Returns a pod's text with this test's folders; each pod has its own /run/tacit."""
    text = text.replace("/run/tacit", f"/run/tacit{rank}")
    return re.sub(r"(?<![\w./])/(job|keys|work|run)\b", lambda found: f"{folder}/{found[1]}", text)


def train(folder, ranks, environment, container):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    pods = []
    for rank in range(ranks):
        (folder / f"run/tacit{rank}").mkdir()
        variables = {**environment, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
        variables |= {"JOB_COMPLETION_INDEX": str(rank), "PATH": f"{pathlib.Path(TACIT).parent}:/usr/bin:/bin"}
        words = [own(word, folder, rank) for word in container["command"] + container["args"]]
        pods.append(subprocess.Popen(words, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
    try:
        for rank, pod in enumerate(pods):
            said, _ = pod.communicate(timeout=60)
            expect(pod.returncode == 0, f"rank {rank} ended with {pod.returncode}: {said}")
            expect("train rmse" in said or rank + 1 == ranks, f"rank {rank} was not told the error: {said}")
    finally:
        for pod in pods:
            if pod.poll() is None:
                pod.kill()
                pod.wait()


def main():
    with open(SOURCE / "tools/cluster/kubernetes.yaml", encoding="utf-8") as manifest:
        service, job = yaml.safe_load_all(manifest)
    ranks, environment, container = check_shape(service, job)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        fill_volumes(folder, ranks)
        train(folder, ranks, environment, container)
        for rank in range(ranks):
            seat = (folder / f"work/runs/rank{rank}/job.toml").read_text()
            expect(f"# rank: {rank} (JOB_COMPLETION_INDEX" in seat, f"rank {rank} has another seat: {seat[:200]}")


if __name__ == "__main__":
    os.umask(0o022)
    main()
