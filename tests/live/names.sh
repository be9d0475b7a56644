#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions have their names: with labels inside of them, without a symbol (ld -x), as lambdas that gcc inlines, in a
# memfd, and in a stripped program of Go.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
HOME=$work
export HOME
failed=0

fail() {
	echo "FAILED: $*"
	failed=1
}

# hot PROGRAM...: prints the rows of its profile, the heaviest first.
hot() {
	perf record -q -e cpu-clock:u --call-graph dwarf,4096 -o data "$@" >/dev/null 2>&1 || fail "cannot record $1"
	perf report -i data --stdio -q --children -g none -s sym 2>said >rows
	[ -s rows ] || fail "$1: nothing was sampled"
}

# first PATTERN: checks that a row has more than 80 %.
first() {
	awk '$1 + 0 > 80' rows | grep -q "$1" || { head -5 rows; cat said; fail "$2"; }
}

"${CC:-cc}" --version >/dev/null 2>&1 || { echo 'no C compiler'; exit 77; }
cat >load.c <<'END'
__attribute__((noinline)) static unsigned long hidden(unsigned long n)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < n; i++) {
		sum += i * i;
		__asm__ volatile(LABEL : "+r"(sum));
	}
	return sum;
}

int main(void)
{
	return hidden(300000000) == 5;
}
END
"${CC:-cc}" -O1 '-DLABEL=".globl inner\ninner: nop"' -o labelled load.c
hot ./labelled
first ' hidden' 'a label takes code of a function'
! grep -q inner rows || fail 'a label is a function'
"${CC:-cc}" -O1 -g '-DLABEL=""' -Wl,-x -o unlisted load.c
hot ./unlisted
first ' hidden' 'a function that only DWARF has'
"${CC:-cc}" -O1 -g '-DLABEL=".globl inner\ninner: nop"' -Wl,-x -o unlisted-labelled load.c
hot ./unlisted-labelled
first ' hidden' 'a label takes code of a function that only DWARF has'
! grep -q inner rows || fail 'a label is a function of which DWARF has the name'

cat >memfd.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv)
{
	int from = open(argv[argc - 1], O_RDONLY), to = memfd_create("program", 0);
	char *words[] = { "program", 0 }, bytes[65536];

	for (ssize_t n; (n = read(from, bytes, sizeof(bytes))) > 0;)
		if (write(to, bytes, (size_t)n) != n)
			return 1;
	fexecve(to, words, environ);
	return 1;
}
END
"${CC:-cc}" -o memfd memfd.c
"${CC:-cc}" -O1 -Wl,--build-id '-DLABEL=""' -o plain load.c
hot ./memfd ./plain
first ' hidden' 'a program in a memfd'

if command -v g++ >/dev/null; then
	cat >lambdas.cc <<'END'
#include <algorithm>
#include <vector>

int main()
{
	std::vector<unsigned> v(1000, 3);
	unsigned long a = 0, b = 1;

	for (int i = 0; i < 100000; i++) {
		std::for_each(v.begin(), v.end(), [&](unsigned x) { a += x * a % 7 + 1; });
		std::for_each(v.begin(), v.end(), [&](unsigned x) { b = b * 31 ^ (x + b / 3); });
	}
	return a + b == 5;
}
END
	g++ -O2 -g -o lambdas lambdas.cc
	hot ./lambdas
	for name in 'main::{lambda(unsigned int)#1}::operator()' 'main::{lambda(unsigned int)#2}::operator()' 'std::for_each<'; do
		grep -qF "$name" rows || { head -8 rows; fail "no $name"; }
	done
fi

if command -v ocamlopt >/dev/null; then
	echo 'let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2)
let () = if fib 36 = 5 then exit 1' >fib.ml
	ocamlopt -o fib fib.ml >/dev/null 2>&1
	hot ./fib
	first 'fib_' 'OCaml: code_begin is no function'
fi

if command -v go >/dev/null; then
	cat >hot.go <<'END'
package main

type T struct{ n uint64 }

//go:noinline
func (t *T) Work(k int) uint64 {
	s := t.n
	for i := 0; i < k; i++ {
		s = s*31 + uint64(i)
		s ^= s >> 7
	}
	return s
}

func main() {
	t := &T{3}
	if t.Work(300000000) == 5 {
		panic("5")
	}
}
END
	for mode in exe pie; do
		GO111MODULE=off go build -buildmode=$mode -ldflags '-s -w' -o hot hot.go >/dev/null 2>&1 || continue
		hot ./hot
		first 'main\.(\*T)\.Work' "Go, $mode: a stripped program"
	done
fi
exit $failed
