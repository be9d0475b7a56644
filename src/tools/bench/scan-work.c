/* SPDX-License-Identifier: MIT */
/* Measures how fast perf reads the kernel's data about itself: its symbols, its PMUs. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "kernel/kallsyms-text.h"
#include "kernel/pmu.h"
#include "tools/bench/internals-work.h"
#include "tools/bench/programs/result.h"

static int parse_kallsyms(struct diag *diag)
{
	_cleanup_(freep) char *text = NULL;
	struct kallsyms_line line;
	volatile uint64_t n = 0;
	const char *at;
	size_t size;
	int r = file_read(AT_FDCWD, "/proc/kallsyms", KALLSYMS_SIZE_MAX, &text, &size);

	if (r < 0)
		return diag_set(diag, r, "cannot read /proc/kallsyms: %s", strerror(-r));
	at = text;
	while (kallsyms_next(&at, text + size, &line))
		n += kallsyms_type_counts(line.type);
	return n ? 0 : diag_set(diag, -ENODATA, "/proc/kallsyms has no symbols");
}

int bench_internals_kallsyms_parse(const void *params, unsigned repeat, struct bench_result *ret,
				   struct diag *diag)
{
	const struct bench_iterations_params *p = params;
	struct moments ms = { 0 };

	(void)repeat;
	if (!p->iterations)
		return diag_set(diag, -EINVAL, "--iterations must be at least 1");
	for (uint64_t i = 0; i < p->iterations; i++) {
		double begin = bench_now();
		int r = parse_kallsyms(diag);

		if (r < 0)
			return r;
		moments_add(&ms, (bench_now() - begin) * 1e3);
	}
	bench_line_mean(ret, "  Average kallsyms__parse took: ", &ms, "ms", 3);
	bench_figure_add(ret, "kallsyms-parse", "ms", BENCH_LESS, ms.mean);
	return 0;
}

static void scan_core(void)
{
	struct pmu_list *l = pmu_list_open(PMU_DEVICES);
	size_t at = 0;

	while (pmu_list_next_core(l, &at))
		;
	pmu_list_free(l);
}

static void scan_all(void)
{
	struct pmu_list *l = pmu_list_open(PMU_DEVICES);

	for (size_t i = 0; i < pmu_list_count(l); i++)
		pmu_list_get(l, i);
	pmu_list_free(l);
}

static void measure_scan(uint64_t n, void (*scan)(void), struct moments *usecs)
{
	for (uint64_t i = 0; i < n; i++) {
		double begin = bench_now();

		scan();
		moments_add(usecs, (bench_now() - begin) * 1e6);
	}
}

int bench_internals_pmu_scan(const void *params, unsigned repeat, struct bench_result *ret,
			     struct diag *diag)
{
	const struct bench_iterations_params *p = params;
	struct moments core = { 0 }, all = { 0 };
	char *head;

	(void)repeat;
	if (!p->iterations)
		return diag_set(diag, -EINVAL, "--iterations must be at least 1");
	measure_scan(p->iterations, scan_core, &core);
	measure_scan(p->iterations, scan_all, &all);
	head = xasprintf("Computing performance of sysfs PMU event scan for %llu times",
			 (unsigned long long)p->iterations);
	bench_line_text(ret, head);
	free(head);
	bench_line_mean(ret, "  Average core PMU scanning took: ", &core, "usec", 3);
	bench_line_mean(ret, "  Average PMU scanning took: ", &all, "usec", 3);
	bench_figure_add(ret, "core PMUs", "usec", BENCH_LESS, core.mean);
	bench_figure_add(ret, "all PMUs", "usec", BENCH_LESS, all.mean);
	return 0;
}
