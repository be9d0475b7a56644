#!/bin/sh
# SPDX-License-Identifier: MIT
# Targets of probes: programs by path, by name along $PATH, stripped, in another mount namespace;
# files of kernel modules, compressed ones too; and the messages about invalid targets.
skip() {
	echo "$1"
	exit 77
}

PERF=${PERF:-$(command -v perf)}
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/live/waiting"
dir=$(mktemp -d)
holder=
trap 'test -z "$holder" || kill "$holder" 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
HOME=$dir
export HOME
fail=0

# expect WORDS ARGUMENTS: checks that one line of perf probe's output is WORDS.
expect() {
	words=$1
	shift
	"$PERF" probe "$@" >out 2>&1
	grep -qxF -e "$words" out && return
	echo "perf probe $*: no line '$words' in:"
	cat out
	fail=1
}

# tells WORDS ARGUMENTS: checks that the command fails with the message WORDS.
tells() {
	words=$1
	shift
	if "$PERF" probe "$@" >out 2>&1 || ! grep -qF -e "$words" out; then
		echo "perf probe $*: does not fail with '$words':"
		cat out
		fail=1
	fi
}

cat >target.c <<'END'
struct pair {
	int a;
	long b;
};

static int total;

int __attribute__((noinline)) helper(struct pair *p, int n)
{
	return p->a + n;
}

static inline __attribute__((always_inline)) int folded(int n)
{
	total += n;
	return n * 7;
}

int entry(struct pair *p, int n)
{
	return helper(p, n) + folded(n);
}

int entry_alias(struct pair *p, int n) __attribute__((alias("entry")));

__asm__(".text\n.globl by_hand\nby_hand: nop\nnop\n");
END
{
	cat target.c
	echo 'int main(int n, char **v) { struct pair p = { n, 2 }; return !v + entry(&p, n); }'
} >program.c
gcc -g -O2 program.c -o probed-program || skip 'no compiler'
address=0x$(nm probed-program | sed -n 's/^0*\([0-9a-f]*\) T entry$/\1/p')
by_hand=0x$(nm probed-program | sed -n 's/^0*\([0-9a-f]*\) T by_hand$/\1/p')
here=$(pwd -P)/probed-program

# The debug information knows the function, knows it by another name, or does not know it.
expect "p:probe_probed/entry $here:$address" -x ./probed-program -D entry
expect "p:probe_probed/entry_alias $here:$address" -x ./probed-program -D entry_alias
expect "p:probe_probed/by_hand $here:$by_hand" -x ./probed-program -D by_hand
expect "r:probe_probed/entry__return $here:$address" -x ./probed-program -D entry%return
PATH=$dir:$PATH expect "p:probe_probed/entry $here:$address" -x probed-program -D entry
tells 'has no code of its own' -x ./probed-program -D folded%return
tells "Did you mean 'helper'" -x ./probed-program -D helpr
tells 'this would be' -x ./probed-program --max-probes 1 -D '*e*'
tells 'there is no code at this address' -x ./probed-program -D 0x1

# The list is sorted, has each function, but no inner labels and no stubs.
"$PERF" probe -x ./probed-program -F >functions
LC_ALL=C sort -c functions || fail=1
grep -qx helper functions || fail=1
grep -q -e '^_' -e '@plt' functions && fail=1
expect helper -x ./probed-program -F 'help*'

# A message says what a stripped program lacks, and what to do.
strip -o stripped probed-program
tells 'is stripped' -x ./stripped -D entry
tells 'has no debug information' -x ./stripped -D 'entry n'
expect "p:probe_stripped/abs_${address#0x} $(pwd -P)/stripped:$address" -x ./stripped -D "$address"
tells 'not an ELF file' -x ./target.c -D entry
tells 'is a directory' -x . -D entry
tells 'no file' -x ./missing -D entry
gcc -g -O2 -fno-pic -c target.c -o my-mod.o
tells 'an object file' -x ./my-mod.o -D entry

# A module is given by its file, which need not be loaded, and may be compressed.
mv my-mod.o my-mod.ko
case $(uname -m) in
aarch64) first=%x1 ;;
*) first=%si ;;
esac
expect 'p:probe/helper my_mod:helper+0' -m "$dir/my-mod.ko" -D helper
expect "p:probe/helper my_mod:helper+0 n=$first:s32" -m "$dir/my-mod.ko" -D 'helper n'
expect helper -F -m "$dir/my-mod.ko"
expect helper -F my-mod.ko
expect helper -F ./my-mod.ko
if xz -k my-mod.ko 2>/dev/null; then
	expect "p:probe/helper my_mod:helper+0 n=$first:s32" -m "$dir/my-mod.ko.xz" -D 'helper n'
fi
tells "no module 'no_such_module' is loaded" -m no_such_module -D helper

# --target-ns: the file that another process sees under this name.
mkdir inner
if unshare -m true 2>/dev/null; then
	unshare -m sh -c "mount -t tmpfs none '$dir/inner' && cp probed-program inner/it &&
		touch inner/ready && exec sleep 1000" &
	holder=$!
	until_true [ -e "/proc/$holder/root$dir/inner/ready" ] || exit 1
	expect "p:probe_it/entry /proc/$holder/root$dir/inner/it:$address" \
		--target-ns $holder -x "$dir/inner/it" -D entry
	tells 'no file' -x "$dir/inner/it" -D entry
fi
exit $fail
