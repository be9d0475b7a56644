/* SPDX-License-Identifier: MIT */
/* Alone: it has the functions of its file. */
#include "benches.h"

#include <sys/mman.h>

/*
 * The mappings of the benchmark: large pages are replaced by small ones, and after n_maps_allowed
 * mappings there is no memory.
 */
static unsigned n_maps, n_maps_allowed = -1U;
static size_t last_size;
static int last_flags;

static void *mmap_noted(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
	last_size = size;
	last_flags = flags;
	if (n_maps++ < n_maps_allowed)
		return mmap(at, size, prot, flags & ~(MAP_HUGETLB | (int)(63U << MAP_HUGE_SHIFT)),
			    fd, offset);
	errno = ENOMEM;
	return MAP_FAILED;
}

/* The copied bytes are never shown, so the test includes the functions of the file. */
#define mmap mmap_noted
#include "tools/bench/programs/mem-copy.c"
#undef mmap

#include <stdio.h>

static const struct bench_mem_params small = {
	.size = "1000B", .chunk = "300B", .page = "4KB", .function = "all", .loops = 2
};

static void assert_rows(bench_fn *fn, const struct bench_mem_function *functions)
{
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	size_t n = 0;

	run_bench(fn, &small, 1, &r);
	assert_int_equal(r.layout, BENCH_LAYOUT_MEM);
	assert_string_equal(r.mem.size, "1000B");
	assert_int_equal(r.mem.threads, 1);
	for (; functions[n].name; n++) {
		assert_string_equal(r.mem.items[n].function, functions[n].name);
		assert_string_equal(r.mem.items[n].description, functions[n].description);
		assert_false(r.mem.items[n].by_cycles);
		assert_figure(&r.items[n], functions[n].name, "B/sec", BENCH_MORE, false);
		assert_true(r.mem.items[n].rate == r.items[n].value);
	}
	assert_int_equal(r.mem.n, n);
	assert_int_equal(r.n, n);
	assert_true(n >= 1);
}

static void each_function_has_a_row(void **state)
{
	(void)state;
	assert_string_equal(bench_memcpy_functions()[0].name, "default");
	assert_string_equal(bench_memset_functions()[0].name, "default");
	assert_rows(bench_mem_memcpy, bench_memcpy_functions());
	assert_rows(bench_mem_memset, bench_memset_functions());
}

static void one_function_has_one_row(void **state)
{
	const struct bench_mem_function *f = bench_memset_functions();
	struct bench_mem_params p = small;

	(void)state;
	for (size_t i = 0; f[i].name; i++) {
		_cleanup_(bench_result_done) struct bench_result r = { 0 };

		p.function = f[i].name;
		run_bench(bench_mem_memset, &p, 1, &r);
		assert_int_equal(r.mem.n, 1);
		assert_string_equal(r.mem.items[0].function, f[i].name);
	}
}

/* Sizes that are not multiples of words, of pages or of chunks. */
static void every_size_is_possible(void **state)
{
	static const char *const sizes[] = { "1", "7", "8", "63", "64", "65", "4097", "64KB" };
	struct bench_mem_params p = small;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		_cleanup_(bench_result_done) struct bench_result a = { 0 }, b = { 0 };

		p.size = sizes[i];
		p.chunk = i % 2 ? "1" : NULL;
		p.loops = 1;
		run_bench(bench_mem_memcpy, &p, 1, &a);
		run_bench(bench_mem_memset, &p, 1, &b);
		assert_string_equal(a.mem.size, sizes[i]);
	}
}

static void wrong_parameters_are_refused(void **state)
{
	struct bench_mem_params p = small;

	(void)state;
	p.function = "nosuch";
	assert_bench_refuses(bench_mem_memcpy, &p, -EINVAL, "nosuch");
	assert_bench_refuses(bench_mem_memset, &p, -EINVAL, "nosuch");
	p = small;
	p.size = "0";
	assert_bench_refuses(bench_mem_memcpy, &p, -EINVAL, "--size");
	p = small;
	p.loops = 0;
	assert_bench_refuses(bench_mem_memset, &p, -EINVAL, "--nr_loops");
}

