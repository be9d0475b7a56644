/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "tools/iostat/iostat-work.h"

static struct root_port_list two_stacks(struct root_port items[4])
{
	items[0] = (struct root_port){ .stack = 0, .die = 0, .bus = 0x00 };
	items[1] = (struct root_port){ .stack = 0, .die = 1, .bus = 0x80 };
	items[2] = (struct root_port){ .stack = 1, .die = 0, .bus = 0x17 };
	items[3] = (struct root_port){ .stack = 1, .die = 1, .bus = 0x85 };
	return (struct root_port_list){ .items = items, .n = 4 };
}

static void ports_are_chosen_by_name(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct root_port items[4];
	struct root_port_list l = two_stacks(items);

	(void)state;
	assert_int_equal(iostat_select(&l, "0000:85,0:00", &diag), 0);
	assert_int_equal(l.n, 2);
	assert_int_equal(l.items[0].bus, 0);
	assert_int_equal(l.items[1].bus, 0x85);
	assert_int_equal(iostat_select(&l, "0000:85,", &diag), -EINVAL);
	assert_int_equal(iostat_select(&l, "0000:86", &diag), -ENODEV);
	assert_int_equal(l.n, 2);
}

static void each_stack_is_four_events(void **state)
{
	struct root_port items[4];
	struct root_port_list l = two_stacks(items);
	struct count_request rq = { 0 };
	struct iostat_events events;

	(void)state;
	iostat_request(&l, &rq, &events);
	assert_int_equal(rq.events.n, 8);
	assert_string_equal(
		rq.events.items[5].text,
		"uncore_iio_1/event=0x83,umask=0x1,ch_mask=0xf,fc_mask=0x7,name=iio-1-1/");
	assert_int_equal(rq.aggregate.over, STAT_DIE);
	assert_true(rq.target.all_cpus);
	event_words_done(&rq.events);
	iostat_events_done(&events);
}

static void counts_become_megabytes_of_their_port(void **state)
{
	/* The second socket is the second die, whatever the number of its own die. */
	static const struct stat_unit one = { .socket = 0, .die = 0 },
				      two = { .socket = 1, .die = 0 };
	static const struct stat_event read = { .name = "iio-1-0" }, write = { .name = "iio-1-3" },
				       other = { .name = "cycles" };
	static const struct stat_row rows[] = {
		{ .event = &read, .unit = &two, .count = 3 << 18 },
		{ .event = &read, .unit = &one, .count = 1 << 18 },
		{ .event = &write, .unit = &two, .state = STAT_NOT_COUNTED },
		{ .event = &other, .unit = &one, .count = 5 },
		{ .event = &read, .count = 5 },
	};
	const struct stat_table t = { .rows = rows, .n_rows = ARRAY_SIZE(rows) };
	struct root_port items[4];
	struct root_port_list l = two_stacks(items);
	struct iostat_row got[4];

	(void)state;
	iostat_rows(&t, &l, got);
	assert_false(got[0].is_counted[IOSTAT_INBOUND_READ]);
	assert_true(got[2].is_counted[IOSTAT_INBOUND_READ]);
	assert_true(got[2].mb[IOSTAT_INBOUND_READ] == 1);
	assert_true(got[3].mb[IOSTAT_INBOUND_READ] == 3);
	assert_false(got[3].is_counted[IOSTAT_OUTBOUND_WRITE]);
}

static void a_machine_without_the_pmu_is_told_which(void **state)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct root_port_list l = { 0 };

	(void)state;
	assert_int_equal(iostat_ports("/nonexistent", &l, &diag), -ENODEV);
	assert_non_null(diag.hint);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ports_are_chosen_by_name),
		cmocka_unit_test(each_stack_is_four_events),
		cmocka_unit_test(counts_become_megabytes_of_their_port),
		cmocka_unit_test(a_machine_without_the_pmu_is_told_which),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
