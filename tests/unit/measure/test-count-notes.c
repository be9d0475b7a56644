/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/notes.h"
#include "capture/opened-events.h"
#include "event/event.h"
#include "kernel/pmu.h"
#include "measure/count-notes.h"
#include "scratch-folder.h"

#define EVENT(t, c, n)                                                                             \
	{                                                                                          \
		.attr = { .type = PERF_TYPE_##t, .config = PERF_COUNT_##c }, .name = n,            \
		.unit = "", .scale = 1                                                             \
	}

static struct event faults = EVENT(SOFTWARE, SW_PAGE_FAULTS, "page-faults");
static struct event cycles = EVENT(HARDWARE, HW_CPU_CYCLES, "cycles");
static struct event instructions = EVENT(HARDWARE, HW_INSTRUCTIONS, "instructions");
static struct event switches_of_users = { .attr = { .type = PERF_TYPE_SOFTWARE,
						    .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
						    .exclude_kernel = true },
					  .name = "cs:u" };
static struct event tracepoint = { .attr = { .type = PERF_TYPE_TRACEPOINT }, .name = "a:b" };

static struct opened_event open_counter(struct event *e, struct count *counts, size_t n_cpus)
{
	return (struct opened_event){
		.event = e, .n_cpus = n_cpus, .n_tasks = 1, .counts = counts
	};
}

static struct opened_event unsupported(struct event *e)
{
	return (struct opened_event){
		.event = e, .state = OPENED_UNSUPPORTED, .error = -ENOENT, .n_tasks = 1
	};
}

#define COUNTERS(...)                                                                              \
	((const struct opened_events){                                                             \
		.items = (struct opened_event[]){ __VA_ARGS__ },                                   \
		.n = ARRAY_SIZE(((struct opened_event[]){ __VA_ARGS__ })) })

/* Returns the notes on counters of one run, with /proc below @root. */
static struct notes notes_on(const struct opened_events *c, bool around_command, const char *root)
{
	struct notes n = { 0 };

	count_notes(c, around_command, root, &n);
	return n;
}

static void write_watchdog(const char *value)
{
	assert_int_equal(system("mkdir -p proc/sys/kernel"), 0);

	FILE *f = fopen("proc/sys/kernel/nmi_watchdog", "w");

	assert_non_null(f);
	fprintf(f, "%s\n", value);
	fclose(f);
}

static void raw_values_are_summed_over_the_places(void **state)
{
	_cleanup_(notes_done) struct notes n = { 0 };
	struct count two[] = { { 10, 100, 50 }, { 5, 100, 100 } }, one[] = { { 7, 1, 1 } };
	const struct opened_events counters = COUNTERS(open_counter(&cycles, two, 2),
						       unsupported(&instructions),
						       open_counter(&faults, one, 1));

	(void)state;
	count_notes_raw(&counters, &n);
	assert_int_equal(n.n, 2);
	assert_int_equal(n.items[0].kind, NOTE_DETAIL);
	assert_string_equal(n.items[0].what.message, "cycles: 15 200 150");
	assert_string_equal(n.items[1].what.message, "page-faults: 7 1 1");
}

static void events_that_the_kernel_refused_are_named(void **state)
{
	_cleanup_(notes_done) struct notes n = { 0 };
	struct count one[] = { { 7, 1, 1 } };
	const struct opened_events counters = COUNTERS(unsupported(&cycles),
						       open_counter(&faults, one, 1));

	(void)state;
	count_notes_refused(&counters, &n);
	assert_int_equal(n.n, 1);
	assert_int_equal(n.items[0].kind, NOTE_DETAIL);
	assert_string_equal(n.items[0].what.message,
			    "Warning:\ncycles event is not supported by the kernel.");
}

static void nothing_is_said_when_all_was_counted(void **state)
{
	struct count one[] = { { 7, 100, 50 } };
	const struct opened_events counters = COUNTERS(open_counter(&cycles, one, 1));
	_cleanup_(notes_done) struct notes n = notes_on(&counters, false, ".");

	(void)state;
	assert_int_equal(n.n, 0);
}

static void one_remark_says_why_hardware_rows_are_empty(void **state)
{
	const struct opened_events counters = COUNTERS(unsupported(&cycles),
						       unsupported(&instructions));
	_cleanup_(notes_done) struct notes n = notes_on(&counters, false, ".");

	(void)state;
	assert_int_equal(n.n, 1);
	assert_int_equal(n.items[0].kind, NOTE_REMARK);
	assert_non_null(strstr(n.items[0].what.message, "cycles"));
}

static void other_rows_are_not_explained_by_hardware(void **state)
{
	const struct opened_events counters = COUNTERS(unsupported(&tracepoint));
	_cleanup_(notes_done) struct notes n = notes_on(&counters, false, ".");

	(void)state;
	assert_int_equal(n.n, 0);
}

static void a_command_is_told_that_all_was_counted(void **state)
{
	struct count one[] = { { 7, 100, 100 } };
	const struct opened_events counters = COUNTERS(open_counter(&faults, one, 1));
	_cleanup_(notes_done) struct notes n = notes_on(&counters, true, ".");

	(void)state;
	assert_int_equal(n.n, 1);
	assert_int_equal(n.items[0].kind, NOTE_REMARK);
	assert_non_null(strstr(n.items[0].what.message, "count everything that ran on the CPUs"));
}

static void a_starved_event_blames_the_watchdog_that_is_on(void **state)
{
	struct count never[] = { { 0, 100, 0 } };
	const struct opened_events counters = COUNTERS(open_counter(&cycles, never, 1));

	(void)state;
	write_watchdog("1");

	_cleanup_(notes_done) struct notes n = notes_on(&counters, false, ".");

	assert_int_equal(n.n, 1);
	assert_int_equal(n.items[0].kind, NOTE_HINT);
	assert_string_equal(n.items[0].what.message,
			    "Some events weren't counted. Try disabling the NMI watchdog:\n"
			    "\techo 0 > /proc/sys/kernel/nmi_watchdog\n"
			    "\tperf stat ...\n"
			    "\techo 1 > /proc/sys/kernel/nmi_watchdog");
}

static void a_watchdog_that_is_off_or_missing_is_not_blamed(void **state)
{
	struct count never[] = { { 0, 100, 0 } };
	const struct opened_events counters = COUNTERS(open_counter(&cycles, never, 1));
	_cleanup_(notes_done) struct notes missing = notes_on(&counters, false, ".");

	(void)state;
	assert_int_equal(missing.n, 0);
	write_watchdog("0");

	_cleanup_(notes_done) struct notes off = notes_on(&counters, false, ".");

	assert_int_equal(off.n, 0);
}

static void a_group_over_two_pmus_is_advised_to_part(void **state)
{
	static const struct pmu imc = { .name = "uncore_imc" };
	struct event reads = { .attr = { .type = 20 }, .name = "reads", .pmu = &imc };
	struct count one[] = { { 7, 100, 100 } };
	const struct opened_events together = COUNTERS(open_counter(&cycles, one, 1),
						       unsupported(&reads));
	_cleanup_(notes_done) struct notes n = notes_on(&together, false, ".");

	(void)state;
	assert_int_equal(n.n, 2);
	assert_int_equal(n.items[0].kind, NOTE_HINT);
	assert_string_equal(n.items[0].what.message,
			    "The events in group usually have to be from the same PMU. "
			    "Try reorganizing the group.");
	assert_int_equal(n.items[1].kind, NOTE_REMARK);
}

static void events_of_two_pmus_that_are_no_group_get_no_advice(void **state)
{
	static const struct pmu imc = { .name = "uncore_imc" };
	struct event alone = { .attr = { .type = 20 }, .name = "reads", .pmu = &imc, .leader = 1 };
	struct count one[] = { { 7, 100, 100 } };
	const struct opened_events apart = COUNTERS(open_counter(&cycles, one, 1),
						    unsupported(&alone));
	_cleanup_(notes_done) struct notes n = notes_on(&apart, false, ".");

	(void)state;
	assert_int_equal(n.n, 1);
	assert_int_equal(n.items[0].kind, NOTE_REMARK);
}

static void software_is_never_starved(void **state)
{
	struct count never[] = { { 0, 100, 0 } };
	const struct opened_events counters = COUNTERS(open_counter(&faults, never, 1));

	(void)state;
	write_watchdog("1");

	_cleanup_(notes_done) struct notes n = notes_on(&counters, false, ".");

	assert_int_equal(n.n, 0);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, enter_scratch_folder, leave_scratch_folder)

static void switches_in_user_mode_are_none(void **state)
{
	struct count none[] = { { 0, 100, 100 } }, some[] = { { 1, 100, 100 } };
	const struct opened_events zero = COUNTERS(open_counter(&switches_of_users, none, 1)),
				   one = COUNTERS(open_counter(&switches_of_users, some, 1));
	_cleanup_(notes_done) struct notes n = notes_on(&zero, false, "."),
					   of_one = notes_on(&one, false, ".");

	(void)state;
	assert_int_equal(n.n, 1);
	assert_int_equal(n.items[0].kind, NOTE_REMARK);
	assert_non_null(strstr(n.items[0].what.message,
			       "cs:u is always 0: tasks are switched in the kernel"));
	assert_int_equal(of_one.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(raw_values_are_summed_over_the_places),
		cmocka_unit_test(events_that_the_kernel_refused_are_named),
		IN_FOLDER(nothing_is_said_when_all_was_counted),
		IN_FOLDER(one_remark_says_why_hardware_rows_are_empty),
		IN_FOLDER(other_rows_are_not_explained_by_hardware),
		IN_FOLDER(a_command_is_told_that_all_was_counted),
		IN_FOLDER(a_starved_event_blames_the_watchdog_that_is_on),
		IN_FOLDER(a_watchdog_that_is_off_or_missing_is_not_blamed),
		IN_FOLDER(a_group_over_two_pmus_is_advised_to_part),
		IN_FOLDER(events_of_two_pmus_that_are_no_group_get_no_advice),
		IN_FOLDER(software_is_never_starved),
		IN_FOLDER(switches_in_user_mode_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
