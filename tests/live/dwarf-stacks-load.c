/* SPDX-License-Identifier: MIT */
/*
 * Threads that stop in a pause() deep in stacks of different kinds. The program is compiled without
 * frame pointers, so only unwind rules lead out.
 */
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

/* A statement that follows a call, so that the call is not a tail call. */
#define AFTERWARDS __asm__ volatile("" ::: "memory")

/* Volatile, so that the compiler cannot conclude that rest() never returns. */
static volatile int is_tired = 1;

static NOINLINE void rest(void)
{
	while (is_tired)
		pause();
}

static NOINLINE int recurse(int n)
{
	volatile char local[100];

	local[n] = (char)n;
	if (!n)
		rest();
	else
		recurse(n - 1);
	AFTERWARDS;
	return local[n];
}

/*
 * The size of the frame is known only at run time, so its CFA is not computed from the stack
 * pointer.
 */
static NOINLINE int with_alloca(int n)
{
	char *p = alloca((size_t)n * 16 + 1);

	memset(p, n, (size_t)n * 16 + 1);
	if (n > 3)
		rest();
	else
		with_alloca(n + 1);
	AFTERWARDS;
	return p[n];
}

/* The stack is realigned: x86 saves the old stack pointer in another register. */
static NOINLINE int with_alignment(int n)
{
	volatile char buffer[256] __attribute__((aligned(128)));

	buffer[n] = (char)n;
	if (n > 3)
		rest();
	else
		with_alignment(n + 1);
	AFTERWARDS;
	return buffer[n];
}

/* The frame is aligned and of unknown size: its CFA depends on a register that callees save. */
static NOINLINE int with_both(int n)
{
	volatile char buffer[256] __attribute__((aligned(128)));
	char *p = alloca((size_t)n * 16 + 1);

	memset(p, n, (size_t)n * 16 + 1);
	buffer[n] = p[n];
	if (n > 3)
		rest();
	else
		with_both(n + 1);
	AFTERWARDS;
	return buffer[n] + p[n];
}

static NOINLINE long with_registers(long a, long b, long c, long d, long e, long f)
{
	long w = a * b + 1, x = b * c + 2, y = c * d + 3, z = d * e + 4, v = e * f + 5;

	if (a > 3)
		rest();
	else
		w += with_registers(a + 1, w, x, y, z, v);
	AFTERWARDS;
	return w * x - y * z + v;
}

static int compare(const void *a, const void *b)
{
	(void)a, (void)b;
	rest();
	AFTERWARDS;
	return 0;
}

static NOINLINE void through_library(void)
{
	int items[] = { 3, 2, 1 };

	qsort(items, 3, sizeof(items[0]), compare);
	AFTERWARDS;
}

static void handler(int number)
{
	(void)number;
	recurse(3);
	AFTERWARDS;
}

static void outer_handler(int number)
{
	(void)number;
	raise(SIGUSR1);
	AFTERWARDS;
}

static NOINLINE void in_handlers(void)
{
	raise(SIGUSR2);
	AFTERWARDS;
}

/* The stack is interrupted by a fault between two instructions, not in a call. */
static NOINLINE void in_fault(void)
{
	*(volatile int *)8 = 1;
	AFTERWARDS;
}

static void *by_recursion(void *arg)
{
	recurse(20);
	return arg;
}

static void *by_alloca(void *arg)
{
	with_alloca(1);
	return arg;
}

static void *by_alignment(void *arg)
{
	with_alignment(1);
	return arg;
}

static void *by_both(void *arg)
{
	with_both(1);
	return arg;
}

static void *by_registers(void *arg)
{
	with_registers(0, 1, 2, 3, 4, 5);
	return arg;
}

static void *by_library(void *arg)
{
	through_library();
	return arg;
}

static void *by_signals(void *arg)
{
	in_handlers();
	return arg;
}

static void *by_fault(void *arg)
{
	in_fault();
	return arg;
}

static void handle(int number, void (*fn)(int))
{
	struct sigaction sa = { .sa_handler = fn };

	sigaction(number, &sa, NULL);
}

int main(void)
{
	static void *(*const kinds[])(
		void *) = { by_recursion, by_alloca,  by_alignment, by_both,
			    by_registers, by_library, by_signals,   by_fault };
	pthread_t t;

	handle(SIGUSR1, handler);
	handle(SIGSEGV, handler);
	handle(SIGUSR2, outer_handler);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		pthread_create(&t, NULL, kinds[i], NULL);
	rest();
	return 0;
}
