/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "capture/opened-events.h"
#include "event/data-filter.h"
#include "event/event.h"
#include "measure/record-filter.h"

static void events_without_filters_need_none(void **state)
{
	struct event e = { .name = "cycles" };
	struct opened_event item = { .event = &e };
	struct opened_events es = { .items = &item, .n = 1 };
	struct record_filters *f = (void *)1;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(record_filters_attach(&es, &f, &diag), 0);
	assert_null(f);
	assert_int_equal(record_filters_dropped(NULL, 0), 0);
	record_filters_free(NULL);
}

static void a_sample_must_have_what_is_asked_about(void **state)
{
	struct data_filter_items items = { 0 };
	struct event e = { .name = "cycles", .data_filter = &items };
	struct opened_event item = { .event = &e };
	struct opened_events es = { .items = &item, .n = 1 };
	struct record_filters *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	assert_int_equal(data_filter_parse(&items, "addr > 0", &diag), 0);
	assert_int_equal(record_filters_attach(&es, &f, &diag), -EINVAL);
	assert_null(f);
	assert_non_null(diag.message);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_without_filters_need_none),
		cmocka_unit_test(a_sample_must_have_what_is_asked_about),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
