#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests each attribute and method of the Python module's objects, with recordings made by hand, exact values and wrong
# arguments. Where the kernel allows it, events that count nothing are opened. (python-objects.py)
module=$BUILD/python
[ -f "$module/perf.abi3.so" ] || { echo "the module was not built: no Python headers"; exit 77; }
[ -x /usr/bin/python3 ] || { echo "there is no /usr/bin/python3"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# The sanitizer must be loaded before Python.
preload=
if nm -D "$module/perf.abi3.so" | grep -q __asan_init; then
	preload=$(cc -print-file-name=libasan.so)
	export ASAN_OPTIONS=detect_leaks=0 # Python itself leaks at its end
fi
status=0
for python in /usr/bin/python3 $PERF_PYTHONS; do
	PYTHONPATH=$module LD_PRELOAD=$preload PYTHONDONTWRITEBYTECODE=1 \
		"$python" "$TOP/tests/live/python-objects.py" "$dir" || status=1
done
exit $status
