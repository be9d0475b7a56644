/* SPDX-License-Identifier: MIT */
#pragma once
/* Benchmarks of memory: copying, filling, mapping, and bits of words. */
#include <stdbool.h>
#include <stdint.h>

#include "tools/bench/programs/run.h"

/* The parameters of memcpy, memset and mmap. Texts are as typed; bench_mem_check() parses them. */
struct bench_mem_params {
	const char *size, *chunk, *page;
	const char *function; /* "all", or one of them */
	uint64_t loops;
	uint64_t seed;    /* for mmap: pages in another order; 0: in sequence */
	uint64_t threads; /* for mmap */
	bool cycles;
};
bench_fn bench_mem_memcpy, bench_mem_memset, bench_mem_mmap;

/* A function on memory, as data. */
struct bench_mem_function {
	const char *name, *description;
};

/* Return the functions of memcpy, memset and mmap; the last one has no name. */
const struct bench_mem_function *bench_memcpy_functions(void);
const struct bench_mem_function *bench_memset_functions(void);
const struct bench_mem_function *bench_mmap_functions(void);

/*
 * Parses the bytes of "1MB", "4kb", "10", up to "TB". -EINVAL: it is no size, or 0; -ERANGE: too
 * large.
 */
int bench_size_parse(const char *s, uint64_t *ret);

/* The numbers parsed from the texts. */
struct bench_mem_sizes {
	uint64_t size, chunk, page;
	int map_flags; /* for mmap(), if pages are not 4KB */
};

/* Parses the sizes. Returns a negative errno with @diag, which names the option. */
int bench_mem_sizes_parse(const struct bench_mem_params *p, struct bench_mem_sizes *ret,
			  struct diag *diag);

/*
 * Finds the index of the function, or -1 for all. -EINVAL with @diag, which lists them. @functions
 * ends with a row without a name.
 */
int bench_mem_function_find(const struct bench_mem_function *functions, const char *name, int *ret,
			    struct diag *diag);

/*
 * A clock: seconds, or cycles of this thread. bench_clock_open() fails with @diag if there is no
 * counter.
 */
struct bench_clock {
	int fd; /* -1: the clock counts seconds */
};
int bench_clock_open(struct bench_clock *c, bool cycles, struct diag *diag);
void bench_clock_close(struct bench_clock *c);
double bench_clock_read(const struct bench_clock *c);

/* Adds a row and its figure: @spent seconds or cycles for @bytes. */
struct bench_mem_row;
struct bench_mem_row *bench_mem_row_add(struct bench_result *r, const struct bench_mem_function *f,
					bool by_cycles, double rate);

/* Reports "Memory allocation failed", with the reason. */
int bench_mem_explain(const struct bench_mem_params *p, const struct bench_mem_sizes *s, int error,
		      struct diag *diag);

struct bench_find_bit_params {
	uint64_t outer, inner;
};
bench_fn bench_mem_find_bit;
