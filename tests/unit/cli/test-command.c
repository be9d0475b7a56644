/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "captured.h"
#include "cli/command.h"
#include "cli/config.h"

struct opts {
	uint64_t freq;
	bool verbose;
	const char *how;
	int *released;
};

static const struct option options[] = {
	OPT_UINT('F', "freq", struct opts, freq, "n", "a frequency"),
	OPT_FLAG('v', "verbose", struct opts, verbose, "print more"),
	OPT_STRING(0, "column", struct opts, how, "x", "begins as --color does"),
	OPT_END,
};

/* Does the action that its first argument names. */
static int run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag d = { 0 };
	const char *what = inv->argc ? inv->argv[0] : "show";

	if (!strcmp(what, "fail")) {
		diag_set(&d, -EIO, "it broke");
		return command_fail(inv, -EIO, &d);
	}
	if (!strcmp(what, "failf"))
		return command_failf(inv, "%d things broke", 3);
	if (!strcmp(what, "usage")) {
		diag_set(&d, -EINVAL, "nonsense");
		return command_usage(inv, &d);
	}
	if (!strcmp(what, "warn")) {
		diag_set(&d, -EINVAL, "careful");
		command_warn(inv, &d);
		return EXIT_OK;
	}
	if (!strcmp(what, "note")) {
		command_note(inv, &(struct note){ NOTE_FAILURE, { .message = "half" } });
		command_note(inv, &(struct note){ NOTE_WARNING, { .message = "careful" } });
		command_note(inv, &(struct note){ NOTE_DETAIL, { .message = "7 of 8" } });
		return EXIT_OK;
	}
	fprintf(inv->out, "freq=%d verbose=%d how=%s colour=%d", (int)o->freq, o->verbose,
		o->how ? o->how : "-", inv->colour);
	for (int i = 0; i < inv->argc; i++)
		fprintf(inv->out, " %s", inv->argv[i]);
	return 42;
}

static const struct opts defaults = { .freq = 4000 };
static const char *const usage[] = { "[<options>]", NULL };
static const struct command command = {
	.name = "x",
	.summary = "does things",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.run = run,
};

struct result {
	struct captured out, err;
	int status;
};

static void result_done(struct result *r)
{
	captured_done(&r->out);
	captured_done(&r->err);
}

/* Words are separated by blanks. */
static void run_with(const struct command *c, const struct config *config, const char *line,
		     enum colour_when colour, struct result *r)
{
	char words[128], *argv[16] = { NULL };
	size_t n = 0;

	strcpy(words, line);
	for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[n++] = word;
	captured_init(&r->out);
	captured_init(&r->err);
	r->status = command_run(c, argv,
				&(struct settings){ .config = config,
						    .out = r->out.file,
						    .err = r->err.file,
						    .colour = colour });
}

static void run_line(const struct command *c, const char *line, enum colour_when colour,
		     struct result *r)
{
	static const struct config config = { 0 };

	run_with(c, &config, line, colour, r);
}

static void assert_runs(const struct command *c, const char *line, int status, const char *out,
			const char *err)
{
	_cleanup_(result_done) struct result r;

	run_line(c, line, COLOUR_AUTO, &r);
	assert_string_equal(captured_text(&r.out), out);
	assert_string_equal(captured_text(&r.err), err);
	assert_int_equal(r.status, status);
}

static void a_command_gets_its_options_and_gives_the_status(void **state)
{
	(void)state;
	assert_runs(&command, "", 42, "freq=4000 verbose=0 how=- colour=0", "");
	assert_runs(&command, "a -vF99 b", 42, "freq=99 verbose=1 how=- colour=0 a b", "");
}

static void mistakes_are_told_with_the_name_of_the_command(void **state)
{
	(void)state;
	assert_runs(&command, "fail", EXIT_FAILED, "", "perf x: it broke\n");
	assert_runs(&command, "failf", EXIT_FAILED, "", "perf x: 3 things broke\n");
	assert_runs(&command, "warn", EXIT_OK, "", "perf x: warning: careful\n");
	assert_runs(&command, "usage", EXIT_USAGE, "",
		    " Error: nonsense\n\n Usage: perf x [<options>]\n\n"
		    " Run 'perf x -h' for all options.\n");
}

static void failures_and_warnings_among_notes_have_the_name_of_the_command(void **state)
{
	(void)state;
	assert_runs(&command, "note", EXIT_OK, "",
		    "perf x: half\nperf x: warning: careful\n7 of 8\n");
}

