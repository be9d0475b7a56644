/* SPDX-License-Identifier: MIT */
/* perf heatmap -I: the last intervals as a map that scrolls in the terminal. */
#include <sys/wait.h>

#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "cli/live-table.h"
#include "cli/terminal.h"
#include "measure/record.h"
#include "tools/heatmap/blocks-view.h"
#include "tools/heatmap/opts.h"

/*
 * The lines of a map in addition to its cells: the time, title, sums, an empty line; axis, its
 * marks, legend.
 */
#define OTHER_LINES 7
#define ROWS_MIN    4

struct heatmap_live_display {
	const struct invocation *inv;
	struct live_table table;
};

static int heatmap_live_show(void *arg, struct heatmap *h, uint64_t time_ns)
{
	struct heatmap_live_display *l = arg;
	const struct heatmap_opts *o = l->inv->opts;
	FILE *page;

	if (live_table_is_rest(&l->table, time_ns, o->interval_ms))
		return 0;
	page = live_table_begin(&l->table, time_ns);
	if (h)
		heatmap_print_text(l->inv, h, page);
	else
		fprintf(page, "Nothing has happened so far.\n");
	live_table_end(&l->table);
	return 0;
}

/* Sets the size to what fits into the terminal now. */
static void plan_size(const struct heatmap_live_display *l, struct heatmap_opts *o)
{
	size_t lines = live_table_size(&l->table).rows;
	size_t room = lines > OTHER_LINES + ROWS_MIN ? lines - OTHER_LINES : ROWS_MIN;
	size_t columns = heat_blocks_columns(terminal_width(l->inv->out) - 1);

	o->rq.columns = o->columns ? o->columns : columns;
	/* Two windows are kept, so each may have half of the columns. */
	if (o->rq.columns > HEAT_COLUMNS_MAX / 2 - 1)
		o->rq.columns = HEAT_COLUMNS_MAX / 2 - 1;
	o->rq.rows = o->rows ? o->rows : heatmap_rows_in(l->inv, room);
}

int heatmap_show_live(struct invocation *inv, char *const *argv, struct diag *diag)
{
	struct heatmap_opts *o = inv->opts;
	struct heatmap_live_display l = { .inv = inv };
	const struct heatmap_live live = {
		.argv = argv, .interval_ms = o->interval_ms, .show = heatmap_live_show, .arg = &l
	};
	struct notes notes = command_notes(inv);
	_cleanup_(notes_done) struct notes unsaid = { 0 };
	struct record_result result;
	int r;

	live_table_open(&l.table, inv, inv->out, *argv != NULL);
	plan_size(&l, o);
	r = heatmap_watch(&o->rq, &live, o->quiet ? &unsaid : &notes, &result, diag);
	live_table_close(&l.table, true);
	return r < 0 ? r : record_result_status(&result);
}
