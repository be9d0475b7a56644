/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the browser shows, written into a file. Needs no terminal.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/snapshot-flame.h"
#include "view/report/tree.h"

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
