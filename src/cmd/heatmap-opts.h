/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options of perf heatmap. Private to cmd/heatmap*.c.
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/choice.h"
#include "job/heatmap.h"

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
};

/* Settles what form the output has, and how many columns and rows it can show. */
enum heatmap_form heatmap_form(const struct invocation *inv, struct heatmap_opts *o);

/* Writes @h. A negative errno with @diag. */
int heatmap_show(const struct invocation *inv, enum heatmap_form form, struct heatmap *h,
		 struct diag *diag);
