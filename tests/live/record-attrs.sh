#!/bin/sh
# SPDX-License-Identifier: MIT
# record opens the same events as the installed perf, attr for attr, as far as stacks are copied into the file.
here=$(cd "$(dirname "$0")" && pwd)
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }
command -v strace >/dev/null || { echo "strace is not installed"; exit 77; }
case $(/usr/bin/perf --version 2>/dev/null) in
*' 6.1.'*) ;;
*)
	echo "Linux's perf 6.1 is not installed"
	exit 77
	;;
esac
config=$(mktemp) || exit 1
trap 'rm -f "$config"' EXIT
printf '[record]\n\tunwind = later\n' >"$config"
PERF_CONFIG=$config python3 "$here/record-attrs.py" "$here/record-attrs.txt" "$(command -v perf)" /usr/bin/perf
