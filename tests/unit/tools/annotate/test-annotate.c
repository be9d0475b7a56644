/* SPDX-License-Identifier: MIT */
#include "options/lines.h"

#include "tools/annotate/opts.h"

extern const struct command cmd_annotate;

#define OPTS(name, text, ...)                                                                      \
	_cleanup_(config_done) struct config name##_config = { 0 };                                \
	struct annotate_opts name;                                                                 \
	parse_configured(&cmd_annotate, &name##_config, "[annotate]\n" text, &name,                \
			 (char *[]){ "--stdio", ##__VA_ARGS__, NULL })

static void demangling_typed_beats_a_configured_one(void **state)
{
	OPTS(configured, "demangle_kernel=true\n");
	OPTS(yes, "demangle_kernel=false\ndemangle=false\n", "--demangle-kernel", "--demangle");
	OPTS(no, "demangle_kernel=true\n", "--no-demangle-kernel");

	(void)state;
	assert_int_equal(configured.rq.symbols.demangle_kernel, CHOICE_YES);
	assert_int_equal(yes.rq.symbols.demangle_kernel, CHOICE_YES);
	assert_int_equal(yes.rq.symbols.demangle, CHOICE_YES);
	assert_int_equal(no.rq.symbols.demangle_kernel, CHOICE_NO);
}

static void a_figure_typed_beats_a_configured_one(void **state)
{
	OPTS(samples, "show_total_period=true\n", "-n");
	OPTS(period, "show_nr_samples=true\n", "--show-total-period");
	OPTS(configured, "show_nr_samples=true\n");
	OPTS(none, "show_nr_samples=true\n", "--no-show-nr-samples");

	(void)state;
	assert_int_equal(samples.figure, ANNOTATE_SAMPLES);
	assert_int_equal(period.figure, ANNOTATE_PERIOD);
	assert_int_equal(configured.figure, ANNOTATE_SAMPLES);
	assert_int_equal(none.figure, ANNOTATE_PERCENT);
}

static void a_style_typed_beats_a_configured_one(void **state)
{
	OPTS(configured, "disassembler_style=att\n");
	OPTS(typed, "disassembler_style=att\n", "-M", "intel");

	(void)state;
	assert_string_equal(configured.rq.style, "att");
	assert_string_equal(typed.rq.style, "intel");
}

static void the_layout_is_configured_alone(void **state)
{
	OPTS(usual, "");
	OPTS(configured, "use_offset=false\noffset_level=3\nshow_linenr=true\n");

	(void)state;
	assert_true(usual.layout.use_offset);
	assert_int_equal(usual.layout.offset_level, 1);
	assert_false(configured.layout.use_offset);
	assert_int_equal(configured.layout.offset_level, 3);
	assert_true(configured.layout.show_line_numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(demangling_typed_beats_a_configured_one),
		cmocka_unit_test(a_figure_typed_beats_a_configured_one),
		cmocka_unit_test(a_style_typed_beats_a_configured_one),
		cmocka_unit_test(the_layout_is_configured_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
