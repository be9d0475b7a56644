/* SPDX-License-Identifier: MIT */
#include "tools/diff/streams-view.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "profile/frames.h"
#include "profile/source-text.h"
#include "profile/weight.h"
#include "symbol/source.h"
#include "symbol/symbol.h"
#include "tools/diff/streams-model.h"

#define CELL_WIDTH 35

/* The lines below the heads, each right-aligned in its cell. */
#define RULE_OF_PAIR "---------------------------"
#define RULE         "--------------------------"

struct diff_streams_page {
	const struct streams_view *view;
	struct text out;
};

static void diff_streams_add_cell(struct diff_streams_page *p, const char *s)
{
	text_addf(&p->out, "%*s", CELL_WIDTH, s);
}

/* Moves to the position at which the second recording's cells begin. */
static void diff_streams_add_gap(struct diff_streams_page *p)
{
	text_add_char(&p->out, '\t');
}

static void diff_streams_add_head(struct diff_streams_page *p, const struct streams *all,
				  const struct stream *s)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_addf(&t, "cycles: %" PRIu64 ", hits: %.2f%%", s->cycles,
		  percent_of(s->period, all->whole));
	diff_streams_add_cell(p, t.chars);
}

/* Appends "loop prog.c:53", or the address. */
static void diff_streams_add_place(struct diff_streams_page *p, uint32_t id)
{
	const struct frame *f = frames_get(p->view->frames, id);
	_cleanup_(text_done) struct text t = TEXT_EMPTY, shown = TEXT_EMPTY;
	struct source_line line = { 0 };

	if (f->sym) {
		text_addf(&t, "%s ", f->sym->name);
		if (frame_source_line(f, &line) && line.file)
			source_line_text(&line, p->view->full_source_paths, &t);
		else
			text_add(&t, SOURCE_UNKNOWN);
	} else {
		text_addf(&t, "0x%" PRIx64, f->ip);
	}
	if (p->view->escape)
		escape_terminal(&shown, t.chars, t.length);
	diff_streams_add_cell(p, p->view->escape ? shown.chars : t.chars);
}

static void diff_streams_add_pair(struct diff_streams_page *p, const struct streams *before,
				  const struct stream *a, const struct streams *after,
				  const struct stream *b)
{
	diff_streams_add_head(p, before, a);
	diff_streams_add_gap(p);
	diff_streams_add_head(p, after, b);
	text_add_char(&p->out, '\n');
	diff_streams_add_cell(p, RULE_OF_PAIR);
	diff_streams_add_gap(p);
	diff_streams_add_cell(p, RULE);
	text_add_char(&p->out, '\n');
	for (size_t i = 0; i < a->n; i++) {
		diff_streams_add_place(p, a->frames[i]);
		diff_streams_add_gap(p);
		diff_streams_add_place(p, b->frames[i]);
		text_add_char(&p->out, '\n');
	}
}

/* Begins a line of the second recording, in which the first one's cell is empty. */
static void diff_streams_add_side(struct diff_streams_page *p, bool is_second)
{
	if (is_second) {
		diff_streams_add_cell(p, "");
		diff_streams_add_gap(p);
	}
}

static void add_single(struct diff_streams_page *p, const struct streams *all,
		       const struct stream *s, bool is_second)
{
	diff_streams_add_side(p, is_second);
	diff_streams_add_head(p, all, s);
	text_add_char(&p->out, '\n');
	diff_streams_add_side(p, is_second);
	diff_streams_add_cell(p, RULE);
	text_add_char(&p->out, '\n');
	for (size_t i = 0; i < s->n; i++) {
		diff_streams_add_side(p, is_second);
		diff_streams_add_place(p, s->frames[i]);
		text_add_char(&p->out, '\n');
	}
}

/* Adds the streams without a partner. */
static void add_singles(struct diff_streams_page *p, const struct streams *s, const bool *paired,
			bool is_second)
{
	size_t nth = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (paired[i])
			continue;
		text_addf(&p->out, "\nhot chain %zu:\n", ++nth);
		add_single(p, s, &s->items[i], is_second);
	}
}

int diff_streams_print(FILE *out, const struct streams_view *v, const struct streams *before,
		       const struct streams *after)
{
	struct diff_streams_page p = { .view = v, .out = TEXT_EMPTY };
	bool old[STREAMS_MAX] = { false }, new[STREAMS_MAX] = { false };
	size_t partner[STREAMS_MAX], nth = 0;

	streams_match(before, after, v->frames, partner);
	text_add(&p.out, "[ Matched hot streams ]\n");
	for (size_t i = 0; i < before->n; i++) {
		if (partner[i] == STREAM_NONE)
			continue;
		old[i] = new[partner[i]] = true;
		text_addf(&p.out, "\nhot chain pair %zu:\n", ++nth);
		diff_streams_add_pair(&p, before, &before->items[i], after,
				      &after->items[partner[i]]);
	}
	text_add(&p.out, "\n[ Hot streams in old perf data only ]\n");
	add_singles(&p, before, old, false);
	text_add(&p.out, "\n[ Hot streams in new perf data only ]\n");
	add_singles(&p, after, new, true);
	fputs(p.out.chars, out);
	text_done(&p.out);
	return ferror(out) ? -EIO : 0;
}
