/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "timechart-sample.h"

static char *drawn(const struct timechart_picture *p)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(timechart_svg_print(p, out), 0);
	fclose(out);
	return text;
}

static void rows_say_what_threads_did(void **state)
{
	struct timechart_sample s;

	(void)state;
	timechart_sample_make(&s);

	char *text = drawn(&s.picture);

	assert_non_null(strstr(text, "running 30 ms, blocked 10 ms, read 4 ms"));
	assert_non_null(strstr(text, "CPU 0: 40 ms busy"));
	assert_non_null(strstr(text, "class=\"failed\""));
	assert_non_null(strstr(text, "class=\"frequency\""));
	assert_non_null(strstr(text, "class=\"c2\""));
	free(text);
	timechart_sample_done(&s);
}

static void heights_are_shares_of_columns(void **state)
{
	struct timechart_sample s;

	(void)state;
	timechart_sample_make(&s);
	s.picture.with_cpus = false;

	char *text = drawn(&s.picture);

	/*
	 * 498 columns of 40 ms: the thread is blocked from a quarter to the half, at full height.
	 */
	assert_non_null(strstr(text, "class=\"s4\""));
	assert_null(strstr(text, "class=\"s2\" d="));
	free(text);
	timechart_sample_done(&s);
}

static void names_stay_text(void **state)
{
	struct timechart_sample s;

	(void)state;
	timechart_sample_make(&s);

	char *text = drawn(&s.picture);

	assert_null(strstr(text, "</svg><script>"));
	assert_non_null(strstr(text, "&lt;/svg&gt;&lt;script&gt;"));
	assert_null(strchr(text, '\x1b'));
	assert_null(strchr(text, '\xff'));
	free(text);
	timechart_sample_done(&s);
}

static void parts_can_be_left_out(void **state)
{
	struct timechart_sample s;

	(void)state;
	timechart_sample_make(&s);
	s.picture.with_tasks = false;

	char *text = drawn(&s.picture);

	assert_null(strstr(text, "running 30 ms"));
	assert_non_null(strstr(text, "CPU 0"));
	free(text);
	timechart_sample_done(&s);
}

static void an_empty_chart_is_a_picture(void **state)
{
	struct chart c;
	struct chart_rows rows;

	(void)state;
	chart_init(&c, &(struct chart_options){ 0 });
	chart_finish(&c);
	chart_rows_init(&rows, &c, &(struct chart_rows_request){ 0 });

	char *text = drawn(&(struct timechart_picture){
		.chart = &c, .rows = &rows, .with_cpus = true, .width = 400, .title = "nothing" });

	assert_non_null(strstr(text, "</svg>"));
	free(text);
	chart_rows_done(&rows);
	chart_done(&c);
}

static void a_full_disk_is_told(void **state)
{
	struct timechart_sample s;
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	timechart_sample_make(&s);
	assert_int_equal(timechart_svg_print(&s.picture, full), -ENOSPC);
	fclose(full);
	timechart_sample_done(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_say_what_threads_did),
		cmocka_unit_test(heights_are_shares_of_columns),
		cmocka_unit_test(names_stay_text),
		cmocka_unit_test(parts_can_be_left_out),
		cmocka_unit_test(an_empty_chart_is_a_picture),
		cmocka_unit_test(a_full_disk_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
