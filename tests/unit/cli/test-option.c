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
#include "cli/option.h"

struct inner {
	bool all;
	const char *cpu;
};

struct opts {
	bool quiet, group, children, no_inherit, stdio;
	enum choice scale;
	unsigned verbose;
	int64_t offset;
	uint64_t freq;
	const char *event, *sep, *graph, *sort, *old, *add, *list;
	struct inner inner;
};

static const struct option inner_options[] = {
	OPT_FLAG('a', "all-cpus", struct inner, all, "all CPUs"),
	OPT_STRING('C', "cpu", struct inner, cpu, "list", "CPUs"),
	OPT_END,
};

static bool is_mode(const char *word)
{
	return !strncmp(word, "dwarf", 5) || !strcmp(word, "fp");
}

/* Sets "max" or a number, as -F takes it. */
static int set_sort(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	if (value && !strcmp(value, "bad"))
		return diag_mark(diag, -EINVAL, value, 1, 2, "--%s cannot sort by that", o->name);
	*(const char **)field = negated ? "-" : value;
	return 0;
}

static const struct option table[] = {
	OPT_FLAG('q', "quiet", struct opts, quiet, "print less", .flags = OPTION_QUIETS),
	OPT_FLAG('G', "group", struct opts, group, "one group", .flags = OPTION_NO_NEGATION),
	OPT_FLAG(0, "children", struct opts, children, "with children"),
	OPT_FLAG('i', "no-inherit", struct opts, no_inherit, "not the children"),
	OPT_FLAG(0, "stdio", struct opts, stdio, "plain text", .flags = OPTION_ONE_DASH),
	OPT_HEADING("More:"),
	OPT_COUNT('v', "verbose", struct opts, verbose, "print more"),
	OPT_INT('o', "offset", struct opts, offset, "n", "an offset"),
	OPT_UINT('F', "freq", struct opts, freq, "hz", "a frequency"),
	OPT_STRING('e', "event", struct opts, event, "event", "an event"),
	OPT_STRING('x', "field-separator", struct opts, sep, "sep", "a separator"),
	OPT_STRING('g', "call-graph", struct opts, graph, "mode", "stacks", .missing = "fp",
		   .takes = is_mode, .flags = OPTION_OPTIONAL),
	OPT_CALL('s', "sort", struct opts, sort, "key", "an order", .set = set_sort),
	OPT_STRING(0, "show-nr-samples", struct opts, old, "x", "with a dash"),
	OPT_STRING('A', "add", struct opts, add, "x", "a job with a value", .missing = "",
		   .takes = is_mode, .flags = OPTION_OPTIONAL | OPTION_EXCLUSIVE | OPTION_LATER),
	OPT_STRING('L', "list", struct opts, list, "x", "another job", .missing = "",
		   .takes = is_mode, .flags = OPTION_OPTIONAL | OPTION_EXCLUSIVE),
	OPT_STRING(0, "secret", struct opts, old, "x", "hidden", .flags = OPTION_HIDDEN),
	OPT_STRING(0, "colour", struct opts, old, "x", "not abbreviated", .flags = OPTION_WHOLE),
	OPT_CHOICE('K', "scale", struct opts, scale, "scaled"),
	OPT_NOTHING('m', "modules", NULL, "modules too", NULL),
	OPT_NOTHING(0, "objdump", "path", "a program", "another does it"),
	OPT_NOTHING('X', "xed", "...", "a program", "there is none", .flags = OPTION_OPTIONAL),
	OPT_SET(struct opts, inner, inner_options),
	OPT_END,
};

/* One command line and its result. Words are separated by blanks; '' stands for an empty one. */
struct run {
	struct opts opts;
	char text[256];
	char *argv[32];
	int result;
	struct option_line line;
	struct diag diag;
};

static void run_done(struct run *r)
{
	diag_done(&r->diag);
}

static void parse_until(struct run *r, const char *line, enum option_stop stop)
{
	size_t n = 0;

	*r = (struct run){ 0 };
	strcpy(r->text, line);
	for (char *word = strtok(r->text, " "); word; word = strtok(NULL, " "))
		r->argv[n++] = !strcmp(word, "''") ? "" : word;
	r->result = option_parse(table, &r->opts, r->argv, stop, &r->line, &r->diag);
}

static void parse(struct run *r, const char *line)
{
	parse_until(r, line, OPTION_STOP_NEVER);
}

#define RUN(r, line)                                                                               \
	_cleanup_(run_done) struct run r;                                                          \
	parse(&r, line)

