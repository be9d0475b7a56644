/* SPDX-License-Identifier: MIT */
/* perf annotate --data-type: the members of structures that are accessed. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"
#include "cli/command.h"
#include "profile/annotation.h"
#include "session/session.h"
#include "tools/annotate/opts.h"
#include "tools/annotate/types-work.h"
#include "view/annotate/types.h"

struct types_showing {
	const struct invocation *inv;
	const struct annotate_opts *opts;
	struct annotate_job *job;
	const struct type_stats *stats;
	struct similar near; /* similar names of other types */
	bool is_found;
};

static int write_text(const struct invocation *inv, const struct text *t)
{
	if (t->length)
		fwrite(t->chars, 1, t->length, inv->out);
	return ferror(inv->out) ? -EIO : 0;
}

static void add_stats(struct text *out, const struct annotate_opts *o, const struct type_stats *s)
{
	if (o->type_stat)
		annotate_type_stats_add(out, s);
	if (o->insn_stat)
		annotate_instruction_stats_add(out, s);
}

/* Chooses the columns. Events of a group without samples have no column, if that is requested. */
static size_t annotate_types_choose_columns(const struct types_showing *s, size_t first, size_t n,
					    size_t *columns, const char **names)
{
	size_t chosen = 0;

	for (size_t i = 0; i < n; i++) {
		if (s->opts->rq.skip_empty && n > 1 &&
		    !annotation_total(s->job->annotation, first + i).samples)
			continue;
		columns[chosen] = i;
		names[chosen++] = session_event(s->job->session, first + i)->name;
	}
	return chosen;
}

/* Returns its share of all samples of the first event. */
static double annotate_types_share_of(const struct types_showing *s, const struct weighed_type *t,
				      size_t first)
{
	uint64_t total = annotation_total(s->job->annotation, first).period;

	return total ? 100.0 * (double)t->totals[0].period / (double)total : 0;
}

static bool annotate_types_is_wanted(struct types_showing *s, const struct weighed_type *t,
				     size_t first)
{
	const char *name = s->opts->data_type;

	if (annotate_types_share_of(s, t, first) < s->opts->rq.percent_limit)
		return false;

	if (!*name || !strcmp(t->type->name, name))
		return true;
	similar_add(&s->near, t->type->name);
	return false;
}

static int annotate_types_show(void *arg, size_t first, size_t n, const struct type_weights *types)
{
	struct types_showing *s = arg;
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(freep) size_t *columns = xcalloc(n, sizeof(*columns));
	_cleanup_(freep) const char **names = xcalloc(n, sizeof(*names));
	struct types_view v = {
		.figure = s->opts->figure,
		.by_samples = s->opts->base == ANNOTATE_LOCAL_HITS ||
			      s->opts->base == ANNOTATE_GLOBAL_HITS,
		.events = names,
		.columns = columns,
		.n_events = annotate_types_choose_columns(s, first, n, columns, names),
	};

	if (types->n)
		add_stats(&out, s->opts, s->stats);
	for (size_t i = 0; i < types->n; i++)
		if (annotate_types_is_wanted(s, &types->items[i], first)) {
			annotate_type_add(&out, &v, &types->items[i]);
			s->is_found = true;
		}
	return write_text(s->inv, &out);
}

static int refuse_type(struct types_showing *s, struct diag *diag)
{
	_cleanup_(freep) char *phrase = similar_phrase(&s->near);

	diag_set(diag, -ENOENT, "no sample accesses a '%s'", s->opts->data_type);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	else
		diag_hint(diag, "'perf report --sort type' lists the types that are accessed.");
	return -ENOENT;
}

int annotate_show_types(const struct invocation *inv, struct annotate_job *j, struct diag *diag)
{
	const struct annotate_opts *o = inv->opts;
	_cleanup_(type_stats_done) struct type_stats stats = { .followed = 0 };
	struct types_showing s = {
		.inv = inv,
		.opts = o,
		.job = j,
		.stats = &stats,
		.near = { .typed = o->data_type },
	};
	int r;

	if (o->type_stat || o->insn_stat)
		annotate_type_stats(j, &stats, o->insn_stat);
	if (!o->data_type) {
		_cleanup_(text_done) struct text out = TEXT_EMPTY;

		add_stats(&out, o, &stats);
		return write_text(inv, &out);
	}
	r = annotate_types_each(j, annotate_types_show, &s);
	return r >= 0 && *o->data_type && !s.is_found ? refuse_type(&s, diag) : r;
}
