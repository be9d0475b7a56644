/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tools/heatmap/text-model.h"

struct points {
	size_t n;
	uint64_t time, value;
};

static void add(void *arg, uint64_t time, uint64_t value)
{
	struct points *p = arg;

	*p = (struct points){ p->n + 1, time, value };
}

/* Takes @text in pieces of @piece bytes, both columns in microseconds. */
static struct heat_text read_in(const char *text, size_t n, size_t piece, struct points *p)
{
	struct heat_text t = {
		.time_unit_ns = 1000, .value_unit_ns = 1000, .point = add, .arg = p
	};

	*p = (struct points){ 0 };
	for (size_t at = 0; at < n; at += piece)
		heat_text_take(&t, text + at, n - at < piece ? n - at : piece);
	heat_text_end(&t);
	return t;
}

static struct heat_text read_text(const char *text, struct points *p)
{
	return read_in(text, strlen(text), strlen(text) + 1, p);
}

static void a_line_is_a_time_and_a_value(void **state)
{
	struct points p;
	struct heat_text t = read_text("12 34\n56.5\t78.001\n", &p);

	(void)state;
	assert_int_equal(p.n, 2);
	assert_int_equal(p.time, 56500);
	assert_int_equal(p.value, 78001);
	assert_int_equal(t.n_bad, 0);
	assert_int_equal(t.n_lines, 2);
}

static void awk_leaves_a_comma_behind_times(void **state)
{
	struct points p;

	(void)state;
	read_text(" 5, 6", &p);
	assert_int_equal(p.n, 1);
	assert_int_equal(p.time, 5000);
	assert_int_equal(p.value, 6000);
}

static void empty_lines_and_comments_are_passed_over(void **state)
{
	struct points p;
	struct heat_text t = read_text("\n  \n# time latency\n1 2\r\n", &p);

	(void)state;
	assert_int_equal(p.n, 1);
	assert_int_equal(t.n_bad, 0);
	assert_int_equal(t.n_lines, 4);
}

static void pieces_may_end_anywhere(void **state)
{
	static const char text[] = "1 2\n33 44\n# x\n555.5 666.6";
	struct points p;

	(void)state;
	for (size_t piece = 1; piece < sizeof(text); piece++) {
		struct heat_text t = read_in(text, strlen(text), piece, &p);

		assert_int_equal(p.n, 3);
		assert_int_equal(p.time, 555500);
		assert_int_equal(p.value, 666600);
		assert_int_equal(t.n_bad, 0);
	}
}

static void bad(const char *line, size_t n)
{
	struct points p;
	struct heat_text t = read_in(line, n, n + 1, &p);

	assert_int_equal(p.n, 0);
	assert_int_equal(t.n_bad, 1);
	assert_int_equal(t.first_bad, 1);
}

static void other_lines_are_bad(void **state)
{
	static const char *const lines[] = {
		"1",
		"1 ",
		"a 1",
		"1 a",
		"1 2 3",
		"-1 2",
		"1 -2",
		"1 2x",
		"1,2",
		"1.5.5 2",
		".5 1",
		"1e3 2",
		"0x10 1",
		"1 ,",
		"99999999999999999999 1",
		"1 99999999999999999999",
		"18446744073709551615 1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		bad(lines[i], strlen(lines[i]));
	bad("1 2\0 3", 7);
}

static void the_first_bad_line_is_kept(void **state)
{
	struct points p;
	struct heat_text t = read_text("1 2\nfirst\n3 4\nsecond\n", &p);

	(void)state;
	assert_int_equal(p.n, 2);
	assert_int_equal(t.n_bad, 2);
	assert_int_equal(t.first_bad, 2);
	assert_string_equal(t.bad, "first");
}

static void a_line_that_never_ends_takes_no_memory(void **state)
{
	struct heat_text t = { .time_unit_ns = 1, .value_unit_ns = 1, .point = add };
	struct points p = { 0 };

	(void)state;
	t.arg = &p;
	for (int i = 0; i < 1000; i++)
		heat_text_take(&t, "1 2 3 4 5 6 ", 12);
	heat_text_take(&t, "\n1 2\n", 5);
	assert_int_equal(p.n, 1);
	assert_int_equal(t.n_bad, 1);
	assert_int_equal(strlen(t.bad), HEAT_LINE_MAX - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_a_time_and_a_value),
		cmocka_unit_test(awk_leaves_a_comma_behind_times),
		cmocka_unit_test(empty_lines_and_comments_are_passed_over),
		cmocka_unit_test(pieces_may_end_anywhere),
		cmocka_unit_test(other_lines_are_bad),
		cmocka_unit_test(the_first_bad_line_is_kept),
		cmocka_unit_test(a_line_that_never_ends_takes_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
