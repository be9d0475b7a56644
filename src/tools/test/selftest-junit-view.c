/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/test/plan-work.h"
#include "tools/test/selftest-view.h"

static void test_selftest_junit_add_attribute(struct text *t, const char *name, const char *value)
{
	text_addf(t, " %s=\"", name);
	escape_xml(t, value, strlen(value));
	text_add_char(t, '"');
}

/*
 * Appends the output. Newlines are kept; other characters that XML cannot contain are written in
 * escaped form.
 */
static void test_selftest_junit_add_lines(struct text *t, const struct text *output)
{
	const char *s = output->chars;
	size_t n = output->length;

	while (n) {
		const char *end = memchr(s, '\n', n);
		size_t length = end ? (size_t)(end - s) : n;

		escape_xml(t, s, length);
		text_add_char(t, '\n');
		n -= length + (end != NULL);
		s += length + (end != NULL);
	}
}

static void test_selftest_junit_add_result(struct text *t, const struct selftest_suite *s,
					   const struct selftest_row *row,
					   const struct selftest_result *r)
{
	text_add(t, "    <testcase");
	test_selftest_junit_add_attribute(t, "classname", s->name);
	test_selftest_junit_add_attribute(t, "name", row->name);
	text_addf(t, " time=\"%.2f\">\n", r->seconds);
	if (r->outcome == SELFTEST_FAILED) {
		text_add(t, "      <failure");
		test_selftest_junit_add_attribute(t, "message", *r->reason ? r->reason : "FAILED");
		text_add(t, ">\n");
		if (s->why) {
			text_add(t, "It means: ");
			escape_xml(t, s->why, strlen(s->why));
			text_add_char(t, '\n');
		}
		test_selftest_junit_add_lines(t, &r->output);
		text_add(t, "      </failure>\n");
	} else if (r->outcome == SELFTEST_SKIP) {
		text_add(t, "      <skipped");
		test_selftest_junit_add_attribute(t, "message", r->reason);
		text_add(t, "/>\n");
	}
	text_add(t, "    </testcase>\n");
}

void selftest_junit_print(const struct selftest_plan *p, FILE *out)
{
	struct selftest_totals sum = selftest_plan_totals(p);
	size_t all = sum.passed_suites + sum.passed_cases + sum.skipped + sum.failed;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_add(&t, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites>\n");
	text_addf(&t, "  <testsuite name=\"perf-tests\" tests=\"%zu\" failures=\"%zu\"", all,
		  sum.failed);
	text_addf(&t, " skipped=\"%zu\" time=\"%.2f\">\n", sum.skipped, sum.seconds);
	for (size_t i = 0; i < p->rows.n; i++) {
		const struct selftest_row *row = &p->rows.items[i];

		for (unsigned j = 0; row->selected && j < p->runs; j++)
			if (row->results[j].finished)
				test_selftest_junit_add_result(&t, &p->suites.items[row->suite],
							       row, &row->results[j]);
	}
	text_add(&t, "  </testsuite>\n</testsuites>\n");
	fputs(t.chars, out);
}
