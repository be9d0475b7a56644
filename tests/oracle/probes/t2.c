/* SPDX-License-Identifier: MIT */
/* The program that the definitions were tried on: cc -g -O0 -o t2 t2.c */
#include <stdio.h>
struct in {
	int c[4];
	char n[8];
	unsigned bf : 3;
};
struct st {
	struct in *b;
	struct in d;
	int arr[5];
};
static struct st glob;
int foo(int a, struct st *s, char *str)
{
	int loc = a * 2;
	glob.arr[1] = loc;
	if (s)
		loc += s->d.c[1];
	puts(str);
	return loc;
}
int bar(int x)
{
	return foo(x, &glob, "hi");
}
int main(int argc, char **argv)
{
	return bar(argc) & 1;
}
