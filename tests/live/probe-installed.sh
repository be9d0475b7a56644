#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the installed perf's own tests of probes and of the build-id cache with our perf: tests that
# pass with the installed perf pass with ours, and tests that it skips do not fail with ours.
skip() {
	echo "$1"
	exit 77
}

PERF=$(realpath "${PERF:-$(command -v perf)}")
oracle=${ORACLE_PERF:-/usr/bin/perf}
tests=
for place in /usr/lib/perf-core /usr/libexec/perf-core; do
	[ ! -d $place/tests/shell ] || tests=$place/tests/shell
done
[ -n "$tests" ] || skip 'the tests of the installed perf are not here'
"$oracle" version 2>/dev/null | grep -q 'version 6\.1\.' || skip 'no perf 6.1 is installed'
[ "$(id -u)" = 0 ] || skip 'only root may set probes'
command -v bash >/dev/null || skip 'there is no bash'
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/ours" "$dir/theirs"
ln -s "$PERF" "$dir/ours/perf"
ln -s "$oracle" "$dir/theirs/perf"
HOME=$dir
export HOME
fail=0

# Runs the tests with the perf in $1; the output goes to the file said.
run() {
	(
		cd "$dir" || exit 1
		PATH=$dir/$1:$PATH bash "$tests/$2" >"$dir/said" 2>&1
	)
}

for name in probe_vfs_getname.sh record+probe_libc_inet_pton.sh record+script_probe_vfs_getname.sh \
	test_uprobe_from_different_cu.sh buildid.sh; do
	[ -f "$tests/$name" ] || continue
	run theirs "$name"
	theirs=$?
	run ours "$name"
	ours=$?
	case $theirs,$ours in
	0,0 | 2,0 | 2,2) ;;
	0,* | 2,*)
		echo "$name: $theirs with the installed perf, $ours with ours:"
		cat "$dir/said"
		fail=1
		;;
	*) echo "$name fails with the installed perf too ($theirs; ours: $ours)" ;;
	esac
done
exit $fail
