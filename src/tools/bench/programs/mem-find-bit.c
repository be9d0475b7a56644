/* SPDX-License-Identifier: MIT */
/*
 * Measures two ways to visit the bits that are set: by searching for the next one, and by testing
 * each. The time depends on how many bits there are, and how many of them are set.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/memory.h"
#include "tools/bench/programs/mem.h"
#include "tools/bench/programs/result.h"

#define BITS_MAX  2048
#define WORD_BITS 64

struct bits {
	uint64_t words[BITS_MAX / WORD_BITS];
	unsigned n;
};

/* Called for each bit, so that the compiler cannot leave out the search for it. */
__attribute__((noinline)) static void bench_mem_find_bit_visit(unsigned bit, volatile unsigned *sum)
{
	*sum += bit;
}

/* Returns the first bit from @at on that is set; b->n: none. */
static unsigned bench_mem_find_bit_find_next(const struct bits *b, unsigned at)
{
	size_t word = at / WORD_BITS;
	uint64_t rest;

	if (at >= b->n)
		return b->n;
	rest = b->words[word] & (~(uint64_t)0 << at % WORD_BITS);
	while (!rest) {
		if (++word * WORD_BITS >= b->n)
			return b->n;
		rest = b->words[word];
	}
	at = (unsigned)(word * WORD_BITS) + (unsigned)__builtin_ctzll(rest);
	return at < b->n ? at : b->n;
}

static void visit_by_search(const struct bits *b, volatile unsigned *sum)
{
	for (unsigned i = bench_mem_find_bit_find_next(b, 0); i < b->n;
	     i = bench_mem_find_bit_find_next(b, i + 1))
		bench_mem_find_bit_visit(i, sum);
}

static void visit_by_test(const struct bits *b, volatile unsigned *sum)
{
	for (unsigned i = 0; i < b->n; i++)
		if (b->words[i / WORD_BITS] >> i % WORD_BITS & 1)
			bench_mem_find_bit_visit(i, sum);
}

static void bench_mem_find_bit_measure(const struct bits *b, const struct bench_find_bit_params *p,
				       void (*fn)(const struct bits *, volatile unsigned *),
				       struct moments *usecs)
{
	volatile unsigned sum = 0;

	for (uint64_t i = 0; i < p->outer; i++) {
		double begin = bench_now();

		for (uint64_t k = 0; k < p->inner; k++)
			fn(b, &sum);
		moments_add(usecs, (bench_now() - begin) * 1e6);
	}
}

static void bench_mem_find_bit_add_figure(struct bench_result *ret, const char *way, unsigned set,
					  unsigned n, const struct moments *usecs)
{
	char *name = xasprintf("%s %u of %u", way, set, n);

	bench_figure_add(ret, name, "usec", BENCH_LESS, usecs->mean);
	free(name);
}

static void measure_both(unsigned n, unsigned set, const struct bench_find_bit_params *p,
			 struct bench_result *ret)
{
	struct moments search = { 0 }, test = { 0 };
	struct bits b = { .n = n };
	char *head = xasprintf("%llu operations %u bits set of %u bits",
			       (unsigned long long)p->inner, set, n);

	for (unsigned i = 0; i < set; i++) {
		unsigned bit = i * (n / set);

		b.words[bit / WORD_BITS] |= (uint64_t)1 << bit % WORD_BITS;
	}
	bench_mem_find_bit_measure(&b, p, visit_by_search, &search);
	bench_mem_find_bit_measure(&b, p, visit_by_test, &test);
	bench_line_text(ret, head);
	bench_line_mean(ret, "  Average for_each_set_bit took: ", &search, "usec", 3);
	bench_line_mean(ret, "  Average test_bit loop took:    ", &test, "usec", 3);
	bench_mem_find_bit_add_figure(ret, "for_each_set_bit", set, n, &search);
	bench_mem_find_bit_add_figure(ret, "test_bit", set, n, &test);
	bench_lines_ready(ret);
	free(head);
}

int bench_mem_find_bit(const void *params, unsigned repeat, struct bench_result *ret,
		       struct diag *diag)
{
	const struct bench_find_bit_params *p = params;

	(void)repeat;
	if (!p->outer || !p->inner)
		return diag_set(diag, -EINVAL, "numbers of iterations must be at least 1");
	for (unsigned n = 1; n <= BITS_MAX; n *= 2)
		for (unsigned set = 1; set <= n; set *= 2)
			measure_both(n, set, p, ret);
	return 0;
}
