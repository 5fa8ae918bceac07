# For tests that are scripts: source it. The script is named in what it says; $work is its folder, removed at its end.
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

# quietly WHAT COMMAND …: its output only if it fails.
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

# Kills whoever has the folder in its arguments or its environment: nobody else can, since its name is new.
kill_all_of_folder() {
  local pid
  for pid in $(grep -lsaF "$work" /proc/[0-9]*/cmdline /proc/[0-9]*/environ | cut -d/ -f3 | sort -u); do
    [ "$pid" = $$ ] || kill -KILL "$pid" || true
  done
}

# Whatever happens, the script's own `cleanup` is run, if it has one, and nothing is left in its folder.
at_end() {
  if declare -F cleanup >/dev/null; then cleanup 2>/dev/null || true; fi
  rm -rf "$work"
}
trap at_end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
