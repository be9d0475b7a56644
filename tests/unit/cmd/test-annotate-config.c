/* SPDX-License-Identifier: MIT */
#include "cmd/lines.h"

#include "cli/config.h"
#include "cmd/annotate-job.h"
#include "cmd/annotate-opts.h"

extern const struct command cmd_annotate;

static struct annotate_opts configured(const char *text, char **words)
{
	_cleanup_(config_done) struct config c = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct annotate_opts o = { 0 };

	assert_int_equal(parse_words(cmd_annotate.options, &o, words, OPTION_STOP_NEVER), 0);
	assert_int_equal(config_parse(&c, text, strlen(text), "test", &diag), 0);
	assert_int_equal(annotate_config_apply(&c, &o, &diag), 0);
	return o;
}

#define OPTS(text, ...)                                                                            \
	configured("[annotate]\n" text, (char *[]){ "--stdio", ##__VA_ARGS__, NULL })

static void demangling_typed_beats_a_configured_one(void **state)
{
	(void)state;
	assert_int_equal(OPTS("demangle_kernel=true\n").symbols.demangle_kernel, CHOICE_YES);
	assert_int_equal(
		OPTS("demangle_kernel=false\n", "--demangle-kernel").symbols.demangle_kernel,
		CHOICE_YES);
	assert_int_equal(
		OPTS("demangle_kernel=true\n", "--no-demangle-kernel").symbols.demangle_kernel,
		CHOICE_NO);
	assert_int_equal(OPTS("demangle=false\n", "--demangle").symbols.demangle, CHOICE_YES);
}

static void a_figure_typed_beats_a_configured_one(void **state)
{
	struct annotate_opts o = OPTS("show_total_period=true\n", "-n");

	(void)state;
	assert_int_equal(o.show_nr_samples, CHOICE_YES);
	assert_int_equal(o.show_total_period, CHOICE_UNSAID);
	o = OPTS("show_nr_samples=true\n", "--show-total-period");
	assert_int_equal(o.show_total_period, CHOICE_YES);
	assert_int_equal(o.show_nr_samples, CHOICE_UNSAID);
	o = OPTS("show_nr_samples=true\n");
	assert_int_equal(o.show_nr_samples, CHOICE_YES);
	o = OPTS("show_nr_samples=true\n", "--no-show-nr-samples");
	assert_int_equal(o.show_nr_samples, CHOICE_NO);
}

static void a_style_typed_beats_a_configured_one(void **state)
{
	(void)state;
	assert_string_equal(OPTS("disassembler_style=att\n", "-M", "intel").style, "intel");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(demangling_typed_beats_a_configured_one),
		cmocka_unit_test(a_figure_typed_beats_a_configured_one),
		cmocka_unit_test(a_style_typed_beats_a_configured_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
