# SPDX-License-Identifier: MIT
# Sampling where there are counters, kprobes and modules: the files name the event, the hot function with its callers,
# and the code of modules; and the installed perf and ours read the same from each other's files.
work=$(mktemp -d)
cd "$work"
reference=/usr/bin/perf
cc=$(command -v cc || command -v gcc) || {
	echo "there is no compiler"
	exit 77
}

# With this file the installed perf takes modules for parts of the kernel.
: >empty
mount --bind empty /proc/kcore
modprobe loop
probes=/sys/kernel/tracing/kprobe_events
echo 'p:probe/loop_control loop_control_ioctl' >$probes
trap 'echo >$probes; umount /proc/kcore' EXIT

cat >spin.c <<'C'
volatile unsigned long sink;

__attribute__((noinline)) static void inner(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i;
}

__attribute__((noinline)) static void outer(unsigned long n)
{
	inner(n);
	sink++;
}

int main(void)
{
	outer(N);
	return 0;
}
C
# The run is so long that the start of the program is the smaller part; by instruction count (aarch64) that is soon.
n=5000000
[ "$(uname -m)" != x86_64 ] || n=30000000
"$cc" -O0 -fno-omit-frame-pointer -DN=$n -o spin spin.c

# record NAME ARG...: records NAME.ours, and NAME.theirs if there is another perf to compare with.
record() {
	name=$1
	shift
	perf record -q -o "$name.ours" "$@" >/dev/null
	[ ! -x $reference ] || $reference record -q -o "$name.theirs" "$@" >/dev/null
}

# compare FILE COMMAND...: checks that both read the same from it. Left out are callers whose call does not return, for
# which the reference shows the next function (docs/differences/stacks.md), the stubs after the last function of a
# module, to which only we give its name, and stubs of the PLT, of which the reference does not know all.
compare() {
	file=$1
	shift
	[ -x $reference ] || return 0
	$reference "$@" -i "$file" >expected 2>/dev/null
	perf "$@" -i "$file" >all 2>/dev/null
	: >rest
	: >got
	awk '
		FNR == NR { theirs[n = FNR] = $0; next }
		theirs[FNR] ~ /^\t.*\+0x0 \(|\[unknown\] \(.*\.ko\)| @plt\+/ || / ([^ ]*@plt|\.plt)\+/ { next }
		FNR <= n { print theirs[FNR] >"rest" }
		{ print >"got" }
		END { for (i = FNR + 1; i <= n; i++) print theirs[i] >"rest" }' expected all
	mv rest expected
	cmp -s expected got || {
		echo "perf $* -i $file is not what $reference prints:"
		diff expected got | head -n 20
		exit 1
	}
}

record default ./spin
perf evlist -i default.ours | tee event | grep -qE '^(cycles|cpu-clock)(:|$)' || { cat event; exit 1; }
perf script -i default.ours -F ip,sym >names
[ $(($(grep -c inner names) * 2)) -gt "$(wc -l <names)" ] || { sort names | uniq -c; exit 1; }

record stacks -g ./spin
perf script -i stacks.ours -F comm,ip,sym | tr -d '\n' |
	grep -qE 'inner\s+[0-9a-f]+ outer\s+[0-9a-f]+ main' || { perf script -i stacks.ours; exit 1; }

record module -g -e probe:loop_control losetup -f
perf script -i module.ours | tee text | grep -qE 'loop_control_ioctl\+0x[0-9a-f]+ \(.*\[?loop' || { cat text; exit 1; }
perf buildid-list -i module.ours | tee text | grep -qE '^[0-9a-f]{40} .*/loop\.ko' || { cat text; exit 1; }

# The idle code of the first CPU was called by the code that started the kernel.
record idle -a -C 0 -g -e cpu-clock -F 99 sleep 0.2
perf script -i idle.ours --comms swapper | tee text | grep -qE ' start_kernel\+0x[0-9a-f]+ \(\[kernel' || { cat text; exit 1; }

# The verifier of this kernel accepts the programs that measure the time off the CPU.
if perf check -q feature bpf; then
	perf record -q --off-cpu -e dummy -o waits.data sleep 0.7
	perf script -i waits.data -F comm,period,event | tee text | awk '$1 == "sleep" && $2 > 650000000 { found = 1 }
		END { exit !found }' || { cat text; exit 1; }
fi

record everywhere -a -e cpu-clock,sched:sched_switch -F 99 ./spin

for file in *.ours *.theirs; do
	[ -e "$file" ] || continue
	# aarch64's leaf callers differ: docs/differences/stacks.md
	case $file in
	stacks.*) compare "$file" script --no-inline -G ;;
	idle.*) compare "$file" script --no-inline --comms swapper ;;
	*) compare "$file" script --no-inline ;;
	esac
	compare "$file" evlist -v
	compare "$file" buildid-list
done
