/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <linux/perf_event.h>

#include "base/cpu-list.h"
#include "base/diag.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"
#include "session/sample-filter.h"

static struct sample_filter *make(const struct sample_filter_request *wanted)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct sample_filter *f;

	assert_int_equal(sample_filter_new(wanted, &f, &diag), 0);
	return f;
}

static void nothing_asked_for_lets_everything_pass(void **state)
{
	static const struct sample_filter_request all = { 0 };
	_cleanup_(sample_filter_freep) struct sample_filter *f = make(&all);

	(void)state;
	assert_true(sample_filter_passes_moment(f, 5, 1));
	assert_true(sample_filter_passes_task(f, 2, 3));
	assert_true(sample_filter_passes_comm(f, "x"));
	assert_false(sample_filter_has_places(f));
}

static void host_and_guests_are_told_apart(void **state)
{
	static const struct sample_filter_request host = { .without_guests = true },
						  guests = { .without_host = true };
	_cleanup_(sample_filter_freep) struct sample_filter *h = make(&host), *g = make(&guests);

	(void)state;
	for (uint16_t misc = 0; misc <= PERF_RECORD_MISC_GUEST_USER; misc++) {
		bool is_guest = misc >= PERF_RECORD_MISC_GUEST_KERNEL;

		assert_int_equal(sample_filter_passes_mode(h, misc), !is_guest);
		assert_int_equal(sample_filter_passes_mode(g, misc), is_guest);
	}
}

static void the_ends_of_a_span_belong_to_it(void **state)
{
	static const struct time_span spans[] = { { 10, 20 }, { 30, UINT64_MAX } };
	static const struct sample_filter_request wanted = { .spans = spans, .n_spans = 2 };
	_cleanup_(sample_filter_freep) struct sample_filter *f = make(&wanted);

	(void)state;
	assert_false(sample_filter_passes_moment(f, 9, 0));
	assert_true(sample_filter_passes_moment(f, 10, 0));
	assert_true(sample_filter_passes_moment(f, 20, 0));
	assert_false(sample_filter_passes_moment(f, 21, 0));
	assert_true(sample_filter_passes_moment(f, 31, 0));
	assert_true(sample_filter_passes_moment(f, 0, 0)); /* the time is not known */
}

static void cpus_and_tasks_must_all_be_right(void **state)
{
	static const int pids[] = { 7 }, tids[] = { 7, 8 };
	_cleanup_(cpu_list_done) struct cpu_list cpus = { 0 };
	struct sample_filter_request wanted = {
		.cpus = &cpus, .pids = pids, .n_pids = 1, .tids = tids, .n_tids = 2
	};
	_cleanup_(sample_filter_freep) struct sample_filter *f = make(&wanted);

	(void)state;
	assert_true(sample_filter_passes_moment(f, 0, 9)); /* an empty list of CPUs means all */
	assert_int_equal(cpu_list_parse("1-2", &cpus), 0);
	assert_true(sample_filter_passes_moment(f, 0, 1));
	assert_true(sample_filter_passes_task(f, 7, 8));
	assert_false(sample_filter_passes_moment(f, 0, 0));
	assert_false(sample_filter_passes_task(f, 8, 8));
	assert_false(sample_filter_passes_task(f, 7, 9));
}

static void names_are_compared_whole(void **state)
{
	static const struct sample_filter_request wanted = { .comms = "sh,a b,,perl" };
	_cleanup_(sample_filter_freep) struct sample_filter *f = make(&wanted);

	(void)state;
	assert_true(sample_filter_passes_comm(f, "a b"));
	assert_true(sample_filter_passes_comm(f, "perl"));
	assert_false(sample_filter_passes_comm(f, "s"));
	assert_false(sample_filter_passes_comm(f, ""));
}

static void a_list_that_cannot_be_read_is_an_error(void **state)
{
	static const struct sample_filter_request wanted = { .comms = "file:///nowhere/names" };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct sample_filter *f = NULL;

	(void)state;
	assert_int_equal(sample_filter_new(&wanted, &f, &diag), -ENOENT);
	assert_null(f);
	assert_non_null(diag.message);
}

static void places_go_by_symbol_or_address(void **state)
{
	static const struct symbol main_symbol = { .start = 0x10, .end = 0x50, .name = "main" };
	static const struct sample_filter_request wanted = { .symbols = "main,0x900,0x1000",
							     .addr_range = 4 };
	_cleanup_(sample_filter_freep) struct sample_filter *f = make(&wanted);
	struct location loc = { .addr = 0x420, .image_addr = 0x20, .sym = &main_symbol };

	(void)state;
	assert_true(sample_filter_has_places(f));
	assert_true(sample_filter_passes_place(f, &loc));
	loc.sym = NULL;
	assert_false(sample_filter_passes_place(f, &loc));
	loc.addr = 0x1003;
	assert_true(sample_filter_passes_place(f, &loc));
	loc.addr = 0x1004;
	assert_false(sample_filter_passes_place(f, &loc));

	/* At run time this function begins at 0x900. */
	loc = (struct location){ .addr = 0x910,
				 .image_addr = 0x20,
				 .sym = &(struct symbol){ .start = 0x10, .name = "f" } };
	assert_true(sample_filter_passes_place(f, &loc));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_asked_for_lets_everything_pass),
		cmocka_unit_test(host_and_guests_are_told_apart),
		cmocka_unit_test(the_ends_of_a_span_belong_to_it),
		cmocka_unit_test(cpus_and_tasks_must_all_be_right),
		cmocka_unit_test(names_are_compared_whole),
		cmocka_unit_test(a_list_that_cannot_be_read_is_an_error),
		cmocka_unit_test(places_go_by_symbol_or_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
