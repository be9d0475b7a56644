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
#include "captured.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/family.h"

struct opts {
	const char *input;
	bool verbose;
};

static const struct option options[] = {
	OPT_STRING('i', "input", struct opts, input, "file", "a file"),
	OPT_FLAG('v', "verbose", struct opts, verbose, "print more"),
	OPT_END,
};

static int show(struct invocation *inv)
{
	const struct opts *o = inv->opts;

	fprintf(inv->out, "%s: input=%s verbose=%d", inv->command->name, o->input ? o->input : "",
		o->verbose);
	for (int i = 0; i < inv->argc; i++)
		fprintf(inv->out, " %s", inv->argv[i]);
	fputc('\n', inv->out);
	return EXIT_OK;
}

static const struct command report = { .name = "x report",
				       .summary = "shows",
				       .options = options,
				       .opts_size = sizeof(struct opts),
				       .run = show };
static const struct command replay = { .name = "x replay",
				       .summary = "does it again",
				       .options = options,
				       .opts_size = sizeof(struct opts),
				       .run = show };
static const struct command record = {
	.name = "x record", .summary = "records", .flags = COMMAND_FORWARDS, .run = show
};
static const struct command *const subcommands[] = { &record, &report, &replay, NULL };
static const char *const usage[] = { "{record|report|replay}", NULL };
static const struct command family = {
	.name = "x",
	.summary = "a family",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.subcommands = subcommands,
};

static void assert_runs(const struct command *c, char **argv, int status, const char *out,
			const char *err)
{
	static const struct config config = { 0 };
	_cleanup_(captured_done) struct captured to_out, to_err;

	captured_init(&to_out);
	captured_init(&to_err);
	assert_int_equal(command_run(c, argv,
				     &(struct settings){ .config = &config,
							 .out = to_out.file,
							 .err = to_err.file }),
			 status);
	assert_string_equal(captured_text(&to_out), out);
	assert_non_null(strstr(captured_text(&to_err), err));
}

#define WORDS(...)                                                                                 \
	(char *[])                                                                                 \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

static void options_stand_before_and_behind_the_word(void **state)
{
	(void)state;
	assert_runs(&family, WORDS("-i", "a", "report", "-v", "b"), EXIT_OK,
		    "x report: input=a verbose=1 b\n", "");
	assert_runs(&family, WORDS("-i", "a", "--", "report"), EXIT_OK,
		    "x report: input=a verbose=0\n", "");
	assert_runs(&family, WORDS("report", "-i", "a", "b", "-v"), EXIT_OK,
		    "x report: input=a verbose=1 b\n", "");
}

static void words_of_another_command_are_not_parsed(void **state)
{
	(void)state;
	assert_runs(&family, WORDS("-v", "record", "-i", "-e", "a", "--", "b"), EXIT_OK,
		    "x record: input= verbose=1 -i -e a -- b\n", "");
}

static void the_beginning_of_a_word_will_do(void **state)
{
	(void)state;
	assert_ptr_equal(family_find(&family, "rep"), &report);
	assert_ptr_equal(family_find(&family, "repl"), &replay);
	assert_ptr_equal(family_find(&family, "rec"), &record);
	assert_null(family_find(&family, "re"));
	assert_null(family_find(&family, "recording"));
	assert_null(family_find(&family, ""));
}

static void a_missing_or_wrong_word_is_told_what_there_is(void **state)
{
	struct command with_run = family;

	(void)state;
	assert_runs(&family, WORDS("-v"), EXIT_USAGE, "",
		    "what to do is missing\n There are: record, report, replay\n");
	assert_runs(&family, WORDS("recrod"), EXIT_USAGE, "",
		    "'recrod' is not a subcommand of perf x\n Did you mean 'record'?\n");
	with_run.run = show;
	assert_runs(&with_run, WORDS("-v", "recrod", "-v"), EXIT_OK,
		    "x: input= verbose=1 recrod -v\n", "");
}

static void subcommands_are_listed(void **state)
{
	_cleanup_(captured_done) struct captured help;

	(void)state;
	assert_runs(&family, WORDS("--list-cmds"), EXIT_OK, "record report replay \n", "");
	captured_init(&help);
	command_print_help(&family, NULL, 0, help.file);
	assert_non_null(strstr(captured_text(&help), "    replay                does it again\n"));
}

static void the_manual_has_the_options_of_all(void **state)
{
	_cleanup_(captured_done) struct captured dump;

	(void)state;
	captured_init(&dump);
	command_print_dump(&family, dump.file);
	assert_non_null(strstr(captured_text(&dump),
			       "subcommand\treplay\tdoes it again\noption\t--input\t"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_stand_before_and_behind_the_word),
		cmocka_unit_test(words_of_another_command_are_not_parsed),
		cmocka_unit_test(the_beginning_of_a_word_will_do),
		cmocka_unit_test(a_missing_or_wrong_word_is_told_what_there_is),
		cmocka_unit_test(subcommands_are_listed),
		cmocka_unit_test(the_manual_has_the_options_of_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