static void whoever_types_an_option_without_effect_is_told(void **state)
{
	static const struct option idle[] = {
		OPT_NOTHING('o', "objdump", "path", "a program", "perf reads code itself"),
		OPT_NOTHING('Z', NULL, NULL, "a letter", "it is the last one"),
		OPT_FLAG('q', "quiet", struct opts, verbose, "nothing", .flags = OPTION_QUIETS),
		OPT_END,
	};
	struct command c = command;

	(void)state;
	c.options = idle;
	assert_runs(&c, "-ox -Z --objdump y warn", EXIT_OK, "",
		    "perf x: warning: --objdump has no effect: perf reads code itself\n"
		    "perf x: warning: -Z has no effect: it is the last one\n"
		    "perf x: warning: careful\n");
	assert_runs(&c, "-ox -q warn", EXIT_OK, "", "perf x: warning: careful\n");
}

/* Checks the result of the words @line, with the variable x.freq set to @value. */
static void assert_configured(const struct command *c, const char *value, const char *line,
			      int status, const char *out, const char *err)
{
	_cleanup_(config_done) struct config config = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(result_done) struct result r;

	assert_int_equal(config_parse(&config, value, strlen(value), "f", &d), 0);
	run_with(c, &config, line, COLOUR_AUTO, &r);
	assert_string_equal(captured_text(&r.out), out);
	assert_string_equal(captured_text(&r.err), err);
	assert_int_equal(r.status, status);
}

static const struct option configurable[] = {
	OPT_UINT('F', "freq", struct opts, freq, "n", "a frequency", .config = "x.freq"),
	OPT_END,
};

static void a_variable_stands_between_the_default_and_the_option(void **state)
{
	struct command c = command;

	(void)state;
	c.options = configurable;
	assert_configured(&c, "", "", 42, "freq=4000 verbose=0 how=- colour=0", "");
	assert_configured(&c, "[x]\nfreq=7\n", "", 42, "freq=7 verbose=0 how=- colour=0", "");
	assert_configured(&c, "[x]\nfreq=7\n", "-F 9", 42, "freq=9 verbose=0 how=- colour=0", "");
}

static void a_wrong_variable_runs_nothing_but_the_help(void **state)
{
	struct command c = command;

	(void)state;
	c.options = configurable;
	assert_configured(&c, "[x]\nfreq=fast\n", "fail", EXIT_FAILED, "",
			  "perf x: f:2: x.freq is a number, not 'fast'\n");
	assert_configured(&c, "[x]\nfreq=fast\n", "--list-opts", EXIT_OK, "--freq --color \n", "");
	c.flags = COMMAND_WORKLOAD;
	assert_configured(&c, "[x]\nfreq=fast\n", "fail", EXIT_USAGE, "",
			  "perf x: f:2: x.freq is a number, not 'fast'\n");
}

static void a_wrong_option_runs_nothing(void **state)
{
	(void)state;
	assert_runs(&command, "fail --verbos=1", EXIT_USAGE, "",
		    " Error: option `verbos' takes no value\n\n Usage: perf x [<options>]\n\n"
		    "    -v, --verbose         print more\n\n"
		    " Run 'perf x -h' for all options.\n");
}

static void every_command_has_colour_without_naming_it(void **state)
{
	(void)state;
	assert_runs(&command, "--color=always", 42, "freq=4000 verbose=0 how=- colour=1", "");
	assert_runs(&command, "--color always x", 42, "freq=4000 verbose=0 how=- colour=1 x", "");
	assert_runs(&command, "--color x", 42, "freq=4000 verbose=0 how=- colour=1 x", "");
	assert_runs(&command, "--color", 42, "freq=4000 verbose=0 how=- colour=1", "");
	assert_runs(&command, "--no-color", 42, "freq=4000 verbose=0 how=- colour=0", "");

	_cleanup_(result_done) struct result r;

	run_line(&command, "--color=never", COLOUR_ALWAYS, &r);
	assert_string_equal(captured_text(&r.out), "freq=4000 verbose=0 how=- colour=0");
}

static void an_abbreviation_means_the_commands_own_option(void **state)
{
	(void)state;
	assert_runs(&command, "--col=2", 42, "freq=4000 verbose=0 how=2 colour=0", "");
}

static void help_goes_to_the_output_with_the_status_of_perf(void **state)
{
	(void)state;
	assert_runs(&command, "-h", EXIT_USAGE,
		    "\n Usage: perf x [<options>]\n\n"
		    "    -F, --freq <n>        a frequency\n"
		    "    -v, --verbose         print more\n"
		    "        --column <x>      begins as --color does\n"
		    "\n Every command:\n"
		    "        --color[=<auto|always|never>]\n"
		    "                          use colours: on a terminal, always, or never\n\n",
		    "");
	assert_runs(&command, "-h freq", EXIT_USAGE,
		    "\n Usage: perf x [<options>]\n\n    -F, --freq <n>        a frequency\n\n",
		    "");
}

