/* SPDX-License-Identifier: MIT */
#include "tools/top/text-code.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "profile/code-functions.h"
#include "profile/report-tables.h"
#include "tui/browse.h"
#include "view/annotate/annotate.h"

#define MIN_PERCENT 5 /* lighter instructions are left out */

static void top_text_code_forget(struct top_text_code *c)
{
	code_listing_free(c->listing);
	code_samples_release(c->samples);
	code_functions_free(c->functions);
	c->listing = NULL;
	c->samples = NULL;
	c->functions = NULL;
}

void top_text_code_choose(struct top_text_code *c, const char *symbol)
{
	char *chosen = symbol && *symbol ? xstrdup(symbol) : NULL;

	top_text_code_forget(c);
	free(c->symbol);
	c->symbol = chosen;
}

/* Newer samples, and the listing that was asked for, if they have come. */
static void top_text_code_take_news(struct top_text_code *c)
{
	const struct code_samples *s = code_functions_take(c->functions, c->samples);
	const struct annotated_function *f;
	struct code_listing *l = code_functions_listing(c->functions);

	if (l) {
		code_listing_free(c->listing);
		c->listing = l;
	}
	if (s) {
		code_samples_release(c->samples);
		c->samples = s;
	}
	if (!c->samples)
		return;
	if (c->listing && c->listing->r >= 0) {
		code_listing_refresh(c->listing, c->samples);
		return;
	}
	f = code_samples_find(c->samples, NULL, c->symbol, 0);
	if (f && !c->listing)
		code_functions_ask(c->functions, c->samples, f->image, f->sym);
}

static void add_listing(const struct top_text_code *c, bool colour, struct text *out)
{
	const struct code_samples *s = c->samples;
	const struct annotate_view v = {
		.event = s->event,
		.whole = { .n_events = s->n, .totals = s->totals },
		.frequency = s->frequency,
		.raw = c->how->asm_raw == CHOICE_YES,
		.min_percent = MIN_PERCENT,
		.colour = colour,
	};

	annotate_stdio_add(out, &v, &c->listing->listing);
}

static void add_state(const struct top_text_code *c, struct text *out)
{
	if (c->listing)
		text_add(out, c->listing->why.message ? c->listing->why.message : "no code");
	else if (c->samples && !code_samples_find(c->samples, NULL, c->symbol, 0))
		text_add(out, "no samples yet");
	else
		text_add(out, "waiting for samples");
	text_add_char(out, '\n');
}

static int open_code(struct top_text_code *c, struct browse *b, const struct browse_snapshot *s,
		     const struct report_table *table, struct diag *diag)
{
	if (c->functions)
		return 0;
	return browse_code(b, s, c->how, table->first, table->n_events, &c->functions, diag);
}

void top_text_code_add(struct top_text_code *c, struct browse *b, const struct browse_snapshot *s,
		       const struct report_table *table, bool colour, struct text *out)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	text_add(out, "Showing ");
	escape_terminal(out, table->names[0], strlen(table->names[0]));
	text_add(out, " for ");
	escape_terminal(out, c->symbol, strlen(c->symbol));
	text_addf(out, "\n  Events  Pcnt (>=%d%%)\n", MIN_PERCENT);
	if (open_code(c, b, s, table, &diag) < 0) {
		text_addf(out, "%s\n", diag.message);
		return;
	}
	top_text_code_take_news(c);
	if (c->listing && c->listing->r >= 0)
		add_listing(c, colour, out);
	else
		add_state(c, out);
}
