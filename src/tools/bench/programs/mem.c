/* SPDX-License-Identifier: MIT */
/* The functions that the benchmarks of memory share: sizes, functions by name, clocks. */
#include "tools/bench/programs/mem.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"
#include "tools/bench/programs/result.h"

#define HUGE_2MB (21 << MAP_HUGE_SHIFT)
#define HUGE_1GB (30 << MAP_HUGE_SHIFT)

int bench_size_parse(const char *s, uint64_t *ret)
{
	static const char *const units[] = { "B", "KB", "MB", "GB", "TB" };
	unsigned long long n;
	char *end;

	if (!isdigit((unsigned char)*s))
		return -EINVAL;
	errno = 0;
	n = strtoull(s, &end, 10);
	if (errno)
		return -ERANGE;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		bool matches = !strcasecmp(end, units[i]) ||
			       (i && end[0] && !end[1] &&
				toupper((unsigned char)end[0]) == units[i][0]) ||
			       (!i && !*end);

		if (!matches)
			continue;
		if (!n)
			return -EINVAL;
		if (n > UINT64_MAX >> (10 * i))
			return -ERANGE;
		*ret = (uint64_t)n << (10 * i);
		return 0;
	}
	return -EINVAL;
}

static int bench_mem_parse(const char *option, const char *text, uint64_t *ret, struct diag *diag)
{
	int r = bench_size_parse(text, ret);

	if (r == -ERANGE)
		return diag_mark(diag, r, text, 0, strlen(text), "--%s is more than memory can be",
				 option);
	if (r < 0)
		return diag_mark(diag, r, text, 0, strlen(text),
				 "--%s is a number above 0 with B, KB, MB, GB or TB", option);
	return 0;
}

static int parse_page(const char *text, struct bench_mem_sizes *s, struct diag *diag)
{
	int r = bench_mem_parse("page", text, &s->page, diag);

	if (r < 0)
		return r;
	switch (s->page) {
	case 4 << 10:
		return 0;
	case 2 << 20:
		s->map_flags = MAP_HUGETLB | HUGE_2MB;
		return 0;
	case 1 << 30:
		s->map_flags = MAP_HUGETLB | HUGE_1GB;
		return 0;
	}
	return diag_mark(diag, -EINVAL, text, 0, strlen(text), "--page is 4KB, 2MB or 1GB");
}

int bench_mem_sizes_parse(const struct bench_mem_params *p, struct bench_mem_sizes *ret,
			  struct diag *diag)
{
	struct bench_mem_sizes s = { 0 };
	int r = bench_mem_parse("size", p->size, &s.size, diag);

	if (r >= 0 && p->page)
		r = parse_page(p->page, &s, diag);
	s.chunk = s.size;
	if (r >= 0 && p->chunk && strcmp(p->chunk, "0") != 0)
		r = bench_mem_parse("chunk", p->chunk, &s.chunk, diag);
	if (r >= 0 && s.chunk > s.size)
		r = diag_set(diag, -EINVAL, "--chunk (%s) is larger than --size (%s)", p->chunk,
			     p->size);
	if (r >= 0 && !p->loops)
		r = diag_set(diag, -EINVAL, "--nr_loops must be at least 1");
	/*
	 * Without this check the kernel would end other processes. Memory is needed twice: for
	 * source and destination.
	 */
	if (r >= 0 && s.size > bench_memory_available() / 2)
		r = bench_mem_explain(p, &s, -ENOMEM, diag);
	if (r >= 0)
		*ret = s;
	return r;
}

int bench_mem_function_find(const struct bench_mem_function *functions, const char *name, int *ret,
			    struct diag *diag)
{
	struct similar near = { .typed = name };
	_cleanup_(text_done) struct text names = TEXT_EMPTY;
	_cleanup_(freep) char *phrase = NULL;

	*ret = -1;
	if (!strcmp(name, "all"))
		return 0;
	for (int i = 0; functions[i].name; i++) {
		if (!strcmp(functions[i].name, name)) {
			*ret = i;
			return 0;
		}
		similar_add(&near, functions[i].name);
		text_addf(&names, "%s, ", functions[i].name);
	}
	phrase = similar_phrase(&near);
	diag_set(diag, -EINVAL, "there is no function '%s' for this benchmark", name);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	diag_hint(diag, "There are: %sall", names.chars);
	return -EINVAL;
}

int bench_clock_open(struct bench_clock *c, bool cycles, struct diag *diag)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE,
					.size = sizeof(attr),
					.config = PERF_COUNT_HW_CPU_CYCLES };
	long fd;

	c->fd = -1;
	if (!cycles)
		return 0;
	fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	c->fd = (int)fd;
	if (fd >= 0)
		return 0;

	int error = -errno;

	diag_set(diag, error, "cycles cannot be counted (-c): %s", strerror(-error));
	if (error == -EACCES || error == -EPERM)
		diag_hint(diag, "It needs kernel.perf_event_paranoid of at most 1, or "
				"CAP_PERFMON: sudo sysctl kernel.perf_event_paranoid=1");
	else
		diag_hint(diag, "This machine has no counter for them, as many virtual machines. "
				"Without -c the time is taken.");
	return error;
}

void bench_clock_close(struct bench_clock *c)
{
	closep(&c->fd);
}

double bench_clock_read(const struct bench_clock *c)
{
	uint64_t n = 0;

	if (c->fd < 0)
		return bench_now();
	return read(c->fd, &n, sizeof(n)) == sizeof(n) ? (double)n : 0;
}

struct bench_mem_row *bench_mem_row_add(struct bench_result *r, const struct bench_mem_function *f,
					bool by_cycles, double rate)
{
	struct bench_mem *mem = &r->mem;
	struct bench_mem_row *row = ARRAY_ADD(mem);

	*row = (struct bench_mem_row){ .function = f->name,
				       .description = f->description,
				       .by_cycles = by_cycles,
				       .rate = rate };
	bench_figure_add(r, f->name, by_cycles ? "cycles/byte" : "B/sec",
			 by_cycles ? BENCH_LESS : BENCH_MORE, rate);
	return row;
}

int bench_mem_explain(const struct bench_mem_params *p, const struct bench_mem_sizes *s, int error,
		      struct diag *diag)
{
	diag_set(diag, error, "no memory for a size of %s: %s", p->size, strerror(-error));
	if (s->map_flags)
		diag_hint(diag,
			  "Pages of %s are reserved before, for instance: echo 64 | sudo tee "
			  "/sys/kernel/mm/hugepages/hugepages-%llukB/nr_hugepages",
			  p->page, (unsigned long long)s->page >> 10);
	else
		diag_hint(diag, "A smaller --size may do; 'free -h' shows how much is free.");
	return error;
}
