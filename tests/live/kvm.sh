#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of `perf kvm` as a prefix on this kernel: file names, the choice of host or guest, the places of guest kernels,
# and messages about missing parts. KVM is not needed.
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
failed=0
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }

# recorded NAME EXCLUDED OPTIONS...: checks that perf kvm OPTIONS record makes the file NAME, whose event excludes
# EXCLUDED.
recorded() {
	name=$1 excluded=$2
	shift 2
	perf kvm "$@" record -q -e cpu-clock -- true 2>err || { fail "kvm $* record"; cat err; }
	[ -s "$name" ] || { fail "kvm $* record makes no $name"; return; }
	got=$(perf evlist -v -i "$name" | grep -o 'exclude_[gh][a-z]*' | tr '\n' ' ')
	[ "$got" = "$excluded" ] || fail "kvm $* record excludes '$got', not '$excluded'"
	rm -f "$name"
}

recorded perf.data.guest 'exclude_host '
recorded perf.data.guest 'exclude_host ' --guest
recorded perf.data.kvm '' --host
recorded perf.data.kvm '' --host --guest
recorded perf.data.host 'exclude_guest ' --host --no-guest

printf 'ffffffff81000000 T _text\nffffffff81000000 T _stext\nffffffff81800000 T _etext\n' >kallsyms
echo 'tun 61440 0 - Live 0xffffffffc0002000' >modules
perf kvm --guestkallsyms=kallsyms --guestmodules=modules -o maps record -q -e cpu-clock -- true || fail 'kvm -o record'
perf script -i maps --show-mmap-events 2>/dev/null | grep -o '\[0xf[^:]*\]: x \[[gt].*' >got
printf '%s\n' '[0xffffffffc0002000(0xf000) @ 0]: x [tun]' \
	'[0xffffffff81000000(0x800000) @ 0xffffffff81000000]: x [guest.kernel.kallsyms]_text' >wanted
cmp -s got wanted || { fail 'maps of a guest'; cat got; }

perf kvm --host record -q -e cpu-clock -o own -- perf test -w noploop 0.2 || fail 'kvm record -o'
perf kvm --host -i own report --stdio 2>/dev/null | grep -q noploop || fail 'kvm report shows no noploop'
perf kvm -i own report --stdio 2>/dev/null | grep -q noploop && fail 'kvm report without --host shows the host'
perf kvm --host -i own buildid-list | grep -q . || fail 'kvm buildid-list'
cp own perf.data.host && cp own perf.data.guest
perf kvm diff 2>/dev/null | grep -q noploop || fail 'kvm diff'

for way in "--host --guest:HG" "--guest:G"; do
	perf kvm ${way%:*} stat -e task-clock true 2>err || fail "kvm ${way%:*} stat -e"
	# shellcheck disable=SC2086
	perf kvm ${way%:*} stat true 2>err || fail "kvm ${way%:*} stat"
	grep -q "task-clock:${way##*:} " err || { fail "kvm ${way%:*} stat"; cat err; }
done

if [ ! -d /sys/kernel/tracing/events/kvm ]; then
	perf kvm stat record true 2>err && fail 'kvm stat record without KVM'
	grep -q 'no tracepoint kvm:kvm_entry' err && grep -q modprobe err || { fail 'without KVM'; cat err; }
fi
exit $failed
