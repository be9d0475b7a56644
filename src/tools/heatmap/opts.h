/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options of perf heatmap. Private to tools/heatmap/heatmap*.c.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/choice.h"
#include "tools/heatmap/heatmap-work.h"

struct diag;
struct invocation;

enum heatmap_form {
	HEATMAP_FORM_UNSAID, /* by the name of the file, and whether the output is a terminal */
	HEATMAP_SVG,
	HEATMAP_HTML,
	HEATMAP_STDIO,
	HEATMAP_JSON,
};

struct heatmap_opts {
	struct heatmap_request rq;
	const char *input;
	bool samples;
	enum choice log;
	uint64_t rows, columns; /* 0: as the form has it */
	const char *output;
	bool svg, html, stdio, json;
	const char *title, *subtitle, *colours;
	bool quiet;
	uint64_t interval_ms; /* of what happens now; 0: a recording, or lines */
};

/* Settles what form the output has, and how many columns and rows it can show. */
enum heatmap_form heatmap_form(const struct invocation *inv, struct heatmap_opts *o);

/* How many rows fit into @lines of a terminal. */
size_t heatmap_rows_in(const struct invocation *inv, size_t lines);

/* Prints @h as text for a terminal, no wider than it was made. */
void heatmap_print_text(const struct invocation *inv, const struct heatmap *h, FILE *out);

/*
 * -I: what happens now, in maps that scroll, while a command runs that @argv has, or until a
 * signal. The exit status, or a negative errno with @diag.
 */
int heatmap_show_live(struct invocation *inv, char *const *argv, struct diag *diag);

/* Writes @h. A negative errno with @diag. */
int heatmap_show(const struct invocation *inv, enum heatmap_form form, struct heatmap *h,
		 struct diag *diag);
