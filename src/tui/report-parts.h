/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the files of the report's panel share. Private to tui/report-*.c and events-panel.c.
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
	const struct browse_snapshot *snapshot; /* NULL: none came yet */
	struct report_page *page;               /* of it; NULL: it has no rows */
	size_t table;                           /* of its tables */
	struct list list;
	struct fold_set folds;
	size_t skip;  /* columns that are scrolled out of sight */
	uint64_t tip; /* which one is shown at first */
	bool without_heads;
	bool was_touched; /* a key was pressed: from then on the cursor stays with its row */
	bool chose_event; /* the menu of events was seen */
	bool is_asking;   /* a question is under way: the rows are those of the last one */
	char *searched;   /* the part of a line that is looked for; or NULL */
	struct strip strip;
	struct exporter *exporter;  /* NULL: nothing was exported yet */
	struct report_child *child; /* a program whose output is being read; or NULL */
};

static inline struct report_panel *report_panel_of(struct panel *p)
{
	return (struct report_panel *)p;
}

/* What the cursor is at. item is the number of rows if there are none. */
struct report_spot report_panel_spot(const struct report_panel *p);

/* Moves the cursor, and looks at rows that come into sight. */
void report_panel_go(struct report_panel *p, size_t line);

/* Gives back the snapshot with everything that is made of it. */
void report_panel_drop(struct report_panel *p);

/* Shows table @table. */
void report_panel_show(struct report_panel *p, size_t table);

/* Asks anew: the rows so far stay until there are others. */
void report_panel_ask(struct report_panel *p);

/* A new page for the same snapshot, with the cursor where it was. */
void report_panel_remake(struct report_panel *p);

void report_draw(struct panel *panel, struct screen *s);

/* Appends the first line of the panel. */
void report_title_text(const struct report_panel *p, struct text *out);

/* What the row, or the frame of its tree, at the cursor is about. Texts are the caller's. */
struct report_subject {
	const struct report_item *item; /* NULL: there are no rows */
	uint32_t frame_id;              /* FRAME_NONE: it is about no code */
	const struct frame *frame;      /* NULL likewise */
	bool has_self;                  /* samples were taken there, and not only in callees */
	char *comm, *dso;               /* NULL: not among the keys */
	int64_t tid, cpu, socket;       /* -1: not among the keys */
};
void report_subject_find(const struct report_panel *p, struct report_subject *ret);
void report_subject_done(struct report_subject *s);

/* What it is called: the function, or the address. @out is appended to. */
void report_subject_name(const struct report_subject *s, struct text *out);

/* Each does what a key does. */
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

/* Shows the function @symbol of the object @image; without that, the first that is called so. */
void report_show_code(struct report_panel *p, const char *image, const char *symbol,
		      uint64_t start);
enum panel_next report_change_limit(struct panel *panel);
enum panel_next report_toggle_percentage(struct panel *panel);
enum panel_next report_toggle_verbose(struct panel *panel);
enum panel_next report_flame(struct panel *panel);
enum panel_next report_flame_row(struct panel *panel);
enum panel_next report_export(struct panel *panel);
enum panel_next report_select_time(struct panel *panel);

/* The export of the report @arg, a report_panel, asked for by a panel above it. */
void report_export_above(void *arg, struct panel *owner);

/* The time strip below the rows: how many lines of @height it takes, and so on. */
int report_strip_height(const struct report_panel *p, int height);
void report_strip_draw(struct report_panel *p, struct screen *s, struct area a);
enum panel_next report_strip_input(struct report_panel *p, const struct screen_input *in);

/* Reads what a program of report_scripts() has written meanwhile. */
void report_child_news(struct report_panel *p);
void report_child_end(struct report_panel *p);

/* The menu of events above @p. */
void events_panel_push(struct report_panel *p);

extern const struct key_binding report_keys[];
