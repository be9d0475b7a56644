/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * One question, answered by our code and by a library: how long it takes, and how much memory.
 *
 * Each answer is given by a process of its own, which begins with nothing known; ours and the
 * library's take turns, so that a slow moment hits both. The best time and the least memory of
 * VERSUS_RUNS count. Memory is what the process takes beyond one that answers nothing.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define VERSUS_RUNS 7
#define VERSUS_NONE UINT64_MAX /* an answer: it cannot tell */

/* Answers @question with a number, by which answers are compared. */
typedef uint64_t versus_answer(const void *question);

struct versus_result {
	uint64_t answer;
	double seconds;
	long kib;
};

static inline double versus_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline struct versus_result versus_once(versus_answer *answer, const void *question)
{
	struct versus_result r = { .answer = VERSUS_NONE };
	struct rusage usage;
	int ends[2];
	pid_t pid;

	fflush(stdout);
	if (pipe(ends) < 0 || (pid = fork()) < 0)
		exit(EXIT_FAILURE);
	if (!pid) {
		double start = versus_now();

		r.answer = answer(question);
		r.seconds = versus_now() - start;
		_exit(write(ends[1], &r, sizeof(r)) != sizeof(r));
	}
	close(ends[1]);
	if (read(ends[0], &r, sizeof(r)) != sizeof(r))
		r.answer = VERSUS_NONE; /* it died */
	close(ends[0]);
	wait4(pid, NULL, 0, &usage);
	r.kib = usage.ru_maxrss;
	return r;
}

static inline void versus_keep(struct versus_result *best, struct versus_result r, int run)
{
	if (!run || r.seconds < best->seconds)
		best->seconds = r.seconds;
	if (!run || r.kib < best->kib)
		best->kib = r.kib;
	best->answer = r.answer;
}

static inline uint64_t versus_nothing(const void *question)
{
	(void)question;
	return 0;
}

static inline void versus_title(const char *what, const char *library)
{
	printf("%-36s %20s %20s %8s %8s\n", what, "ours", library, "faster", "smaller");
}

/* Prints one row. @n: into how many parts the time is divided; 1 shows milliseconds, else ns. */
static inline void versus(const char *what, versus_answer *ours, versus_answer *theirs,
			  const void *question, double n)
{
	struct versus_result a = { 0 }, b = { 0 };
	long idle = versus_once(versus_nothing, NULL).kib;
	double unit = n == 1 ? 1e3 : 1e9 / n;
	const char *name = n == 1 ? "ms" : "ns";

	for (int i = 0; i < VERSUS_RUNS; i++) {
		versus_keep(&a, versus_once(ours, question), i);
		versus_keep(&b, versus_once(theirs, question), i);
	}
	a.kib = a.kib > idle ? a.kib - idle : 1;
	b.kib = b.kib > idle ? b.kib - idle : 1;
	printf("%-36s %8.1f %s %5.1f MB %8.1f %s %5.1f MB %7.1fx %7.1fx   ", what, a.seconds * unit,
	       name, (double)a.kib / 1024, b.seconds * unit, name, (double)b.kib / 1024,
	       b.seconds / a.seconds, (double)b.kib / (double)a.kib);
	if (a.answer == b.answer)
		printf("same answer: %llu\n", (unsigned long long)a.answer);
	else if (b.answer == VERSUS_NONE)
		printf("%llu; the library cannot tell\n", (unsigned long long)a.answer);
	else
		printf("%llu and %llu\n", (unsigned long long)a.answer,
		       (unsigned long long)b.answer);
}
