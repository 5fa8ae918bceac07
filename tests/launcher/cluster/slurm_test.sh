#!/usr/bin/env bash
# slurm_test.sh TACIT SOURCE: tools/cluster/slurm.sh under Slurm itself, with a munged, slurmctld and slurmd on this
# machine that have their own ports, sockets and key. A job trains, is cancelled with a checkpoint and resumes; a job
# that forgets srun is refused with a hint. No process stays behind. Exit code 77: a required program is missing.
set -euo pipefail
tacit=$1 source=$2
# shellcheck source=tests/shell.sh
. "$source/tests/shell.sh"
PATH=$PATH:/usr/sbin
for program in munged slurmctld slurmd sbatch srun; do
  command -v "$program" >/dev/null || skip "$program is not installed (tools/setup --tests)"
done
host=$(hostname -s)
getent hosts "$host" >/dev/null || skip "this machine's name, $host, has no address"
[ "$(id -u)" -eq 0 ] || skip "slurmd starts tasks only for root"

daemons=()  # process numbers
none_left() { ! kill -0 "${daemons[@]}"; }
cleanup() {
  if [ ${#daemons[@]} -gt 0 ]; then
    if timeout 5 scancel --user="$(id -un)" --quiet; then eventually 10 no_jobs; fi
    kill "${daemons[@]}"
    eventually 3 none_left || kill -KILL "${daemons[@]}"
  fi
  unset SLURM_CONF
  kill_all_of_folder  # a job's steps have no parent here once slurmd has ended
  wait
}

# Shows Slurm's logs, too.
refuse() {
  tail -n 40 "$work"/*.log >&2
  fail "$1"
}

# daemon NAME COMMAND …: runs in the foreground, so that its process number is known, and ends with
# this script, even after a failure.
daemon() {
  local log=$work/$1.log
  shift
  setpriv --pdeathsig KILL "$@" >"$log" 2>&1 &
  daemons+=($!)
}

start_slurm() {
  dd if=/dev/urandom of="$work/munge.key" bs=128 count=1 status=none
  chmod 600 "$work/munge.key"
  mkdir "$work/munge" "$work/state" "$work/spool"
  daemon munged munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge/socket" \
    --pid-file="$work/munge/pid" --log-file="$work/munge/log" --seed-file="$work/munge/seed"
  cat >"$work/slurm.conf" <<END
ClusterName=tacit-test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
AuthInfo=socket=$work/munge/socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SlurmdParameters=config_overrides
KillWait=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=8
PartitionName=test Nodes=$host Default=YES State=UP
END
  export SLURM_CONF=$work/slurm.conf
  eventually 10 test -S "$work/munge/socket" || refuse "munged does not start"
  daemon slurmctld slurmctld -D
  daemon slurmd slurmd -D
  eventually 30 sh -c 'sinfo --noheader --format=%t | grep -qx idle' || refuse "slurmd is not ready"
}

submit() { sbatch --parsable --ntasks=4 --cpus-per-task=1 --output="$work/job.log" "$@"; }

ended() {
  local state
  state=$(squeue --noheader --job "$1" --states=all --format=%T) && [[ $state =~ ^(COMPLETED|FAILED|CANCELLED|TIMEOUT)$ ]]
}
no_jobs() { [ -z "$(squeue --noheader)" ]; }
none_runs() { ! pgrep -f -- "--output $work" >/dev/null; }
exit_code() { scontrol --oneliner show job "$1" | sed -n 's/.* ExitCode=\([0-9]*\):.*/\1/p'; }

# run_job CODE ARGUMENTS OF sbatch …
run_job() {
  local expected=$1 id
  shift
  id=$(submit "$@")
  eventually 60 ended "$id" || refuse "job $id does not end"
  [ "$(exit_code "$id")" = "$expected" ] || refuse "the job ended with $(exit_code "$id"), not $expected"
}

PATH=$(dirname "$tacit"):$PATH
cd "$work"
cp "$source/examples/jobs/sensors.toml" .
quietly "no data" tacit data make sensors --stations 60 --out whole.npz
quietly "no parts" tacit data split whole.npz --job sensors.toml --out .
start_slurm
template=$source/tools/cluster/slurm.sh

run_job 0 "$template" sensors.toml --set training.epochs=20
for rank in 0 1 2 3; do
  grep -q '"result": *"finished"' "tacit-sensors/rank$rank/summary.json" || refuse "rank $rank has not finished"
  grep -q "^# rank: $rank (SLURM_PROCID in the environment)" "tacit-sensors/rank$rank/job.toml" ||
    refuse "rank $rank does not have its seat from Slurm: $(head -n 4 "tacit-sensors/rank$rank/job.toml")"
done
grep -q "^# address of rank 0: $host (SLURM_JOB_NODELIST" tacit-sensors/rank1/job.toml ||
  refuse "rank 0 is not looked for on the first node: $(head -n 4 tacit-sensors/rank1/job.toml)"

# A cancelled job ends with a checkpoint, from which the same command resumes.
cp sensors.toml long.toml
long=("$template" long.toml --set training.epochs=2000 --set checkpoints.every=20)
id=$(submit "${long[@]}")
eventually 60 grep -qs '"event": *"checkpoint"' tacit-long/rank0/events.jsonl || refuse "no checkpoint is written"
scancel "$id"
eventually 20 ended "$id" || refuse "a cancelled job does not end"
eventually 10 none_runs || refuse "ranks of a cancelled job run on"
grep -q '"result": *"interrupted"' tacit-long/rank1/summary.json || refuse "a cancelled rank does not say so"
run_job 0 "${long[@]}"
grep -q '"resumed_from": *[1-9]' tacit-long/rank1/summary.json || refuse "the same command does not go on"

# tacit train in the batch script itself would be rank 0, and wait for ranks that are never started.
cat >forgotten.sh <<'END'
#!/bin/sh
exec tacit train sensors.toml --set roster=tacit-sensors/roster --key 'tacit-sensors/keys/rank{rank}.key' --deadline 20
END
run_job 2 forgotten.sh
grep -q "srun" "$work/job.log" || refuse "a script without srun gets no hint of srun"
# More tasks than the job has ranks.
run_job 2 --ntasks=5 "$template" sensors.toml
echo "slurm_test: done after $SECONDS s"