static void cycles_are_for_a_byte(void **state)
{
	struct bench_mem_params p = small;
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	int e;

	(void)state;
	p.cycles = true;
	p.function = "default";
	e = bench_mem_memcpy(&p, 1, &r, &d);
	if (e < 0) {
		assert_non_null(strstr(d.message, "(-c)"));
		assert_non_null(d.hint);
		print_message("# %s\n", d.message);
		/* skip() does not return, so the cleanups do not run. */
		diag_done(&d);
		skip();
	}
	assert_true(r.mem.items[0].by_cycles);
	assert_figure(&r.items[0], "default", "cycles/byte", BENCH_LESS, false);
}

#define ROOM 300

/* Each way copies exactly the requested bytes, and none behind them. */
static void every_byte_is_copied(void **state)
{
	_Alignas(8) char from[ROOM], to[ROOM], expected[ROOM];

	(void)state;
	for (size_t i = 0; i < ROOM; i++)
		from[i] = (char)(i * 7 + 1);
	for (size_t f = 0; f < ARRAY_SIZE(copies); f++)
		for (size_t n = 0; n < 200; n++) {
			memset(to, 0x55, ROOM);
			memset(expected, 0x55, ROOM);
			memcpy(expected + 8, from + 16, n);
			copies[f](to + 8, from + 16, n);
			assert_memory_equal(to, expected, ROOM);
		}
	assert_int_equal(ARRAY_SIZE(copies), ARRAY_SIZE(memcpy_functions) - 1);
}

static void every_byte_is_filled(void **state)
{
	_Alignas(8) char to[ROOM], expected[ROOM];

	(void)state;
	for (size_t f = 0; f < ARRAY_SIZE(fills); f++)
		for (size_t n = 0; n < 200; n++) {
			memset(to, 0x55, ROOM);
			memset(expected, 0x55, ROOM);
			memset(expected + 8, 0, n);
			fills[f](to + 8, NULL, n);
			assert_memory_equal(to, expected, ROOM);
		}
	assert_int_equal(ARRAY_SIZE(fills), ARRAY_SIZE(memset_functions) - 1);
}

/* The calls of a function, logged as "to,from,n ". */
static char calls[200];
static char *calls_base;

static void note_call(char *to, const char *from, size_t n)
{
	size_t used = strlen(calls);

	snprintf(calls + used, sizeof(calls) - used, "%td,%td,%zu ", to - calls_base,
		 from ? from - calls_base : -1, n);
}

static void memory_is_taken_in_chunks(void **state)
{
	char memory[100];
	struct buffers b = { memory, memory + 50, 10 };
	struct bench_mem_sizes s = { .size = 10, .chunk = 4 };

	(void)state;
	calls_base = memory;
	*calls = '\0';
	bench_mem_copy_all(note_call, &b, &s);
	assert_string_equal(calls, "0,50,4 4,54,4 8,58,2 ");
	*calls = '\0';
	b.from = NULL;
	s.chunk = 5;
	bench_mem_copy_all(note_call, &b, &s);
	assert_string_equal(calls, "0,-1,5 5,-1,5 ");
	*calls = '\0';
	s.chunk = 10;
	bench_mem_copy_all(note_call, &b, &s);
	assert_string_equal(calls, "0,-1,10 ");
}

