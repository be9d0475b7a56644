/* SPDX-License-Identifier: MIT */
#include "tools/bench/compare-work.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/memory.h"
#include "base/notes.h"
#include "tools/bench/programs/report.h"

static const struct bench_entry *bench_compare_find(const struct bench_report *r, const char *name,
						    const char *options)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->items[i].name, name) &&
		    (!options || !strcmp(r->items[i].options, options)))
			return &r->items[i];
	return NULL;
}

static void bench_compare_add_values(struct compare *c, struct compare_row *row, size_t side,
				     const struct bench_series *s)
{
	for (size_t i = 0; i < s->n; i++)
		compare_add(c, row, side, s->items[i]);
}

static void bench_compare_add_figures(struct compare *c, const struct bench_entry *a,
				      const struct bench_entry *b)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct bench_series *s = &a->items[i], *t = bench_entry_find(b, s->name);
		struct compare_row *row;
		char *name;

		if (!t || s->derived || strcmp(s->unit, t->unit) != 0)
			continue;
		name = xasprintf("%s%s%s %s", a->name, *a->options ? " " : "", a->options, s->name);
		row = compare_add_row(c, s->better == BENCH_LESS ? COMPARE_ELAPSED : COMPARE_RATIO,
				      name, s->unit);
		free(name);
		bench_compare_add_values(c, row, 0, s);
		bench_compare_add_values(c, row, 1, t);
	}
}

struct compare *bench_compare(const struct bench_report *a, const struct bench_report *b,
			      struct notes *notes)
{
	struct compare *c = compare_new(2, (const char *const[]){ a->host, b->host });

	for (size_t i = 0; i < b->n; i++) {
		const struct bench_entry *mine = &b->items[i];
		const struct bench_entry *same = bench_compare_find(a, mine->name, mine->options);
		const struct bench_entry *other = same ? NULL
						       : bench_compare_find(a, mine->name, NULL);

		if (same)
			bench_compare_add_figures(c, same, mine);
		else if (other)
			notes_add(notes, NOTE_WARNING,
				  "%s is not compared: it was measured with other options ('%s', "
				  "here '%s')",
				  mine->name, other->options, mine->options);
		else
			notes_add(notes, NOTE_WARNING, "%s is not compared: A has not measured it",
				  mine->name);
	}
	compare_finish(c);
	if (c->n_rows > 1)
		compare_correct(c, 0);
	return c;
}
