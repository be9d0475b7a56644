#!/bin/sh
# SPDX-License-Identifier: MIT
# Filters on the data of samples: only the selected ones are in the file, the others are counted; children have the
# filter too; ordinary users may use it once it is pinned; and nothing stays behind.
work=$(mktemp -d) || exit 1
cd "$work" || exit 1
chmod 755 "$work"
failed=0
trap 'rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*"
	failed=1
}

[ "$(id -u)" = 0 ] || { echo 'needs root'; exit 77; }
perf check -q feature bpf || { echo 'built without BPF'; exit 77; }
if [ "$(stat -f -c %T /sys/fs/bpf)" != bpf_fs ]; then
	# A BPF file system for this test alone.
	[ -z "${BPF_FS:-}" ] || { echo 'no BPF file system can be mounted'; exit 77; }
	BPF_FS=tried exec unshare -m sh -c 'mount -t bpf bpf /sys/fs/bpf; exec "$0"' "$0"
fi
[ ! -e /sys/fs/bpf/perf_filter ] || { echo 'a filter is pinned on this machine'; exit 77; }
if ! perf record -q -o x.data -e task-clock --filter 'period > 0' true 2>err; then
	cat err
	exit 77
fi

# The load runs in a child, so that the event is inherited; dd writes to memory that faults page by page.
load='dd if=/dev/zero of=/dev/null bs=1M count=20 2>/dev/null; true'

# samples FILE FIELD: prints the values of a field, one a line.
samples() {
	perf script -f -i "$1" -F "$2" 2>/dev/null | tr -d ' '
}

# Faults at even and at odd pages add up to all faults.
perf record -q -o all.data -c 1 -d -e page-faults:u sh -c "$load" || fail 'all faults'
perf record -q -o none.data -c 1 -d -e page-faults:u --filter 'addr & 0x1000' -e page-faults:u \
	--filter 'addr > 0' sh -c "$load" || fail 'a part of the faults'
odd=$(perf script -i none.data -F addr | tr -d ' ' | grep -c '[13579bdf]...$')
[ "$odd" -gt 10 ] || fail "only $odd faults at odd pages"

perf record -v -o odd.data -c 1 -d -e page-faults:u --filter 'addr & 0x1000' sh -c "$load" 2>err ||
	fail "a filter by address: $(cat err)"
samples odd.data addr | grep -q '[02468ace]...$' && fail 'a fault at an even page was recorded'
dropped=$(sed -n 's/.*the filter dropped \([0-9]*\) samples/\1/p' err)
kept=$(samples odd.data addr | wc -l)
all=$(samples all.data addr | wc -l)
sum=$((kept + dropped))
[ "$kept" -gt 0 ] && [ "$dropped" -gt 0 ] && [ $((sum * 10)) -ge $((all * 9)) ] &&
	[ $((sum * 9)) -le $((all * 10)) ] || fail "$kept faults kept, $dropped dropped, $all in all"
perf report -i odd.data --stats | grep -q LOST_SAMPLES || fail 'the file does not tell of dropped samples'

# The program names the perf version to which it belongs.
version=$(perf version | sed 's/.* //')
perf script --show-bpf-events -i odd.data >records
grep -A 1 'PERF_RECORD_BPF_METADATA prog bpf_prog_[0-9a-f]*_\(perf_sample_filter\|filter_context\)$' records |
	grep -qF "perf_version = $version" || fail 'the file does not tell the version of the filter'

# Alternatives, conditions that must all hold, and two filters on one event.
perf record -q -o or.data -c 10000 --sample-cpu -e cpu-clock:u \
	--filter 'period == 1 || period == 10000, uid == 0' --filter 'cpu >= 0' sh -c "$load" || fail 'alternatives'
[ "$(samples or.data ip | wc -l)" -gt 0 ] || fail 'alternatives: no samples'
perf record -q -o no.data -c 10000 -e cpu-clock:u --filter 'period == 10000, uid == 1' sh -c "$load" ||
	fail 'conditions'
[ "$(samples no.data ip | wc -l)" = 0 ] || fail 'conditions: samples of another user'
perf record -q -o pid.data -c 10000 -e cpu-clock:u --filter 'pid == 1' -e cpu-clock:u \
	--filter 'tid > 1' sh -c "$load" || fail 'processes'
[ "$(samples pid.data pid | sort -u | grep -cx 1)" = 0 ] || fail 'samples of another process'
[ "$(samples pid.data pid | sort -u | wc -l)" -gt 0 ] || fail 'no samples of processes'

# The kernel filters tracepoints beside them.
perf record -q -o both.data -e sched:sched_switch --filter 'prev_pid > 0' -c 10000 -e cpu-clock:u \
	--filter 'period > 10000' sh -c "$load" || fail 'beside a tracepoint'
[ "$(samples both.data event | grep -c cpu-clock)" = 0 ] || fail 'beside a tracepoint: samples'

# Ordinary users, who have no access to root's perf.
perf=${PERF:-$(command -v perf)}
user='setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent'
if command -v setpriv >/dev/null && $user "$perf" version >/dev/null 2>&1; then
	mode=$(stat -c %a /sys/fs/bpf)
	mkdir -m 777 user
	$user "$perf" record -q -o user/x.data -e cpu-clock:u --filter 'ip > 0' true 2>err && fail 'a user may filter'
	grep -q 'setup-filter pin' err || fail "a user is not told what to do: $(cat err)"
	perf record --setup-filter pin || fail 'pin'
	perf record --setup-filter pin 2>err && fail 'pinned twice'
	$user "$perf" record -q -o user/none.data -c 10000 -e cpu-clock:u --filter 'ip < 4' sh -c "$load" ||
		fail 'a user, nothing wanted'
	$user "$perf" record -q -o user/all.data -c 10000 -e cpu-clock:u --filter 'ip > 4' sh -c "$load" ||
		fail 'a user, all wanted'
	[ "$(samples user/none.data ip | wc -l)" = 0 ] || fail 'a user: samples that were not wanted'
	[ "$(samples user/all.data ip | wc -l)" -gt 0 ] || fail 'a user: no samples'
	perf record --setup-filter unpin || fail 'unpin'
	[ "$(stat -c %a /sys/fs/bpf)" = "$mode" ] || fail 'the mode of /sys/fs/bpf is not as before'
	[ ! -e /sys/fs/bpf/perf_filter ] || fail 'unpin leaves something'
	perf record --setup-filter unpin 2>err && fail 'unpinned twice'
fi
exit $failed