/* There is one pass that is not counted, and then the requested ones. */
static void a_rate_is_bytes_by_time(void **state)
{
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	char memory[100];
	const struct buffers b = { memory, memory + 50, 10 };
	const struct bench_mem_sizes s = { .size = 10, .chunk = 10 };
	struct bench_mem_params p = small;
	struct bench_clock clock = { .fd = -1 };
	double begin = bench_now(), spent;

	(void)state;
	calls_base = memory;
	*calls = '\0';
	p.loops = 3;
	bench_mem_copy_measure(&p, &s, &b, note_call, &memcpy_functions[0], &clock, &r);
	spent = bench_now() - begin;
	assert_string_equal(calls, "0,50,10 0,50,10 0,50,10 0,50,10 ");
	assert_true(r.mem.items[0].rate >= 30 / spent);
	p.cycles = true;
	bench_mem_copy_measure(&p, &s, &b, note_call, &memcpy_functions[0], &clock, &r);
	assert_true(r.mem.items[1].rate > 0);
	assert_true(r.mem.items[1].rate <= (bench_now() - begin) / 30);
}

static void memory_is_mapped_and_there(void **state)
{
	const struct bench_mem_sizes s = { .size = 3 * 4096, .page = 4096 };
	const struct buffers b = { bench_mem_copy_map(&s, s.size), NULL, s.size };
	unsigned char there[3] = { 0 };

	(void)state;
	assert_non_null(b.to);
	if (sysconf(_SC_PAGESIZE) == 4096 && mincore(b.to, s.size, there) == 0)
		for (size_t i = 0; i < 3; i++)
			assert_int_equal(there[i] & 1, 1);
	b.to[s.size - 1] = 1;
	bench_mem_copy_unmap(&b);
	assert_int_equal(msync(b.to, 4096, MS_ASYNC), -1);
	assert_null(bench_mem_copy_map(&s, UINT64_MAX / 2));
}

static void sizes_are_rounded_up_to_large_pages(void **state)
{
	static const struct {
		const char *size, *page;
		size_t mapped;
	} all[] = { { "1000B", "4KB", 1000 },
		    { "1000B", "2MB", 2 << 20 },
		    { "2MB", "2MB", 2 << 20 },
		    { "2097153B", "2MB", 4 << 20 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		_cleanup_(bench_result_done) struct bench_result r = { 0 };
		struct bench_mem_params p = small;

		p.size = all[i].size;
		p.page = all[i].page;
		p.chunk = NULL;
		n_maps = 0;
		run_bench(bench_mem_memcpy, &p, 1, &r);
		assert_int_equal(n_maps, 2);
		assert_int_equal(last_size, all[i].mapped);
		assert_int_equal((last_flags & MAP_HUGETLB) != 0, i > 0);
		assert_true(last_flags & MAP_POPULATE);
		n_maps = 0;
		run_bench(bench_mem_memset, &p, 1, &r);
		assert_int_equal(n_maps, 1);
		assert_int_equal(last_size, all[i].mapped);
	}
}

static void memory_that_is_not_there_is_explained(void **state)
{
	struct bench_mem_params p = small;

	(void)state;
	for (n_maps_allowed = 0; n_maps_allowed < 2; n_maps_allowed++) {
		n_maps = 0;
		assert_bench_refuses(bench_mem_memcpy, &p, -ENOMEM,
				     "no memory for a size of 1000B");
		assert_int_equal(n_maps, n_maps_allowed + 1);
	}
	n_maps_allowed = 0;
	assert_bench_refuses(bench_mem_memset, &p, -ENOMEM, "no memory for a size of 1000B");
	n_maps_allowed = -1U;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_function_has_a_row),
		cmocka_unit_test(one_function_has_one_row),
		cmocka_unit_test(every_size_is_possible),
		cmocka_unit_test(wrong_parameters_are_refused),
		cmocka_unit_test(cycles_are_for_a_byte),
		cmocka_unit_test(every_byte_is_copied),
		cmocka_unit_test(every_byte_is_filled),
		cmocka_unit_test(memory_is_taken_in_chunks),
		cmocka_unit_test(a_rate_is_bytes_by_time),
		cmocka_unit_test(memory_is_mapped_and_there),
		cmocka_unit_test(sizes_are_rounded_up_to_large_pages),
		cmocka_unit_test(memory_that_is_not_there_is_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