static void assert_refused(const char *line, const char *message)
{
	RUN(r, line);

	assert_int_equal(r.result, -EINVAL);
	assert_string_equal(r.diag.message, message);
}

static void no_words_change_nothing(void **state)
{
	RUN(r, "");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_int_equal(r.line.argc, 0);
	assert_memory_equal(&r.opts, &(struct opts){ 0 }, sizeof(r.opts));
}

static void letters_may_be_bundled(void **state)
{
	RUN(r, "-qvGv -ai");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_true(r.opts.quiet && r.opts.group && r.opts.inner.all && r.opts.no_inherit);
	assert_int_equal(r.opts.verbose, 2);
}

/* -F99, -C0-3, -x, -x: */
static void letters_may_carry_their_value(void **state)
{
	RUN(r, "-F99 -C0-3 -x,");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_int_equal(r.opts.freq, 99);
	assert_string_equal(r.opts.inner.cpu, "0-3");
	assert_string_equal(r.opts.sep, ",");
}

static void the_last_of_a_bundle_may_carry_a_value(void **state)
{
	RUN(r, "-aqF99 -vs comm");

	(void)state;
	assert_int_equal(r.opts.freq, 99);
	assert_true(r.opts.inner.all && r.opts.quiet);
	assert_int_equal(r.opts.verbose, 1);
	assert_string_equal(r.opts.sort, "comm");
}

static void long_options_take_their_value_both_ways(void **state)
{
	RUN(r, "--event=cycles:k --cpu 1 --freq=0x10 --offset=-5 --field-separator=");

	(void)state;
	assert_string_equal(r.opts.event, "cycles:k");
	assert_string_equal(r.opts.inner.cpu, "1");
	assert_int_equal(r.opts.freq, 16);
	assert_int_equal(r.opts.offset, -5);
	assert_string_equal(r.opts.sep, "");
}

static void a_value_may_look_like_an_option(void **state)
{
	RUN(r, "-e -1 --offset -7 -x --");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_string_equal(r.opts.event, "-1");
	assert_int_equal(r.opts.offset, -7);
	assert_string_equal(r.opts.sep, "--");
}

static void the_last_value_wins(void **state)
{
	RUN(r, "-e a --event b --freq 1 -F 2");

	(void)state;
	assert_string_equal(r.opts.event, "b");
	assert_int_equal(r.opts.freq, 2);
}

static void options_may_follow_other_arguments(void **state)
{
	RUN(r, "sched:* -v - '' --cpu 1 two");

	(void)state;
	assert_int_equal(r.line.argc, 4);
	assert_string_equal(r.argv[0], "sched:*");
	assert_string_equal(r.argv[1], "-");
	assert_string_equal(r.argv[2], "");
	assert_string_equal(r.argv[3], "two");
	assert_null(r.argv[4]);
	assert_int_equal(r.opts.verbose, 1);
	assert_string_equal(r.opts.inner.cpu, "1");
}

static void two_dashes_end_the_options(void **state)
{
	RUN(r, "a -v -- -q --bogus --");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_int_equal(r.line.argc, 4);
	assert_string_equal(r.argv[1], "-q");
	assert_string_equal(r.argv[3], "--");
	assert_false(r.opts.quiet);
}

static void a_workload_keeps_its_own_options(void **state)
{
	_cleanup_(run_done) struct run r;

	(void)state;
	parse_until(&r, "-v sleep -q --bogus -h 1", OPTION_STOP_POSITIONAL);
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_int_equal(r.line.argc, 5);
	assert_string_equal(r.argv[0], "sleep");
	assert_string_equal(r.argv[3], "-h");
	assert_false(r.opts.quiet);

	run_done(&r);
	parse_until(&r, "-v -- -prog -q", OPTION_STOP_POSITIONAL);
	assert_int_equal(r.line.argc, 2);
	assert_string_equal(r.argv[0], "-prog");
}

static void names_may_be_shortened(void **state)
{
	RUN(r, "--verb --ev=x --child --all");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_int_equal(r.opts.verbose, 1);
	assert_string_equal(r.opts.event, "x");
	assert_true(r.opts.children && r.opts.inner.all);
}

static void a_shortened_name_that_fits_two_is_refused(void **state)
{
	(void)state;
	assert_refused("--s", "ambiguous option: s (could be --stdio or --sort)");
	assert_refused("--c=1", "ambiguous option: c (could be --children or --call-graph)");
	assert_refused("--no-c",
		       "ambiguous option: no-c (could be --no-children or --no-call-graph)");
}

