#!/usr/bin/env bash
# ssh_test.sh TACIT JOB: `tacit launch --hosts` against its own sshd on a high port of this machine,
# with throw-away keys. The launch trains, keeps private keys at their place of origin, names a host
# that cannot be reached, and leaves no rank running when it is killed. Also `tacit bench --hosts`.
# Exit code 77: there is no sshd.
set -euo pipefail
tacit=$1 job=$2
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../../shell.sh"
sshd=$(PATH=$PATH:/usr/sbin command -v sshd) || skip "sshd is not installed (openssh-server)"
server=

cleanup() {
  [ -z "$server" ] || kill "$server"
  wait
}

fail() {
  echo "ssh_test: $1" >&2
  [ ! -e "$work/err" ] || tail -n 30 "$work/err" >&2
  exit 1
}

# HOME: the shells that sshd starts read none of this user's start files, which may wait for each other.
start_sshd() {
  port=$(free_port)
  ssh-keygen -q -t ed25519 -N '' -f "$work/host"
  ssh-keygen -q -t ed25519 -N '' -f "$work/user"
  cp "$work/user.pub" "$work/authorized"
  [ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
  "$sshd" -D -e -f /dev/null -p "$port" -h "$work/host" -o ListenAddress=127.0.0.1 -o PidFile=none -o UsePAM=no \
    -o StrictModes=no -o "AuthorizedKeysFile=$work/authorized" -o PasswordAuthentication=no \
    -o MaxStartups=100 -o "SetEnv=HOME=$work" 2>"$work/sshd" &
  server=$!
  ssh="ssh -F /dev/null -i $work/user -o StrictHostKeyChecking=no -o UserKnownHostsFile=$work/known -o LogLevel=ERROR"
  for _ in $(seq 100); do
    if $ssh -p "$port" 127.0.0.1 true 2>/dev/null; then return; fi
    sleep 0.1
  done
  skip "sshd lets nobody in: $(tail -n 2 "$work/sshd")"
}

launch() {
  : >"$work/err"  # clear the previous launch's output
  "$tacit" launch "$work/sensors.toml" --hosts "$work/hosts" --ssh "$ssh" --program "$tacit" --port "$(free_port)" "$@" \
    2>"$work/err"
}

# ranks_running RANK PORT: the processes of RANK in the launch with rank 0 at PORT.
ranks_running() { pgrep -f -- "^$tacit train job.toml --rank $1 --world-size 4 --master 127.0.0.1:$2 " || true; }

start_sshd
cp "$job" "$work/sensors.toml"
"$tacit" data make sensors --stations 60 --out "$work/whole.npz" >"$work/log"
"$tacit" data split "$work/whole.npz" --job "$work/sensors.toml" --out "$work" >"$work/log"
for rank in 0 1 2 3; do echo "127.0.0.1:$port $work/there$rank"; done >"$work/hosts"

launch --output "$work/run" --set training.epochs=3 --json >"$work/out" || fail "a launch over ssh failed"
for rank in 0 1 2 3; do
  [ -s "$work/run/rank$rank/summary.json" ] || fail "rank $rank's summary was not fetched"
  [ "$(stat -c %a "$work/there$rank/rank.key")" = 600 ] || fail "rank $rank's key may be read by others"
done
grep -q 'rank 1 | training  epoch 3/3' "$work/err" || fail "the lines of rank 1 were not shown"
[ -e "$work/there0/part.npz" ] && [ ! -e "$work/there3/part.npz" ] || fail "parts are where they should not be"
[ -z "$(find "$work/run" -name '*.key')" ] || fail "a private key travelled"
[ -z "$(find "$work"/there? -perm /077)" ] || fail "others may read files at a host: $(find "$work"/there? -perm /077)"

"$tacit" bench two-machine --hosts "$work/hosts" --ssh "$ssh" --program "$tacit" --port "$(free_port)" --epochs 3 \
  --repeats 2 --output "$work/bench" >"$work/out" 2>"$work/err" || fail "a benchmark over ssh failed"
grep -q 'link: that of the hosts' "$work/bench/two-machine.json" || fail "a benchmark over ssh does not say so"
[ -s "$work/bench/report.html" ] || fail "a benchmark over ssh has no page"
"$tacit" bench data-parallel --layouts 4x2 --hosts "$work/hosts" --ssh "$ssh" --program "$tacit" --port "$(free_port)" \
  --rows 2000 --epochs 2 --seeds 1 --output "$work/bench" >"$work/out" 2>"$work/err" ||
  fail "a benchmark without a dealer failed over ssh"
grep -q 'the link is the network of the hosts' "$work/bench/data-parallel.json" || fail "a benchmark without a dealer does not say so"

sed "s|^127.0.0.1:$port $work/there1|127.0.0.1:1 x|" "$work/hosts" >"$work/hosts2"
mv "$work/hosts2" "$work/hosts"
code=0
launch --output "$work/run2" || code=$?
[ "$code" -eq 3 ] || fail "an unreachable host ends with $code, not 3"
grep -q "rank 1's host 127.0.0.1:1 cannot be reached by ssh: " "$work/err" || fail "an unreachable host is not named"

for rank in 0 1 2 3; do echo "127.0.0.1:$port $work/there$rank"; done >"$work/hosts"
master=$(free_port)
"$tacit" launch "$work/sensors.toml" --hosts "$work/hosts" --ssh "$ssh" --program "$tacit" --port "$master" \
  --output "$work/lost" --afresh --set training.epochs=1000000 2>"$work/err" >/dev/null &
launcher=$!
for _ in $(seq 200); do
  if grep -q 'epoch 1/1000000' "$work/err"; then break; fi
  sleep 0.1
done
kill -KILL "$(ranks_running 1 "$master")"
code=0
wait "$launcher" || code=$?
[ "$code" -eq 3 ] || fail "a launch that lost a rank ends with $code, not 3"
grep -qE '"result": *"(failed|interrupted)"' "$work/lost/rank0/summary.json" || fail "rank 0's account of a failure is lost"
[ -s "$work/lost/rank1/events.jsonl" ] || fail "no event of the lost rank came back"

for signal in TERM KILL; do
  : >"$work/err"  # clear the previous launch's output
  master=$(free_port)
  "$tacit" launch "$work/sensors.toml" --hosts "$work/hosts" --ssh "$ssh" --program "$tacit" --port "$master" \
    --output "$work/run3" --afresh --set training.epochs=1000000 2>"$work/err" &
  launcher=$!
  for _ in $(seq 200); do
    if grep -q 'epoch 1/1000000' "$work/err"; then break; fi
    sleep 0.1
  done
  [ -n "$(ranks_running '[0-9]' "$master")" ] || fail "no rank runs"
  kill -"$signal" "$launcher"
  wait "$launcher" 2>/dev/null || true
  if [ "$signal" = TERM ]; then
    grep -q 'the same command, without --afresh, goes on from' "$work/err" || fail "an interrupted launch does not say how to go on"
  fi
  for _ in $(seq 60); do
    [ -n "$(ranks_running '[0-9]' "$master")" ] || break
    sleep 0.1
  done
  [ -z "$(ranks_running '[0-9]' "$master")" ] || fail "ranks still run 6 s after their launcher's SIG$signal"
done
echo "ssh_test: done after $SECONDS s"
