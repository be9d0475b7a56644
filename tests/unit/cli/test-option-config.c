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
#include "cli/config.h"
#include "cli/option.h"

struct inner {
	bool colour;
};

struct opts {
	bool children, hidden;
	uint64_t limit;
	const char *style;
	const char *word;
	int group; /* 1: yes, -1: no */
	enum choice empty;
	struct inner inner;
};

/* "graph" or "flat". */
static int word_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	if (!negated && strcmp(value, "graph") && strcmp(value, "flat"))
		return diag_set(diag, -EINVAL, "--%s: '%s' is no tree", o->name, value);
	*(const char **)field = negated ? NULL : value;
	return 0;
}

static int hinting_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	(void)field, (void)o, (void)value, (void)negated;
	diag_set(diag, -EINVAL, "never right");
	diag_hint(diag, "Leave it out.");
	return -EINVAL;
}

static int group_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	(void)o, (void)value, (void)diag;
	*(int *)field = negated ? -1 : 1;
	return 0;
}

static const struct option inner_options[] = {
	OPT_FLAG(0, "colour", struct inner, colour, "colours", .config = "ui.colour"),
	OPT_END,
};

static const struct option table[] = {
	OPT_HEADING("All:"),
	OPT_FLAG('c', "children", struct opts, children, "with children",
		 .config = "report.children"),
	OPT_UINT(0, "limit", struct opts, limit, "n", "at most", .config = "report.limit"),
	OPT_STRING('M', "style", struct opts, style, "style", "a style", .config = "x.style"),
	OPT_CALL('w', "word", struct opts, word, "graph|flat", "a word", .set = word_set,
		 .config = "x.word"),
	OPT_CALL(0, "never", struct opts, word, "word", "a word", .set = hinting_set,
		 .config = "x.never"),
	OPT_CALL('g', "group", struct opts, group, NULL, "groups", .set = group_set,
		 .flags = OPTION_NO_VALUE, .config = "report.group"),
	OPT_CHOICE(0, "empty", struct opts, empty, "empty rows", .config = "report.empty"),
	OPT_FLAG(0, NULL, struct opts, hidden, "no lines", .config = "annotate.hide"),
	OPT_SET(struct opts, inner, inner_options),
	OPT_END,
};

/* Returns the options that @words give after the configuration @text, whose texts stay in @c. */
static struct opts configured(struct config *c, const char *text, char **words)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct opts o = { .limit = 5 };
	struct option_line line;

	assert_int_equal(config_parse(c, text, strlen(text), "f", &d), 0);
	assert_int_equal(option_configure(table, &o, c, &d), 0);
	assert_int_equal(option_parse(table, &o, words, OPTION_STOP_NEVER, &line, &d), 0);
	return o;
}

#define OPTS(name, text, ...)                                                                      \
	_cleanup_(config_done) struct config name##_config = { 0 };                                \
	struct opts name = configured(&name##_config, text, (char *[]){ __VA_ARGS__, NULL })

static void variables_fill_in_the_fields_of_their_rows(void **state)
{
	OPTS(o,
	     "[report]\nchildren=true\nlimit=7\ngroup=no\nempty=no\n[x]\nstyle=intel\nword=flat\n"
	     "[annotate]\nhide=yes\n[ui]\ncolour=on\n",
	     "--");

	(void)state;
	assert_true(o.children);
	assert_int_equal(o.limit, 7);
	assert_int_equal(o.group, -1);
	assert_int_equal(o.empty, CHOICE_NO);
	assert_string_equal(o.style, "intel");
	assert_string_equal(o.word, "flat");
	assert_true(o.hidden);
	assert_true(o.inner.colour);
}

static void what_is_not_configured_stays(void **state)
{
	OPTS(o, "[report]\nother=1\n", "--");

	(void)state;
	assert_int_equal(o.limit, 5);
	assert_int_equal(o.group, 0);
	assert_null(o.style);
}

static void what_is_typed_beats_what_is_configured(void **state)
{
	OPTS(o, "[report]\nchildren=true\nlimit=7\ngroup=true\n[x]\nstyle=intel\nword=flat\n",
	     "--no-children", "--limit=0", "--no-group", "-Matt", "--no-word");

	(void)state;
	assert_false(o.children);
	assert_int_equal(o.limit, 0);
	assert_int_equal(o.group, -1);
	assert_string_equal(o.style, "att");
	assert_null(o.word);
}

static void assert_refused(const char *text, const char *message, const char *hint)
{
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	struct opts o = { 0 };

	assert_int_equal(config_parse(&c, text, strlen(text), "f", &d), 0);
	assert_int_equal(option_configure(table, &o, &c, &d), -EINVAL);
	assert_string_equal(d.message, message);
	if (hint)
		assert_string_equal(d.hint, hint);
	else
		assert_null(d.hint);
}

static void a_wrong_value_names_its_file_and_line(void **state)
{
	(void)state;
	assert_refused("[report]\nchildren=some\n",
		       "f:2: report.children is true or false, not 'some'", NULL);
	assert_refused("[report]\n\ngroup=7\n", "f:3: report.group is true or false, not '7'",
		       NULL);
	assert_refused("[report]\nlimit=all\n", "f:2: report.limit is a number, not 'all'", NULL);
}

static void what_a_setter_refuses_is_explained_as_it_does(void **state)
{
	(void)state;
	assert_refused("[x]\nword=tree\n", "f:2: 'tree' is not a value for x.word",
		       "--word: 'tree' is no tree");
	assert_refused("[x]\nnever=1\n", "f:2: '1' is not a value for x.never", "Leave it out.");
}

static void a_variable_alone_is_no_option(void **state)
{
	_cleanup_(captured_done) struct captured help, names;

	(void)state;
	captured_init(&help);
	captured_init(&names);
	option_print_help(table, NULL, 0, help.file);
	assert_null(strstr(captured_text(&help), "no lines"));
	option_print_names(table, names.file);
	assert_string_equal(captured_text(&names),
			    "--children --limit --style --word --never --group --empty --colour ");
}

static void the_manual_is_told_of_variables(void **state)
{
	_cleanup_(captured_done) struct captured dump;

	(void)state;
	captured_init(&dump);
	option_print_dump(table, dump.file);
	assert_non_null(
		strstr(captured_text(&dump), "\twith children\t\treport.children\noption\t"));
	assert_non_null(strstr(captured_text(&dump), "\nvariable\tannotate.hide\tno lines\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(variables_fill_in_the_fields_of_their_rows),
		cmocka_unit_test(what_is_not_configured_stays),
		cmocka_unit_test(what_is_typed_beats_what_is_configured),
		cmocka_unit_test(a_wrong_value_names_its_file_and_line),
		cmocka_unit_test(what_a_setter_refuses_is_explained_as_it_does),
		cmocka_unit_test(a_variable_alone_is_no_option),
		cmocka_unit_test(the_manual_is_told_of_variables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
