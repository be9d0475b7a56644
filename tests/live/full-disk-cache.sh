#!/bin/sh
# SPDX-License-Identifier: MIT
# A full disk is reported as such, with the name of what did not fit and advice, and does not count as success.
skip() {
	echo "$1"
	exit 77
}

fail() {
	printf '%s\n' "$@"
	failed=1
}

if [ -z "${FULL_DISK:-}" ]; then
	[ "$(id -u)" = 0 ] || skip 'only root may mount a small disk'
	unshare -m true 2>/dev/null || skip 'unshare(1) makes no name spaces here'
	FULL_DISK=1 exec unshare -m "$0"
fi

dir=$(mktemp -d)
mount -t tmpfs -o size=64k tmpfs "$dir" || skip 'no tmpfs'
trap 'umount "$dir"; rmdir "$dir"' EXIT
failed=

# Runs perf, which must fail with a message that matches the pattern $1.
refused() {
	pattern=$1
	shift
	said=$(perf "$@" 2>&1 >/dev/null) && fail "status 0: perf $*" "$said"
	echo "$said" | grep -q "$pattern" || fail "perf $* does not say '$pattern':" "$said"
	rm -rf "${dir:?}"/*
}

program=$(readlink -f "$PERF")
refused "^Couldn't add $program: No space left on device" --buildid-dir "$dir" buildid-cache -a "$program"
refused "^It takes [0-9.]* MB in '$dir': make room" --buildid-dir "$dir" buildid-cache -a "$program"
if [ "$(perf list 2>/dev/null | wc -c)" -gt 65536 ]; then
	refused "cannot write '$dir/list': .*\(No space\|full\)" list -o "$dir/list"
fi

[ -z "$failed" ]
