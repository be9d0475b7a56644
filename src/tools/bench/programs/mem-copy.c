/* SPDX-License-Identifier: MIT */
/* Measures memcpy() and memset(), of the C library and in other implementations. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/diag.h"
#include "base/memory.h"
#include "tools/bench/programs/mem.h"
#include "tools/bench/programs/result.h"

typedef void copy_fn(char *to, const char *from, size_t n);

/*
 * The functions are called through pointers that hide them from the compiler, which would otherwise
 * leave the work out.
 */
static void copy_default(char *to, const char *from, size_t n)
{
	void *(*volatile f)(void *, const void *, size_t) = memcpy;

	f(to, from, n);
}

static void fill_default(char *to, const char *from, size_t n)
{
	void *(*volatile f)(void *, int, size_t) = memset;

	(void)from;
	f(to, 0, n);
}

#ifdef __x86_64__
static void copy_movsb(char *to, const char *from, size_t n)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static void copy_movsq(char *to, const char *from, size_t n)
{
	size_t words = n / 8;

	__asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
	copy_movsb(to, from, n % 8);
}

static void fill_stosb(char *to, const char *from, size_t n)
{
	(void)from;
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(0) : "memory");
}

static void fill_stosq(char *to, const char *from, size_t n)
{
	size_t words = n / 8;

	__asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(0L) : "memory");
	fill_stosb(to, from, n % 8);
}

typedef uint64_t any_word __attribute__((aligned(1), may_alias));

/*
 * Copies eight words a round. The pointers are volatile, so that the compiler does not turn this
 * into a call of memcpy().
 */
static void copy_unrolled(char *to, const char *from, size_t n)
{
	uint64_t w[8];

	for (; n >= sizeof(w); n -= sizeof(w), to += sizeof(w), from += sizeof(w)) {
		for (int i = 0; i < 8; i++)
			w[i] = ((const volatile any_word *)from)[i];
		for (int i = 0; i < 8; i++)
			((volatile any_word *)to)[i] = w[i];
	}
	copy_movsb(to, from, n);
}

static void fill_unrolled(char *to, const char *from, size_t n)
{
	for (; n >= 64; n -= 64, to += 64)
		for (int i = 0; i < 8; i++)
			((volatile any_word *)to)[i] = 0;
	fill_stosb(to, from, n);
}
#endif

static const struct bench_mem_function memcpy_functions[] = {
	{ "default", "Default memcpy() provided by glibc" },
#ifdef __x86_64__
	{ "x86-64-unrolled", "memcpy() as a loop of eight 64-bit moves" },
	{ "x86-64-movsq", "memcpy() by the instruction rep movsq" },
	{ "x86-64-movsb", "memcpy() by the instruction rep movsb" },
#endif
	{ NULL, NULL },
};

static const struct bench_mem_function memset_functions[] = {
	{ "default", "Default memset() provided by glibc" },
#ifdef __x86_64__
	{ "x86-64-unrolled", "memset() as a loop of eight 64-bit moves" },
	{ "x86-64-stosq", "memset() by the instruction rep stosq" },
	{ "x86-64-stosb", "memset() by the instruction rep stosb" },
#endif
	{ NULL, NULL },
};

#ifdef __x86_64__
static copy_fn *const copies[] = { copy_default, copy_unrolled, copy_movsq, copy_movsb };
static copy_fn *const fills[] = { fill_default, fill_unrolled, fill_stosq, fill_stosb };
#else
static copy_fn *const copies[] = { copy_default };
static copy_fn *const fills[] = { fill_default };
#endif

const struct bench_mem_function *bench_memcpy_functions(void)
{
	return memcpy_functions;
}

const struct bench_mem_function *bench_memset_functions(void)
{
	return memset_functions;
}

struct buffers {
	char *to, *from;
	uint64_t size;
};

static char *bench_mem_copy_map(const struct bench_mem_sizes *s, uint64_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE | s->map_flags, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void bench_mem_copy_unmap(const struct buffers *b)
{
	if (b->to)
		munmap(b->to, b->size);
	if (b->from)
		munmap(b->from, b->size);
}

static void bench_mem_copy_all(copy_fn *fn, const struct buffers *b,
			       const struct bench_mem_sizes *s)
{
	for (uint64_t at = 0; at < s->size; at += s->chunk) {
		uint64_t n = s->size - at < s->chunk ? s->size - at : s->chunk;

		fn(b->to + at, b->from ? b->from + at : NULL, n);
	}
}

/*
 * Measures a function. The first pass is not counted, because it brings pages and caches into the
 * state of the other passes.
 */
static void bench_mem_copy_measure(const struct bench_mem_params *p,
				   const struct bench_mem_sizes *s, const struct buffers *b,
				   copy_fn *fn, const struct bench_mem_function *f,
				   const struct bench_clock *clock, struct bench_result *ret)
{
	double bytes = (double)s->size * (double)p->loops, begin, spent;

	bench_mem_copy_all(fn, b, s);
	begin = bench_clock_read(clock);
	for (uint64_t i = 0; i < p->loops; i++)
		bench_mem_copy_all(fn, b, s);
	spent = bench_clock_read(clock) - begin;
	bench_mem_row_add(ret, f, p->cycles, p->cycles ? spent / bytes : bytes / spent);
}

static int bench_mem_copy_run(const struct bench_mem_params *p,
			      const struct bench_mem_function *functions, copy_fn *const *fns,
			      bool copies_from, struct bench_result *ret, struct diag *diag)
{
	struct bench_mem_sizes s;
	struct bench_clock clock;
	struct buffers b = { 0 };
	int which, r = bench_mem_sizes_parse(p, &s, diag);

	if (r >= 0)
		r = bench_mem_function_find(functions, p->function, &which, diag);
	if (r >= 0)
		r = bench_clock_open(&clock, p->cycles, diag);
	if (r < 0)
		return r;
	b.size = s.map_flags ? (s.size + s.page - 1) / s.page * s.page : s.size;
	b.to = bench_mem_copy_map(&s, b.size);
	b.from = copies_from && b.to ? bench_mem_copy_map(&s, b.size) : NULL;
	if (!b.to || (copies_from && !b.from)) {
		r = bench_mem_explain(p, &s, -errno, diag);
	} else {
		ret->layout = BENCH_LAYOUT_MEM;
		ret->mem.size = xstrdup(p->size);
		ret->mem.threads = 1;
		for (int i = 0; functions[i].name; i++)
			if (which < 0 || which == i)
				bench_mem_copy_measure(p, &s, &b, fns[i], &functions[i], &clock,
						       ret);
	}
	bench_mem_copy_unmap(&b);
	bench_clock_close(&clock);
	return r;
}

int bench_mem_memcpy(const void *params, unsigned repeat, struct bench_result *ret,
		     struct diag *diag)
{
	(void)repeat;
	return bench_mem_copy_run(params, memcpy_functions, copies, true, ret, diag);
}

int bench_mem_memset(const void *params, unsigned repeat, struct bench_result *ret,
		     struct diag *diag)
{
	(void)repeat;
	return bench_mem_copy_run(params, memset_functions, fills, false, ret, diag);
}
