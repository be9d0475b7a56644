/* SPDX-License-Identifier: MIT */
#include "profile/annotate-unshown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/notes.h"
#include "profile/annotation.h"
#include "symbol/symbolizer.h"

/* More images are not told of: their samples are few. */
#define TOLD_MAX 5

void unshown_done(struct unshown *u)
{
	for (size_t i = 0; i < u->n; i++) {
		free(u->items[i].first);
		free(u->items[i].why);
		free(u->items[i].hint);
	}
	free(u->items);
	*u = (struct unshown){ 0 };
}

static struct unshown_functions *unshown_find(struct unshown *u, const struct image *im)
{
	for (size_t i = 0; i < u->n; i++)
		if (u->items[i].image == im)
			return &u->items[i];
	return NULL;
}

void unshown_add(struct unshown *u, const struct annotated_function *f, const struct diag *why)
{
	struct unshown_functions *of = unshown_find(u, f->image);

	if (!of) {
		of = ARRAY_ADD(u);
		of->image = f->image;
		of->first = xstrdup(f->sym->name);
		of->why = xstrdup(why->message ? why->message : "its code is not here");
		of->hint = why->hint ? xstrdup(why->hint) : NULL;
	}
	of->n++;
	of->samples += f->totals[0].samples;
}

static int unshown_by_samples(const void *a, const void *b)
{
	const struct unshown_functions *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return strcmp(image_long_name(x->image), image_long_name(y->image));
}

void unshown_note(struct unshown *u, struct notes *notes)
{
	if (u->n)
		qsort(u->items, u->n, sizeof(u->items[0]), unshown_by_samples);
	for (size_t i = 0; i < u->n && i < TOLD_MAX; i++) {
		const struct unshown_functions *of = &u->items[i];
		struct diag d = { 0 };

		if (of->n == 1)
			diag_set(&d, 0, "%s (%" PRIu64 " sample%s) is not shown: %s", of->first,
				 of->samples, of->samples == 1 ? "" : "s", of->why);
		else
			diag_set(&d, 0,
				 "%zu functions of %s (%" PRIu64 " samples) are not shown: %s",
				 of->n, image_long_name(of->image), of->samples, of->why);
		if (of->hint)
			diag_hint(&d, "%s", of->hint);
		notes_take(notes, NOTE_WARNING, &d);
	}
}
