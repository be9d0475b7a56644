/* SPDX-License-Identifier: MIT */
/*
 * Calls the functions of known-callers-aarch64.S, or those of known-callers-x86_64.S, for a while.
 */
#include <time.h>

void framed(void);
void unframed(void);
void busy_fp(void);

__attribute__((noinline)) static void caller(void)
{
	busy_fp();
	unframed();
	framed();
	__asm__ volatile("");
}

int main(void)
{
	for (clock_t end = clock() + CLOCKS_PER_SEC / 2; clock() < end;)
		for (int i = 0; i < 1000; i++)
			caller();
	return 0;
}
