/* SPDX-License-Identifier: MIT */
#include "benches.h"

static void figures_keep_their_order_and_have_names_of_their_own(void **state)
{
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	char name[] = "first";

	(void)state;
	bench_figure_add(&r, name, "s", BENCH_LESS, 1.5);
	name[0] = 'x';
	bench_figure_add(&r, "second", "B", BENCH_MORE, 2.5);
	bench_figure_add(&r, "first", "ms", BENCH_MORE, 3.5);
	assert_int_equal(r.n, 3);
	assert_figure(&r.items[0], "first", "s", BENCH_LESS, false);
	assert_figure(&r.items[1], "second", "B", BENCH_MORE, false);
	assert_true(r.items[0].value == 1.5 && r.items[1].value == 2.5 && r.items[2].value == 3.5);
	/* The first figure of that name is found. */
	assert_ptr_equal(bench_figure_find(&r, "first"), &r.items[0]);
	assert_ptr_equal(bench_figure_find(&r, "second"), &r.items[1]);
	assert_null(bench_figure_find(&r, "third"));
	assert_null(bench_figure_find(&r, ""));
}

static void operations_have_three_figures(void **state)
{
	_cleanup_(bench_result_done) struct bench_result r = { .layout = BENCH_LAYOUT_OPS };

	(void)state;
	bench_figures_of_ops(&r, 2, 8);
	assert_int_equal(r.n, 3);
	assert_figures_of_ops(&r, 8);
	assert_true(r.seconds == 2);
	assert_true(r.items[0].value == 250000);
	assert_true(r.items[1].value == 2);
	assert_true(r.items[2].value == 4);
}

static void in_no_time_nothing_is_done_each_second(void **state)
{
	_cleanup_(bench_result_done) struct bench_result r = { 0 };

	(void)state;
	bench_figures_of_ops(&r, 0, 8);
	assert_int_equal(r.n, 2);
	assert_string_equal(r.items[0].name, "usecs/op");
	assert_string_equal(r.items[1].name, "time");
	assert_false(r.items[0].derived);
	assert_true(r.items[1].derived);
}

static void lines_say_what_they_are(void **state)
{
	_cleanup_(bench_result_done) struct bench_result r = { 0 };
	struct moments m = { 0 };
	char label[] = "count";

	(void)state;
	moments_add(&m, 1);
	moments_add(&m, 3);
	bench_line_text(&r, "text");
	bench_line_count(&r, label, 7, " things");
	label[0] = 'x';
	bench_line_value(&r, "value", 1.25, "ms");
	bench_line_mean(&r, "mean", &m, "usec", 2);
	assert_int_equal(r.layout, BENCH_LAYOUT_LINES);
	assert_int_equal(r.lines.n, 4);
	assert_int_equal(r.lines.shown, 0);
	assert_int_equal(r.n, 0);
	assert_int_equal(r.lines.items[0].kind, BENCH_LINE_TEXT);
	assert_string_equal(r.lines.items[0].label, "text");
	assert_string_equal(r.lines.items[0].unit, "");
	assert_int_equal(r.lines.items[1].kind, BENCH_LINE_COUNT);
	assert_string_equal(r.lines.items[1].label, "count");
	assert_true(r.lines.items[1].value == 7);
	assert_string_equal(r.lines.items[1].unit, " things");
	assert_int_equal(r.lines.items[2].kind, BENCH_LINE_VALUE);
	assert_true(r.lines.items[2].value == 1.25);
	assert_string_equal(r.lines.items[2].unit, "ms");
	assert_int_equal(r.lines.items[2].decimals, 3);
	assert_int_equal(r.lines.items[3].kind, BENCH_LINE_MEAN);
	assert_true(r.lines.items[3].value == 2);
	/* sqrt(2 / 2) */
	assert_true(r.lines.items[3].error == 1);
	assert_string_equal(r.lines.items[3].unit, "usec");
	assert_int_equal(r.lines.items[3].decimals, 2);
}

static void hear(void *arg, struct bench_result *r)
{
	*(size_t *)arg += r->lines.n;
}

static void those_who_listen_are_told_of_lines(void **state)
{
	size_t heard = 0;
	_cleanup_(bench_result_done) struct bench_result r = { .on_lines = hear, .arg = &heard };
	_cleanup_(bench_result_done) struct bench_result silent = { 0 };

	(void)state;
	bench_line_text(&r, "a");
	assert_int_equal(heard, 0);
	bench_lines_ready(&r);
	assert_int_equal(heard, 1);
	bench_line_text(&silent, "a");
	bench_lines_ready(&silent);
	assert_int_equal(heard, 1);
}

/* Releases a result of each layout; ASAN checks that its parts are freed once. */
static void every_layout_can_be_released(void **state)
{
	(void)state;
	for (int layout = BENCH_LAYOUT_NONE; layout <= BENCH_LAYOUT_NUMA; layout++) {
		struct bench_result r = { 0 };

		bench_figure_add(&r, "a", "s", BENCH_LESS, 1);
		if (layout == BENCH_LAYOUT_LINES)
			bench_line_text(&r, "a");
		r.layout = (enum bench_layout)layout;
		if (layout == BENCH_LAYOUT_MEM) {
			r.mem.size = xstrdup("1MB");
			ARRAY_ADD(&r.mem)->function = "f";
		} else if (layout == BENCH_LAYOUT_RATES) {
			ARRAY_ADD(&r.rates)->ops = 1;
		} else if (layout == BENCH_LAYOUT_RUNS) {
			ARRAY_ADD(&r.runs)->ms = 1;
		} else if (layout == BENCH_LAYOUT_NUMA) {
			*ARRAY_ADD(&r.numa) = (struct bench_numa_run){
				.name = xstrdup("a"),
				.line = xstrdup("b"),
				.not_applicable = xstrdup("c"),
				.cpu_binding = xstrdup("d"),
				.node_binding = xstrdup("e"),
				.convergence_text = xstrdup("f"),
				.pids = xcalloc(1, sizeof(pid_t)),
			};
			r.numa.machine = xstrdup("g");
		}
		bench_result_done(&r);
		assert_int_equal(r.n, 0);
		assert_null(r.items);
		assert_int_equal(r.layout, BENCH_LAYOUT_NONE);
		bench_result_done(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_keep_their_order_and_have_names_of_their_own),
		cmocka_unit_test(operations_have_three_figures),
		cmocka_unit_test(in_no_time_nothing_is_done_each_second),
		cmocka_unit_test(lines_say_what_they_are),
		cmocka_unit_test(those_who_listen_are_told_of_lines),
		cmocka_unit_test(every_layout_can_be_released),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
