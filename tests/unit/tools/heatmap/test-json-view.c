/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "heat-sample.h"
#include "tools/heatmap/json-view.h"
#include "view/printed.h"

static void axes_and_cells_that_are_not_empty(void **state)
{
	struct heat_picture p;
	struct heat_map m;
	struct printed out;

	(void)state;
	heat_sample(&m, &p);
	printed_open(&out);
	heat_json_print(&p, out.out);
	assert_printed(&out, "{\n"
			     "\t\"title\": \"Latency of <x> & \\\"y\\\"\",\n"
			     "\t\"counted\": \"pairs\",\n"
			     "\t\"value\": \"latency\",\n"
			     "\t\"unit\": \"ns\",\n"
			     "\t\"total\": 10,\n"
			     "\t\"above\": 1,\n"
			     "\t\"below\": 0,\n"
			     "\t\"smallest\": 500000,\n"
			     "\t\"largest\": 3000000,\n"
			     "\t\"start_ns\": 5000250000,\n"
			     "\t\"step_ns\": 1000000000,\n"
			     "\t\"columns\": 3,\n"
			     "\t\"log\": false,\n"
			     "\t\"rows\": [0, 1000000, 2000000],\n"
			     "\t\"cells\": [\n"
			     "\t\t[0, 0, 7],\n"
			     "\t\t[0, 1, 1],\n"
			     "\t\t[2, 1, 1]\n"
			     "\t]\n"
			     "}\n");
	heat_map_done(&m);
}

static void plain_numbers_have_no_unit(void **state)
{
	struct heat_picture p;
	struct heat_map m;
	struct printed out;

	(void)state;
	heat_sample(&m, &p);
	p.values_are_times = false;
	printed_open(&out);
	heat_json_print(&p, out.out);
	fclose(out.out);
	assert_null(strstr(out.text, "unit"));
	free(out.text);
	heat_map_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(axes_and_cells_that_are_not_empty),
		cmocka_unit_test(plain_numbers_have_no_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
