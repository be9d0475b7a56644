/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/diag.h"
#include "base/memory.h"
#include "tools/bench/programs/numa.h"
#include "tools/bench/programs/result.h"

#define RAM  BENCH_NUMA_RAM
#define CONV BENCH_NUMA_CONVERGENCE
#define BW   BENCH_NUMA_BANDWIDTH

const struct bench_numa_test bench_numa_suite[] = {
	{ "RAM-bw-local", "-p 1 -t 1 -P 1024 -C 0 -M 0", RAM, false },
	{ "RAM-bw-local-NOTHP", "-p 1 -t 1 -P 1024 -C 0 -M 0", RAM, true },
	{ "RAM-bw-remote", "-p 1 -t 1 -P 1024 -C 0 -M 1", RAM, false },
	{ "RAM-bw-local-2x", "-p 2 -t 1 -P 1024 -C 0,2 -M 0x2", RAM, false },
	{ "RAM-bw-remote-2x", "-p 2 -t 1 -P 1024 -C 0,2 -M 1x2", RAM, false },
	{ "RAM-bw-cross", "-p 2 -t 1 -P 1024 -C 0,8 -M 1,0", RAM, false },
	{ " 1x3-convergence", "-p 1 -t 3 -P 512", CONV, false },
	{ " 1x4-convergence", "-p 1 -t 4 -P 512", CONV, false },
	{ " 1x6-convergence", "-p 1 -t 6 -P 1020", CONV, false },
	{ " 2x3-convergence", "-p 2 -t 3 -P 1020", CONV, false },
	{ " 3x3-convergence", "-p 3 -t 3 -P 1020", CONV, false },
	{ " 4x4-convergence", "-p 4 -t 4 -P 512", CONV, false },
	{ " 4x4-convergence-NOTHP", "-p 4 -t 4 -P 512", CONV, true },
	{ " 4x6-convergence", "-p 4 -t 6 -P 1020", CONV, false },
	{ " 4x8-convergence", "-p 4 -t 8 -P 512", CONV, false },
	{ " 8x4-convergence", "-p 8 -t 4 -P 512", CONV, false },
	{ " 8x4-convergence-NOTHP", "-p 8 -t 4 -P 512", CONV, true },
	{ " 3x1-convergence", "-p 3 -t 1 -P 512", CONV, false },
	{ " 4x1-convergence", "-p 4 -t 1 -P 512", CONV, false },
	{ " 8x1-convergence", "-p 8 -t 1 -P 512", CONV, false },
	{ "16x1-convergence", "-p 16 -t 1 -P 256", CONV, false },
	{ "32x1-convergence", "-p 32 -t 1 -P 128", CONV, false },
	{ " 2x1-bw-process", "-p 2 -t 1 -P 1024", BW, false },
	{ " 3x1-bw-process", "-p 3 -t 1 -P 1024", BW, false },
	{ " 4x1-bw-process", "-p 4 -t 1 -P 1024", BW, false },
	{ " 8x1-bw-process", "-p 8 -t 1 -P  512", BW, false },
	{ " 8x1-bw-process-NOTHP", "-p 8 -t 1 -P  512", BW, true },
	{ "16x1-bw-process", "-p 16 -t 1 -P 256", BW, false },
	{ " 1x4-bw-thread", "-p 1 -t 4 -T 256", BW, false },
	{ " 1x8-bw-thread", "-p 1 -t 8 -T 256", BW, false },
	{ "1x16-bw-thread", "-p 1 -t 16 -T 128", BW, false },
	{ "1x32-bw-thread", "-p 1 -t 32 -T 64", BW, false },
	{ " 2x3-bw-process", "-p 2 -t 3 -P 512", BW, false },
	{ " 4x4-bw-process", "-p 4 -t 4 -P 512", BW, false },
	{ " 4x6-bw-process", "-p 4 -t 6 -P 512", BW, false },
	{ " 4x8-bw-process", "-p 4 -t 8 -P 512", BW, false },
	{ " 4x8-bw-process-NOTHP", "-p 4 -t 8 -P 512", BW, true },
	{ " 3x3-bw-process", "-p 3 -t 3 -P 512", BW, false },
	{ " 5x5-bw-process", "-p 5 -t 5 -P 512", BW, false },
	{ "2x16-bw-process", "-p 2 -t 16 -P 512", BW, false },
	{ "1x32-bw-process", "-p 1 -t 32 -P 2048", BW, false },
	{ "numa02-bw", "-p 1 -t 32 -T 32", BW, false },
	{ "numa02-bw-NOTHP", "-p 1 -t 32 -T 32", BW, true },
	{ "numa01-bw-thread", "-p 2 -t 16 -T 192", BW, false },
	{ "numa01-bw-thread-NOTHP", "-p 2 -t 16 -T 192", BW, true },
	{ NULL, NULL, RAM, false },
};

