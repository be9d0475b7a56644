/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of one function of a live profile, as text: the instructions that weigh most.
 */
#include "base/text.h"
#include "profile/annotate.h"

struct browse;
struct browse_snapshot;
struct code_functions;
struct code_listing;
struct code_samples;
struct diag;
struct report_table;

struct top_text_code {
	const struct annotate_request *how;
	char *symbol; /* that is shown; NULL: none */
	/* Private: */
	struct code_functions *functions;
	const struct code_samples *samples;
	struct code_listing *listing;
};

/* Shows @symbol from now on; NULL: none. */
void top_text_code_choose(struct top_text_code *c, const char *symbol);

/*
 * Appends the code with the samples of event @table of @s. What there is to wait for, or why there
 * is none, comes as a line.
 */
void top_text_code_add(struct top_text_code *c, struct browse *b, const struct browse_snapshot *s,
		       const struct report_table *table, bool colour, struct text *out);
