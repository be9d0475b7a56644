/* SPDX-License-Identifier: MIT */
#include "tools/diff/text-view.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/memory.h"
#include "tools/diff/diff-model.h"
#include "view/text-flush.h"

struct report_columns diff_key_columns(const struct report_plan *plan)
{
	struct report_columns ret = { 0 };

	for (size_t i = 0; i < plan->columns.n; i++)
		if (!plan->columns.items[i].figure)
			*ARRAY_ADD(&ret) = plan->columns.items[i];
	return ret;
}

void diff_columns_add(struct diff_columns *c, struct column like)
{
	size_t length;

	like.title = c->numbered ? xasprintf("%s/%zu", like.title, like.index)
				 : xstrdup(like.title);
	length = escape_columns(like.title, strlen(like.title));
	like.width = like.width > length ? like.width : length;
	like.flags |= COLUMN_FIXED;
	*ARRAY_ADD(c) = like;
}

void diff_columns_done(struct diff_columns *c)
{
	for (size_t i = 0; i < c->n; i++)
		free((char *)c->items[i].title);
	free(c->items);
}

void diff_text_init(struct diff_text *t, FILE *file, const struct diff_view *v,
		    const struct diff *d, const struct diff_columns *columns)
{
	const struct table_style style = { .separator = v->form.separator,
					   .escape = columns->escape };

	*t = (struct diff_text){
		.out = TEXT_EMPTY,
		.view = { .plan = v->plan, .form = v->form, .narrow_images = v->narrow_images },
		.group = { .members = d->sides, .n_members = 1 },
		.columns = diff_key_columns(v->plan),
		.scratch = TABLE_SCRATCH,
		.file = file,
	};
	table_init(&t->sides, columns->items, columns->n, columns->model, &style);
	report_cells_init(&t->keys, &t->view, &t->group, &t->columns, NULL);
	for (size_t i = 0; i < d->n; i++)
		table_fit(&t->keys.table, &d->rows[i].entry, &t->scratch);
	report_cells_limit(&t->keys,
			   strlen("# ") + table_width(&t->sides, strlen("  ")) + strlen("  "));
}

void diff_text_done(struct diff_text *t)
{
	text_done(&t->out);
	table_done(&t->sides);
	report_cells_done(&t->keys);
	free(t->columns.items);
	table_scratch_done(&t->scratch);
}

static void diff_text_add_gap(struct diff_text *t)
{
	text_add(&t->out, table_gap(&t->sides));
}

void diff_text_add_heads(struct diff_text *t)
{
	text_add(&t->out, "# ");
	table_add_titles(&t->sides, &t->out);
	diff_text_add_gap(t);
	table_add_titles(&t->keys.table, &t->out);
	text_add_char(&t->out, '\n');
	if (t->view.form.separator)
		return;
	text_add(&t->out, "# ");
	table_add_dots(&t->sides, &t->out);
	diff_text_add_gap(t);
	table_add_dots(&t->keys.table, &t->out);
	text_add(&t->out, "\n#\n");
}

void diff_text_add_row(struct diff_text *t, const void *row, const struct report_entry *e)
{
	text_add(&t->out, t->view.form.separator ? "" : "  ");
	table_add_cells(&t->sides, row, true, &t->scratch, &t->out);
	diff_text_add_gap(t);
	table_add_cells(&t->keys.table, e, false, &t->scratch, &t->out);
	text_add_char(&t->out, '\n');
}

int diff_text_flush(struct diff_text *t, bool all)
{
	return text_flush(&t->out, t->file, all);
}
