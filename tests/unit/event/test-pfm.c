/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "event/event.h"
#include "event/pfm.h"

static void assert_refused(const char *text, int error, size_t offset, size_t length)
{
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	assert_int_equal(pfm_events_parse(&l, text, &diag), error);
	assert_int_equal(l.n, 0);
	assert_int_equal(diag.offset, offset);
	assert_int_equal(diag.length, length);
}

static void syntax_errors_are_marked(void **state)
{
	(void)state;
	assert_refused("", -EINVAL, 0, 0);
	assert_refused("{}", -EINVAL, 1, 1);
}

#if HAVE_LIBPFM
/* libpfm4 knows the kernel's own events on every machine. */
static void names_become_attrs_and_braces_groups(void **state)
{
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(pfm_events_parse(&l, "perf::PAGE-FAULTS", &diag), 0);
	assert_int_equal(
		pfm_events_parse(&l,
				 "perf::CONTEXT-SWITCHES:u, {perf::PAGE-FAULTS,perf::CPU-CLOCK},"
				 "perf::TASK-CLOCK",
				 &diag),
		0);
	assert_int_equal(l.n, 5);
	assert_int_equal(l.last, 1);
	assert_int_equal(l.items[1]->attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(l.items[1]->attr.config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_true(l.items[1]->attr.exclude_kernel);
	assert_false(l.items[1]->attr.exclude_user);
	assert_string_equal(l.items[1]->name, "perf::CONTEXT-SWITCHES:u");
	for (size_t i = 0; i < l.n; i++)
		assert_int_equal(l.items[i]->leader, i == 3 ? 2 : i);
}

static void a_bad_list_adds_nothing(void **state)
{
	(void)state;
	assert_refused("perf::PAGE-FAULTS,perf::GHOST", -ENOENT, 18, 11);
	assert_refused("{perf::PAGE-FAULTS", -EINVAL, 18, 0);
	assert_refused("perf::PAGE-FAULTS}", -EINVAL, 17, 1);
	assert_refused("{perf::PAGE-FAULTS,{perf::CPU-CLOCK}}", -EINVAL, 19, 1);
	assert_refused("perf::PAGE-FAULTS perf::CPU-CLOCK", -EINVAL, 18, 1);
	assert_refused("perf::PAGE-FAULTS,", -EINVAL, 18, 0);
}
#else
static void a_build_without_the_library_says_so(void **state)
{
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(pfm_events_parse(&l, "INST_RETIRED", &diag), -EOPNOTSUPP);
	assert_non_null(strstr(diag.message, "without libpfm4"));
	assert_non_null(strstr(diag.hint, "libpfm4-dev"));
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(syntax_errors_are_marked),
#if HAVE_LIBPFM
		cmocka_unit_test(names_become_attrs_and_braces_groups),
		cmocka_unit_test(a_bad_list_adds_nothing),
#else
		cmocka_unit_test(a_build_without_the_library_says_so),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
