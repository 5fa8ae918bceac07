#!/usr/bin/env python3
"""serve_test.py TACIT SOURCE: `tacit serve` as its users meet it, on the sockets and folders of this machine.

Each rank is a process. The answers must equal the predictions of `tacit predict`: to curl, to 8 clients that send 1,000
requests, and as files, also while they are written. Bad requests get a sentence. A killed rank ends the service at all
ranks, each request has an answer, and the next service gives the same answers. SIGTERM at one rank ends all ranks with exit
code 0. A launch over ssh fetches the accounts after Ctrl-C.
"""
import csv
import http.client
import json
import os
import random
import signal
import socket
import stat
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
from serve_processes import SOON, Process, UnixConnection, expect, free_port, request, run, wait_for

TACIT, SOURCE = (os.path.abspath(word) for word in sys.argv[1:])
RANKS, PARTIES, DEALER, ASKER = 4, 3, 3, 1
CLIENTS, REQUESTS = 8, 1000


def check_values(answer, nodes, expected, where):
    expect(f"{where}: {answer}", [one["node"] for one in answer["predictions"]] == nodes)
    for one in answer["predictions"]:
        told = expected[one["node"]]
        expect(f"{where}: node {one['node']} got {one}, and predict says {told}",
               abs(one["value"] - told) <= 1e-7 * abs(told))


class Sensors:
    """Three parties and a dealer with a model of 300 stations; rank 1 may ask."""

    def __init__(self, folder):
        self.folder = folder
        run([TACIT, "data", "make", "sensors", "--stations", "300", "--out", "whole.npz"], folder)
        self.job = os.path.join(folder, "sensors.toml")
        with open(os.path.join(SOURCE, "examples", "jobs", "sensors.toml")) as example, open(self.job, "w") as job:
            job.write(example.read())
        run([TACIT, "data", "split", "whole.npz", "--job", "sensors.toml", "--out", "."], folder)
        run([TACIT, "launch", "-n", str(PARTIES), "sensors.toml", "--output", "out", "--set", "training.epochs=20"], folder)
        run([TACIT, "launch", "--predict", "sensors.toml", "--output", "out", "--set", f"reveal.predictions={ASKER}"],
            folder)
        with open(os.path.join(folder, "out", f"rank{ASKER}", "predictions.csv")) as table:
            self.expected = {int(row["node"]): float(row["prediction"]) for row in csv.DictReader(table)}
        self.socket = os.path.join(folder, "out", f"rank{ASKER}", "ask.sock")
        self.asks = os.path.join(folder, "asks")
        self.http = free_port()

    def serve(self, name, settings=(), metrics=None):
        """Starts all ranks. `settings`: a list of (rank, "name=value"). `metrics`: the ports of ranks."""
        master = f"127.0.0.1:{free_port()}"
        ranks = []
        for rank in range(RANKS):
            words = [TACIT, "serve", "sensors.toml", "--rank", str(rank), "--world-size", str(RANKS), "--master", master]
            words += ["--output", "out", "--key", f"out/keys/rank{rank}.key", "--set", "roster=out/roster"]
            words += ["--set", f"reveal.predictions={ASKER}", "--set", "serve.requests_per_minute=1000000"]
            for of_rank, setting in settings:
                words += ["--set", setting] if of_rank == rank else []
            words += ["--metrics", f"127.0.0.1:{metrics[rank]}"] if rank in (metrics or {}) else []
            ranks.append(Process(words, self.folder, f"{name}-rank{rank}"))
        ready = ["takes no requests", "takes requests at", "takes no requests", "waits for the end"]
        for rank, says in zip(ranks, ready):
            rank.says(says)
        return ranks

    def accounts(self, rank):
        with open(os.path.join(self.folder, "out", f"rank{rank}", "requests.jsonl")) as lines:
            return [json.loads(line) for line in lines]

    def summary(self, rank):
        with open(os.path.join(self.folder, "out", f"rank{rank}", "service.json")) as file:
            return json.load(file)


def curl(sensors, nodes):
    words = ["curl", "--silent", "--show-error", "--unix-socket", sensors.socket, "http://localhost/v1/predictions"]
    answer = json.loads(run([*words, "--data", json.dumps({"nodes": nodes})], sensors.folder).stdout)
    check_values(answer, nodes, sensors.expected, "curl")


