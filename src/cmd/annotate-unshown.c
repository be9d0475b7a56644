/* SPDX-License-Identifier: MIT */
/* Functions whose code is not here, and samples without one: how many there are where, and why. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "cmd/annotate-job.h"
#include "cmd/annotate-opts.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "view/missing-symbols.h"

/* More objects are not told of: their samples are few. */
#define TOLD_MAX 5

void annotate_note_unshown(struct annotate_job *j, const struct annotated_function *f,
			   const struct diag *why)
{
	struct unshown *u = NULL;

	pthread_mutex_lock(&j->lock);
	for (size_t i = 0; i < j->unshown.n && !u; i++)
		if (j->unshown.items[i].image == f->image)
			u = &j->unshown.items[i];
	if (!u) {
		u = ARRAY_ADD(&j->unshown);
		u->image = f->image;
		u->function = xstrdup(f->sym->name);
		u->why = xstrdup(why->message ? why->message : "its code is not here");
		u->hint = why->hint ? xstrdup(why->hint) : NULL;
	}
	u->n++;
	u->samples += f->totals[0].samples;
	pthread_mutex_unlock(&j->lock);
}

void annotate_unshown_done(struct annotate_job *j)
{
	for (size_t i = 0; i < j->unshown.n; i++) {
		free(j->unshown.items[i].function);
		free(j->unshown.items[i].why);
		free(j->unshown.items[i].hint);
	}
	free(j->unshown.items);
}

struct unnamed {
	struct missing_object *items;
	size_t n, room;
};

static void count_unnamed(void *arg, const struct image *im, uint64_t samples)
{
	struct unnamed *u = arg;
	size_t i = 0;

	while (i < u->n && u->items[i].image != im)
		i++;
	if (i == u->n)
		*ARRAY_ADD(u) = (struct missing_object){ .image = im };
	u->items[i].samples += samples;
}

void annotate_tell_unnamed(const struct annotate_job *j)
{
	struct unnamed u = { 0 };
	uint64_t total = 0;

	if (j->opts->quiet || j->opts->skip_missing)
		return;
	for (size_t i = 0; i < session_event_count(j->session); i++)
		total += annotation_total(j->annotation, i).samples;
	annotation_unnamed(j->annotation, count_unnamed, &u);
	missing_symbols_print(j->inv->err,
			      &(struct missing_symbols){ .items = u.items,
							 .n = u.n,
							 .total = total,
							 .by_name = terminal_is(j->inv->err) });
	free(u.items);
}

static int by_samples(const void *a, const void *b)
{
	const struct unshown *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return strcmp(image_long_name(x->image), image_long_name(y->image));
}

void annotate_tell_unshown(const struct annotate_job *j)
{
	size_t n = j->unshown.n < TOLD_MAX ? j->unshown.n : TOLD_MAX;

	if (!n || j->opts->skip_missing || j->opts->quiet)
		return;
	qsort(j->unshown.items, j->unshown.n, sizeof(j->unshown.items[0]), by_samples);
	for (size_t i = 0; i < n; i++) {
		const struct unshown *u = &j->unshown.items[i];
		_cleanup_(diag_done) struct diag d = { 0 };

		if (u->n == 1)
			diag_set(&d, 0, "%s (%" PRIu64 " samples) is not shown: %s", u->function,
				 u->samples, u->why);
		else
			diag_set(&d, 0,
				 "%zu functions of %s (%" PRIu64 " samples) are not shown: %s",
				 u->n, image_long_name(u->image), u->samples, u->why);
		if (u->hint)
			diag_hint(&d, "%s", u->hint);
		command_warn(j->inv, &d);
	}
}
