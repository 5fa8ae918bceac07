# For tests that are scripts: source this file. Messages name the script; $work is its folder,
# removed at its end.
work=$(mktemp -d)
ours=$(basename "$0" .sh)

fail() {
  echo "$ours: $1" >&2
  exit 1
}

skip() {
  echo "$ours: skipped: $1"
  exit 77
}

# quietly NAME COMMAND …: shows the command's output only if it fails.
quietly() {
  local what=$1
  shift
  if ! "$@" >"$work/log" 2>&1; then
    tail -n 40 "$work/log" >&2
    fail "$what (above)"
  fi
}

# eventually SECONDS COMMAND …: tries until the command succeeds.
eventually() {
  local tries=$(($1 * 10))
  shift
  for ((; tries > 0; --tries)); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  return 1
}

free_port() {
  local port
  while :; do
    port=$((RANDOM % 20000 + 12000))
    (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

# Kills all processes with the folder in their arguments or environment. The folder's name is new,
# so no other process has it.
kill_all_of_folder() {
  local pid
  for pid in $(grep -lsaF "$work" /proc/[0-9]*/cmdline /proc/[0-9]*/environ | cut -d/ -f3 | sort -u); do
    [ "$pid" = $$ ] || kill -KILL "$pid" || true
  done
}

# Always runs the script's own `cleanup`, if there is one, and removes its folder.
at_end() {
  if declare -F cleanup >/dev/null; then cleanup 2>/dev/null || true; fi
  rm -rf "$work"
}
trap at_end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
