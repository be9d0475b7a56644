/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The menu that writes what is shown into a file: a flame graph, a page, folded stacks, JSON, text.
 *
 * Belongs to a browser, whose panels open the menu and tell it of news. A file that is there is
 * replaced only after a question. The page is made in the background.
 */
#include "base/cleanup.h"
#include "tui/snapshot-flame.h"
#include "view/report/tree.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct browse;
struct exporter;
struct panel;
struct panels;

/*
 * What the browser shows, written into a file. Needs no terminal.
 */

struct browse_snapshot;
struct diag;
struct page;

enum export_kind {
	EXPORT_SVG,    /* a flame graph */
	EXPORT_PAGE,   /* everything, for a web browser */
	EXPORT_FOLDED, /* stacks as lines, for other tools */
	EXPORT_JSON,
	EXPORT_TEXT, /* as perf report --stdio prints it */
	N_EXPORTS,
};

/* What is shown. All of it is borrowed. */
struct export_view {
	struct snapshot_flame_request flame; /* of flame graphs and folded stacks: */
	const char *const *zoom;             /* only stacks through the box with these names */
	size_t n_zoom;
	struct report_tree_options tree; /* of text: call trees, */
	const char *widths;              /* columns */
	bool times_in_ns;
};

/* ".svg", and what the menu says of it. */
const char *export_suffix(enum export_kind kind);
const char *export_words(enum export_kind kind);

/*
 * Writes @path in place of what is there. All kinds but EXPORT_PAGE. Its size is in *@ret_size. A
 * negative errno with @diag; -ENODATA: there is nothing to be written.
 */
int export_write(const struct browse_snapshot *s, const struct export_view *v,
		 enum export_kind kind, const char *path, uint64_t *ret_size, struct diag *diag);

/* The same of a page that was made already. */
int export_write_page(const struct page *page, const char *path, uint64_t *ret_size,
		      struct diag *diag);

struct exporter *exporter_new(struct panels *p);
/* Gives up a page that is not complete. */
void exporter_free(struct exporter *e);
DEFINE_FREEP(exporter)

/* What the menu of a panel is about. The view and the name are copied. */
struct export_menu {
	struct browse *browse; /* its newest snapshot is written */
	struct export_view view;
	const char *stem; /* the name that is proposed, without ".svg" */
};

/* Opens the menu above @owner. */
void exporter_menu(struct exporter *e, struct panel *owner, const struct export_menu *m);

/* For news() of the panel below: how far the page is. */
void exporter_news(struct exporter *e);
