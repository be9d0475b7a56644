/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tui/browse.h"

static void a_copy_outlives_what_it_was_made_of(void **state)
{
	char *sort = xstrdup("pid,sym"), *part = xstrdup("main");
	struct browse_request rq = {
		.profile = { .path = "perf.data", .plan.sort = sort, .max_stack = 5 },
		.tables.rows.symbol_part = part,
	};
	_cleanup_(browse_request_done) struct browse_request copy = { 0 };
	size_t offset;

	(void)state;
	assert_int_equal(cpu_list_parse("1-3", &rq.profile.filter.cpus), 0);
	assert_int_equal(time_window_parse("1,2", &rq.profile.filter.time, &offset), 0);
	browse_request_copy(&copy, &rq);
	memset(sort, 'x', strlen(sort));
	free(sort);
	free(part);
	filter_request_done(&rq.profile.filter);
	assert_string_equal(copy.profile.path, "perf.data");
	assert_string_equal(copy.profile.plan.sort, "pid,sym");
	assert_string_equal(copy.tables.rows.symbol_part, "main");
	assert_null(copy.profile.plan.fields);
	assert_int_equal(copy.profile.max_stack, 5);
	assert_int_equal(copy.profile.filter.cpus.n, 3);
	assert_true(cpu_list_contains(&copy.profile.filter.cpus, 2));
	assert_int_equal(copy.profile.filter.time.n, 1);
	assert_int_equal(copy.profile.filter.time.items[0].to_ns, 2000000000);
}

static void a_request_that_is_all_zeros_has_nothing_to_copy(void **state)
{
	const struct browse_request none = { 0 };
	struct browse_request copy;

	(void)state;
	browse_request_copy(&copy, &none);
	assert_null(copy.profile.path);
	assert_null(copy.profile.filter.pids.items);
	browse_request_done(&copy);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_outlives_what_it_was_made_of),
		cmocka_unit_test(a_request_that_is_all_zeros_has_nothing_to_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
