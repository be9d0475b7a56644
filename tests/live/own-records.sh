#!/bin/sh
# SPDX-License-Identifier: MIT
# Records and features that are another program's own are skipped: nothing is called damaged, all samples are there, and
# one line says how many records were left out.
PERF=${PERF:-$(command -v perf)}
command -v python3 >/dev/null || {
	echo 'no python3'
	exit 77
}
top=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
fail=0

"$PERF" record -q -e cpu-clock -N -o plain.data sh -c 'for i in 1 2 3 4 5 6 7 8; do :; done' || exit 1
python3 "$top/tests/live/own-records.py" plain.data own.data || exit 1

# same COMMAND...: the command reads both recordings.
same() {
	"$PERF" "$@" -i plain.data >expected 2>/dev/null
	"$PERF" "$@" -i own.data >got 2>stderr || { echo "$*: failed"; fail=1; }
	cmp -s expected got || { echo "$*: another answer"; diff expected got | head; fail=1; }
	grep -q '12 records of unknown types were passed over; the first is of type 32769$' stderr || {
		echo "$*: does not say what it left out"
		fail=1
	}
	grep -e 'no records' -e skipped stderr && fail=1
}

same script
same report --stdio -s sym
cat own.data | "$PERF" script -i - >got 2>/dev/null
"$PERF" script -i plain.data >expected
cmp -s expected got || { echo 'another answer of a stream'; fail=1; }
exit $fail
