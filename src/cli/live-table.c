/* SPDX-License-Identifier: MIT */
#include "cli/live-table.h"

#include <limits.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "cli/command.h"

#define NS_PER_MS 1000000

void live_table_open(struct live_table *t, struct invocation *inv, FILE *out, bool has_command)
{
	*t = (struct live_table){ .inv = inv, .out = out, .in_place = redraw_possible(out) };
	if (!t->in_place)
		return;
	redraw_init(&t->redraw, out, has_command ? REDRAW_BOTTOM : REDRAW_HERE);
	inv->redraw = &t->redraw;
}

FILE *live_table_page(struct live_table *t)
{
	if (t->in_place)
		t->page = open_memstream(&t->chars, &t->length);
	/* If there is no memory for the page, the table is at least printed. */
	return t->page ? t->page : t->out;
}

FILE *live_table_begin(struct live_table *t, uint64_t time_ns)
{
	FILE *page = live_table_page(t);

	fprintf(page, "\nAt %.3f seconds:\n", (double)time_ns / 1e9);
	return page;
}

bool live_table_is_rest(struct live_table *t, uint64_t time_ns, uint64_t interval_ms)
{
	uint64_t before = t->before_ns;

	t->before_ns = time_ns;
	return t->in_place && before && (time_ns - before) / NS_PER_MS < interval_ms / 2;
}

void live_table_end(struct live_table *t)
{
	bool skip;

	if (!t->page) {
		fflush(t->out);
		return;
	}
	fclosep(&t->page);
	t->page = NULL;
	/* Lines that separate tables have no use between two that replace each other. */
	skip = t->length && t->chars[0] == '\n';
	redraw_show(&t->redraw, t->chars + skip, t->length - skip);
	free(t->chars);
	t->chars = NULL;
}

void live_table_close(struct live_table *t, bool keeps)
{
	if (!t->in_place)
		return;
	t->inv->redraw = NULL;
	redraw_end(&t->redraw, keeps);
	redraw_done(&t->redraw);
	t->in_place = false;
}

struct redraw_size live_table_size(const struct live_table *t)
{
	if (!t->in_place)
		return (struct redraw_size){ UINT_MAX, UINT_MAX };
	return redraw_room(&t->redraw);
}
