#!/bin/bash
# SPDX-License-Identifier: MIT
# perf test: nothing fails here, for root and for other users, with the shell tests of the installation; its manual page
# names every test; tests that crash or hang are named, and Ctrl-C leaves nothing behind.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export TMPDIR=$dir
chmod 755 "$dir"
cd "$dir"
fail() { echo "$*"; exit 1; }
# Shows failures first, because a log may end early.
show() { grep -A12 ': FAILED!' "$1" || true; cat "$1"; }

# The installation, with its shell tests.
mkdir -p core/tests
cp -r "$top/tests/shell" core/tests/
export PERF_EXEC_PATH=$dir/core
# Runs all tests with this command.
all_pass() { "$@" >out 2>err || { show out; cat err; fail "a test of '$*' fails"; }; }
all_pass perf test -v -jresult.xml
grep -q ': Ok$' out || { cat out; fail "no test passes"; }
python3 -c 'import sys, xml.etree.ElementTree as x; t = x.parse(sys.argv[1]).getroot()[0]
assert len(t) == int(t.get("tests")) > 60, t.attrib' result.xml || fail "the JUnit file is wrong"
perf test list >list
n=$(grep -c '\.sh$' <(ls core/tests/shell))
[ "$(perf test list | tail -n "$n" | grep -c perf)" = "$n" ] || fail "shell tests are not in the list"

# Each test is explained in the manual.
PERF_EXEC_PATH=/nonexistent perf test list | sed -n 's/^ *[0-9]*: //p' | while read -r name; do
	grep -qF "| $name | " "$top/docs/man/perf-test.md" || fail "docs/man/perf-test.md has no '$name'"
done

# Other users get skips with reasons, and no failures.
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups perf version >/dev/null 2>&1; then
	mkdir -m 777 nobody
	all_pass env HOME=/nonexistent TMPDIR="$dir/nobody" \
		setpriv --reuid 65534 --regid 65534 --clear-groups perf test -v
	grep -q ': Skip$' out && { cat out; fail "a skip has no reason"; }
fi

# A crashing test and one that prints without end are ended; their leftovers are removed.
mkdir -p bad/tests/shell
# shellcheck disable=SC2016
printf '#!/bin/sh\n# crashes\necho before; kill -SEGV $$\n' >bad/tests/shell/a.sh
printf '#!/bin/sh\n# leaves something\nsleep 1000 & echo x >file; mkdir -p a/b; echo y >a/b/c\n' >bad/tests/shell/b.sh
chmod +x bad/tests/shell/*.sh
PERF_EXEC_PATH=$dir/bad perf test crashes leaves >out
grep -q 'signal 11 (Segmentation fault)' out || { cat out; fail "the crash is not named"; }
grep -q 'leaves something .*: Ok' out || { cat out; fail "a test that leaves something fails"; }
found=$(find "$dir" -maxdepth 1 -name 'perf-test-*')
[ -z "$found" ] || fail "left behind: $found"

# Ctrl-C: the summary, status 1, nothing left.
printf '#!/bin/sh\n# sleeps\necho x >%s/begun; sleep 1000\n' "$dir" >bad/tests/shell/c.sh
chmod +x bad/tests/shell/c.sh
PERF_EXEC_PATH=$dir/bad perf test sleeps >out &
pid=$!
while [ ! -e begun ]; do sleep 0.05; done
kill -INT $pid
wait $pid && fail "Ctrl-C ends with status 0"
grep -q 'Not run           : 1' out || { cat out; fail "what did not run is not counted"; }
found=$(find "$dir" -maxdepth 1 -name 'perf-test-*')
[ -z "$found" ] || fail "left behind after Ctrl-C: $found"

# A workload enables its recording.
mkfifo ctl ack
perf record -q -o perf.data -e cpu-clock:u -D -1 --control=fifo:ctl,ack -- \
	perf test -w noploop 1 --record-ctl fifo:ctl,ack 2>err || { cat err; fail "--record-ctl fails"; }
samples=$(perf script -i perf.data -F comm 2>err | wc -l)
[ "$samples" -gt 10 ] || fail "$samples samples with --record-ctl"
