/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <sys/prctl.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "python/live-rings.h"
#include "wire/record.h"

static int anywhere[] = { -1 }, here[] = { 0 };
static const struct int_list any_cpu = { .items = anywhere, .n = 1 };
static const struct int_list this_thread = { .items = here, .n = 1 };

static void records_are_taken_one_at_a_time(void **state)
{
	struct live_event e = { .attr = { .type = PERF_TYPE_SOFTWARE,
					  .config = PERF_COUNT_SW_DUMMY,
					  .exclude_kernel = 1,
					  .exclude_hv = 1,
					  .comm = 1 },
				.name = xstrdup("dummy") };
	const struct live_place where = { .cpus = &any_cpu, .threads = &this_thread };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct live_event *events[] = { &e };
	struct live_rings rings = { 0 };
	static uint8_t record[1 << 16];
	struct record r;
	int size;

	(void)state;
	if (live_event_open(&e, &where, &diag) < 0 ||
	    live_rings_map(&rings, events, 1, 1, &diag) < 0) {
		live_event_done(&e);
		print_message("events cannot be opened here: %s\n", diag.message);
		skip();
	}
	assert_int_equal(live_rings_take(&rings, -1, record), 0);
	/* In total more than the ring holds, so that records wrap around its end. */
	for (int i = 0; i < 300; i++) {
		prctl(PR_SET_NAME, i % 2 ? "odd" : "even");
		size = live_rings_take(&rings, -1, record);
		assert_true(size > 0);
		assert_int_equal(record_decode(record, (size_t)size, false, &e.attr, &r), 0);
		assert_int_equal(r.header.type, PERF_RECORD_COMM);
		assert_string_equal(r.comm.comm, i % 2 ? "odd" : "even");
		assert_int_equal(live_rings_take(&rings, -1, record), 0);
	}
	assert_int_equal(live_rings_take(&rings, 5, record), -ENOENT);
	live_rings_done(&rings);
	live_event_done(&e);
}

static void nothing_is_mapped_for_no_events(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct live_rings rings = { 0 };
	uint8_t record[8];

	(void)state;
	assert_int_equal(live_rings_map(&rings, NULL, 0, 1, &diag), 0);
	assert_int_equal(live_rings_take(&rings, 0, record), -ENOENT);
	live_rings_done(&rings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_taken_one_at_a_time),
		cmocka_unit_test(nothing_is_mapped_for_no_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
