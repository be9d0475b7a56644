/* SPDX-License-Identifier: MIT */
#include "view/diff/keys.h"

#include <stdlib.h>

#include "base/memory.h"
#include "profile/diff.h"

static void make_columns(struct diff_keys *k)
{
	const struct report_columns *all = &k->view.plan->columns;

	for (size_t i = 0; i < all->n; i++)
		if (!all->items[i].figure)
			*ARRAY_ADD(&k->columns) = all->items[i];
}

void diff_keys_init(struct diff_keys *k, FILE *out, const struct report_view *view,
		    const struct diff *d)
{
	*k = (struct diff_keys){
		.view = *view,
		.group = { .members = d->sides, .n_members = 1 },
	};
	k->pen = (struct report_pen){
		.view = &k->view,
		.group = &k->group,
		.file = out,
		.out = TEXT_EMPTY,
		.cell = TEXT_EMPTY,
		.escaped = TEXT_EMPTY,
	};
	make_columns(k);
	report_cells_make(&k->pen, &k->columns, NULL, &k->cells);
	for (size_t i = 0; i < d->n; i++)
		report_cells_fit(&k->pen, &k->cells, &d->rows[i].entry);
}

void diff_keys_done(struct diff_keys *k)
{
	report_cells_done(&k->cells);
	free(k->columns.items);
	report_pen_done(&k->pen);
}