static void options_are_listed_for_completion_and_the_manual(void **state)
{
	(void)state;
	assert_runs(&command, "--list-opts", EXIT_OK, "--freq --verbose --column --color \n", "");
	assert_runs(&command, "--dump-opts", EXIT_OK,
		    "command\tperf-x\tdoes things\n"
		    "usage\tperf x [<options>]\n"
		    "option\t--freq\t-F, --freq <n>\ta frequency\t\t\n"
		    "option\t--verbose\t-v, --verbose\tprint more\t\t\n"
		    "option\t--column\t--column <x>\tbegins as --color does\t\t\n"
		    "heading\tEvery command:\n"
		    "option\t--color\t--color[=<auto|always|never>]\tuse colours: on a terminal, "
		    "always, or never\t\t\n",
		    "");
}

static void a_command_may_have_no_options(void **state)
{
	const struct command bare = { .name = "bare",
				      .summary = "s",
				      .run = command.run,
				      .defaults = &defaults,
				      .opts_size = sizeof(defaults) };

	(void)state;
	assert_runs(&bare, "", 42, "freq=4000 verbose=0 how=- colour=0", "");
	assert_runs(&bare, "--list-opts", EXIT_OK, "--color \n", "");
}

static int released;

static void release(void *opts)
{
	assert_int_equal(((struct opts *)opts)->freq, 7);
	released++;
}

static void what_options_own_is_released_on_every_way_out(void **state)
{
	struct command owning = command;

	(void)state;
	owning.done = release;
	released = 0;
	assert_runs(&owning, "-F7 fail", EXIT_FAILED, "", "perf x: it broke\n");
	assert_runs(&owning, "-F7 --list-opts", EXIT_OK, "--freq --verbose --column --color \n",
		    "");
	assert_int_equal(released, 2);
}

static void output_that_cannot_be_written_is_a_failure(void **state)
{
	static const struct config config = { 0 };
	_cleanup_(captured_done) struct captured err;
	_cleanup_(fclosep) FILE *full = fopen("/dev/full", "w");
	char *argv[] = { NULL };

	(void)state;
	captured_init(&err);
	assert_int_equal(
		command_run(&command, argv,
			    &(struct settings){ .config = &config, .out = full, .err = err.file }),
		EXIT_FAILED);
	assert_string_equal(captured_text(&err),
			    "perf x: cannot write the output: No space left on device\n");
}

static void commands_are_found_by_their_whole_name(void **state)
{
	const struct command *const commands[] = { &command, NULL };

	(void)state;
	assert_ptr_equal(command_find(commands, "x"), &command);
	assert_null(command_find(commands, "xx"));
	assert_null(command_find(commands, ""));
}

static void messages_do_not_stand_in_the_middle_of_a_row(void **state)
{
	static const struct command c = { .name = "x" };
	FILE *out = tmpfile(), *err = fdopen(dup(fileno(out)), "w");
	const struct settings s = { .out = out, .err = err };
	const struct invocation inv = { .command = &c, .settings = &s, .out = out, .err = err };
	char text[80] = "";

	(void)state;
	setvbuf(err, NULL, _IONBF, 0);
	fputs("half a row, ", out);
	fputs("and the rest\n", out);
	command_failf(&inv, "message");
	fputs("second row\n", out);
	fputs("direct\n", command_err(&inv));
	rewind(out);
	assert_true(fread(text, 1, sizeof(text) - 1, out) > 0);
	assert_string_equal(text,
			    "half a row, and the rest\nperf x: message\nsecond row\ndirect\n");
	fclose(err);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_gets_its_options_and_gives_the_status),
		cmocka_unit_test(mistakes_are_told_with_the_name_of_the_command),
		cmocka_unit_test(failures_and_warnings_among_notes_have_the_name_of_the_command),
		cmocka_unit_test(whoever_types_an_option_without_effect_is_told),
		cmocka_unit_test(a_variable_stands_between_the_default_and_the_option),
		cmocka_unit_test(a_wrong_variable_runs_nothing_but_the_help),
		cmocka_unit_test(a_wrong_option_runs_nothing),
		cmocka_unit_test(every_command_has_colour_without_naming_it),
		cmocka_unit_test(an_abbreviation_means_the_commands_own_option),
		cmocka_unit_test(help_goes_to_the_output_with_the_status_of_perf),
		cmocka_unit_test(options_are_listed_for_completion_and_the_manual),
		cmocka_unit_test(a_command_may_have_no_options),
		cmocka_unit_test(what_options_own_is_released_on_every_way_out),
		cmocka_unit_test(output_that_cannot_be_written_is_a_failure),
		cmocka_unit_test(commands_are_found_by_their_whole_name),
		cmocka_unit_test(messages_do_not_stand_in_the_middle_of_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
