/* SPDX-License-Identifier: MIT */
/* Measures mapping memory, touching its pages, and unmapping it again. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/student.h"
#include "tools/bench/programs/mem.h"
#include "tools/bench/programs/result.h"

#define THREADS_MAX 65536

static const struct bench_mem_function functions[] = {
	{ "demand", "Demand loaded mmap()" },
	{ "populate", "Eagerly populated mmap()" },
	{ NULL, NULL },
};

const struct bench_mem_function *bench_mmap_functions(void)
{
	return functions;
}

struct bench_mem_mmap_worker {
	const struct bench_mem_params *params;
	const struct bench_mem_sizes *sizes;
	bool populates;
	struct bench_gate *gate;
	double spent; /* in seconds or cycles */
	int error;
	struct diag diag;
	pthread_t thread;
};

/*
 * Returns the next random number. Each thread has its own generator, because rand() would need a
 * lock.
 */
static uint64_t bench_mem_mmap_next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void bench_mem_mmap_touch(volatile char *p, const struct bench_mem_mmap_worker *w,
				 uint64_t *state)
{
	uint64_t page = w->sizes->page, n = (w->sizes->size + page - 1) / page;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t at = w->params->seed ? bench_mem_mmap_next_random(state) % n : i;

		p[at * page] = (char)i;
	}
}

static int map_once(const struct bench_mem_mmap_worker *w, uint64_t *state)
{
	uint64_t page = w->sizes->page, size = (w->sizes->size + page - 1) / page * page;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | w->sizes->map_flags;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       w->populates ? flags | MAP_POPULATE : flags, -1, 0);

	if (p == MAP_FAILED)
		return -errno;
	if (!w->populates)
		bench_mem_mmap_touch(p, w, state);
	munmap(p, size);
	return 0;
}

static void *bench_mem_mmap_work(void *arg)
{
	struct bench_mem_mmap_worker *w = arg;
	uint64_t state = w->params->seed;
	struct bench_clock clock;
	double begin;

	w->error = bench_clock_open(&clock, w->params->cycles, &w->diag);
	if (!bench_gate_pass(w->gate) || w->error < 0) {
		bench_clock_close(&clock);
		return NULL;
	}
	begin = bench_clock_read(&clock);
	for (uint64_t i = 0; i < w->params->loops && w->error >= 0; i++)
		w->error = map_once(w, &state);
	w->spent = bench_clock_read(&clock) - begin;
	bench_clock_close(&clock);
	return NULL;
}

static int bench_mem_mmap_collect(struct bench_mem_mmap_worker *workers, size_t n,
				  const struct bench_mem_function *f, struct bench_result *ret,
				  struct diag *diag)
{
	const struct bench_mem_mmap_worker *first = &workers[0];
	double bytes = (double)first->sizes->size * (double)first->params->loops;
	struct moments rate = { 0 };
	struct bench_mem_row *row;
	int r = 0;

	for (size_t i = 0; i < n; i++) {
		struct bench_mem_mmap_worker *w = &workers[i];

		if (w->error < 0 && !r && w->diag.message) {
			diag_done(diag);
			*diag = w->diag;
			w->diag = (struct diag){ 0 };
			r = w->error;
		} else if (w->error < 0 && !r) {
			r = bench_mem_explain(w->params, w->sizes, w->error, diag);
		}
		diag_done(&w->diag);
		moments_add(&rate, first->params->cycles ? w->spent / bytes : bytes / w->spent);
	}
	if (r < 0)
		return r;
	row = bench_mem_row_add(ret, f, first->params->cycles, rate.mean);
	row->noise = moments_noise(&rate);
	return 0;
}

static int bench_mem_mmap_measure(const struct bench_mem_params *p, const struct bench_mem_sizes *s,
				  int which, struct bench_result *ret, struct diag *diag)
{
	struct bench_mem_mmap_worker *workers = xcalloc(p->threads, sizeof(*workers));
	struct bench_gate gate;
	size_t n = 0;
	int r = 0;

	bench_gate_init(&gate, p->threads);
	for (; n < p->threads && r >= 0; n += r >= 0) {
		workers[n] = (struct bench_mem_mmap_worker){
			.params = p, .sizes = s, .populates = which == 1, .gate = &gate
		};
		r = bench_thread_start(&workers[n].thread, -1, bench_mem_mmap_work, &workers[n],
				       diag);
	}
	if (r < 0)
		bench_gate_call_off(&gate);
	else
		bench_gate_open(&gate);
	for (size_t i = 0; i < n; i++)
		pthread_join(workers[i].thread, NULL);
	bench_gate_done(&gate);
	if (r >= 0)
		r = bench_mem_mmap_collect(workers, n, &functions[which], ret, diag);
	free(workers);
	return r;
}

int bench_mem_mmap(const void *params, unsigned repeat, struct bench_result *ret, struct diag *diag)
{
	const struct bench_mem_params *p = params;
	struct bench_mem_sizes s;
	int which, r = bench_mem_sizes_parse(p, &s, diag);

	(void)repeat;
	if (r >= 0)
		r = bench_mem_function_find(functions, p->function, &which, diag);
	if (r >= 0 && (!p->threads || p->threads > THREADS_MAX))
		r = diag_set(diag, -EINVAL, "--threads is a number from 1 to %d", THREADS_MAX);
	if (r < 0)
		return r;
	ret->layout = BENCH_LAYOUT_MEM;
	ret->mem.size = xstrdup(p->size);
	ret->mem.threads = (unsigned)p->threads;
	for (int i = 0; functions[i].name && r >= 0; i++)
		if (which < 0 || which == i)
			r = bench_mem_mmap_measure(p, &s, i, ret, diag);
	return r;
}