def check_bad_requests(sensors):
    long_header = {"X-Long": "x" * 9000}
    bad = [
        ({"nodes": [300]}, 400, "there is no node 300: the data have nodes 0 ... 299"),
        ({"nodes": [-1]}, 400, "there is no node -1"),
        ({"nodes": [3, 3]}, 400, "the node 3 is named twice"),
        ({"nodes": [1.5]}, 400, "the node 1.5 is neither a whole number nor an id"),
        ({"nodes": [None]}, 400, "neither a whole number nor an id"),
        ('{"nodes": [18446744073709551616]}', 400, "neither a whole number nor an id"),
        ({"nodes": ["north"]}, 400, "is named by an id, and this rank's data have no ids"),
        ({"nodes": []}, 400, "\"nodes\" is empty"),
        ({"nodes": 3}, 400, "\"nodes\" is no list"),
        ({"node": [3]}, 400, "the request has the unknown key \"node\""),
        ({}, 400, "the request has no key \"nodes\""),
        ([3], 400, "the request is no JSON object"),
        ("nodes=3", 400, "the request is not JSON"),
        ("", 400, "the request is not JSON"),
        ("[" * 1000000, 400, "the request is no JSON object"),
        ('{"nodes": ' + "[" * 500000 + "]" * 500000 + "}", 400, "a node is a list"),
        (" " * (1 << 20) + "{}", 413, "the request has more than 1048576 bytes"),
    ]
    for body, status, sentence in bad:
        got = request(sensors.socket, body)
        expect(f"{str(body)[:60]}: {got}", got[0] == status and sentence in got[1]["error"])
    for method, target, status, sentence in [("GET", "/", 404, "there is no /; /v1/predictions"),
                                             ("GET", "/v1/predictions", 405, "/v1/predictions takes POST alone"),
                                             ("POST", "/v1/status", 405, "/v1/status takes GET alone")]:
        got = request(sensors.socket, None, method, target)
        expect(f"{method} {target}: {got}", got[0] == status and sentence in got[1]["error"])
    got = request(sensors.socket, {"nodes": [1]}, headers=long_header)
    expect(f"a long header: {got}", got[0] == 431)
    head = UnixConnection(sensors.socket)
    for _ in range(2):
        head.request("HEAD", "/v1/status")
        response = head.getresponse()
        expect("a HEAD has no body, and its connection goes on", response.status == 405 and not response.read())
    head.close()
    with socket.socket(socket.AF_UNIX) as raw:
        raw.connect(sensors.socket)
        raw.sendall(b"what is this\r\n\r\n")
        expect("bytes that are no HTTP", raw.recv(4096).startswith(b"HTTP/1.1 400 "))
    # On the loopback, a page in a browser is no user of this machine.
    for headers, status in [({}, 200), ({"Origin": "http://localhost"}, 403), ({"Host": "evil.example"}, 403)]:
        got = request(None, {"nodes": [1]}, headers=headers, port=sensors.http)
        expect(f"{headers} on the loopback: {got}", got[0] == status)


def check_many_connections(sensors):
    # Clients that send nothing, or a part of a request, keep nobody out: the one that has waited longest makes room.
    idle = []
    for number in range(600):
        idle.append(socket.socket(socket.AF_UNIX))
        idle[-1].connect(sensors.socket)
        if number % 2:
            idle[-1].sendall(b"POST /v1/predictions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n[")
        if number % 100 == 99:
            got = request(sensors.socket, {"nodes": [1]})
            expect(f"a request beside {number + 1} slow clients: {got}", got[0] == 200)
    idle[0].settimeout(SOON)
    try:
        ended = idle[0].recv(1) == b""
    except ConnectionError:
        ended = True
    expect("the first slow client lost its connection", ended)
    for one in idle:
        one.close()


def check_descriptions(sensors):
    status, told, _ = request(sensors.socket, None, "GET", "/v1/status")
    expect(f"status: {told}", status == 200 and told["nodes"] == 300 and told["rank"] == ASKER and told["epochs"] == 20)
    status, api, _ = request(sensors.socket, None, "GET", "/v1/openapi.json")
    expect(f"openapi: {api}", status == 200 and api["openapi"].startswith("3.") and "/v1/predictions" in api["paths"])
    for part in json.dumps(api).split('"$ref": "#/components/')[1:]:
        kind, name = part.split('"')[0].split("/")
        expect(f"openapi: {kind}/{name} is missing", name in api["components"][kind])


