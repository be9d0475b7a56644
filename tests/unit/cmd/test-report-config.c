/* SPDX-License-Identifier: MIT */
#include "cmd/lines.h"

#include "cli/config.h"
#include "cmd/report-config.h"
#include "cmd/report-opts.h"

extern const struct command cmd_report;

/* The options of @words with the configuration @text applied; the caller frees them. */
static struct report_opts *configured(const char *text, char **words)
{
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct report_opts *o = xcalloc(1, sizeof(*o));

	assert_int_equal(parse_words(cmd_report.options, o, words, OPTION_STOP_NEVER), 0);
	assert_int_equal(config_parse(&c, text, strlen(text), "test", &diag), 0);
	assert_int_equal(report_config_apply(&c, o, &diag), 0);
	return o;
}

static struct report_opts *opts_free(struct report_opts *o)
{
	cmd_report.done(o);
	free(o);
	return NULL;
}

static void opts_freep(struct report_opts **o)
{
	opts_free(*o);
}

#define OPTS(name, text, ...)                                                                      \
	_cleanup_(opts_freep) struct report_opts *name =                                           \
		configured(text, (char *[]){ "--stdio", ##__VA_ARGS__, NULL })

static void no_limit_typed_beats_a_configured_one(void **state)
{
	OPTS(unsaid, "[report]\n\tpercent-limit = 3\n");
	OPTS(typed, "[report]\n\tpercent-limit = 3\n", "--percent-limit", "0");

	(void)state;
	assert_true(unsaid->calltree.layout.row_limit == 3);
	assert_true(typed->calltree.layout.row_limit == 0);
	assert_true(typed->calltree.layout.threshold == 0);
}

static void the_words_of_g_beat_configured_ones(void **state)
{
	static const char text[] = "[call-graph]\n\tsort-key = address\n\tprint-limit = 7\n"
				   "\tthreshold = 9\n\torder = callee\n\tprint-type = fractal\n";
	OPTS(unsaid, text);
	OPTS(typed, text, "-g", "graph,0,0,caller,function");

	(void)state;
	assert_int_equal(unsaid->calltree.layout.key, CALLTREE_KEY_ADDRESS);
	assert_int_equal(unsaid->calltree.layout.limit, 7);
	assert_int_equal(typed->calltree.layout.key, CALLTREE_KEY_FUNCTION);
	assert_int_equal(typed->calltree.layout.limit, 0);
	assert_true(typed->calltree.layout.threshold == 0);
	assert_int_equal(typed->calltree.layout.order, CALLTREE_ORDER_CALLER);
	assert_int_equal(typed->calltree.layout.print, CALLTREE_PRINT_GRAPH);
}

static void flags_typed_beat_configured_ones(void **state)
{
	static const char text[] =
		"[report]\n\tchildren = true\n\tgroup = false\n\tsort_order = dso\n"
		"[hist]\n\tpercentage = absolute\n";
	OPTS(typed, text, "--no-children", "--group", "-s", "comm", "--percentage", "relative");

	(void)state;
	assert_int_equal(typed->calltree.children, CHOICE_NO);
	assert_int_equal(typed->group, CHOICE_YES);
	assert_string_equal(typed->sort, "comm");
	assert_int_equal(typed->percentage, PERCENTAGE_RELATIVE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_limit_typed_beats_a_configured_one),
		cmocka_unit_test(the_words_of_g_beat_configured_ones),
		cmocka_unit_test(flags_typed_beat_configured_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
