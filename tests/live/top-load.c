/* SPDX-License-Identifier: MIT */
/*
 * Three functions that take about 60 %, 30 % and 10 % of the time, until standard input ends.
 */
#include <poll.h>
#include <unistd.h>

#include "with-frames.h"

static volatile unsigned long sum;

__attribute__((noinline)) void spin_sixty(void)
{
	KEEP_FRAME();
	for (int i = 0; i < 600000; i++)
		sum += (unsigned long)i;
}

__attribute__((noinline)) void spin_thirty(void)
{
	KEEP_FRAME();
	for (int i = 0; i < 300000; i++)
		sum += (unsigned long)i;
}

__attribute__((noinline)) void spin_ten(void)
{
	KEEP_FRAME();
	for (int i = 0; i < 100000; i++)
		sum += (unsigned long)i;
}

int main(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	while (poll(&in, 1, 0) == 0) {
		spin_sixty();
		spin_thirty();
		spin_ten();
	}
	return 0;
}
