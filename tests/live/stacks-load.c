/* SPDX-License-Identifier: MIT */
/*
 * Stays at one place for ever, so that its sampled stacks can be compared with a debugger's.
 *
 *     stacks-load leaf|recursion|handler|thread|deep
 *
 * With BARE the leaf stores no frame record, as compilers prefer.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "with-frames.h"

static volatile unsigned long sink;
static volatile int done;

__attribute__((noinline)) static void stay(void)
{
#ifndef BARE
	KEEP_FRAME();
#endif
	while (!done)
		sink++;
}

__attribute__((noinline)) static void middle(void)
{
	stay();
	sink = 0;
}

__attribute__((noinline)) static void recurse(int n)
{
	if (n)
		recurse(n - 1);
	else
		middle();
	sink = 0;
}

static void handler(int signal)
{
	(void)signal;
	middle();
	sink = 0;
}

/*
 * In a stack by frame pointers, the handler is followed by the caller of the interrupted function,
 * which itself is missing.
 */
__attribute__((noinline)) static void interrupt(void)
{
	system_call(SYS_kill, getpid(), SIGUSR1, 0, 0);
}

static void *thread(void *arg)
{
	middle();
	sink = 0;
	return arg;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "leaf";
	pthread_t other;

	alarm(60); /* no process is left running */
	if (!strcmp(how, "recursion")) {
		recurse(5);
	} else if (!strcmp(how, "deep")) {
		recurse(90);
	} else if (!strcmp(how, "handler")) {
		signal(SIGUSR1, handler);
		interrupt();
	} else if (!strcmp(how, "thread")) {
		pthread_create(&other, NULL, thread, NULL);
		pthread_join(other, NULL);
	} else {
		middle();
	}
	return 0;
}
