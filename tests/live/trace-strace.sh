#!/bin/sh
# SPDX-License-Identifier: MIT
# perf trace shows every call that strace sees, in the same order, with the same results and names of files: both watch
# the same processes at the same time.
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
perf check -q feature bpf || { echo 'this build has no BPF'; exit 77; }
command -v strace >/dev/null || { echo 'strace is not installed'; exit 77; }
strace -o probe true 2>/dev/null || { echo 'strace may not trace here'; exit 77; }

# same COMMAND...: compares both outputs for the command.
same() {
	perf trace -o ours strace -f -o theirs "$@" >/dev/null 2>said
	python3 "$top/tests/live/trace-strace.py" ours theirs >result || {
		echo "FAILED: perf trace strace -f $*"
		cat said result
		failed=1
	}
}

cc -O1 -w -D_GNU_SOURCE -pthread -o load "$top/tests/live/trace-load.c" || exit 1
same ./load
same ls -l /etc
# shellcheck disable=SC2016	# $i belongs to the traced shell
same sh -c 'for i in 1 2 3; do /bin/echo $i | cat; done; kill -TERM $$'
same git -C "$top" log -n 3 --stat
same python3 -c 'import subprocess, threading; [threading.Thread(target=subprocess.run, args=(["true"],)).start() for i in range(4)]'
! command -v node >/dev/null || same node -e 'require("fs").readFileSync("/etc/hosts")'

# Texts and file names of a program never reach the terminal unescaped.
if grep -q "$(printf '\033')" ours; then
	echo 'FAILED: an escape is in the output'
	failed=1
fi
exit $failed
