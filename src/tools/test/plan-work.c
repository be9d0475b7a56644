/* SPDX-License-Identifier: MIT */
#include "tools/test/plan-work.h"

#include "base/cleanup.h"
#include "base/memory.h"

static void results_free(struct selftest_result *results, unsigned n)
{
	if (!results)
		return;
	for (unsigned i = 0; i < n; i++) {
		free(results[i].reason);
		text_done(&results[i].output);
	}
	free(results);
}

void selftest_plan_done(struct selftest_plan *p)
{
	for (size_t i = 0; i < p->suites.n; i++) {
		free(p->suites.items[i].name);
		free(p->suites.items[i].script);
	}
	for (size_t i = 0; i < p->rows.n; i++)
		results_free(p->rows.items[i].results, p->runs);
	free(p->suites.items);
	free(p->rows.items);
}

static struct selftest_suite *add_suite(struct selftest_plan *p, const char *name)
{
	struct selftest_suite *s = ARRAY_ADD(&p->suites);

	s->number = (unsigned)p->suites.n;
	s->name = xstrdup(name);
	s->first = p->rows.n;
	return s;
}

static void selftest_plan_add_row(struct selftest_plan *p, struct selftest_suite *s,
				  const char *name, selftest_fn *run)
{
	struct selftest_row *row = ARRAY_ADD(&p->rows);

	row->suite = s->number - 1;
	row->name = name;
	row->run = run;
	row->number = s->has_cases ? (unsigned)++s->n : 0;
	if (!s->has_cases)
		s->n = 1;
}

void selftest_plan_add(struct selftest_plan *p, const struct selftest *const *tests)
{
	for (; *tests; tests++) {
		struct selftest_suite *s = add_suite(p, (*tests)->name);

		s->why = (*tests)->why;
		s->flags = (*tests)->flags;
		s->has_cases = (*tests)->cases != NULL;
		if (!s->has_cases)
			selftest_plan_add_row(p, s, s->name, (*tests)->run);
		for (const struct selftest_case *c = (*tests)->cases; c && c->name; c++)
			selftest_plan_add_row(p, s, c->name, c->run);
	}
}

void selftest_plan_add_script(struct selftest_plan *p, const char *name, const char *path,
			      unsigned flags)
{
	struct selftest_suite *s = add_suite(p, name);

	s->script = xstrdup(path);
	s->flags = flags;
	selftest_plan_add_row(p, s, s->name, NULL);
}

void selftest_plan_set_runs(struct selftest_plan *p, unsigned runs)
{
	for (size_t i = 0; i < p->rows.n; i++)
		p->rows.items[i].results = xcalloc(runs, sizeof(struct selftest_result));
	for (size_t i = 0; i < p->rows.n; i++)
		for (unsigned j = 0; j < runs; j++)
			p->rows.items[i].results[j].output = (struct text)TEXT_EMPTY;
	p->runs = runs;
}

bool selftest_suite_selected(const struct selftest_plan *p, const struct selftest_suite *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (p->rows.items[s->first + i].selected)
			return true;
	return false;
}

static void selftest_plan_add_result(struct selftest_totals *t, const struct selftest_row *row,
				     const struct selftest_result *r)
{
	t->seconds += r->seconds;
	if (!r->finished)
		t->unfinished++;
	else if (r->outcome == SELFTEST_SKIP)
		t->skipped++;
	else if (r->outcome == SELFTEST_FAILED)
		t->failed++;
	else if (row->number)
		t->passed_cases++;
	else
		t->passed_suites++;
}

struct selftest_totals selftest_plan_totals(const struct selftest_plan *p)
{
	struct selftest_totals t = { 0 };

	for (size_t i = 0; i < p->rows.n; i++)
		for (unsigned j = 0; p->rows.items[i].selected && j < p->runs; j++)
			selftest_plan_add_result(&t, &p->rows.items[i],
						 &p->rows.items[i].results[j]);
	return t;
}
