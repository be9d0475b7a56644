/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "bpf/shared-events.h"

static void a_place_that_cannot_be_is_refused(void **state)
{
	struct shared_events *s = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(shared_events_open("/nonexistent/map", &s, &diag), -EOPNOTSUPP);
	assert_null(s);
	assert_non_null(strstr(diag.message, "counters are not shared"));
	assert_non_null(strstr(diag.hint, "mount -t bpf"));
	diag_done(&diag);
}

static void without_a_place_nothing_is_shared(void **state)
{
	struct shared_events *s = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(shared_events_open(NULL, &s, &diag), 0);
	assert_non_null(s);
	shared_events_free(s);
	diag_done(&diag);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_place_that_cannot_be_is_refused),
		cmocka_unit_test(without_a_place_nothing_is_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
