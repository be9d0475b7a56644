/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "capture/counters.h"
#include "cli/captured.h"
#include "cmd/stat-notes.h"
#include "event/event.h"
#include "kernel/pmu.h"

#define EVENT(t, c, n)                                                                             \
	{                                                                                          \
		.attr = { .type = PERF_TYPE_##t, .config = PERF_COUNT_##c }, .name = n,            \
		.unit = "", .scale = 1                                                             \
	}

static struct event faults = EVENT(SOFTWARE, SW_PAGE_FAULTS, "page-faults");
static struct event cycles = EVENT(HARDWARE, HW_CPU_CYCLES, "cycles");
static struct event instructions = EVENT(HARDWARE, HW_INSTRUCTIONS, "instructions");
static struct event tracepoint = { .attr = { .type = PERF_TYPE_TRACEPOINT }, .name = "a:b" };

static struct counter open_counter(struct event *e, struct count *counts, size_t n_cpus)
{
	return (struct counter){ .event = e, .n_cpus = n_cpus, .n_tasks = 1, .counts = counts };
}

static struct counter unsupported(struct event *e)
{
	return (struct counter){
		.event = e, .state = COUNTER_UNSUPPORTED, .error = -ENOENT, .n_tasks = 1
	};
}

#define COUNTERS(...)                                                                              \
	((const struct counters){ .items = (struct counter[]){ __VA_ARGS__ },                      \
				  .n = ARRAY_SIZE(((struct counter[]){ __VA_ARGS__ })) })

static bool watchdog_is_on(void)
{
	_cleanup_(freep) char *line = NULL;

	return file_read_line(AT_FDCWD, "/proc/sys/kernel/nmi_watchdog", &line) >= 0 &&
	       !strcmp(line, "1");
}

static size_t lines_of(const char *text, const char *with)
{
	size_t n = 0;

	for (const char *at = text; (at = strstr(at, with)); at++)
		n++;
	return n;
}

static void raw_values_are_summed_over_the_places(void **state)
{
	_cleanup_(captured_done) struct captured c;
	struct count two[] = { { 10, 100, 50 }, { 5, 100, 100 } }, one[] = { { 7, 1, 1 } };
	const struct counters counters = COUNTERS(open_counter(&cycles, two, 2),
						  unsupported(&instructions),
						  open_counter(&faults, one, 1));

	(void)state; /* ST-31 */
	captured_init(&c);
	stat_notes_print_raw(&counters, c.file);
	assert_string_equal(captured_text(&c), "cycles: 15 200 150\npage-faults: 7 1 1\n");
}

static void events_that_the_kernel_refused_are_named(void **state)
{
	_cleanup_(captured_done) struct captured c;
	struct count one[] = { { 7, 1, 1 } };
	const struct counters counters = COUNTERS(unsupported(&cycles),
						  open_counter(&faults, one, 1));

	(void)state;
	captured_init(&c);
	stat_notes_print_refused(&counters, c.file);
	assert_string_equal(captured_text(&c),
			    "Warning:\ncycles event is not supported by the kernel.\n");
}

static void nothing_is_said_when_all_was_counted(void **state)
{
	_cleanup_(captured_done) struct captured c;
	struct count one[] = { { 7, 100, 50 } };
	const struct counters counters = COUNTERS(open_counter(&cycles, one, 1));

	(void)state;
	captured_init(&c);
	stat_notes_print(&counters, false, true, c.file);
	assert_string_equal(captured_text(&c), "");
}

static void scripts_get_no_explanations(void **state)
{
	_cleanup_(captured_done) struct captured c;
	const struct counters counters = COUNTERS(unsupported(&cycles));

	(void)state;
	captured_init(&c);
	stat_notes_print(&counters, true, false, c.file);
	assert_string_equal(captured_text(&c), "");
}

static void one_line_says_why_hardware_rows_are_empty(void **state)
{
	_cleanup_(captured_done) struct captured c;
	const struct counters counters = COUNTERS(unsupported(&cycles), unsupported(&instructions));

	(void)state;
	captured_init(&c);
	stat_notes_print(&counters, false, true, c.file);
	assert_int_equal(lines_of(captured_text(&c), "Note:"), 1);
	assert_true(strlen(captured_text(&c)) > 20);
}

static void other_rows_are_not_explained_by_hardware(void **state)
{
	_cleanup_(captured_done) struct captured c;
	const struct counters counters = COUNTERS(unsupported(&tracepoint));

	(void)state;
	captured_init(&c);
	stat_notes_print(&counters, false, true, c.file);
	assert_string_equal(captured_text(&c), "");
}

static void a_command_is_told_that_all_was_counted(void **state)
{
	_cleanup_(captured_done) struct captured c;
	struct count one[] = { { 7, 100, 100 } };
	const struct counters counters = COUNTERS(open_counter(&faults, one, 1));

	(void)state; /* ST-08 */
	captured_init(&c);
	stat_notes_print(&counters, true, true, c.file);
	assert_non_null(strstr(captured_text(&c), "count everything that ran meanwhile"));
}

static void a_starved_event_blames_the_watchdog_if_there_is_one(void **state)
{
	_cleanup_(captured_done) struct captured c;
	struct count never[] = { { 0, 100, 0 } };
	const struct counters counters = COUNTERS(open_counter(&cycles, never, 1));

	(void)state;
	captured_init(&c);
	stat_notes_print(&counters, false, false, c.file);
	if (watchdog_is_on())
		assert_string_equal(captured_text(&c),
				    "Some events weren't counted. Try disabling the NMI watchdog:\n"
				    "\techo 0 > /proc/sys/kernel/nmi_watchdog\n"
				    "\tperf stat ...\n"
				    "\techo 1 > /proc/sys/kernel/nmi_watchdog\n");
	else
		assert_string_equal(captured_text(&c), "");
}

static void a_group_over_two_pmus_is_advised_to_part(void **state)
{
	static const struct pmu imc = { .name = "uncore_imc" };
	_cleanup_(captured_done) struct captured c;
	struct event reads = { .attr = { .type = 20 }, .name = "reads", .pmu = &imc };
	struct event alone = { .attr = { .type = 20 }, .name = "reads", .pmu = &imc, .leader = 1 };
	struct count one[] = { { 7, 100, 100 } };
	const struct counters together = COUNTERS(open_counter(&cycles, one, 1),
						  unsupported(&reads));
	const struct counters apart = COUNTERS(open_counter(&cycles, one, 1), unsupported(&alone));

	(void)state;
	captured_init(&c);
	stat_notes_print(&apart, false, false, c.file);
	assert_string_equal(captured_text(&c), "");
	stat_notes_print(&together, false, false, c.file);
	assert_string_equal(captured_text(&c),
			    "The events in group usually have to be from the same PMU. "
			    "Try reorganizing the group.\n");
}

static void software_is_never_starved(void **state)
{
	_cleanup_(captured_done) struct captured c;
	struct count never[] = { { 0, 100, 0 } };
	const struct counters counters = COUNTERS(open_counter(&faults, never, 1));

	(void)state;
	captured_init(&c);
	stat_notes_print(&counters, false, false, c.file);
	assert_string_equal(captured_text(&c), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(raw_values_are_summed_over_the_places),
		cmocka_unit_test(events_that_the_kernel_refused_are_named),
		cmocka_unit_test(nothing_is_said_when_all_was_counted),
		cmocka_unit_test(scripts_get_no_explanations),
		cmocka_unit_test(one_line_says_why_hardware_rows_are_empty),
		cmocka_unit_test(other_rows_are_not_explained_by_hardware),
		cmocka_unit_test(a_command_is_told_that_all_was_counted),
		cmocka_unit_test(a_starved_event_blames_the_watchdog_if_there_is_one),
		cmocka_unit_test(a_group_over_two_pmus_is_advised_to_part),
		cmocka_unit_test(software_is_never_starved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
