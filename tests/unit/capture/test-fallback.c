/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "capture/fallback.h"
#include "events.h"
#include "skip.h"

/*
 * Skips the test if perf_event_paranoid of this machine is too low, because the fallback depends on
 * it.
 */
static void need_paranoid(void)
{
	if (perf_event_paranoid() < 2)
		skip_because("perf_event_paranoid is below 2");
}

/* Tries once more after @error, without an earlier fallback. */
static bool next(struct event *e, int error)
{
	struct fallback f = { .clock_for_cycles = true };
	struct attr wanted = e->attr;

	return fallback_next(&f, e, &wanted, error);
}

static void name_becomes(const char *name, const char *expected)
{
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, name, PERF_TYPE_HARDWARE, 0);

	assert_true(next(e, -EACCES));
	assert_string_equal(e->name, expected);
	assert_int_equal(e->attr.exclude_kernel, 1);
	assert_int_equal(e->attr.exclude_hv, 1);
	assert_false(next(e, -EACCES));
}

static void the_kernel_is_left_out_where_it_may_not_be_counted(void **state)
{
	(void)state;
	need_paranoid();
	name_becomes("cycles", "cycles:u");
	name_becomes("cycles:p", "cycles:pu");
	name_becomes("cpu/event=1/", "cpu/event=1/u");
	name_becomes("cpu/event=1/p", "cpu/event=1/pu");
}

static void an_event_of_the_kernel_alone_is_not_turned_round(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, "cycles:k", PERF_TYPE_HARDWARE, 0);

	e->attr.exclude_user = 1;
	assert_false(next(e, -EACCES));
	assert_string_equal(e->name, "cycles:k");
}

static void tracepoints_are_the_kernels_own(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, "sched:sched_switch", PERF_TYPE_TRACEPOINT, 1);

	e->tracepoint = xstrdup("sched_switch");
	assert_false(next(e, -EACCES));
}

static void guests_are_forgotten_once(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, "mem:0x1000", PERF_TYPE_BREAKPOINT, 0);

	assert_int_equal(e->attr.exclude_guest, 1);
	assert_true(next(e, -EINVAL));
	assert_int_equal(e->attr.exclude_guest, 0);
	assert_string_equal(e->name, "mem:0x1000");
	assert_false(next(e, -EINVAL));
}

static void other_errors_are_final(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, "instructions", PERF_TYPE_HARDWARE,
				    PERF_COUNT_HW_INSTRUCTIONS);

	assert_false(next(e, -ENOENT));
	assert_false(next(e, -EBUSY));
	assert_int_equal(e->attr.exclude_guest, 1);
}

static void what_a_user_may_not_count_is_not_wanted_again(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, "cycles", PERF_TYPE_HARDWARE, 0);
	struct attr wanted = e->attr;
	struct fallback f = { 0 };

	need_paranoid();
	assert_true(fallback_next(&f, e, &wanted, -EACCES));
	assert_true(f.without_kernel);
	assert_int_equal(wanted.exclude_kernel, 1);
}

static void the_best_precision_is_lowered_step_by_step(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, "instructions:P", PERF_TYPE_HARDWARE,
				    PERF_COUNT_HW_INSTRUCTIONS);

	e->attr.precise_ip = 2;
	assert_false(next(e, -ENOENT));
	e->modifiers.max_precise = true;
	assert_true(next(e, -ENOENT));
	assert_true(next(e, -ENOENT));
	assert_int_equal(e->attr.precise_ip, 0);
	assert_false(next(e, -ENOENT));
}

static void the_clock_replaces_cycles_where_it_may(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	struct attr wanted = e->attr;
	struct fallback f = { 0 };

	assert_false(fallback_next(&f, e, &wanted, -ENOENT));
	f.clock_for_cycles = true;
	assert_true(fallback_next(&f, e, &wanted, -ENOENT));
	assert_true(f.without_pmu);
	assert_int_equal(e->attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(e->attr.config, PERF_COUNT_SW_CPU_CLOCK);
	assert_false(fallback_next(&f, e, &wanted, -ENOENT));
}

static void what_is_too_new_is_dropped_for_the_next_event_too(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, "page-faults", PERF_TYPE_SOFTWARE, 2);
	struct fallback f = { 0 };
	struct attr wanted, second;

	e->attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	e->attr.ksymbol = 1;
	e->attr.build_id = 1;
	wanted = second = e->attr;
	assert_true(fallback_next(&f, e, &wanted, -EINVAL));
	assert_int_equal(e->attr.read_format, PERF_FORMAT_ID);
	assert_int_equal(e->attr.ksymbol, 1);
	fallback_begin(&f, &second);
	assert_int_equal(second.read_format, PERF_FORMAT_ID);
	assert_int_equal(second.ksymbol, 1);
	assert_true(fallback_next(&f, e, &wanted, -EINVAL));
	assert_int_equal(e->attr.build_id, 0);
	assert_int_equal(e->attr.ksymbol, 1);
	assert_true(fallback_next(&f, e, &wanted, -E2BIG));
	assert_int_equal(e->attr.ksymbol, 0);
	assert_false(fallback_next(&f, e, &wanted, -E2BIG));
}

static void counts_of_children_are_not_read_by_kernels_that_cannot(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, "page-faults", PERF_TYPE_SOFTWARE, 2);
	struct fallback f = { 0 };
	struct attr wanted;

	e->attr.inherit = 1;
	e->attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_READ;
	wanted = e->attr;
	assert_true(fallback_next(&f, e, &wanted, -EINVAL));
	assert_int_equal(e->attr.inherit, 0);
	assert_true(e->attr.sample_type & PERF_SAMPLE_READ);
	fallback_begin(&f, &wanted);
	assert_int_equal(wanted.inherit, 0);
}

static void what_the_machine_lacks_is_told_from_what_is_forbidden(void **state)
{
	(void)state;
	assert_true(fallback_is_unsupported(-ENOENT));
	assert_true(fallback_is_unsupported(-EOPNOTSUPP));
	assert_true(fallback_is_unsupported(-EINVAL));
	assert_true(fallback_is_unsupported(-ENOSYS));
	assert_false(fallback_is_unsupported(-EACCES));
	assert_false(fallback_is_unsupported(-EMFILE));
	assert_false(fallback_is_unsupported(-ESRCH));
	assert_false(fallback_is_unsupported(-EBUSY));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernel_is_left_out_where_it_may_not_be_counted),
		cmocka_unit_test(an_event_of_the_kernel_alone_is_not_turned_round),
		cmocka_unit_test(tracepoints_are_the_kernels_own),
		cmocka_unit_test(guests_are_forgotten_once),
		cmocka_unit_test(other_errors_are_final),
		cmocka_unit_test(what_a_user_may_not_count_is_not_wanted_again),
		cmocka_unit_test(the_best_precision_is_lowered_step_by_step),
		cmocka_unit_test(the_clock_replaces_cycles_where_it_may),
		cmocka_unit_test(what_is_too_new_is_dropped_for_the_next_event_too),
		cmocka_unit_test(counts_of_children_are_not_read_by_kernels_that_cannot),
		cmocka_unit_test(what_the_machine_lacks_is_told_from_what_is_forbidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