def load(sensors):
    """Many clients at once, each on one connection."""
    wrong, times = [], []

    def client(seed):
        choose = random.Random(seed)
        connection = UnixConnection(sensors.socket)
        for _ in range(REQUESTS // CLIENTS):
            nodes = choose.sample(range(300), choose.randint(1, 5))
            begun = time.perf_counter()
            connection.request("POST", "/v1/predictions", json.dumps({"nodes": nodes}))
            response = connection.getresponse()
            answer = json.loads(response.read())
            times.append(time.perf_counter() - begun)
            try:
                expect(f"status {response.status}: {answer}", response.status == 200)
                check_values(answer, nodes, sensors.expected, "a client")
            except SystemExit as error:
                wrong.append(str(error))

    threads = [threading.Thread(target=client, args=(seed,)) for seed in range(CLIENTS)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - begun
    expect(f"{len(wrong)} answers are wrong; {wrong[:1]}", not wrong)
    expect(f"{len(times)} of {REQUESTS} requests have an answer", len(times) == REQUESTS)
    times.sort()
    print(f"{REQUESTS} requests of {CLIENTS} clients: {REQUESTS / seconds:.0f} a second, "
          f"median {1e3 * times[len(times) // 2]:.1f} ms, longest {1e3 * times[-1]:.1f} ms")
    times.clear()
    for _ in range(100):
        begun = time.perf_counter()
        request(sensors.socket, {"nodes": [7]})
        times.append(time.perf_counter() - begun)
    print(f"one client, one node: median {1e3 * sorted(times)[50]:.2f} ms")


def write_request(sensors, name, body):
    path = os.path.join(sensors.asks, name)
    with open(f"{path}.part", "w") as file:
        file.write(body)
    os.rename(f"{path}.part", f"{path}.json")
    return f"{path}.answer.json"


def check_folder(sensors):
    expect("the folder is private", stat.S_IMODE(os.stat(sensors.asks).st_mode) == 0o700)
    good, bad = write_request(sensors, "good", '{"nodes": [9, 2]}'), write_request(sensors, "bad", '{"nodes": [2, 2]}')
    deep = write_request(sensors, "deep", '{"nodes": ' + "[" * 500000 + "]" * 500000 + "}")
    for answer in (good, bad, deep):
        wait_for(answer)
    with open(good) as file:
        check_values(json.load(file), [9, 2], sensors.expected, "a file")
    with open(bad) as file:
        told = json.load(file)
    expect(f"a bad file: {told}", told["status"] == 400 and "named twice" in told["error"])
    expect("the answer is private", stat.S_IMODE(os.stat(good).st_mode) == 0o600)


def check_long_name(sensors):
    """No answer fits beside this file, so nothing is asked."""
    write_request(sensors, "n" * 245, '{"nodes": [1]}')
    again = write_request(sensors, "again", '{"nodes": [1]}')
    wait_for(again)
    expect("no answer", not [name for name in os.listdir(sensors.asks) if name.startswith("nn") and "answer" in name])


def check_growing_files(sensors):
    """A file that is still being written is not taken, whichever way it comes into the folder."""
    def path(name):
        return os.path.join(sensors.asks, name)

    def piecewise(name, text, pause):
        with open(path(f"{name}.json"), "w") as file:
            for piece in text:
                file.write(piece)
                file.flush()
                time.sleep(pause)

    slowly = threading.Thread(target=piecewise, args=("slow", '{"nodes": [4, 7]}', 0.3))
    slowly.start()  # for five seconds
    with open(path("cut.json"), "w") as file:
        file.write('{"nodes": [4')  # and nothing more
    with open(path("open.json"), "w") as file:
        file.write('{"nodes": [1]}')
        file.flush()
        wait_for(path("open.answer.json"))  # while its writer has it open
    open(path("empty.json"), "w").close()
    time.sleep(1)
    with open(path("empty.json"), "w") as file:
        file.write('{"nodes": [2]}')
    with open(path("linked.part"), "w") as file:
        file.write('{"nodes": [3]}')
    os.link(path("linked.part"), path("linked.json"))
    expect("a slow file has no answer yet", slowly.is_alive() and not os.path.exists(path("slow.answer.json")))
    slowly.join()
    for name, nodes in [("slow", [4, 7]), ("open", [1]), ("empty", [2]), ("linked", [3])]:
        wait_for(path(f"{name}.answer.json"))
        with open(path(f"{name}.answer.json")) as file:
            check_values(json.load(file), nodes, sensors.expected, f"the file {name}")
    wait_for(path("cut.answer.json"))
    with open(path("cut.answer.json")) as file:
        told = json.load(file)
    expect(f"a file that is not continued: {told}", told["status"] == 400 and "is not JSON" in told["error"])


def check_many_files(sensors):
    """More files than are under way at a time."""
    answers = [write_request(sensors, f"many{node}", json.dumps({"nodes": [node % 300]})) for node in range(600)]
    for node, answer in enumerate(answers):
        wait_for(answer)
        with open(answer) as file:
            check_values(json.load(file), [node % 300], sensors.expected, f"file {node}")


def kill_a_rank(sensors, ranks):
    """Clients ask while a rank is killed. Each request gets a right answer, or an error with the reason for the end of the service.
    A client that has connected and not asked yet is answered as well. A client that never asks loses its connection, and the
    rank says so."""
    wrong, ended, gone = [], [], []
    late, silent = UnixConnection(sensors.socket), UnixConnection(sensors.socket)
    late.connect()
    silent.connect()

    def client(seed):
        choose = random.Random(seed)
        while True:
            nodes = choose.sample(range(300), 3)
            try:
                status, answer, _ = request(sensors.socket, {"nodes": nodes})
            except (FileNotFoundError, ConnectionRefusedError):
                gone.append(seed)  # there is no socket any more, so there was no request
                return
            except (OSError, http.client.HTTPException) as error:
                wrong.append(f"no answer: {error!r}")
                return
            if status == 503:
                if seed == 0:
                    late.request("POST", "/v1/predictions", '{"nodes": [8]}')
                    response = late.getresponse()
                    ended.append(json.loads(response.read())["error"])
                    if response.status != 503:
                        wrong.append(f"a late request: {response.status}")
                ended.append(answer["error"])
                return
            try:
                expect(f"status {status}: {answer}", status == 200)
                check_values(answer, nodes, sensors.expected, "a client")
            except SystemExit as error:
                wrong.append(str(error))
                return

    threads = [threading.Thread(target=client, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    ranks[2].process.kill()
    for thread in threads:
        thread.join()
    expect(f"{wrong[:1]}", not wrong)
    expect(f"all clients ended: {ended}, {gone}", len(ended) + len(gone) == 4 + 1)
    expect(f"a client hears who is gone: {ended}", ended and all("rank 2" in sentence for sentence in ended))
    expect("a silent client loses its connection", silent.sock.recv(1) == b"")
    for rank in (0, ASKER, DEALER):
        ranks[rank].ends(3)
        expect(ranks[rank].err(), "rank 2 (party" in ranks[rank].err())
        expect(ranks[rank].err(), "start it again at every rank to go on" in ranks[rank].err())
    said = ranks[ASKER].err()
    expect(said, "closed 1 connection over which no whole request had come" in said)
    expect("the socket is gone", not os.path.exists(sensors.socket))


def check_metrics(port, lines):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SOON)
    connection.request("GET", "/metrics")
    text = connection.getresponse().read().decode()
    connection.close()
    for line in lines:
        expect(f"{line} is not in the metrics:\n{text}", line in text)


def check_end(sensors, ranks, sentence):
    for rank, process in enumerate(ranks):
        process.ends(0)
        expect(process.err(), f"the service ends: {sentence}" in process.err())
        summary = sensors.summary(rank)
        expect(summary, summary["result"] == "finished" and summary["served"]["ended"] == sentence)
    expect(ranks[ASKER].out(), "has served " in ranks[ASKER].out() and "requests.jsonl" in ranks[ASKER].out())


def check_accounts(sensors, before):
    """All parties have the same account of who asked for which nodes."""
    all_accounts = [[{key: line[key] for key in ("asker", "nodes", "refused_by")} for line in sensors.accounts(rank)]
                    for rank in range(PARTIES)]
    expect("all parties have the same account", all(one == all_accounts[0] for one in all_accounts))
    expect("the dealer has none", not os.path.exists(os.path.join(sensors.folder, "out", "rank3", "requests.jsonl")))
    served = sensors.summary(0)["served"]
    expect(f"{served} and {len(all_accounts[0])} lines",
           served["requests"] + served["refused"] == len(all_accounts[0]) - before)
    expect("the account is private", stat.S_IMODE(os.stat(os.path.join(
        sensors.folder, "out", "rank0", "requests.jsonl")).st_mode) == 0o600)
    return len(all_accounts[0])


def check_sensors(folder):
    sensors = Sensors(folder)
    mine = [(ASKER, f"serve.http=127.0.0.1:{sensors.http}"), (ASKER, f"serve.folder={sensors.asks}")]
    ranks = sensors.serve("first", mine)
    expect("only the user reaches the socket", stat.S_IMODE(os.stat(sensors.socket).st_mode) == 0o600)
    expect("no other rank has a socket", not os.path.exists(os.path.join(folder, "out", "rank0", "ask.sock")))
    curl(sensors, [3, 5])
    check_descriptions(sensors)
    check_bad_requests(sensors)
    check_many_connections(sensors)
    load(sensors)
    check_folder(sensors)
    check_long_name(sensors)
    check_many_files(sensors)
    check_growing_files(sensors)
    ranks[0].process.send_signal(signal.SIGTERM)
    check_end(sensors, ranks, "rank 0 has received SIGTERM")
    lines = check_accounts(sensors, 0)
    expect("at least the load is recorded", lines >= REQUESTS)

    ranks = sensors.serve("second", mine)
    curl(sensors, [3, 5])
    kill_a_rank(sensors, ranks)
    later = write_request(sensors, "later", '{"nodes": [11]}')
    lines = len(sensors.accounts(0))

    ports = {rank: free_port() for rank in (0, ASKER)}
    ranks = sensors.serve("third", [*mine, (2, "serve.requests_per_minute=3"), (0, "serve.nodes_per_request=4")], ports)
    wait_for(later)
    with open(later) as file:
        check_values(json.load(file), [11], sensors.expected, "a file of before")
    curl(sensors, [3, 5])
    status, answer, headers = request(sensors.socket, {"nodes": [1, 2, 3, 4, 5]})
    expect(f"{answer}", status == 429 and "rank 0 takes part in requests for at most 4 nodes" in answer["error"])
    curl(sensors, [5])
    status, answer, headers = request(sensors.socket, {"nodes": [1]})
    expect(f"{answer}", status == 429 and "rank 2 takes part in at most 3 requests" in answer["error"])
    expect(f"{headers}", 0 < int(headers["Retry-After"]) <= 60)
    status, answer, headers = request(sensors.socket, {"nodes": [300]})
    expect(f"{answer}", status == 400)
    of_parties = [f'asker="{ASKER}",result="answered"}} 3\n', f'asker="{ASKER}",result="too_many_nodes"}} 1\n',
                  f'asker="{ASKER}",result="too_often"}} 1\n', f'asker="{ASKER}"}} 4\n']
    check_metrics(ports[0], of_parties)
    check_metrics(ports[ASKER], [*of_parties, "# TYPE tacit_own_request_seconds summary", 'result="answered"} 3\n',
                                 'result="bad_request"} 1\n'])
    ranks[DEALER].process.send_signal(signal.SIGINT)
    check_end(sensors, ranks, "rank 3 was interrupted by its user")
    # The account of a party may lack the last turn of a service in which a rank was killed, so lines count from there.
    served = sensors.summary(0)["served"]
    expect(f"{served}", served["requests"] == 3 and served["refused"] == 2)
    expect("the account goes on", len(sensors.accounts(0)) == lines + 5)

    check_plan(sensors)

    ranks = sensors.serve("fourth")
    ranks[0].process.kill()  # while nobody asks
    for rank in (1, 2, DEALER):
        ranks[rank].ends(3)
        expect(ranks[rank].err(), "rank 0 (party" in ranks[rank].err())

    ranks = sensors.serve("fifth")
    ranks[ASKER].process.kill()  # leaves its socket behind
    ranks[0].ends(3)
    expect("the socket of a killed rank is there", os.path.exists(sensors.socket))
    ranks = sensors.serve("sixth")
    curl(sensors, [3, 5])
    ranks[ASKER].process.send_signal(signal.SIGTERM)
    check_end(sensors, ranks, "rank 1 has received SIGTERM")


def check_plan(sensors):
    """The planned cost of a request equals the difference between a service with one request and a service without."""
    plan = json.loads(run([TACIT, "plan", "sensors.toml", "--serve", "--json", "--set", f"reveal.predictions={ASKER}"],
                          sensors.folder).stdout)
    expect(plan, plan["exact"] and plan["asker"] == ASKER and [one["rank"] for one in plan["ranks"]] == [0, 1, 2])
    costs = []
    for nodes in ([], [7]):
        ranks = sensors.serve(f"plan{len(nodes)}")
        if nodes:
            curl(sensors, nodes)
        ranks[2].process.send_signal(signal.SIGTERM)
        check_end(sensors, ranks, "rank 2 has received SIGTERM")
        costs.append([{key: summary["stated"][key] + summary["served"]["messages"][key]
                       for key in ("rounds", "bytes", "messages", "dealt_bytes")}
                      for summary in map(sensors.summary, range(PARTIES))])
    for rank, planned in enumerate(plan["ranks"]):
        for key in costs[0][rank]:
            measured = costs[1][rank][key] - costs[0][rank][key]
            expect(f"{key} of rank {rank}: {planned['request']} planned, {measured} measured",
                   planned["request"][key] == measured)
    expect(f"{plan['ranks']}", plan["ranks"][0]["request"]["rounds"] == 4)
    done = run([TACIT, "plan", "sensors.toml", "--serve", "--set", f"reveal.predictions={ASKER}"], sensors.folder)
    expect(done.stdout, "a request of rank 1 for one node" in done.stdout)


def check_other_data(folder):
    """A service for other stations, by a launch."""
    run([TACIT, "data", "make", "sensors", "--stations", "40", "--seed", "9", "--out", "new.npz"], folder)
    run([TACIT, "data", "split", "new.npz", "--job", "sensors.toml", "--out", "new", "--predict"], folder)
    common = ["sensors.toml", "--output", "out", "--data", "new/rank{rank}.npz", "--set", "reveal.predictions=0"]
    launch = Process([TACIT, "launch", "--serve", *common], folder, "other")
    launch.says("rank 0 | takes requests at")
    launch.says("serves predictions of 40 nodes, with other data than in the training at ranks 0")
    status, answer, _ = request(os.path.join(folder, "out", "rank0", "ask.sock"), {"nodes": [39, 0]})
    expect(f"{answer}", status == 200)
    launch.process.send_signal(signal.SIGTERM)
    launch.ends(0)
    run([TACIT, "launch", "--predict", *common], folder)
    with open(os.path.join(folder, "out", "rank0", "predictions.csv")) as table:
        told = {int(row["node"]): float(row["prediction"]) for row in csv.DictReader(table)}
    check_values(answer, [39, 0], told, "other data")


def check_hosts(folder):
    """A service on other hosts, by a launch with an ssh that runs everything here. Ctrl-C ends it in order, and its accounts come."""
    with open(os.path.join(folder, "hosts"), "w") as hosts:
        hosts.writelines(f"127.0.0.1 {folder}/host{rank}\n" for rank in range(RANKS))
    ssh = os.path.join(SOURCE, "tests", "launcher", "launch", "fake_ssh.sh")
    os.environ["FAKE_SSH"] = os.path.join(folder, "nothing")

    def words(*more):
        return [TACIT, "launch", "sensors.toml", "--hosts", "hosts", "--ssh", ssh, "--program", TACIT, "--port",
                str(free_port()), "--output", "fetched", *more]

    run(words("--set", "training.epochs=5"), folder)
    launch = Process(words("--serve", "--set", f"reveal.predictions={ASKER}"), folder, "hosts-launch")
    launch.says(f"rank {ASKER} | takes requests at")
    for rank in range(RANKS):
        launch.says(f"rank {rank} | {'waits for the end' if rank == DEALER else 'takes'}")
    status, answer, _ = request(os.path.join(folder, f"host{ASKER}", "run", f"rank{ASKER}", "ask.sock"), {"nodes": [5, 4]})
    expect(f"{answer}", status == 200)
    launch.process.send_signal(signal.SIGINT)
    launch.ends(0)
    for rank in range(RANKS):
        expect(launch.err(), f"rank {rank} | the service ends: rank " in launch.err())
        with open(os.path.join(folder, "fetched", f"rank{rank}", "service.json")) as file:
            summary = json.load(file)
        expect(f"{summary}", summary["result"] == "finished" and summary["served"]["requests"] == (rank != DEALER))
    for rank in range(PARTIES):
        with open(os.path.join(folder, "fetched", f"rank{rank}", "requests.jsonl")) as lines:
            accounts = [json.loads(line) for line in lines]
        expect(f"{accounts}", [one["nodes"] for one in accounts] == [[5, 4]])
    expect(launch.out(), "dealer" in launch.out())


def check_refusals(folder):
    """All ranks end with exit code 2 and a sentence; the training does not change."""
    common = [TACIT, "launch", "--serve", "sensors.toml", "--output", "out"]
    other = socket.socket(socket.AF_UNIX)
    other.bind(os.path.join(folder, "other.sock"))
    other.listen()
    for settings, sentence in [(["reveal.predictions=nobody"], "the job reveals predictions to nobody"),
                               (["reveal.predictions=1", "serve.http=0.0.0.0:80"], "0.0.0.0 is not the loopback"),
                               (["reveal.predictions=1", f"serve.socket={'x' * 120}"], "name a shorter path"),
                               (["reveal.predictions=1", "serve.socket=none/there"], "cannot listen at"),
                               (["reveal.predictions=1", "serve.socket=other.sock"], "another process listens there"),
                               (["reveal.predictions=everyone", "serve.folder=same"], "another service takes requests from it"),
                               (["reveal.predictions=1", "serve.requests_per_minute=0"], "serve.requests_per_minute"),
                               (["reveal.predictions=1", "data.files=none{rank}.npz"], "none")]:
        done = run(common + [word for setting in settings for word in ("--set", setting)], folder, code=2)
        expect(f"{settings}: {done.stderr}", sentence in done.stderr)
    expect("the socket of the other process is there", os.path.exists(os.path.join(folder, "other.sock")))
    other.close()
    done = run([TACIT, "launch", "--serve", "sensors.toml", "--output", "other", "--set", "reveal.predictions=1"], folder, 2)
    expect(done.stderr, "train first" in done.stderr)


def check_classes(folder):
    """By a launch, and everybody may ask: both parties get the same classes and probabilities."""
    sizes = "--nodes 120 --classes 3 --features 24 --words 6 --validate 20 --test 30".split()
    run([TACIT, "data", "make", "communities", *sizes, "--out", "all.npz"], folder)
    with open(os.path.join(SOURCE, "examples", "jobs", "payments.toml")) as example, \
            open(os.path.join(folder, "payments.toml"), "w") as job:
        text = example.read().replace("classes = 2", "classes = 3").replace("outputs = 2", "outputs = 3")
        job.write(text.replace("files = \"rank{rank}.npz\"", "files = \"bank{rank}.npz\""))
    run([TACIT, "data", "split", "all.npz", "--job", "payments.toml", "--out", "parts"], folder)
    common = ["payments.toml", "--output", "banks"]
    for setting in ("data.files=parts/bank{rank}.npz", "training.epochs=10", "reveal.predictions=everyone",
                    "reveal.probabilities=everyone", "reveal.top=2"):
        common += ["--set", setting]
    run([TACIT, "launch", *common], folder)
    launch = Process([TACIT, "launch", "--serve", *common], folder, "launch")
    for rank in range(PARTIES):
        launch.says(f"rank {rank} | takes requests at")
    nodes = [100, 0, 7]
    answers = []
    for rank in range(PARTIES):
        status, answer, _ = request(os.path.join(folder, "banks", f"rank{rank}", "ask.sock"), {"nodes": nodes})
        expect(f"rank {rank}: {answer}", status == 200)
        answers.append(answer)
    expect("all ranks get the same answer", all(answer == answers[0] for answer in answers))
    with open(os.path.join(folder, "banks", "rank0", "predictions.csv")) as table:
        rows = {int(row["node"]): row for row in csv.DictReader(table)}
    for one in answers[0]["predictions"]:
        row = rows[one["node"]]
        expect(f"{one} and {row}", one["classes"] == [int(row["prediction_0"]), int(row["prediction_1"])])
        told = [float(row[f"probability_{c}"]) for c in range(3)]
        expect(f"{one} and {row}", max(abs(a - b) for a, b in zip(one["probabilities"], told)) <= 1e-6)
    launch.process.send_signal(signal.SIGINT)
    launch.ends(0)
    expect(launch.out(), "dealer" in launch.out())


with tempfile.TemporaryDirectory(prefix="serve-") as place:
    check_sensors(place)
    check_other_data(place)
    check_hosts(place)
    check_refusals(place)
    check_classes(place)
print("serve_test: done")
