/* SPDX-License-Identifier: MIT */
#include "view/report/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/digits.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/short-name.h"
#include "profile/report.h"
#include "profile/source-text.h"
#include "symbol/source.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"
#include "view/branch-text.h"
#include "view/report/tree-text.h"

/*
 * The maximum length of names in bytes, as in Linux's perf. Names of C++ templates may be longer.
 */
#define NAME_LENGTH 1023

/* The weights in percent: red is used from the first one on, green above the second. */
#define RED_FROM    5.0
#define GREEN_ABOVE 0.5

static bool report_tree_is_list(enum report_tree_print print)
{
	return print == REPORT_TREE_FLAT || print == REPORT_TREE_FOLDED;
}

struct report_tree *report_tree_new(const struct report_tree_options *o,
				    const struct report_rows *rows)
{
	struct report_tree *t = xcalloc(1, sizeof(*t));

	t->o = *o;
	t->how = (struct call_tree_options){
		.order = o->order,
		.callers_first = rows->options->rq.callers_first,
		.threshold = o->threshold / 100,
		.whole = report_rows_whole(rows).period,
		.relative = o->print == REPORT_TREE_FRACTAL,
		.by_rank = report_tree_is_list(o->print),
		.notes = o->notes ? &rows->tally->notes : NULL,
	};

	t->rows = rows;
	t->whole = rows->all.period;
	t->frames = rows->options->env->frames;
	t->names = xcalloc(frames_count(t->frames) + 1, sizeof(*t->names));
	t->label = (struct text)TEXT_EMPTY;
	t->margin = (struct text)TEXT_EMPTY;
	t->builder = call_tree_builder_new(&t->how, rows);
	return t;
}

void report_tree_free(struct report_tree *t)
{
	if (!t)
		return;
	call_tree_builder_free(t->builder);
	free(t->names);
	arena_done(&t->arena);
	text_done(&t->label);
	text_done(&t->margin);
	free(t);
}

void report_tree_set_whole(struct report_tree *t, uint64_t whole)
{
	t->whole = t->how.whole = whole;
	call_tree_builder_set_whole(t->builder, whole);
}

void report_tree_set_columns(struct report_tree *t, unsigned columns)
{
	if (t->o.form.columns)
		t->o.form.columns = columns;
}

/* Appends " main.c:12" after a name, or " +24" if the code has no file. */
static void report_tree_add_line(const struct report_tree *t, const struct frame *f, struct text *s)
{
	struct source_line line;

	if (frame_source_line(f, &line)) {
		text_add_char(s, ' ');
		source_line_text(&line, t->o.full_paths, s);
	} else if (!f->image || source_is_unknown(f->image, f->sym)) {
		text_add(s, " " SOURCE_UNKNOWN);
	} else if (t->o.offsets) {
		text_addf(s, " +%lu", f->addr - f->sym->start);
	}
}

static void report_tree_add_image(const struct report_tree *t, const struct image *im,
				  struct text *s)
{
	const char *name = image_short_name(im);

	text_add_char(s, ' ');
	if (t->o.form.escape)
		escape_terminal(s, name, strlen(name));
	else
		text_add(s, name);
}

/* Appends the name in the words of the source, in any length. */
static void add_plain_name(const struct report_tree *t, const char *name, struct text *s)
{
	_cleanup_(text_done) struct text plain = TEXT_EMPTY;

	name_shorten(&plain, name, SIZE_MAX, t->o.form.dots);
	escape_terminal(s, plain.chars, plain.length);
}

void report_tree_add_name(const struct report_tree *t, size_t taken, const struct frame_name *name,
			  struct text *out)
{
	_cleanup_(text_done) struct text whole = TEXT_EMPTY;

	if (!t->o.form.columns ||
	    taken + escape_columns(name->chars, name->length) <= t->o.form.columns) {
		text_add_bytes(out, name->chars, name->length);
		return;
	}
	text_add_bytes(&whole, name->chars, name->length);
	name_shorten(out, whole.chars, taken < t->o.form.columns ? t->o.form.columns - taken : 1,
		     t->o.form.dots);
}