static void a_whole_name_is_never_ambiguous(void **state)
{
	RUN(r, "--cpu 1 --sort x");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
}

static void hidden_and_whole_options_are_not_meant_by_a_short_name(void **state)
{
	(void)state;
	assert_refused("--secre x", "unknown option `secre'");
	assert_refused("--colou x", "unknown option `colou'");

	RUN(r, "--secret a");
	assert_string_equal(r.opts.old, "a");
	RUN(s, "--colour b");
	assert_string_equal(s.opts.old, "b");
}

static void no_undoes_an_option(void **state)
{
	RUN(r, "-q --no-quiet -vvv --no-verbose -F 5 --no-freq -e x --no-event --sort=a --no-sort");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_false(r.opts.quiet);
	assert_int_equal(r.opts.verbose, 0);
	assert_int_equal(r.opts.freq, 0);
	assert_null(r.opts.event);
	assert_string_equal(r.opts.sort, "-");
}

static void an_option_called_no_is_undone_without_it(void **state)
{
	RUN(r, "-i --inherit");
	RUN(s, "--no-inherit");
	RUN(t, "-i --inh");

	(void)state;
	assert_false(r.opts.no_inherit);
	assert_true(s.opts.no_inherit);
	assert_int_equal(t.result, OPTION_RESULT_OK);
	assert_false(t.opts.no_inherit);
}

static void what_says_it_plainly_goes_before_what_undoes(void **state)
{
	static const struct option two[] = {
		OPT_FLAG(0, "no-samples", struct opts, quiet, "none"),
		OPT_FLAG(0, "sample-cpu", struct opts, group, "with CPU"),
		OPT_END,
	};
	char *argv[] = { "--samp", NULL };
	_cleanup_(diag_done) struct diag d = { 0 };
	struct option_line line;
	struct opts o = { 0 };

	(void)state;
	assert_int_equal(option_parse(two, &o, argv, OPTION_STOP_NEVER, &line, &d), 0);
	assert_true(o.group);
}

static void some_options_cannot_be_undone(void **state)
{
	(void)state;
	assert_refused("--no-group", "unknown option `no-group'");
}

static void an_underscore_is_a_dash(void **state)
{
	RUN(r, "--show_nr_samples=1 --no_quiet --all_cpus");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_string_equal(r.opts.old, "1");
	assert_true(r.opts.inner.all);
}

static void the_old_spelling_with_one_dash_is_understood(void **state)
{
	RUN(r, "-stdio");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_true(r.opts.stdio);
	assert_null(r.opts.sort);
}

static void what_is_undone_is_not_suggested_as_done(void **state)
{
	RUN(r, "--no-childern");
	RUN(s, "--childern");

	(void)state;
	assert_string_equal(r.diag.hint, "Did you mean --no-children?");
	assert_string_equal(s.diag.hint, "Did you mean --children?");
}

static void one_dash_is_for_letters_otherwise(void **state)
{
	RUN(r, "-quiet");
	RUN(s, "-children");

	(void)state;
	assert_string_equal(r.diag.message, "unknown switch `u'");
	assert_null(r.diag.hint);
	assert_string_equal(s.diag.message, "unknown switch `c'");
	assert_string_equal(s.diag.hint, "Did you mean --children?");
}

static void an_optional_value_is_taken_only_if_it_is_one(void **state)
{
	RUN(dwarf, "-g dwarf,4096 cmd");
	RUN(none, "-g sleep");
	RUN(last, "-g");
	RUN(attached, "-gdwarf");
	RUN(equals, "--call-graph=lbr");
	RUN(next, "--call-graph dwarf");

	(void)state;
	assert_string_equal(dwarf.opts.graph, "dwarf,4096");
	assert_int_equal(dwarf.line.argc, 1);
	assert_string_equal(none.opts.graph, "fp");
	assert_string_equal(none.argv[0], "sleep");
	assert_string_equal(last.opts.graph, "fp");
	assert_string_equal(attached.opts.graph, "dwarf");
	assert_string_equal(equals.opts.graph, "lbr");
	assert_string_equal(next.opts.graph, "dwarf");
}

/* -ga is -g -a, because -g has no mode called "a". */
static void letters_may_follow_an_optional_value_that_is_not_there(void **state)
{
	RUN(r, "-gaF99");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_string_equal(r.opts.graph, "fp");
	assert_true(r.opts.inner.all);
	assert_int_equal(r.opts.freq, 99);
}

