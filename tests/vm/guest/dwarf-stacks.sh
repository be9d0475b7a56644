# SPDX-License-Identifier: MIT
# Stacks from copies of the memory are correct, without frame pointers, on both machines.
work=$(mktemp -d)
cd "$work"
cc=$(command -v cc || command -v gcc) || { echo 'no C compiler'; exit 77; }
perf check -q feature dwarf-unwind || { echo 'this perf unwinds no copies of stacks'; exit 77; }
cat >deep.c <<'C'
#include <stdlib.h>
#define HERE __attribute__((noinline, noclone))

volatile unsigned long sink;

/* Each keeps something of its own on the stack, so that frames have different sizes. */
HERE static unsigned long leaf(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		sink += i;
	return sink;
}

HERE static unsigned long array(unsigned long n)
{
	volatile unsigned long room[40] = { n };
	unsigned long r = leaf(room[0]);

	return r + room[1];
}

HERE static unsigned long variable(unsigned long n)
{
	volatile char *room = __builtin_alloca(n % 7 * 16 + 32);
	unsigned long r;

	room[0] = 1;
	r = array(n);
	return r + room[0];
}

static int compare(const void *a, const void *b)
{
	sink += *(const int *)a + *(const int *)b;
	return variable(N) == 1;
}

int main(void)
{
	int two[2] = { 1, 2 };

	for (int i = 0; i < 200; i++)
		qsort(two, 2, sizeof(two[0]), compare);
	return 0;
}
C
"$cc" -g -O2 -fomit-frame-pointer -DN=200000ul -o deep deep.c
perf record -q -e cpu-clock:u -F 1000 --call-graph dwarf,4096 -o deep.data ./deep 2>said || { cat said; exit 1; }
perf script -i deep.data -F ip,sym --no-inline >stacks
awk 'BEGIN { RS = ""; right = all = 0 }
/ leaf\n/ {
	all++
	gsub(/[^\n]* /, "")
	# The frames inside qsort() are not checked.
	if ($0 ~ /^leaf\narray\nvariable\ncompare\n(.*\n)?main(\n|$)/)
		right++
	else if (all - right < 4)
		print
}
END { print right, "of", all; exit !(all >= 20 && right == all) }' stacks || { head -n 60 stacks; exit 1; }
perf report --stdio -g caller --no-children -i deep.data 2>/dev/null | grep -q 'leaf' || { echo 'nothing in the report'; exit 1; }
