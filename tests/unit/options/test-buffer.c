/* SPDX-License-Identifier: MIT */
#include "parse.h"

#include <unistd.h>

#include "options/buffer.h"

static void pages_are_rounded_up_to_a_power_of_two(void **state)
{
	(void)state;
	struct buffer_request o = { 0 };

	assert_int_equal(PARSE(buffer_options, &o, "-m", "3"), 0);
	assert_int_equal(o.size.data_pages, 4);
	assert_int_equal(PARSE(buffer_options, &o, "-m", "64"), 0);
	assert_int_equal(o.size.data_pages, 64);
	assert_int_equal(PARSE(buffer_options, &o, "-m", "0"), 0);
	assert_int_equal(o.size.data_pages, 1);
}

static void a_size_becomes_pages(void **state)
{
	(void)state;
	struct buffer_request o = { 0 };
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);

	assert_int_equal(PARSE(buffer_options, &o, "-m", "1M"), 0);
	assert_int_equal(o.size.data_pages, (1 << 20) / page);
	assert_int_equal(PARSE(buffer_options, &o, "-m", "1B"), 0);
	assert_int_equal(o.size.data_pages, 1);
}

static void a_second_number_is_for_hardware_traces(void **state)
{
	(void)state;
	struct buffer_request o = { 0 };

	assert_int_equal(PARSE(buffer_options, &o, "-m", "4,8"), 0);
	assert_int_equal(o.size.aux_pages, 8);
	assert_int_equal(PARSE(buffer_options, &o, "-m", ",16"), 0);
	assert_int_equal(o.size.data_pages, 0);
	assert_int_equal(o.size.aux_pages, 16);
}

static void sizes_that_make_no_sense_are_refused(void **state)
{
	(void)state;
	struct buffer_request o = { 0 };
	static const char *const wrong[] = { "x", "4,x", "-1", "", "99999999999", "4,8,2", "4T" };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(PARSE(buffer_options, &o, "-m", (char *)wrong[i]), -EINVAL);
	assert_true(says("512K"));
	assert_int_equal(o.size.data_pages, 0);
}

static void threads_come_in_layouts(void **state)
{
	(void)state;
	_cleanup_(buffer_request_done) struct buffer_request o = { 0 };

	assert_int_equal(PARSE(buffer_options, &o, "--threads"), 0);
	assert_int_equal(o.threads.kind, THREADS_PER_CPU);
	assert_int_equal(PARSE(buffer_options, &o, "--threads=numa"), 0);
	assert_int_equal(o.threads.kind, THREADS_PER_NUMA);
	assert_int_equal(PARSE(buffer_options, &o, "--threads=0,2-4/2-4:1,5-7/5-7"), 0);
	assert_int_equal(o.threads.kind, THREADS_LISTED);
	assert_int_equal(o.threads.n, 2);
	assert_int_equal(o.threads.items[0].cpus.n, 4);
	assert_int_equal(o.threads.items[1].affinity.n, 3);
}

static void a_cpu_belongs_to_one_thread(void **state)
{
	(void)state;
	_cleanup_(buffer_request_done) struct buffer_request o = { 0 };

	assert_int_equal(PARSE(buffer_options, &o, "--threads=0/0:0/1"), -EINVAL);
	assert_true(says("gives a CPU to two threads"));
	assert_int_equal(PARSE(buffer_options, &o, "--threads=0/0:1/0"), -EINVAL);
	assert_int_equal(PARSE(buffer_options, &o, "--threads=0"), -EINVAL);
	assert_int_equal(PARSE(buffer_options, &o, "--threads=x"), -EINVAL);
	assert_int_equal(PARSE(buffer_options, &o, "--threads=/0"), -EINVAL);
	assert_int_equal(PARSE(buffer_options, &o, "--threads=0/0:"), 0);
	assert_int_equal(o.threads.n, 1);
}

static void the_rest_is_checked_too(void **state)
{
	(void)state;
	struct buffer_request o = { 0 };

	assert_int_equal(PARSE(buffer_options, &o, "--mmap-flush=64K"), 0);
	assert_int_equal(o.flush_bytes, 65536);
	assert_int_equal(PARSE(buffer_options, &o, "--mmap-flush=x"), -EINVAL);
	assert_int_equal(PARSE(buffer_options, &o, "-r", "x"), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_rounded_up_to_a_power_of_two),
		cmocka_unit_test(a_size_becomes_pages),
		cmocka_unit_test(a_second_number_is_for_hardware_traces),
		cmocka_unit_test(sizes_that_make_no_sense_are_refused),
		cmocka_unit_test(threads_come_in_layouts),
		cmocka_unit_test(a_cpu_belongs_to_one_thread),
		cmocka_unit_test(the_rest_is_checked_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