static void unknown_options_are_refused_with_the_nearest_names(void **state)
{
	RUN(r, "--verbsoe");

	(void)state;
	assert_string_equal(r.diag.message, "unknown option `verbsoe'");
	assert_string_equal(r.diag.hint, "Did you mean --verbose?");
	assert_null(r.line.about);
	assert_refused("--bogus=1", "unknown option `bogus'");
	assert_refused("--=1", "unknown option `'");
	assert_refused("-qZ", "unknown switch `Z'");
	assert_refused("-\xc3\xbc", "unknown switch '\\xc3'");
}

static void a_missing_value_names_the_option(void **state)
{
	RUN(r, "-F");

	(void)state;
	assert_string_equal(r.diag.message, "switch `F' requires a value");
	assert_string_equal(r.line.about->name, "freq");
	assert_refused("--event", "option `event' requires a value");
	assert_refused("-qe", "switch `e' requires a value");
}

static void a_value_that_may_come_later_has_to_come(void **state)
{
	RUN(r, "-A -q word");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_refused("-A", "switch `A' requires a value");
	assert_refused("-q --add -v", "option `add' requires a value");
}

static void exclusive_options_are_named_as_they_were_typed(void **state)
{
	RUN(r, "-A fp -A dwarf");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_refused("-A fp -L", "switch `L' cannot be used with switch `A'");
	assert_refused("--list --add fp", "option `add' cannot be used with list");
	assert_refused("--list -A fp", "switch `A' cannot be used with switch `L'");
	assert_refused("-L --add fp", "option `add' cannot be used with list");
}

static void a_value_that_is_no_number_is_refused(void **state)
{
	(void)state;
	assert_refused("-F abc", "switch `F' expects a numerical value from 0 up, not 'abc'");
	assert_refused("-F -1", "switch `F' expects a numerical value from 0 up, not '-1'");
	assert_refused("--freq=", "option `freq' expects a numerical value from 0 up, not ''");
	assert_refused("-F18446744073709551616", "switch `F' expects a numerical value from 0 up, "
						 "not '18446744073709551616' (too large)");
	assert_refused("-o x", "switch `o' expects a numerical value, not 'x'");
}

static void a_value_for_an_option_without_one_is_refused(void **state)
{
	(void)state;
	assert_refused("--quiet=1", "option `quiet' takes no value");
	assert_refused("--no-event=x", "option `no-event' takes no value");
}

static void an_option_of_its_own_may_refuse_its_value(void **state)
{
	RUN(r, "--sort bad");

	(void)state;
	assert_int_equal(r.result, -EINVAL);
	assert_string_equal(r.diag.excerpt, "bad");
	assert_int_equal(r.diag.offset, 1);
	assert_string_equal(r.line.about->name, "sort");
}

static void help_takes_everything_that_follows_as_words(void **state)
{
	RUN(r, "-v one -h --freq bogus");
	RUN(s, "-vh");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_HELP);
	assert_int_equal(r.line.argc, 3);
	assert_string_equal(r.argv[1], "--freq");
	assert_int_equal(s.result, OPTION_RESULT_HELP);
}

static void common_words_are_answered(void **state)
{
	RUN(manual, "--help");
	RUN(list, "--list-opts");
	RUN(dump, "--dump-opts");

	(void)state;
	assert_int_equal(manual.result, OPTION_RESULT_MANUAL);
	assert_int_equal(list.result, OPTION_RESULT_LIST_OPTS);
	assert_int_equal(dump.result, OPTION_RESULT_DUMP_OPTS);
}

static void a_letter_h_of_the_command_is_not_help(void **state)
{
	static const struct option own[] = {
		OPT_FLAG('h', "human", struct opts, quiet, "readable"),
		OPT_END,
	};
	char *argv[] = { "-h", NULL };
	_cleanup_(diag_done) struct diag d = { 0 };
	struct option_line line;
	struct opts o = { 0 };

	(void)state;
	assert_int_equal(option_parse(own, &o, argv, OPTION_STOP_NEVER, &line, &d), 0);
	assert_true(o.quiet);
}

static void count_options(const struct option *o, void *arg)
{
	int *counts = arg;

	counts[o->kind == OPTION_HEADING]++;
}

static void every_option_is_visited_with_its_sets(void **state)
{
	int counts[2] = { 0 };

	(void)state;
	option_for_each(table, count_options, counts);
	assert_int_equal(counts[0], 23);
	assert_int_equal(counts[1], 1);
	assert_string_equal(option_find(table, "all_cpus")->name, "all-cpus");
	assert_null(option_find(table, "all"));
	assert_null(option_find(table, ""));
}

