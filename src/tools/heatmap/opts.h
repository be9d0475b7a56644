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
	HEATMAP_FORM_UNSAID, /* chosen by the file's name, or by whether the output is a terminal */
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
	uint64_t rows, columns; /* 0: the default of the form */
	const char *output;
	bool svg, html, stdio, json;
	const char *title, *subtitle, *colours;
	bool quiet;
	uint64_t interval_ms; /* for a live map; 0: a recording, or lines */
};

/* Determines the form of the output, and the number of columns and rows that it can show. */
enum heatmap_form heatmap_form(const struct invocation *inv, struct heatmap_opts *o);

/* Returns the number of rows that fit into @lines lines of a terminal. */
size_t heatmap_rows_in(const struct invocation *inv, size_t lines);

/* Prints @h as text for a terminal, no wider than the width for which it was made. */
void heatmap_print_text(const struct invocation *inv, const struct heatmap *h, FILE *out);

/*
 * -I: shows live maps that scroll, while the command @argv runs, or until a signal. Returns the
 * exit status, or a negative errno with @diag.
 */
int heatmap_show_live(struct invocation *inv, char *const *argv, struct diag *diag);

/* Writes @h. Returns a negative errno with @diag. */
int heatmap_show(const struct invocation *inv, enum heatmap_form form, struct heatmap *h,
		 struct diag *diag);
