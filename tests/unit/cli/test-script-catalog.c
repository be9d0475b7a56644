/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/script-catalog.h"
#include "scratch-folder.h"

static void script_done(struct named_script *s)
{
	free(s->description);
	free(s->arguments);
}

static struct named_script header(const char *text)
{
	struct named_script s = { 0 };

	named_script_read_header(text, strlen(text), &s);
	return s;
}

static void lines_say_what_it_does_and_what_it_takes(void **state)
{
	_cleanup_(script_done) struct named_script s =
		header("#!/bin/sh\n# description: counts things\n#args:[comm]  \nperf script\n");

	(void)state;
	assert_string_equal(s.description, "counts things");
	assert_string_equal(s.arguments, "[comm]");
}

static void what_is_not_said_is_empty(void **state)
{
	_cleanup_(script_done) struct named_script s = header("description: no comment\n#");

	(void)state;
	assert_string_equal(s.description, "");
	assert_string_equal(s.arguments, "");
}

static void bytes_that_are_no_text_are_harmless(void **state)
{
	static const char bytes[] = "# description: a\0b\n# args:\xff\n#\n\n#args";
	_cleanup_(script_done) struct named_script s = { 0 };

	(void)state;
	named_script_read_header(bytes, sizeof(bytes), &s);
	assert_string_equal(s.description, "a");
	assert_string_equal(s.arguments, "\xff");
	named_script_read_header(bytes, 0, &s);
	assert_string_equal(s.description, "");
}

static void a_report_tells_where_its_options_go(void **state)
{
	_cleanup_(script_done) struct named_script before =
							   header("perf script $@ -s x.py $comm\n"),
						   behind = header("perf script -s x.py \"$@\"\n"),
						   none = header("perf script\n");

	(void)state;
	assert_true(before.options_behind);
	assert_false(behind.options_behind);
	assert_false(none.options_behind);
}

static void a_record_names_its_events(void **state)
{
	static const char record[] =
		"#!/bin/sh\nexec perf record -e a:b,c \\\n\t-e 'd:e' \"$@\" -e";
	_cleanup_(name_list_done) struct name_list events = { 0 };

	(void)state;
	named_script_read_events(record, strlen(record), &events);
	assert_int_equal(events.n, 3);
	assert_string_equal(events.items[0], "a:b");
	assert_string_equal(events.items[1], "c");
	assert_string_equal(events.items[2], "d:e");
}

static void words_in_brackets_are_arguments(void **state)
{
	struct named_script s = { .name = "x", .arguments = "<comm> [tx] [dev=] [] [a" };

	(void)state;
	assert_true(named_script_takes_word(&s, "tx"));
	assert_true(named_script_takes_word(&s, "dev=eth0"));
	assert_true(named_script_takes_word(&s, "a"));
	assert_false(named_script_takes_word(&s, "txx"));
	assert_false(named_script_takes_word(&s, "t"));
	assert_false(named_script_takes_word(&s, ""));
	assert_false(named_script_takes_word(&s, "comm"));
	assert_int_equal(named_script_required(&s), 1);
}

static void a_name_that_ends_so_is_a_display(void **state)
{
	struct named_script top = { .name = "sctop" }, other = { .name = "to" };

	(void)state;
	assert_true(named_script_is_top(&top));
	assert_false(named_script_is_top(&other));
}

static void make_scripts(void)
{
	assert_int_equal(system("mkdir -p scripts/python/bin scripts/perl/bin\n"
				"cd scripts/python/bin\n"
				"echo '# description: bees' > b-report; touch b-record\n"
				"echo '# description: a' > a-report\n"
				"touch only-record -- -report .hidden-report\n"
				"mkdir folder-report\n"
				"head -c 100000 /dev/zero > huge-report\n"
				"touch ../../perl/bin/a-report ../../perl/bin/c-report"),
			 0);
}

static void folders_are_read_in_order_of_names(void **state)
{
	_cleanup_(named_scripts_done) struct named_scripts c = { 0 };

	(void)state;
	make_scripts();
	assert_int_equal(named_scripts_read(".", &c), 0);
	assert_int_equal(c.n, 4);
	assert_string_equal(c.items[0].name, "a");
	assert_int_equal(c.items[0].language, SCRIPT_PYTHON);
	assert_null(c.items[0].record);
	assert_int_equal(c.items[1].language, SCRIPT_PERL);
	assert_string_equal(c.items[2].report, "./scripts/python/bin/b-report");
	assert_string_equal(c.items[2].record, "./scripts/python/bin/b-record");
	assert_string_equal(c.items[3].name, "c");
	assert_ptr_equal(named_scripts_find(&c, "a"), &c.items[0]);
	assert_null(named_scripts_find(&c, "huge"));
}

static void no_folder_is_no_script(void **state)
{
	_cleanup_(named_scripts_done) struct named_scripts c = { 0 };

	(void)state;
	assert_int_equal(named_scripts_read("/no/such/folder", &c), 0);
	assert_int_equal(c.n, 0);
}

static void names_that_are_like_another_are_suggested(void **state)
{
	struct named_script items[] = { { .name = "netdev-times" },
					{ .name = "netdev-time", .language = SCRIPT_PERL } };
	struct named_scripts c = { .items = items, .n = 2 };
	_cleanup_(freep) char *near = named_scripts_similar(&c, "netdev-tims");
	_cleanup_(freep) char *none = named_scripts_similar(&c, "x");

	(void)state;
	assert_string_equal(near, "'netdev-times'");
	assert_null(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_say_what_it_does_and_what_it_takes),
		cmocka_unit_test(what_is_not_said_is_empty),
		cmocka_unit_test(bytes_that_are_no_text_are_harmless),
		cmocka_unit_test(a_report_tells_where_its_options_go),
		cmocka_unit_test(a_record_names_its_events),
		cmocka_unit_test(words_in_brackets_are_arguments),
		cmocka_unit_test(a_name_that_ends_so_is_a_display),
		cmocka_unit_test_setup_teardown(folders_are_read_in_order_of_names,
						enter_scratch_folder, leave_scratch_folder),
		cmocka_unit_test(no_folder_is_no_script),
		cmocka_unit_test(names_that_are_like_another_are_suggested),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
