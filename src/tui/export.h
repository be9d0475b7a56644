/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The menu that exports the shown data to a file: a flame graph, a page, folded stacks, JSON, text.
 *
 * It belongs to a browser, whose panels open the menu and forward news to it. An existing file is
 * replaced only after a confirmation. The page is made in the background.
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

/* Writes the contents of the browser to a file. It does not need a terminal. */

struct browse_snapshot;
struct diag;
struct page;

enum export_kind {
	EXPORT_SVG,    /* a flame graph */
	EXPORT_PAGE,   /* everything, for a web browser */
	EXPORT_FOLDED, /* stacks as lines, for other tools */
	EXPORT_JSON,
	EXPORT_TEXT, /* like the output of perf report --stdio */
	N_EXPORTS,
};

/* The view to export. All of it is borrowed. */
struct export_view {
	struct snapshot_flame_request flame; /* for flame graphs and folded stacks: */
	const char *const *zoom;             /* only stacks through the box with these names */
	size_t n_zoom;
	struct report_tree_options tree; /* for text */
};

/* Return ".svg", and the description in the menu. */
const char *export_suffix(enum export_kind kind);
const char *export_words(enum export_kind kind);

/*
 * Writes @path and replaces an existing file. It supports all kinds except EXPORT_PAGE. *@ret_size
 * becomes the file's size. Returns a negative errno with @diag; -ENODATA: there is nothing to
 * write.
 */
int export_write(const struct browse_snapshot *s, const struct export_view *v,
		 enum export_kind kind, const char *path, uint64_t *ret_size, struct diag *diag);

/* Does the same for a page that was made already. */
int export_write_page(const struct page *page, const char *path, uint64_t *ret_size,
		      struct diag *diag);

struct exporter *exporter_new(struct panels *p);
/* Frees the exporter, and abandons a page that is not complete. */
void exporter_free(struct exporter *e);
DEFINE_FREEP(exporter)

/* The subject of a panel's menu. The view and the name are copied. */
struct export_menu {
	struct browse *browse; /* its newest snapshot is written */
	struct export_view view;
	const char *stem; /* the proposed name, without ".svg" */
};

/* Opens the menu above @owner. */
void exporter_menu(struct exporter *e, struct panel *owner, const struct export_menu *m);

/* Shows the progress of the page; for news() of the panel below. */
void exporter_news(struct exporter *e);
