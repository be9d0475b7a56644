#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the Python module, with the system's Python and with every other one that PERF_PYTHONS names: its names are
# those of the stub, it measures live, reads recordings, and fails with a sentence. (python-module.py)
module=$BUILD/python
[ -f "$module/perf.abi3.so" ] || { echo "the module was not built: no Python headers"; exit 77; }
[ -x /usr/bin/python3 ] || { echo "there is no /usr/bin/python3"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$PERF" record -q -e cpu-clock -F 2000 -g -o "$dir/stacks.data" "$PERF" test -w noploop 1 ||
	{ echo "cannot record"; exit 77; }
"$PERF" record -q -e 'sched:sched_switch,cpu-clock' -o "$dir/switches.data" sleep 0.1 2>/dev/null ||
	rm -f "$dir/switches.data"

# The sanitizer must be loaded before Python.
preload=
if nm -D "$module/perf.abi3.so" | grep -q __asan_init; then
	preload=$(cc -print-file-name=libasan.so)
	export ASAN_OPTIONS=detect_leaks=0 # Python itself leaks at its end
fi
# 7.2's python-use test looks for the module beside perf, and for a line that it prints.
echo "import sys; sys.path.insert(0, '$module'); import perf; print('success!')" |
	LD_PRELOAD=$preload /usr/bin/python3 | grep -q 'success!' || { echo "it cannot be imported"; exit 1; }

# The programs that the manual names.
example() {
	name=$1
	shift
	PYTHONPATH=$module LD_PRELOAD=$preload PYTHONDONTWRITEBYTECODE=1 \
		/usr/bin/python3 "$TOP/python/examples/$name.py" "$@" >"$dir/out" 2>&1 || {
		echo "$name: $(cat "$dir/out")"
		return 1
	}
}
status=0
example hot-functions "$dir/stacks.data" && grep -q '%  noploop ' "$dir/out" || status=1
example count-here && grep -q '[0-9] page-faults$' "$dir/out" || status=1
example watch-tasks -1 1 || status=1
[ ! -f "$dir/switches.data" ] || { example switches 2 && grep -q ' -> ' "$dir/out"; } || status=1

for python in /usr/bin/python3 $PERF_PYTHONS; do
	PYTHONPATH=$module LD_PRELOAD=$preload PYTHONDONTWRITEBYTECODE=1 \
		"$python" "$TOP/tests/live/python-module.py" "$TOP" "$dir" || status=1
done
exit $status
