# SPDX-License-Identifier: MIT
# Probes of the kernel record true values: arguments of known calls, return values, and callers; by name, glob and
# group, with filters, in record and stat. The installed perf reads the same from the file.
work=$(mktemp -d)
cd "$work"
export HOME="$work"
reference=/usr/bin/perf
probes=/sys/kernel/tracing/kprobe_events
trap 'perf probe -q -d "probe:*" || :' EXIT

case $(uname -m) in
aarch64) register=%x0 caller=%x30 ;;
*) register=%di caller='+0(%sp)' ;;
esac

# Checks that the number of lines of recording $1 that match $2 is $3.
expect() {
	perf script -i "$1" >lines
	n=$(grep -cE "$2" lines || :)
	[ "$n" = "$3" ] || {
		echo "$1: $n lines match $2, not $3:"
		cat lines
		exit 1
	}
}

echo text >some-file
perf probe -q --add 'opn=do_sys_openat2 dfd=$arg1:s32 name=+0($arg2):ustring'
perf probe -q --add 'opened=do_sys_openat2%return fd=$retval:s32'

# open(2) of a known name, with AT_FDCWD, gives the first free descriptor.
perf record -q -o one.data -e probe:opn --filter 'name ~ "*some-*"' -e probe:opened__return cat some-file
expect one.data ' probe:opn: \([0-9a-f]+\) dfd=-100 name="some-file"$' 1
grep -qE ' probe:opened__return: \([0-9a-f]+ <- [0-9a-f]+\) fd=3$' lines

# A filter applies to each event of the glob before it; numbers are decimal or hexadecimal.
perf record -q -o all.data -e 'probe:opn' --filter 'dfd == -100 && name == "some-file"' cat some-file
expect all.data 'name="some-file"' 1
perf record -q -o all.data -e 'probe:open*' --filter 'fd & 0x1' cat some-file
perf script -i all.data | sed 's/.*fd=//' >values
awk '{ odd += $1 % 2 != 0; n++ } END { exit !(n && odd == n) }' values
perf record -q -o group.data -e '{probe:*}' cat some-file
expect group.data 'name="some-file"' 1
perf evlist -g -i group.data | grep -q '^{probe:opened__return,probe:opn}$\|^{probe:opn,probe:opened__return}$'

# Mistakes are reported before anything runs.
if perf record -q -o bad.data -e probe:opn --filter 'dfd => 3' true 2>says; then
	exit 1
fi
grep -q 'write >=' says
if perf record -q -o bad.data -e probe:opn --filter 'flags == 3' true 2>says; then
	exit 1
fi
grep -q dfd says

# Counting, and a process that is already running.
perf stat -x, -o counts -e probe:opn --filter 'name == "some-file"' cat some-file some-file
grep -q '^2,,probe:opn,' counts
mkfifo go said
sh -c 'read -r _ <go; cat some-file >said' &
perf record -q -o pid.data -e probe:opn -p $! -- sh -c 'echo >go; cat said' >/dev/null
expect pid.data 'name="some-file"' 1

# A register without a name is named by itself, and an address may be shown as its function. With five levels of page
# tables, as x86_64 may have, addresses of the kernel begin with fewer ones.
perf probe -q --add "regs=vfs_read $register" --add "from=vfs_read who=$caller:symbol"
perf record -q -o regs.data -e probe:regs -e probe:from cat some-file
perf script -i regs.data | tee ours
grep -qE " probe:regs: \\([0-9a-f]+\\) ${register}=0xff[0-9a-f]{14}\$" ours
grep -qE ' probe:from: \([0-9a-f]+\) who=[a-z0-9_]*sys_read\+0x[0-9a-f]+$' ours
$reference script -i regs.data >theirs 2>/dev/null
diff theirs ours

# A recorded probe can be removed at once, and a cached probe is set only while it is recorded.
perf probe -q -d 'probe:*'
[ ! -s $probes ]
perf probe -q --cache --add 'kept=do_sys_openat2 name=+0($arg2):ustring'
perf probe -q -d probe:kept
perf record -q -o kept.data -e probe:kept cat some-file
expect kept.data ' probe:kept: .* name="some-file"$' 1
[ ! -s $probes ]
