/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "cli/colour.h"
#include "tools/test/plan-work.h"
#include "tools/test/selftest-view.h"

/* The minimum column of the colon, as in Linux's perf. */
#define COLUMN_MIN 68

static void test_selftest_text_add_name(struct text *t, const struct selftest_plan *p,
					const struct selftest_row *row)
{
	unsigned number = p->suites.items[row->suite].number;

	if (row->number)
		text_addf(t, "%3u.%u: ", number, row->number);
	else
		text_addf(t, "%3u: ", number);
	escape_terminal(t, row->name, strlen(row->name));
}

static void add_suite_name(struct text *t, const struct selftest_suite *s)
{
	text_addf(t, "%3u: ", s->number);
	escape_terminal(t, s->name, strlen(s->name));
}

void selftest_text_init(struct selftest_text *v)
{
	v->column = COLUMN_MIN;
	for (size_t i = 0; i < v->plan->rows.n; i++) {
		_cleanup_(text_done) struct text t = TEXT_EMPTY;
		size_t n;

		test_selftest_text_add_name(&t, v->plan, &v->plan->rows.items[i]);
		n = escape_columns(t.chars, t.length) + 1;
		if (n > v->column)
			v->column = (unsigned)n;
	}
}

static void test_selftest_text_print_lines(FILE *out, const char *s, size_t n)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	while (n) {
		const char *end = memchr(s, '\n', n);
		size_t length = end ? (size_t)(end - s) : n;

		escape_terminal(&t, s, length);
		text_add_char(&t, '\n');
		n -= length + (end != NULL);
		s += length + (end != NULL);
	}
	fputs(t.chars, out);
}

static void add_meaning(struct text *t, const struct selftest_suite *s)
{
	if (s->why)
		text_addf(t, "     A failure means: %s\n", s->why);
}

void selftest_list_print(const struct selftest_plan *p, bool verbose, FILE *out)
{
	for (size_t i = 0; i < p->rows.n; i++) {
		const struct selftest_row *row = &p->rows.items[i];
		const struct selftest_suite *s = &p->suites.items[row->suite];
		_cleanup_(text_done) struct text t = TEXT_EMPTY;
		bool is_head = row->number && i == s->first && selftest_suite_selected(p, s);

		if (is_head) {
			add_suite_name(&t, s);
			text_add_char(&t, '\n');
		}
		if (is_head && verbose)
			add_meaning(&t, s);
		if (row->selected) {
			test_selftest_text_add_name(&t, p, row);
			text_add_char(&t, '\n');
		}
		if (row->selected && !row->number && verbose)
			add_meaning(&t, s);
		fputs(t.chars, out);
	}
}

/* Returns the beginning of the last @lines lines of @output. */
static const char *test_selftest_text_tail(const struct text *output, unsigned lines)
{
	const char *s = output->chars + output->length;

	if (s > output->chars && s[-1] == '\n')
		s--;
	while (s > output->chars) {
		if (s[-1] == '\n' && !--lines)
			break;
		s--;
	}
	return s;
}

static void print_output(const struct selftest_text *v, const struct selftest_row *row,
			 const struct selftest_result *r)
{
	const struct text *output = &r->output;
	bool failed = r->outcome == SELFTEST_FAILED;
	const char *from = output->chars;

	if (v->verbose < (failed ? 1 : 2))
		return;
	if (v->verbose > 1) {
		_cleanup_(text_done) struct text t = TEXT_EMPTY;

		test_selftest_text_add_name(&t, v->plan, row);
		fprintf(v->out, "%s:\n", t.chars);
	} else {
		from = v->snippet_lines ? test_selftest_text_tail(output, v->snippet_lines)
					: output->chars + output->length;
	}
	fputs("---- start ----\n", v->out);
	if (r->pid)
		fprintf(v->out, "test child forked, pid %d\n", r->pid);
	if (from != output->chars)
		fputs("...\n", v->out);
	test_selftest_text_print_lines(v->out, from,
				       output->length - (size_t)(from - output->chars));
	fprintf(v->out, "---- end(%d) ----\n", r->outcome == SELFTEST_OK ? 0 : -(int)r->outcome);
}

