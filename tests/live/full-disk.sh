#!/bin/sh
# SPDX-License-Identifier: MIT
# A full disk, for all commands that write: the part that fitted can be read, a sentence says what happened, and the
# status is an error.
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
trap 'umount "$work/full" 2>/dev/null; rm -rf "$work"' EXIT
mkdir full
mount -t tmpfs -o size=120k tmpfs full 2>/dev/null || { echo "no tmpfs can be mounted"; exit 77; }

fail() {
	echo "FAILED: $*"
	failed=1
}

# says PATTERN: ./err has a matching line.
says() {
	grep -qE -- "$1" err || { fail "not said: '$1', but:"; cat err; }
}

# The recording is not of the whole system: records about all its tasks might fill the disk before the first sample.
load='i=0; while [ $i -lt 500 ]; do /bin/true; i=$((i + 1)); done'
for how in "" -z "-z -m 8M" --threads --switch-output=100K --overwrite --tail-synthesize; do
	rm -rf full/*
	# shellcheck disable=SC2086
	perf record $how -g -F 20000 -e cpu-clock -o full/data sh -c "$load" >out 2>err
	status=$?
	[ $status = 255 ] || fail "record $how: status $status"
	says 'No space left on device'
	says '^What fitted, [0-9.]+ MB, is in .* and can be read'
	# Among several files, the last may have had little space.
	for file in full/data*; do
		perf script -i "$file" -F comm 2>/dev/null
	done >samples
	[ "$(wc -l <samples)" -gt 10 ] || fail "record $how: nothing can be read of" full/data*
done

# A limit on file size ends a recording like a full disk. The recorded command has the same limit.
(ulimit -f 200 && exec perf record -B -g -F 20000 -e cpu-clock -o limited sh -c "$load") >out 2>err
status=$?
[ $status = 255 ] || fail "record with ulimit -f: status $status"
says 'File too large'
says '^What fitted, [0-9.]+ MB, is in .* and can be read'
[ "$(perf script -i limited -F comm 2>/dev/null | wc -l)" -gt 10 ] || fail "record with ulimit -f: nothing can be read"
(ulimit -f 1 && exec perf stat -e cpu-clock -o /dev/null sh -c 'head -c 100000 /dev/zero >large') >out 2>&1
status=$?
[ $status = 153 ] || fail "stat of a program that exceeds ulimit -f: status $status, not that of SIGXFSZ"

# Copies for the build-id cache do not fit, but the recording is complete.
rm -rf full/*
perf --buildid-dir full/cache record -e cpu-clock -F 20000 -o data sh -c "$load" >out 2>err ||
	fail "a full build-id cache: status $?"
says "images could not be copied into the build-id cache 'full/cache': No space left on device"
[ "$(perf script -i data -F comm | wc -l)" -gt 10 ] || fail "a full build-id cache: no samples"
[ -z "$(find full -name '.perf-*')" ] || fail "temporary files are left behind"
rm -rf full/*
(cd full && perf --buildid-dir cache archive ../data) >out 2>err
says 'images could not be copied into the build-id cache: No space left on device'

# Files that are made from a recording.
rm -rf full/*
perf record -q -B -g -F 20000 -e cpu-clock -o data sh -c "$load"
perf inject -b -i data -o full/injected 2>err && fail "inject: status 0"
says "cannot write 'full/injected': No space left on device"
rm -rf full/*
perf data convert -i data --to-json full/json 2>err && fail "data convert: status 0"
says "cannot write 'full/json': No space left on device"
rm -rf full/*
cp data full/data 2>/dev/null
perf script -i full/data --per-event-dump >out 2>err && fail "script --per-event-dump: status 0"
says "cannot write 'full/data.cpu-clock.*dump': No space left on device"
rm -rf full/*
head -c 120k /dev/zero >full/filler 2>/dev/null
perf record -e cpu-clock -o full/data true 2>err && fail "record without any room: status 0"
says "cannot write 'full/data': No space left on device"
perf stat -o full/counts true 2>err && fail "stat -o: status 0"
says 'No space left on device'
perf list -o full/events >out 2>err && fail "list -o: status 0"
says "cannot write 'full/events': No space left on device"
exit $failed
