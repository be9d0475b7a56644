/* SPDX-License-Identifier: MIT */
#include "tools/test/select-work.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "tools/test/plan-work.h"

/* Numbers of tests have at most this number of digits, so that they fit. */
#define DIGITS_MAX 6

static bool test_select_take_number(const char **s, unsigned *ret)
{
	size_t digits = strspn(*s, "0123456789");

	if (!digits || digits > DIGITS_MAX)
		return false;
	*ret = (unsigned)strtoul(*s, NULL, 10);
	*s += digits;
	return true;
}

/* The meaning of a numeric word: suites @from to @to, or case @number of @from. */
struct test_select_numbers {
	unsigned from, to, number;
};

static bool numbers_parse(const char *s, struct test_select_numbers *ret)
{
	struct test_select_numbers n = { 0 };

	if (!test_select_take_number(&s, &n.from))
		return false;
	n.to = n.from;
	if (*s == '-' && !(s++, test_select_take_number(&s, &n.to)))
		return false;
	if (*s == '.' && !(s++, test_select_take_number(&s, &n.number)))
		return false;
	if (*s || (n.number && n.to != n.from))
		return false;
	*ret = n;
	return true;
}

static bool row_matches(const struct selftest_plan *p, const struct selftest_row *row,
			const char *word)
{
	const struct selftest_suite *s = &p->suites.items[row->suite];
	struct test_select_numbers n;

	if (numbers_parse(word, &n))
		return s->number >= n.from && s->number <= n.to &&
		       (!n.number || row->number == n.number);
	return strcasestr(s->name, word) || strcasestr(row->name, word);
}

static int test_select_mark(struct selftest_plan *p, const char *word, bool passed_over,
			    struct diag *diag)
{
	size_t found = 0;

	for (size_t i = 0; i < p->rows.n && *word; i++) {
		struct selftest_row *row = &p->rows.items[i];

		if (!row_matches(p, row, word))
			continue;
		found++;
		if (passed_over)
			row->passed_over = true;
		else
			row->selected = true;
	}
	if (found)
		return 0;
	diag_set(diag, -ENOENT, "there is no test '%s'", word);
	diag_hint(diag, "'perf test list' lists the tests with their numbers.");
	return -ENOENT;
}

int selftest_select(struct selftest_plan *p, char *const *words, struct diag *diag)
{
	int r = 0;

	if (!*words)
		for (size_t i = 0; i < p->rows.n; i++)
			p->rows.items[i].selected = true;
	for (; *words && r >= 0; words++)
		r = test_select_mark(p, *words, false, diag);
	return r;
}

int selftest_pass_over(struct selftest_plan *p, const char *list, struct diag *diag)
{
	_cleanup_(freep) char *copy = xstrdup(list);
	char *rest = copy, *word;
	int r = 0;

	while (r >= 0 && (word = strsep(&rest, ",")))
		r = test_select_mark(p, word, true, diag);
	return r;
}
