/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Definitions that the files of the report's panel share. Private to tui/report-*.c and
 * events-panel.c.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/fold-set.h"
#include "tui/list.h"
#include "tui/panel.h"
#include "tui/report-browser.h"
#include "tui/report-page.h"
#include "tui/strip.h"

struct exporter;
struct frame;
struct text;

struct report_panel {
	struct panel panel;
	struct report_browser *rb;
	const struct browse_snapshot *snapshot; /* NULL: none yet */
	struct report_page *page;               /* the snapshot's page; NULL: it has no rows */
	size_t table;                           /* the index of the shown table */
	struct list list;
	struct fold_set folds;
	size_t skip;  /* columns that are scrolled out of view */
	uint64_t tip; /* the tip that is shown at first */
	bool without_heads;
	bool was_touched; /* a key was pressed: the cursor now stays with its row */
	bool chose_event; /* the menu of events was shown */
	bool is_asking;   /* a question is pending: the rows are those of the last one */
	char *searched;   /* the searched part of a line; or NULL */
	struct strip strip;
	struct exporter *exporter;  /* NULL: nothing was exported so far */
	struct report_child *child; /* a program whose output is being read; or NULL */
};

static inline struct report_panel *report_panel_of(struct panel *p)
{
	return (struct report_panel *)p;
}

/* Returns the spot at the cursor. Its item is the number of rows if there are none. */
struct report_spot report_panel_spot(const struct report_panel *p);

/* Moves the cursor, and examines rows that become visible. */
void report_panel_go(struct report_panel *p, size_t line);

/* Releases the snapshot with everything made from it. */
void report_panel_drop(struct report_panel *p);

/* Shows table @table. */
void report_panel_show(struct report_panel *p, size_t table);

/* Asks again. The current rows stay until there are others. */
void report_panel_ask(struct report_panel *p);

/* Makes a new page for the same snapshot, with the cursor at the same row. */
void report_panel_remake(struct report_panel *p);

void report_draw(struct panel *panel, struct screen *s);

/* Appends the first line of the panel. */
void report_title_text(const struct report_panel *p, struct text *out);

/* The subject of the row, or of the frame of its tree, at the cursor. The caller owns the texts. */
struct report_subject {
	const struct report_item *item; /* NULL: there are no rows */
	uint32_t frame_id;              /* FRAME_NONE: not about code */
	const struct frame *frame;      /* NULL: not about code */
	bool has_self;                  /* has samples of its own, not only in callees */
	char *comm, *dso;               /* NULL: not among the keys */
	int64_t tid, cpu, socket;       /* -1: not among the keys */
};
void report_subject_find(const struct report_panel *p, struct report_subject *ret);
void report_subject_done(struct report_subject *s);

/* Appends its name to @out: the function, or the address. */
void report_subject_name(const struct report_subject *s, struct text *out);

/* Each carries out a key. */
enum panel_next report_zoom_thread(struct panel *panel);
enum panel_next report_zoom_dso(struct panel *panel);
enum panel_next report_zoom_kernel(struct panel *panel);
enum panel_next report_zoom_socket(struct panel *panel);
enum panel_next report_zoom_cpu(struct panel *panel);
enum panel_next report_zoom_out(struct panel *panel);
enum panel_next report_ask_to_leave(struct panel *panel);
enum panel_next report_filter_symbol(struct panel *panel);
enum panel_next report_toggle(struct panel *panel);
enum panel_next report_toggle_deep(struct panel *panel);
enum panel_next report_close_row(struct panel *panel);
enum panel_next report_open_all(struct panel *panel);
enum panel_next report_close_all(struct panel *panel);
enum panel_next report_show_menu(struct panel *panel);
enum panel_next report_sort_menu(struct panel *panel);
enum panel_next report_files_menu(struct panel *panel);
enum panel_next report_search(struct panel *panel);
enum panel_next report_search_next(struct panel *panel);
enum panel_next report_search_previous(struct panel *panel);
enum panel_next report_show_header(struct panel *panel);
enum panel_next report_show_map(struct panel *panel);
enum panel_next report_print_rows(struct panel *panel);
enum panel_next report_scripts(struct panel *panel);
enum panel_next report_script_row(struct panel *panel);
enum panel_next report_annotate(struct panel *panel);

/*
 * Shows the function @symbol of the object @image; without an image, the first one with that name.
 */
void report_show_code(struct report_panel *p, const char *image, const char *symbol,
		      uint64_t start);
enum panel_next report_change_limit(struct panel *panel);
enum panel_next report_toggle_percentage(struct panel *panel);
enum panel_next report_toggle_verbose(struct panel *panel);
enum panel_next report_flame(struct panel *panel);
enum panel_next report_flame_row(struct panel *panel);
enum panel_next report_export(struct panel *panel);
enum panel_next report_select_time(struct panel *panel);

/* Exports the report @arg, a report_panel, on request of a panel above it. */
void report_export_above(void *arg, struct panel *owner);

/* The time strip below the rows: the number of lines out of @height, drawing, and so on. */
int report_strip_height(const struct report_panel *p, int height);
void report_strip_draw(struct report_panel *p, struct screen *s, struct area a);
enum panel_next report_strip_input(struct report_panel *p, const struct screen_input *in);

/* Reads the output so far of a program of report_scripts(). */
void report_child_news(struct report_panel *p);
void report_child_end(struct report_panel *p);

/* Opens the menu of events above @p. */
void events_panel_push(struct report_panel *p);

extern const struct key_binding report_keys[];
