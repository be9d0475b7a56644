/* SPDX-License-Identifier: MIT */
/*
 * A program whose profile is known: heavy() takes three times as long as light(), the thread
 * "helper" as long as light(). With "jit" it also runs code that it generates, which
 * /tmp/perf-PID.map names.
 *
 *     report-load UNITS [jit]
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "with-frames.h"

static unsigned long units;
static volatile unsigned long sink;

__attribute__((noinline)) static void spin(unsigned long n)
{
	KEEP_FRAME();
	for (unsigned long i = 0; i < n; i++)
		sink += i;
}

__attribute__((noinline)) static void heavy(void)
{
	KEEP_FRAME();
	for (unsigned long i = 0; i < 3 * units; i++)
		sink += i;
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void light(void)
{
	KEEP_FRAME();
	for (unsigned long i = 0; i < units; i++)
		sink += i;
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void both(void)
{
	heavy();
	light();
	__asm__ volatile("" ::: "memory");
}

static void *helper(void *arg)
{
	pthread_setname_np(pthread_self(), "helper");
	spin(units);
	return arg;
}

/* A loop that counts down, at an address that no file covers. */
static void made(void)
{
#ifdef __aarch64__
	/* 1: subs x0, x0, #1; b.ne 1b; ret */
	static const unsigned code[] = { 0xf1000400, 0x54ffffe1, 0xd65f03c0 };
#else
	/* 1: dec %rdi; jnz 1b; ret */
	static const unsigned char code[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
#endif
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	char path[64];
	FILE *map;

	if (p == MAP_FAILED)
		exit(77);
	memcpy(p, code, sizeof(code));
	__builtin___clear_cache(p, (char *)p + sizeof(code));
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	if (!map)
		exit(77);
	fprintf(map, "%lx %zx made_while_running\n", (unsigned long)p, sizeof(code));
	fclose(map);
	puts(path);
	((void (*)(unsigned long))p)(4 * units);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	units = strtoul(argv[1], NULL, 0);
	if (pthread_create(&thread, NULL, helper, NULL))
		return 1;
	pthread_join(thread, NULL);
	both();
	if (argc > 2)
		made();
	return 0;
}
