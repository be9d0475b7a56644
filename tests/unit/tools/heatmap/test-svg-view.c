/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "heat-sample.h"
#include "tools/heatmap/svg-view.h"

static char *drawn(const struct heat_picture *p)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(heat_svg_print(p, out), 0);
	fclose(out);
	return text;
}

static void every_cell_has_a_tooltip_and_what_is_empty_is_not_drawn(void **state)
{
	struct heat_picture p;
	struct heat_map m;
	size_t n = 0;

	(void)state;
	heat_sample(&m, &p);

	char *text = drawn(&p);

	assert_non_null(strstr(text, "<rect class=\"h15\" x=\"0\" y=\"1\" width=\"1\" height=\"1\">"
				     "<title>0 s to 1 s, 0 to 1 ms: 7 pairs, 87.5% of the column"
				     "</title></rect>"));
	assert_non_null(strstr(text, "viewBox=\"0 0 3 2\""));
	for (const char *at = text; (at = strstr(at, "<rect class=\"h")); at++)
		n += strstr(at, "<title>") && strstr(at, "<title>") < strstr(at, ">") + 2;
	assert_int_equal(n, 3);
	free(text);
	heat_map_done(&m);
}

static void names_stay_text(void **state)
{
	struct heat_picture p;
	struct heat_map m;

	(void)state;
	heat_sample(&m, &p);
	p.subtitle = "</svg><script>alert(1)</script>";

	char *text = drawn(&p);

	assert_non_null(strstr(text, "Latency of &lt;x&gt; &amp; "));
	assert_null(strstr(text, "<script>alert"));
	free(text);
	heat_map_done(&m);
}

static void a_full_disk_is_an_error(void **state)
{
	struct heat_picture p;
	struct heat_map m;
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	heat_sample(&m, &p);
	setvbuf(full, NULL, _IONBF, 0);
	assert_int_equal(heat_svg_print(&p, full), -ENOSPC);
	fclose(full);
	heat_map_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_has_a_tooltip_and_what_is_empty_is_not_drawn),
		cmocka_unit_test(names_stay_text),
		cmocka_unit_test(a_full_disk_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
