#!/bin/sh
# SPDX-License-Identifier: MIT
# Probes in a program: an added probe is in the kernel, is hit each time the place is passed, is
# listed and removed; a probe that the kernel refuses leaves nothing behind.
skip() {
	echo "$1"
	exit 77
}

PERF=${PERF:-$(command -v perf)}
[ "$(id -u)" = 0 ] || skip 'only root makes probes'
events=/sys/kernel/tracing/uprobe_events
[ -w $events ] || events=/sys/kernel/debug/tracing/uprobe_events
[ -w $events ] || skip 'this kernel has no probes in programs'
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
dir=$(mktemp -d)
name=live$$
group=probe_$name
trap '"$PERF" probe -q -d "$group*:*" 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
fail=0

wrong() {
	echo "$*"
	fail=1
}

cat >load.c <<'END'
struct item {
	int value;
	struct item *next;
};

static inline __attribute__((always_inline)) int twice(int v)
{
	volatile int w = v * 2;

	return w;
}

__attribute__((noinline)) int first(struct item *p, int n)
{
	return twice(n) + p->value;
}

__attribute__((noinline)) int second(struct item *p, int n)
{
	return twice(n + 1) + p->next->value;
}

int main(void)
{
	struct item b = { 7, 0 }, a = { 5, &b };
	volatile int sum = 0;

	for (int i = 0; i < 10; i++)
		sum += first(&a, i);
	for (int i = 0; i < 3; i++)
		sum += second(&a, i);
	return 0;
}
END
"${CC:-cc}" -g -O2 -o $name load.c || skip 'no C compiler'
cp $name ${name}b

probe() {
	"$PERF" probe "$@"
}

mine() {
	grep "[:/]$group" $events
}

# counted EVENT N: checks that it is hit N times.
counted() {
	n=$("$PERF" stat -x, -e "$1" ./$name 2>&1 >/dev/null | cut -d, -f1)
	[ "$n" = "$2" ] || wrong "$1 was hit $n times instead of $2"
}

probe -x $name -a 'first n p->value' -a twice -a 'second%return $retval' 2>said ||
	wrong "not added: $(cat said)"
cat >expected <<END
Added new events:
  $group:first  (on first in $dir/$name with n value=p->value)
  $group:twice  (on twice in $dir/$name)
  $group:twice  (on twice in $dir/$name)
  $group:second__return  (on second%return in $dir/$name with \$retval)

You can now use it in all perf tools, such as:

	perf record -e $group:second__return -aR sleep 1

END
tr -s ' ' <expected >a
tr -s ' ' <said >b
cmp -s a b || wrong "not said so: $(cat said)"
[ "$(mine | wc -l)" = 4 ] || wrong "there are: $(mine)"
counted "$group:first" 10
counted "$group:twice" 13
counted "$group:second__return" 3

probe -l "$group:*" >list
grep -q "$group:first .*(on first@.*load.c in $dir/$name with n value)" list ||
	wrong "listed as: $(cat list)"
[ "$(wc -l <list)" = 4 ] || wrong "listed are: $(cat list)"

# The same name once more: refused, or numbered.
probe -x $name first 2>said && wrong 'a second event of the same name was added'
grep -q "already exists" said || wrong "not told: $(cat said)"
probe -q -x $name first -f || wrong '-f behind the definition does not count'
counted "$group:first_1" 10

# Two programs in one command.
probe -q -d "$group*:*" || wrong 'not removed'
probe -q -x $name -a first -x ${name}b -a second || wrong 'two programs are not probed at once'
mine | grep -q "^p:${group}b/second $dir/${name}b:" || wrong "there are: $(mine)"
probe -d "$group*:*" 2>said
[ "$(sort said)" = "Removed event: $group:first
Removed event: ${group}b:second" ] || wrong "removed: $(cat said)"
[ -z "$(mine)" ] || wrong "left behind: $(mine)"

# Several probes are added all or none: the kernel refuses the second one.
probe -x $name -a first -a 'second a=%nosuch' 2>said && wrong 'an unknown register was taken'
grep -q '%nosuch' said || wrong "not marked: $(cat said)"
long=$(printf '%040d' 1)
probe -x $name -a first -a "second a$long=%sp" 2>said && wrong 'a name that is too long was taken'
[ -z "$(mine)" ] || wrong "left behind: $(mine)"

# A probe that is being recorded cannot be removed, and a message says so.
probe -q -x $name first
"$PERF" record -q -o data -e "$group:first" sleep 1000 2>/dev/null &
recorder=$!
until_true is_recording $recorder || fail=1
probe -d "$group:first" 2>said && wrong 'an event in use was removed'
grep -q "$group:first is in use" said || wrong "not told: $(cat said)"
kill $recorder
wait $recorder 2>/dev/null
probe -q -d "$group:first" || wrong 'not removed after the recording'
exit $fail
