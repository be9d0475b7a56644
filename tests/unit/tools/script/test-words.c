/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/script-catalog.h"
#include "tools/script/words.h"

struct recorder_opts {
	const char *pages, *freq, *pid, *tid;
};

static const struct option options[] = {
	OPT_STRING('m', "mmap-pages", struct recorder_opts, pages, "pages", "size of a buffer"),
	OPT_STRING('F', "freq", struct recorder_opts, freq, "n", "samples a second"),
	OPT_STRING('p', "pid", struct recorder_opts, pid, "pid", "these processes"),
	OPT_STRING('t', "tid", struct recorder_opts, tid, "tid", "these threads"), OPT_END
};

/* Some options of `perf record`. */
static const struct command recorder = { .options = options,
					 .opts_size = sizeof(struct recorder_opts) };

static const struct named_script netdev = { .name = "netdev-times",
					    .arguments = "[tx] [rx] [dev=] [sh]" };
static const struct named_script by_file = { .name = "rw-by-file", .arguments = "<comm>" };
static const struct named_script top = { .name = "sctop", .arguments = "[comm] [interval]" };

static void add_line(struct text *t, const struct script_line *l)
{
	for (size_t i = 0; i < l->n; i++)
		text_addf(t, "%s%s", i ? " " : "", l->items[i]);
}

/* Returns "arguments | options for perf record", or the message. */
static char *split(const struct named_script *s, const char *line)
{
	_cleanup_(script_words_done) struct script_words w = { .recorder = &recorder };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *copy = xstrdup(line);
	struct text out = TEXT_EMPTY;
	char *words[16] = { NULL };
	size_t n = 0;

	for (char *save, *at = strtok_r(copy, " ", &save); at; at = strtok_r(NULL, " ", &save))
		words[n++] = at;
	if (script_words_live(s, words, &w, &d) < 0)
		return xstrdup(d.message);
	add_line(&out, &w.arguments);
	text_add(&out, " | ");
	add_line(&out, &w.record);
	if (w.has_command)
		text_add(&out, " !");
	if (w.has_target)
		text_add(&out, " @");
	return text_take(&out);
}

static void assert_split(const struct named_script *s, const char *line, const char *expected)
{
	_cleanup_(freep) char *got = split(s, line);

	assert_string_equal(got, expected);
}

static void programs_are_measured_and_other_words_are_arguments(void **state)
{
	(void)state;
	assert_split(&netdev, "", " | ");
	assert_split(&netdev, "true", " | true !");
	assert_split(&netdev, "tx dev=lo", "tx dev=lo | ");
	assert_split(&netdev, "tx -m 4 true tx", "tx | -m 4 true tx !");
	assert_split(&netdev, "-m 4 tx -F 9", "tx | -m 4 -F 9");
	assert_split(&netdev, "-m 4 -- nothing", " | -m 4 -- nothing !");
	assert_split(&netdev, "-p 1", " | -p 1 @");
	assert_split(&netdev, "--tid=1", " | --tid=1 @");
}

static void a_word_that_is_both_or_neither_is_refused(void **state)
{
	(void)state;
	assert_split(&netdev, "sh", "'sh' is an argument of netdev-times and a program");
	assert_split(&netdev, "no-such-program",
		     "'no-such-program' is not a program that could be measured");
	assert_split(&by_file, "bash nothing-like-it",
		     "'nothing-like-it' is not a program that could be measured");
}

static void what_must_be_there_comes_first(void **state)
{
	(void)state;
	assert_split(&by_file, "true", "true | ");
	assert_split(&by_file, "true -m 4 true", "true | -m 4 true !");
	assert_split(&by_file, "", "rw-by-file needs arguments: <comm>");
	assert_split(&by_file, "-- true", "rw-by-file needs arguments: <comm>");
}

static void all_words_of_a_display_are_its_arguments(void **state)
{
	(void)state;
	assert_split(&top, "bash 3", "bash 3 | ");
	assert_split(&top, "3 -- true -x", "3 | -- true -x !");
}

static void options_that_record_does_not_have_are_refused(void **state)
{
	_cleanup_(script_words_done) struct script_words w = { .recorder = &recorder };
	_cleanup_(diag_done) struct diag d = { 0 };
	char *words[] = { "--no-such-option", NULL }, *help[] = { "-h", NULL };

	(void)state;
	assert_int_equal(script_words_live(&netdev, words, &w, &d), -EINVAL);
	assert_non_null(strstr(d.message, "no-such-option"));
	assert_int_equal(script_words_live(&netdev, help, &w, &d), -EINVAL);
}

static void to_record_nothing_is_for_the_script(void **state)
{
	_cleanup_(script_words_done) struct script_words w = { .recorder = &recorder };
	_cleanup_(diag_done) struct diag d = { 0 };
	char *words[] = { "-m", "4", "true", NULL }, *argument[] = { "tx", NULL };

	(void)state;
	assert_int_equal(script_words_record(&netdev, words, &w, &d), 0);
	assert_int_equal(w.record.n, 3);
	assert_int_equal(w.arguments.n, 0);
	assert_true(w.has_command);
	assert_int_equal(script_words_record(&netdev, argument, &w, &d), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_are_measured_and_other_words_are_arguments),
		cmocka_unit_test(a_word_that_is_both_or_neither_is_refused),
		cmocka_unit_test(what_must_be_there_comes_first),
		cmocka_unit_test(all_words_of_a_display_are_its_arguments),
		cmocka_unit_test(options_that_record_does_not_have_are_refused),
		cmocka_unit_test(to_record_nothing_is_for_the_script),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