static void a_choice_is_yes_no_or_unsaid(void **state)
{
	RUN(unsaid, "-v");
	RUN(yes, "-K");
	RUN(no, "-K --no-scale");

	(void)state;
	assert_int_equal(unsaid.opts.scale, CHOICE_UNSAID);
	assert_int_equal(yes.opts.scale, CHOICE_YES);
	assert_int_equal(no.opts.scale, CHOICE_NO);
	assert_refused("--scale=1", "option `scale' takes no value");
}

static void an_option_without_effect_is_listed_once(void **state)
{
	RUN(r, "--objdump=x --xed --objdump y");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_int_equal(r.line.argc, 0);
	assert_int_equal(r.line.n_ignored, 2);
	assert_string_equal(r.line.ignored[0]->name, "objdump");
	assert_string_equal(r.line.ignored[1]->name, "xed");
	assert_memory_equal(&r.opts, &(struct opts){ 0 }, sizeof(r.opts));
}

static void an_option_without_effect_has_the_value_of_any_other(void **state)
{
	(void)state;
	assert_refused("--objdump", "option `objdump' requires a value");
	assert_refused("--modules=1", "option `modules' takes no value");
}

static void what_is_always_done_or_undone_is_not_listed(void **state)
{
	RUN(r, "-m --no-objdump --no-xed word");

	(void)state;
	assert_int_equal(r.result, OPTION_RESULT_OK);
	assert_int_equal(r.line.argc, 1);
	assert_int_equal(r.line.n_ignored, 0);
}

static void quiet_is_known_wherever_it_stands(void **state)
{
	RUN(before, "-q --xed");
	RUN(behind, "--xed -q");
	RUN(undone, "-q --no-quiet");

	(void)state;
	assert_true(before.line.quiet);
	assert_true(behind.line.quiet);
	assert_false(undone.line.quiet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_choice_is_yes_no_or_unsaid),
		cmocka_unit_test(an_option_without_effect_is_listed_once),
		cmocka_unit_test(an_option_without_effect_has_the_value_of_any_other),
		cmocka_unit_test(what_is_always_done_or_undone_is_not_listed),
		cmocka_unit_test(quiet_is_known_wherever_it_stands),
		cmocka_unit_test(no_words_change_nothing),
		cmocka_unit_test(letters_may_be_bundled),
		cmocka_unit_test(letters_may_carry_their_value),
		cmocka_unit_test(the_last_of_a_bundle_may_carry_a_value),
		cmocka_unit_test(long_options_take_their_value_both_ways),
		cmocka_unit_test(a_value_may_look_like_an_option),
		cmocka_unit_test(the_last_value_wins),
		cmocka_unit_test(options_may_follow_other_arguments),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(a_workload_keeps_its_own_options),
		cmocka_unit_test(names_may_be_shortened),
		cmocka_unit_test(a_shortened_name_that_fits_two_is_refused),
		cmocka_unit_test(a_whole_name_is_never_ambiguous),
		cmocka_unit_test(hidden_and_whole_options_are_not_meant_by_a_short_name),
		cmocka_unit_test(no_undoes_an_option),
		cmocka_unit_test(an_option_called_no_is_undone_without_it),
		cmocka_unit_test(what_says_it_plainly_goes_before_what_undoes),
		cmocka_unit_test(some_options_cannot_be_undone),
		cmocka_unit_test(an_underscore_is_a_dash),
		cmocka_unit_test(the_old_spelling_with_one_dash_is_understood),
		cmocka_unit_test(what_is_undone_is_not_suggested_as_done),
		cmocka_unit_test(one_dash_is_for_letters_otherwise),
		cmocka_unit_test(an_optional_value_is_taken_only_if_it_is_one),
		cmocka_unit_test(letters_may_follow_an_optional_value_that_is_not_there),
		cmocka_unit_test(unknown_options_are_refused_with_the_nearest_names),
		cmocka_unit_test(a_missing_value_names_the_option),
		cmocka_unit_test(a_value_that_may_come_later_has_to_come),
		cmocka_unit_test(exclusive_options_are_named_as_they_were_typed),
		cmocka_unit_test(a_value_that_is_no_number_is_refused),
		cmocka_unit_test(a_value_for_an_option_without_one_is_refused),
		cmocka_unit_test(an_option_of_its_own_may_refuse_its_value),
		cmocka_unit_test(help_takes_everything_that_follows_as_words),
		cmocka_unit_test(common_words_are_answered),
		cmocka_unit_test(a_letter_h_of_the_command_is_not_help),
		cmocka_unit_test(every_option_is_visited_with_its_sets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