static void print_outcome(const struct selftest_text *v, const struct selftest_result *r)
{
	_cleanup_(text_done) struct text reason = TEXT_EMPTY;

	escape_terminal(&reason, r->reason, strlen(r->reason));
	if (r->outcome == SELFTEST_OK)
		fputs("Ok\n", v->out);
	else if (r->outcome == SELFTEST_FAILED)
		fprintf(v->out, "%sFAILED!%s\n", colour_code(v->colour, COLOUR_RED),
			colour_code(v->colour, COLOUR_OFF));
	else if (reason.length)
		fprintf(v->out, "Skip (%s)\n", reason.chars);
	else
		fputs("Skip\n", v->out);
}

/* Prints the failure, and its meaning for the user. */
static void print_failure(const struct selftest_text *v, const struct selftest_suite *s,
			  const struct selftest_result *r)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	escape_terminal(&t, r->reason, strlen(r->reason));
	if (t.length)
		fprintf(v->out, "     Why: %s\n", t.chars);
	if (s->why)
		fprintf(v->out, "     It means: %s\n", s->why);
	if (!v->verbose)
		fprintf(v->out, "     'perf test -v %u' shows what it printed.\n", s->number);
}

static void print_padded(const struct selftest_text *v, struct text *t)
{
	size_t n = escape_columns(t->chars, t->length);

	fprintf(v->out, "%s%*s:", t->chars, (int)(v->column > n ? v->column - n : 0), "");
}

/* True for the first shown case of a suite, above which the line of the suite is printed. */
static bool is_first_case(const struct selftest_plan *p, const struct selftest_row *row)
{
	const struct selftest_row *at = row;

	while (at->number > 1)
		if ((--at)->selected)
			return false;
	(void)p;
	return row->number != 0;
}

void selftest_result_print(const struct selftest_text *v, const struct selftest_row *row,
			   const struct selftest_result *result)
{
	const struct selftest_suite *s = &v->plan->suites.items[row->suite];
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (v->quiet && result->outcome != SELFTEST_FAILED)
		return;
	if (!v->quiet && is_first_case(v->plan, row) && result == row->results) {
		add_suite_name(&t, s);
		print_padded(v, &t);
		fputc('\n', v->out);
		text_clear(&t);
	}
	print_output(v, row, result);
	test_selftest_text_add_name(&t, v->plan, row);
	print_padded(v, &t);
	fputc(' ', v->out);
	print_outcome(v, result);
	if (result->outcome == SELFTEST_FAILED)
		print_failure(v, s, result);
	fflush(v->out);
}

static void print_failed(const struct selftest_text *v)
{
	fputs("List of failed tests:\n", v->out);
	for (size_t i = 0; i < v->plan->rows.n; i++) {
		const struct selftest_row *row = &v->plan->rows.items[i];

		for (unsigned j = 0; row->selected && j < v->plan->runs; j++) {
			_cleanup_(text_done) struct text t = TEXT_EMPTY;

			if (!row->results[j].finished || row->results[j].outcome != SELFTEST_FAILED)
				continue;
			test_selftest_text_add_name(&t, v->plan, row);
			fprintf(v->out, "  %s\n", t.chars);
		}
	}
}

void selftest_summary_print(const struct selftest_text *v)
{
	struct selftest_totals t = selftest_plan_totals(v->plan);

	fputs("\n=== Test Summary ===\n", v->out);
	fprintf(v->out, "Passed main tests : %zu\n", t.passed_suites);
	fprintf(v->out, "Passed subtests   : %zu\n", t.passed_cases);
	fprintf(v->out, "Skipped tests     : %zu\n", t.skipped);
	fprintf(v->out, "Failed tests      : %zu\n", t.failed);
	if (t.unfinished)
		fprintf(v->out, "Not run           : %zu\n", t.unfinished);
	if (t.failed)
		print_failed(v);
}
