/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/compare.h"
#include "base/diag.h"
#include "printed.h"
#include "profile/threshold.h"
#include "view/stat/compare-json.h"

static const char *const names[] = { "./old \"x\"", "./new" };

static void print(struct compare *c, const char *limits, FILE *out)
{
	_cleanup_(thresholds_done) struct thresholds t = { 0 };
	_cleanup_(threshold_results_done) struct threshold_results r = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (*limits)
		assert_int_equal(thresholds_parse(&t, limits, &diag), 0);
	compare_finish(c);
	thresholds_evaluate(&t, c, &r);
	compare_json_print(c, &r, out);
	compare_free(c);
}

static void everything_is_in_one_document(void **state)
{
	struct compare *c = compare_new(2, names);
	struct compare_row *row = compare_add_row(c, COMPARE_COUNT, "n", "");
	struct printed p;

	(void)state;
	compare_add(c, row, 0, 2);
	compare_add(c, row, 0, 2);
	compare_add(c, row, 1, 2.5);
	compare_add(c, row, 1, 2.5);
	printed_open(&p);
	print(c, "n>20%", p.out);
	assert_printed(&p,
		       "{\n"
		       "\t\"method\": \"Welch's t-test, two-sided\",\n"
		       "\t\"confidence\": 0.95,\n"
		       "\t\"commands\": [\n"
		       "\t\t{\n"
		       "\t\t\t\"label\": \"A\",\n"
		       "\t\t\t\"command\": \"./old \\\"x\\\"\",\n"
		       "\t\t\t\"runs\": 2,\n"
		       "\t\t\t\"baseline\": true\n"
		       "\t\t},\n"
		       "\t\t{\n"
		       "\t\t\t\"label\": \"B\",\n"
		       "\t\t\t\"command\": \"./new\",\n"
		       "\t\t\t\"runs\": 2,\n"
		       "\t\t\t\"baseline\": false\n"
		       "\t\t}\n"
		       "\t],\n"
		       "\t\"rows\": [\n"
		       "\t\t{\n"
		       "\t\t\t\"name\": \"n\",\n"
		       "\t\t\t\"unit\": \"\",\n"
		       "\t\t\t\"kind\": \"count\",\n"
		       "\t\t\t\"commands\": [\n"
		       "\t\t\t\t{\n"
		       "\t\t\t\t\t\"label\": \"A\",\n"
		       "\t\t\t\t\t\"n\": 2,\n"
		       "\t\t\t\t\t\"missing\": 0,\n"
		       "\t\t\t\t\t\"mean\": 2,\n"
		       "\t\t\t\t\t\"deviation\": 0,\n"
		       "\t\t\t\t\t\"half-width\": 0,\n"
		       "\t\t\t\t\t\"noise-percent\": 0,\n"
		       "\t\t\t\t\t\"min\": 2,\n"
		       "\t\t\t\t\t\"max\": 2,\n"
		       "\t\t\t\t\t\"noisy\": false,\n"
		       "\t\t\t\t\t\"first-run-differs\": false,\n"
		       "\t\t\t\t\t\"values\": [\n"
		       "\t\t\t\t\t\t2,\n"
		       "\t\t\t\t\t\t2\n"
		       "\t\t\t\t\t]\n"
		       "\t\t\t\t},\n"
		       "\t\t\t\t{\n"
		       "\t\t\t\t\t\"label\": \"B\",\n"
		       "\t\t\t\t\t\"n\": 2,\n"
		       "\t\t\t\t\t\"missing\": 0,\n"
		       "\t\t\t\t\t\"mean\": 2.5,\n"
		       "\t\t\t\t\t\"deviation\": 0,\n"
		       "\t\t\t\t\t\"half-width\": 0,\n"
		       "\t\t\t\t\t\"noise-percent\": 0,\n"
		       "\t\t\t\t\t\"min\": 2.5,\n"
		       "\t\t\t\t\t\"max\": 2.5,\n"
		       "\t\t\t\t\t\"noisy\": false,\n"
		       "\t\t\t\t\t\"first-run-differs\": false,\n"
		       "\t\t\t\t\t\"values\": [\n"
		       "\t\t\t\t\t\t2.5,\n"
		       "\t\t\t\t\t\t2.5\n"
		       "\t\t\t\t\t]\n"
		       "\t\t\t\t}\n"
		       "\t\t\t],\n"
		       "\t\t\t\"differences\": [\n"
		       "\t\t\t\t{\n"
		       "\t\t\t\t\t\"label\": \"B\",\n"
		       "\t\t\t\t\t\"basis\": \"exact\",\n"
		       "\t\t\t\t\t\"verdict\": \"more\",\n"
		       "\t\t\t\t\t\"significant\": true,\n"
		       "\t\t\t\t\t\"difference\": 0.5,\n"
		       "\t\t\t\t\t\"half-width\": 0,\n"
		       "\t\t\t\t\t\"percent\": 25,\n"
		       "\t\t\t\t\t\"percent-half-width\": 0,\n"
		       "\t\t\t\t\t\"t\": null,\n"
		       "\t\t\t\t\t\"df\": null,\n"
		       "\t\t\t\t\t\"p\": null\n"
		       "\t\t\t\t}\n"
		       "\t\t\t]\n"
		       "\t\t}\n"
		       "\t],\n"
		       "\t\"limits\": [\n"
		       "\t\t{\n"
		       "\t\t\t\"fail-if\": \"n > +20%\",\n"
		       "\t\t\t\"label\": \"B\",\n"
		       "\t\t\t\"outcome\": \"fail\",\n"
		       "\t\t\t\"reason\": \"B differs from A by +25.00% (the same in every run), "
		       "beyond the limit\"\n"
		       "\t\t}\n"
		       "\t],\n"
		       "\t\"failed\": 1,\n"
		       "\t\"unknown\": 0\n"
		       "}\n");
}

