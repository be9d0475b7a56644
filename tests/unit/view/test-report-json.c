/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "printed.h"
#include "report-sample.h"
#include "view/report/json.h"

static void assert_json(const struct report_sample *s, const char *wanted)
{
	const struct report_facts facts = { .file = "perf.data", .lost_samples = 3 };
	struct printed p;

	printed_open(&p);
	assert_int_equal(report_json_print(p.out, &s->view, &facts), 0);
	assert_printed(&p, wanted);
}

#define HEAD                                                                                       \
	"{\n\t\"version\": 2,\n"                                                                   \
	"\t\"recording\": {\n\t\t\"file\": \"perf.data\",\n\t\t\"lost-samples\": 3\n\t},\n"        \
	"\t\"columns\": [\n"                                                                       \
	"\t\t{\"name\": \"overhead\", \"title\": \"Overhead\", \"type\": \"percent\"},\n"          \
	"\t\t{\"name\": \"sample\", \"title\": \"Samples\", \"type\": \"number\"},\n"              \
	"\t\t{\"name\": \"who\", \"title\": \"Who\", \"type\": \"text\"},\n"                       \
	"\t\t{\"name\": \"what\", \"title\": \"What\", \"type\": \"text\"}\n"                      \
	"\t],\n"                                                                                   \
	"\t\"events\": [\n"

static void figures_are_numbers_and_keys_have_their_types(void **state)
{
	struct report_sample s;

	(void)state;
	sample_apart(&s);
	s.view.n_blocks = 1;
	s.rows[0].values[0][0] = (uintptr_t) "a\"\n";
	assert_json(&s, HEAD
		    "\t\t{\n"
		    "\t\t\t\"names\": [\"cycles\"],\n"
		    "\t\t\t\"samples\": 99,\n"
		    "\t\t\t\"period\": 1000,\n"
		    "\t\t\t\"rows\": [\n"
		    "\t\t\t\t{\"overhead\": 60, \"sample\": 60, \"who\": \"a\\\"\\n\", \"what\": "
		    "\"[k] copy_page\"},\n"
		    "\t\t\t\t{\"overhead\": 39.6, \"sample\": 39, \"who\": \"sh\", \"what\": \"[.] "
		    "main\"},\n"
		    "\t\t\t\t{\"overhead\": 0.4, \"sample\": 0, \"who\": \"longer\", \"what\": "
		    "\"[.] f,g\"}\n"
		    "\t\t\t]\n\t\t}\n\t]\n}\n");
	sample_done(&s);
}

static void a_group_has_a_number_of_each_event(void **state)
{
	struct report_sample s;

	(void)state;
	sample_together(&s);
	example_options.rq.percent_limit = 50;
	assert_json(&s, HEAD "\t\t{\n"
			     "\t\t\t\"names\": [\"cycles\", \"faults\"],\n"
			     "\t\t\t\"samples\": 103,\n"
			     "\t\t\t\"period\": 1040,\n"
			     "\t\t\t\"rows\": [\n"
			     "\t\t\t\t{\"overhead\": [60, 0], \"sample\": [60, 0], \"who\": "
			     "\"sh\", \"what\": \"[k] copy_page\"}\n"
			     "\t\t\t]\n\t\t}\n\t]\n}\n");
	sample_done(&s);
}

static void rows_of_a_hierarchy_hold_those_within(void **state)
{
	struct report_sample s;

	(void)state;
	sample_apart(&s);
	s.plan = example_hierarchy_plan();
	s.view.n_blocks = 1;
	example_options.rq.percent_limit = 50;
	assert_json(&s, HEAD
		    "\t\t{\n"
		    "\t\t\t\"names\": [\"cycles\"],\n"
		    "\t\t\t\"samples\": 99,\n"
		    "\t\t\t\"period\": 1000,\n"
		    "\t\t\t\"rows\": [\n"
		    "\t\t\t\t{\"overhead\": 99.6, \"sample\": 99, \"who\": \"sh\", \"rows\": [\n"
		    "\t\t\t\t\t\t{\"overhead\": 60, \"sample\": 60, \"what\": \"[k] copy_page\"}\n"
		    "\t\t\t\t\t]}\n"
		    "\t\t\t]\n\t\t}\n\t]\n}\n");
	sample_done(&s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_numbers_and_keys_have_their_types),
		cmocka_unit_test(a_group_has_a_number_of_each_event),
		cmocka_unit_test(rows_of_a_hierarchy_hold_those_within),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
