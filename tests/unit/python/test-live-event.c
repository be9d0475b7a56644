/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "python/live-event.h"

static int anywhere[] = { -1 }, here[] = { 0 };
static const struct int_list any_cpu = { .items = anywhere, .n = 1 };
static const struct int_list this_thread = { .items = here, .n = 1 };

static struct live_event faults(uint64_t read_format)
{
	return (struct live_event){ .attr = { .type = PERF_TYPE_SOFTWARE,
					      .config = PERF_COUNT_SW_PAGE_FAULTS,
					      .exclude_kernel = 1,
					      .exclude_hv = 1,
					      .read_format = read_format },
				    .name = xstrdup("page-faults") };
}

/* Opens @e for this thread; skips the test if the machine forbids it. */
static void open_here(struct live_event *e)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct live_place where = { .cpus = &any_cpu, .threads = &this_thread };
	int r = live_event_open(e, &where, &diag);

	if (r < 0) {
		live_event_done(e);
		print_message("events cannot be opened here: %s\n", diag.message);
		skip();
	}
}

static void touch_memory(void)
{
	char *p = xmalloc(1 << 22);

	memset(p, 1, 1 << 22);
	__asm__ volatile("" ::"r"(p) : "memory");
	free(p);
}

static void counts_are_read_with_their_times(void **state)
{
	struct live_event e = faults(PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID);
	struct live_count before, after;

	(void)state;
	open_here(&e);
	assert_true(live_event_is_open(&e));
	assert_int_equal(live_event_read(&e, 0, 0, &before), 0);
	touch_memory();
	assert_int_equal(live_event_read(&e, 0, 0, &after), 0);
	assert_true(after.value > before.value);
	assert_true(after.enabled >= after.running && after.running > 0);
	assert_true(live_event_has_id(&e, after.id));
	assert_false(live_event_has_id(&e, after.id + 1));
	live_event_done(&e);
}

static void a_group_gives_the_first_count(void **state)
{
	struct live_event e = faults(PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_ID);
	struct live_count c;

	(void)state;
	open_here(&e);
	touch_memory();
	assert_int_equal(live_event_read(&e, 0, 0, &c), 0);
	assert_true(c.value > 0 && c.enabled > 0 && live_event_has_id(&e, c.id));
	assert_int_equal(c.running, 0);
	live_event_done(&e);
}

static void what_is_stopped_does_not_count(void **state)
{
	struct live_event e = faults(0);
	struct live_count before, after;

	(void)state;
	open_here(&e);
	assert_int_equal(live_event_enable(&e, false), 0);
	assert_int_equal(live_event_read(&e, 0, 0, &before), 0);
	touch_memory();
	assert_int_equal(live_event_read(&e, 0, 0, &after), 0);
	assert_int_equal(before.value, after.value);
	assert_int_equal(after.enabled, 0);
	live_event_done(&e);
}

static void what_is_not_open_cannot_be_read(void **state)
{
	struct live_event e = faults(0);
	struct live_count c;

	(void)state;
	assert_int_equal(live_event_read(&e, 0, 0, &c), -EBADF);
	assert_int_equal(live_event_fd(&e, 3, 4), -1);
	assert_int_equal(live_event_enable(&e, true), 0);
	live_event_close(&e);
	live_event_done(&e);
}

static void a_refusal_is_explained(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct live_event e = { .attr = { .type = 4000000000u }, .name = xstrdup("nothing") };
	const struct live_place where = { .cpus = &any_cpu, .threads = &this_thread };

	(void)state;
	assert_true(live_event_open(&e, &where, &diag) < 0);
	assert_non_null(diag.message);
	assert_false(live_event_is_open(&e));
	live_event_done(&e);
}

static void lists_are_copied_and_searched(void **state)
{
	struct int_list a = { 0 }, b = { 0 };

	(void)state;
	int_list_add(&a, 7);
	int_list_add(&a, -1);
	int_list_copy(&b, &a);
	int_list_done(&a);
	assert_int_equal(int_list_find(&b, -1), 1);
	assert_int_equal(int_list_find(&b, 8), -1);
	int_list_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_read_with_their_times),
		cmocka_unit_test(a_group_gives_the_first_count),
		cmocka_unit_test(what_is_stopped_does_not_count),
		cmocka_unit_test(what_is_not_open_cannot_be_read),
		cmocka_unit_test(a_refusal_is_explained),
		cmocka_unit_test(lists_are_copied_and_searched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