/* Checks that the text from @from on begins with @wanted. */
static void assert_part(const char *text, const char *from, const char *wanted)
{
	const char *at = strstr(text, from);

	assert_non_null(at);
	if (strncmp(at, wanted, strlen(wanted)))
		fail_msg("'%.300s' is not '%s'", at, wanted);
}

static void what_is_not_known_is_null(void **state)
{
	struct compare *c = compare_new(2, names);
	struct compare_row *row = compare_add_row(c, COMPARE_RATIO, "r", "%");
	struct printed p;

	(void)state;
	compare_add(c, row, 1, 1);
	compare_add_missing(c, row, 0);
	printed_open(&p);
	print(c, "", p.out);
	assert_int_equal(fclose(p.out), 0);
	assert_part(p.text, "\"n\": 0",
		    "\"n\": 0,\n"
		    "\t\t\t\t\t\"missing\": 1,\n"
		    "\t\t\t\t\t\"mean\": null,\n"
		    "\t\t\t\t\t\"deviation\": null,\n"
		    "\t\t\t\t\t\"half-width\": null,\n"
		    "\t\t\t\t\t\"noise-percent\": null,\n"
		    "\t\t\t\t\t\"min\": null,\n"
		    "\t\t\t\t\t\"max\": null,\n"
		    "\t\t\t\t\t\"noisy\": false,\n"
		    "\t\t\t\t\t\"first-run-differs\": false,\n"
		    "\t\t\t\t\t\"values\": []\n");
	assert_part(p.text, "\"basis\"",
		    "\"basis\": \"not-counted\",\n"
		    "\t\t\t\t\t\"verdict\": \"cannot tell\",\n"
		    "\t\t\t\t\t\"significant\": false,\n"
		    "\t\t\t\t\t\"difference\": null,\n"
		    "\t\t\t\t\t\"half-width\": null,\n"
		    "\t\t\t\t\t\"percent\": null,\n"
		    "\t\t\t\t\t\"percent-half-width\": null,\n"
		    "\t\t\t\t\t\"t\": null,\n"
		    "\t\t\t\t\t\"df\": null,\n"
		    "\t\t\t\t\t\"p\": null\n");
	assert_part(p.text, "\"limits\"",
		    "\"limits\": [],\n\t\"failed\": 0,\n\t\"unknown\": 0\n}\n");
	free(p.text);
}

/* Means 10 and 12; the variance of A's is 4 / 4, so t = 2 with 3 degrees of freedom. */
static void a_tested_difference_has_its_figures(void **state)
{
	struct compare *c = compare_new(2, names);
	struct compare_row *row = compare_add_row(c, COMPARE_ELAPSED, "time", "s");
	struct printed p;

	(void)state;
	for (int i = 0; i < 4; i++) {
		compare_add(c, row, 0, i < 3 ? 9 : 13);
		compare_add(c, row, 1, 12);
	}
	printed_open(&p);
	print(c, "", p.out);
	assert_int_equal(fclose(p.out), 0);
	assert_part(p.text, "\"basis\"",
		    "\"basis\": \"tested\",\n"
		    "\t\t\t\t\t\"verdict\": \"no difference shown\",\n"
		    "\t\t\t\t\t\"significant\": false,\n"
		    "\t\t\t\t\t\"difference\": 2,\n"
		    "\t\t\t\t\t\"half-width\": 3.1824463052");
	assert_part(p.text, "\"t\"",
		    "\"t\": 2,\n\t\t\t\t\t\"df\": 3,\n\t\t\t\t\t\"p\": 0.1393259685");
	free(p.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_in_one_document),
		cmocka_unit_test(what_is_not_known_is_null),
		cmocka_unit_test(a_tested_difference_has_its_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
