#!/usr/bin/env bash
# fake_ssh.sh ... DESTINATION SCRIPT: an ssh that runs the script here, with the file modes of a
# host with umask 022. If $FAKE_SSH/DESTINATION exists, it answers a script that fetches from
# DESTINATION's host.
umask 022
destination=${*: -2:1} script=${*: -1}
answer=$FAKE_SSH/${destination#*@}
if [[ $script == *"files of "* && -e $answer ]]; then
  transfer=$(grep -o 'files of [0-9a-f]*' <<<"$script")
  export transfer
  # shellcheck source=/dev/null
  . "$answer"
  exit 0
fi
exec sh -c "$script"
