/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "event/catalog.h"
#include "tools/list/event-choice-view.h"

static const struct catalog_entry cycles = { .kind = CATALOG_HARDWARE, .name = "cycles" };
static const struct catalog_entry cs = { .kind = CATALOG_SOFTWARE, .name = "cs" };
static const struct catalog_entry ipc = { .kind = CATALOG_METRIC, .name = "IPC" };
static const struct catalog_entry pfm = { .kind = CATALOG_PFM, .name = "perf::CS" };
static const struct catalog_entry open_ = { .kind = CATALOG_TRACEPOINT, .name = "fs:open" };
static const struct catalog_entry odd = { .kind = CATALOG_PMU, .name = "u/a'b=?/" };

static void add_all(struct event_choice *c, const struct catalog_entry *const *entries)
{
	for (; *entries; entries++)
		event_choice_toggle(c, *entries);
}
#define CHOOSE(c, ...) add_all(c, (const struct catalog_entry *const[]){ __VA_ARGS__, NULL })

static void options_are(const struct event_choice *c, bool quoted, const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	event_choice_add_options(c, quoted, &t);
	assert_string_equal(t.chars, wanted);
}

static void events_keep_the_order_of_choosing(void **state)
{
	_cleanup_(event_choice_done) struct event_choice c = { 0 };

	(void)state;
	options_are(&c, false, "");
	CHOOSE(&c, &cs, &cycles);
	options_are(&c, false, "-e cs,cycles");
	assert_true(event_choice_has(&c, &cs));
	CHOOSE(&c, &cs);
	assert_false(event_choice_has(&c, &cs));
	options_are(&c, false, "-e cycles");
}

static void each_kind_has_its_option(void **state)
{
	_cleanup_(event_choice_done) struct event_choice c = { 0 };

	(void)state;
	CHOOSE(&c, &pfm, &ipc, &cycles);
	options_are(&c, true, "-e cycles -M IPC --pfm-events perf::CS");
}

static void a_shell_gets_odd_names_as_they_are(void **state)
{
	_cleanup_(event_choice_done) struct event_choice c = { 0 };

	(void)state;
	CHOOSE(&c, &cs, &odd);
	options_are(&c, false, "-e cs,u/a'b=?/");
	options_are(&c, true, "-e 'cs,u/a'\\''b=?/'");
}

static void lines_are_for_commands_that_take_the_events(void **state)
{
	_cleanup_(event_choice_done) struct event_choice c = { 0 };
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	CHOOSE(&c, &open_);
	assert_null(event_choice_misfit(&c, &event_commands[EVENT_COMMAND_TRACE]));
	event_choice_add_line(&c, &event_commands[EVENT_COMMAND_STAT], &t);
	assert_string_equal(t.chars, "perf stat -e fs:open -a -I 1000");
	CHOOSE(&c, &ipc);
	assert_null(event_choice_misfit(&c, &event_commands[EVENT_COMMAND_STAT]));
	assert_ptr_equal(event_choice_misfit(&c, &event_commands[EVENT_COMMAND_RECORD]), &ipc);
	CHOOSE(&c, &cycles, &ipc);
	assert_ptr_equal(event_choice_misfit(&c, &event_commands[EVENT_COMMAND_TRACE]), &cycles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_keep_the_order_of_choosing),
		cmocka_unit_test(each_kind_has_its_option),
		cmocka_unit_test(a_shell_gets_odd_names_as_they_are),
		cmocka_unit_test(lines_are_for_commands_that_take_the_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