size_t report_columns_visible(const char *s, size_t n)
{
	size_t columns = 0;
	bool escaped = false;

	for (size_t i = 0; i < n; i++) {
		escaped = escaped || s[i] == '\033';
		columns += !escaped;
		escaped = escaped && s[i] != 'm';
	}
	return columns;
}

/* Makes a name that differs from the symbol's. */
static struct frame_name made_name(struct report_tree *t, const struct frame *f)
{
	_cleanup_(text_done) struct text s = TEXT_EMPTY;

	if (!f->sym)
		text_addf(&s, "%#lx", frame_address(f));
	else if (t->o.form.columns)
		add_plain_name(t, f->sym->name, &s);
	else if (t->o.form.escape)
		escape_terminal(&s, f->sym->name, strlen(f->sym->name));
	else
		text_add(&s, f->sym->name);
	if (f->sym && t->o.lines)
		report_tree_add_line(t, f, &s);
	if (s.length > NAME_LENGTH)
		text_filled(&s, s.chars + NAME_LENGTH);
	if (f->sym && f->sym->is_inlined)
		text_add(&s, " (inlined)");
	if (t->o.images && f->image)
		report_tree_add_image(t, f->image, &s);
	return (struct frame_name){ arena_strndup(&t->arena, s.chars, s.length), s.length };
}

const struct frame_name *report_tree_name(struct report_tree *t, uint32_t id)
{
	struct frame_name *name = &t->names[id];

	if (!name->chars) {
		const struct frame *f = frames_get(t->frames, id);

		if (f->sym && !t->o.form.escape && !t->o.lines && !t->o.images &&
		    !f->sym->is_inlined)
			*name = (struct frame_name){ f->sym->name,
						     strnlen(f->sym->name, NAME_LENGTH) };
		else
			*name = made_name(t, f);
	}
	return name;
}

const struct frame_name *report_tree_label(struct report_tree *t, const struct call_node *n,
					   size_t i)
{
	const struct frame_name *name = report_tree_name(t, n->frames[i]);

	if (!n->notes)
		return name;
	text_clear(&t->label);
	text_add_bytes(&t->label, name->chars, name->length);
	branch_note_text(&n->notes[i], &t->label);
	t->labelled = (struct frame_name){ t->label.chars, t->label.length };
	return &t->labelled;
}

static char *report_tree_put(char *at, const char *s)
{
	return stpcpy(at, s);
}

static char *put_percent(const struct report_tree *t, char *at, double percent)
{
	bool is_plain = !t->o.form.colour || percent <= GREEN_ABOVE;

	if (!is_plain)
		at = report_tree_put(at, percent >= RED_FROM ? "\033[31m" : "\033[32m");
	at = digits_hundredths(at, percent);
	*at++ = '%';
	return is_plain ? at : report_tree_put(at, "\033[m");
}

char *report_tree_value(const struct report_tree *t, char *at, struct weight w, uint64_t of)
{
	switch (t->o.value) {
	case REPORT_TREE_PERIOD:
		return digits_decimal(at, w.period);
	case REPORT_TREE_COUNT:
		return digits_decimal(at, w.samples);
	case REPORT_TREE_PERCENT:
		break;
	}
	return put_percent(t, at, percent_of(w.period, of));
}

void report_tree_print(struct report_tree *t, const struct report_row *row, struct text *out)
{
	_cleanup_(call_tree_done) struct call_tree tree = { 0 };

	if (!t || !row)
		return;
	call_tree_init(&tree, t->builder, row);
	if (report_tree_is_list(t->o.print))
		report_tree_list(t, &tree, out);
	else
		report_tree_draw(t, &tree.root, t->rows->options->children ? row->total : row->self,
				 out);
}
