/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "capture/events.h"
#include "capture/fallback.h"

/* What it gives in depends on the level, which is this machine's. */
static void need_paranoid(void)
{
	if (perf_event_paranoid() < 2)
		skip();
}

static void name_becomes(const char *name, const char *expected)
{
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, name, PERF_TYPE_HARDWARE, 0);

	assert_true(fallback_attr(e, -EACCES));
	assert_string_equal(e->name, expected);
	assert_int_equal(e->attr.exclude_kernel, 1);
	assert_int_equal(e->attr.exclude_hv, 1);
	assert_false(fallback_attr(e, -EACCES));
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
	assert_false(fallback_attr(e, -EACCES));
	assert_string_equal(e->name, "cycles:k");
}

static void tracepoints_are_the_kernels_own(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, "sched:sched_switch", PERF_TYPE_TRACEPOINT, 1);

	e->tracepoint = xstrdup("sched_switch");
	assert_false(fallback_attr(e, -EACCES));
}

static void guests_are_forgotten_once(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, "mem:0x1000", PERF_TYPE_BREAKPOINT, 0);

	assert_int_equal(e->attr.exclude_guest, 1);
	assert_true(fallback_attr(e, -EINVAL));
	assert_int_equal(e->attr.exclude_guest, 0);
	assert_string_equal(e->name, "mem:0x1000");
	assert_false(fallback_attr(e, -EINVAL));
}

static void other_errors_are_final(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	struct event *e = event_add(&l, "cycles", PERF_TYPE_HARDWARE, 0);

	assert_false(fallback_attr(e, -ENOENT));
	assert_false(fallback_attr(e, -EMFILE));
	assert_int_equal(e->attr.exclude_guest, 1);
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
		cmocka_unit_test(what_the_machine_lacks_is_told_from_what_is_forbidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
