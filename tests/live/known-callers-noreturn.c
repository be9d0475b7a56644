/* SPDX-License-Identifier: MIT */
/*
 * Functions that end with a call that never returns: the code after such a call belongs to no
 * caller.
 */
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "with-frames.h"

volatile unsigned long sum;

static void busy(int n)
{
	KEEP_FRAME();
	for (int i = 0; i < n; i++)
		sum += (unsigned long)i;
}

__attribute__((noinline)) static void tick(int signal)
{
	(void)signal;
	busy(20000);
}

__attribute__((noreturn, noinline)) void spin(clock_t end)
{
	for (;;) {
		busy(100000);
		if (clock() > end)
			_exit(0);
	}
}

__attribute__((noreturn, noinline)) void caller(clock_t end)
{
	sum = 2;
	spin(end);
}

__attribute__((noinline)) void after_caller(void)
{
	sum = 1;
}

__attribute__((noreturn, noinline)) void middle(clock_t end)
{
	caller(end);
}

__attribute__((noinline)) void after_middle(void)
{
	sum = 3;
}

int main(int argc, char **argv)
{
	const struct itimerval often = { { 0, 2000 }, { 0, 2000 } };

	(void)argv;
	if (argc > 1) {
		after_caller();
		after_middle();
	}
	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &often, NULL);
	middle(clock() + CLOCKS_PER_SEC / 2);
}