static const char *const kind_options[] = {
	[RAM] = " -s 20 -zZq --thp  1 --no-data_rand_walk",
	[CONV] = " -s 100 -zZ0qcm --thp  1",
	[BW] = " -s 20 -zZ0q --thp  1",
};

/* Returns the text after @option up to the next blank, or NULL. */
static char *word_after(const char *tasks, const char *option)
{
	const char *at = strstr(tasks, option);

	if (!at)
		return NULL;
	at += strlen(option);
	at += strspn(at, " ");
	return xstrndup(at, strcspn(at, " "));
}

static uint64_t number_after(const char *tasks, const char *option)
{
	char *word = word_after(tasks, option);
	uint64_t n = word ? strtoull(word, NULL, 10) : 0;

	free(word);
	return n;
}

void bench_numa_test_params(const struct bench_numa_test *t, struct bench_numa_params *ret,
			    char **ret_line)
{
	*ret = (struct bench_numa_params)BENCH_NUMA_DEFAULT;
	ret->processes = number_after(t->tasks, "-p ");
	ret->threads = number_after(t->tasks, "-t ");
	ret->mb_process = number_after(t->tasks, "-P ");
	ret->mb_thread = number_after(t->tasks, "-T ");
	ret->cpus = word_after(t->tasks, "-C ");
	ret->nodes = word_after(t->tasks, "-M ");
	ret->seconds = t->kind == CONV ? 100 : 20;
	ret->init_zero = ret->zero_memset = ret->quiet = true;
	ret->init_cpu0 = t->kind != RAM;
	ret->random_walk = t->kind != RAM;
	ret->show_convergence = ret->measure_convergence = t->kind == CONV;
	ret->thp = t->no_thp ? -1 : 1;
	*ret_line = xasprintf("mem %s%s%s", t->tasks, kind_options[t->kind],
			      t->no_thp ? " --thp -1" : "");
}

static void bench_numa_add_figures(struct bench_result *ret, const struct bench_numa_run *run,
				   bool named)
{
	const char *name = run->name + strspn(run->name, " ");
	char *speed = named ? xasprintf("%s total-speed", name) : xstrdup("total-speed");
	char *latency = named ? xasprintf("%s convergence", name) : xstrdup("convergence");

	bench_figure_add(ret, speed, "GB/sec", BENCH_MORE, run->speed_total);
	if (run->converged_s >= 0)
		bench_figure_add(ret, latency, "secs", BENCH_LESS, run->converged_s);
	free(speed);
	free(latency);
}

static int bench_numa_run_test(const struct bench_numa_test *t, struct bench_result *ret,
			       struct diag *diag)
{
	struct bench_numa *numa = &ret->numa;
	struct bench_numa_run *run = ARRAY_ADD(numa);
	struct bench_numa_params p;
	int r;

	bench_numa_test_params(t, &p, &run->line);
	run->name = xstrdup(t->name);
	r = bench_numa_run_once(&p, run, diag);
	free((char *)p.cpus);
	free((char *)p.nodes);
	if (r >= 0)
		bench_numa_add_figures(ret, run, true);
	return r == -ENOSYS && run->not_applicable ? 0 : r;
}

static int bench_numa_run_suite(struct bench_result *ret, struct diag *diag)
{
	struct utsname u = { 0 };
	int r = 0;

	uname(&u);
	ret->numa.machine = xasprintf("%s %s %s %s %s GNU/Linux", u.sysname, u.nodename, u.release,
				      u.version, u.machine);
	for (const struct bench_numa_test *t = bench_numa_suite;
	     t->name && r >= 0 && !bench_interrupted; t++)
		r = bench_numa_run_test(t, ret, diag);
	return r;
}

int bench_numa_mem(const void *params, unsigned repeat, struct bench_result *ret, struct diag *diag)
{
	const struct bench_numa_params *p = params;
	struct bench_numa *numa = &ret->numa;
	struct bench_numa_run *run;
	int r;

	(void)repeat;
	ret->layout = BENCH_LAYOUT_NUMA;
	if (p->all || !*p->words)
		return bench_numa_run_suite(ret, diag);
	run = ARRAY_ADD(numa);
	run->name = xstrdup("main");
	run->line = xasprintf("numa-mem %s", p->words);
	r = bench_numa_run_once(p, run, diag);
	if (r == -ENOSYS && run->not_applicable)
		diag_set(diag, r, "this cannot be measured here: the %s", run->not_applicable);
	else if (r >= 0)
		bench_numa_add_figures(ret, run, false);
	return r;
}
