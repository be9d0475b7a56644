/* SPDX-License-Identifier: MIT */
#include <caml/mlvalues.h>

__attribute__((noinline)) static long work(long n)
{
	volatile long sum = 0;

	for (long i = 0; i < 20000; i++)
		sum += i * n;
	return sum;
}

value ml_mark(value v);

value ml_mark(value v)
{
	return Val_long(work(Long_val(v)) + 1);
}
