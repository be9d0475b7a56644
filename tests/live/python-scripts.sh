#!/bin/sh
# SPDX-License-Identifier: MIT
# Python scripts that Linux's perf installs have the same output with our perf.
here=$(cd "$(dirname "$0")" && pwd)
[ "$(id -u)" = 0 ] || { echo 'only root may record tracepoints'; exit 77; }
command -v python3 >/dev/null || { echo 'no python3'; exit 77; }
oracle=${ORACLE_PERF:-/usr/bin/perf}
"$oracle" version --build-options 2>/dev/null | grep -q 'libpython.*on' ||
	{ echo "no $oracle that runs Python scripts"; exit 77; }
lib=${ORACLE_LIB:-/usr/lib/perf-core}
[ -d "$lib/scripts/python" ] || { echo "no scripts in $lib"; exit 77; }
perf version --build-options | grep -q 'libpython.*on' || { echo 'built without libpython'; exit 77; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
python3 "$here/python-scripts.py" perf "$oracle" "$lib" "$@"
