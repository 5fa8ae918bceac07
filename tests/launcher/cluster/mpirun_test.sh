#!/usr/bin/env bash
# mpirun_test.sh TACIT SOURCE: tools/cluster/mpirun.sh under Debian's Open MPI. A job trains, with
# and without a file of hosts; a job with the wrong number of ranks is refused. Exit code 77: there
# is no mpirun.
set -euo pipefail
tacit=$1 source=$2
# shellcheck source=tests/shell.sh
. "$source/tests/shell.sh"
command -v mpirun >/dev/null || skip "mpirun is not installed (tools/setup --tests)"
mpirun --version | grep -q 'Open MPI' || skip "mpirun is not Open MPI's"

cleanup() { kill_all_of_folder; }
export TMPDIR=$work  # mpirun has its own folder there
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
PATH=$(dirname "$tacit"):$PATH
export MASTER_PORT
cd "$work"
cp "$source/examples/jobs/sensors.toml" .
quietly "no data" tacit data make sensors --stations 60 --out whole.npz
quietly "no parts" tacit data split whole.npz --job sensors.toml --out .

run() {
  MASTER_PORT=$(free_port)
  timeout 60 "$source/tools/cluster/mpirun.sh" "$@" --set training.epochs=20
}

quietly "four ranks do not train" run 4 sensors.toml
for rank in 0 1 2 3; do
  grep -q '"result": *"finished"' "tacit-sensors/rank$rank/summary.json" || fail "rank $rank has not finished"
  grep -q "^# rank: $rank (OMPI_COMM_WORLD_RANK in the environment)" "tacit-sensors/rank$rank/job.toml" ||
    fail "rank $rank does not have its seat from Open MPI: $(head -n 4 "tacit-sensors/rank$rank/job.toml")"
done
[ "$(stat -c %a tacit-sensors/keys/rank0.key)" = 600 ] || fail "a key may be read by others"
chmod 755 tacit-sensors tacit-sensors/keys
quietly "four ranks do not go on" run 4 sensors.toml --resume
[ "$(stat -c %a tacit-sensors tacit-sensors/keys | sort -u)" = 700 ] || fail "others can still open a folder of keys"

printf '# ours\n\n127.0.0.1 slots=4\n' >hosts
HOSTS=hosts TACIT_FOLDER=$work/again quietly "four ranks on a file's hosts do not train" run 4 sensors.toml
grep -q '^# address of rank 0: 127.0.0.1 (MASTER_ADDR' again/rank3/job.toml || fail "the first host is not rank 0's"

code=0
TACIT_FOLDER=$work/three run 3 sensors.toml >three.log 2>&1 || code=$?
[ "$code" -eq 2 ] || fail "three ranks for a job of four end with $code: $(cat three.log)"
grep -q '3 parties, but the roster' three.log || fail "no error says why three are too few: $(cat three.log)"
echo "mpirun_test: done after $SECONDS s"
