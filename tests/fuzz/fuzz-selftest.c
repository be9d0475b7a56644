/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the selection of tests, the names of scripts and the output of tests: parsing ends, an
 * error has a message, and the printed text holds nothing that a terminal or XML acts upon.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "tools/test/plan-work.h"
#include "tools/test/select-work.h"
#include "tools/test/shell-work.h"
#include "tools/test/selftest-view.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct selftest_case cases[] = { { "one", NULL }, { "two", NULL }, { NULL, NULL } };
static const struct selftest with_cases = { .name = "cases", .cases = cases };
static const struct selftest plain = { .name = "plain" };
static const struct selftest *const tests[] = { &with_cases, &plain, NULL };

static void check_print(struct selftest_plan *p, const char *input, size_t size)
{
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);
	struct selftest_text v = { .out = out, .plan = p, .verbose = 2, .snippet_lines = 2 };

	if (!out)
		abort();
	selftest_plan_set_runs(p, 1);
	selftest_text_init(&v);
	for (size_t i = 0; i < p->rows.n; i++) {
		struct selftest_result *r = p->rows.items[i].results;

		r->finished = true;
		r->outcome = SELFTEST_FAILED;
		r->reason = xstrdup("reason");
		text_add_bytes(&r->output, input, size);
		selftest_result_print(&v, &p->rows.items[i], r);
	}
	selftest_junit_print(p, out);
	fclose(out);
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' && text[i] != '\n')
			abort();
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	_cleanup_(selftest_plan_done) struct selftest_plan p = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	char *words[] = { text, NULL };
	bool alone = false;
	_cleanup_(freep) char *name = selftest_script_name(text, &alone);

	selftest_plan_add(&p, tests);
	if (selftest_select(&p, words, &d) < 0 && !d.message)
		abort();
	(void)selftest_pass_over(&p, text, &d);
	if (name)
		selftest_plan_add_script(&p, name, "x", 0);
	check_print(&p, (const char *)data, size);
	return 0;
}
