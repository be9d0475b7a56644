/* SPDX-License-Identifier: MIT */
#include "tools/c2c/functions-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/c2c/functions-model.h"
#include "tools/c2c/lines-model.h"
#include "tools/c2c/stats-view.h"

/* The most rows of each side, and the width of names, so that a line fits on a screen. */
#define SIDE_ROWS  8
#define NAME_WIDTH 34

/* On narrow terminals names are cut, but not to less than this. */
#define NAME_WIDTH_MIN 12

static int c2c_functions_name_width(unsigned terminal_columns, unsigned beside, unsigned names)
{
	unsigned room = terminal_columns > beside ? (terminal_columns - beside) / names : 0;

	if (!terminal_columns || room >= NAME_WIDTH)
		return NAME_WIDTH;
	return room > NAME_WIDTH_MIN ? (int)room : NAME_WIDTH_MIN;
}

static const char *rank_title(const struct c2c_lines *l)
{
	return l->o.display == C2C_PEERS ? "peers" : "HITMs";
}

static void add_line_name(const struct c2c_line *line, struct text *t)
{
	text_addf(t, "0x%" PRIx64, line->addr);
	if (line->symbol)
		text_addf(t, "  %s%+" PRId64, line->symbol, line->symbol_offset);
}

static void c2c_functions_add_function(const struct c2c_function *f, struct text *t)
{
	text_addf(t, "%s (%s)", f->name ? f->name : "?", f->object);
}

static void add_offsets(const struct c2c_function *f, struct text *t)
{
	text_addf(t, f->first_offset == f->last_offset ? "+%" PRIu64 : "+%" PRIu64 "..%" PRIu64,
		  f->first_offset, f->last_offset);
}

/* "    12  +0..8    writer (prog)", in a column of fixed width. */
static void c2c_functions_add_side(const struct c2c_functions *f, size_t i, bool writes, int width,
				   struct text *t)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY, offsets = TEXT_EMPTY;

	if (i >= f->n) {
		text_addf(t, "%*s", 7 + 2 + 8 + 2 + width, "");
		return;
	}
	c2c_functions_add_function(&f->items[i], &name);
	add_offsets(&f->items[i], &offsets);
	text_addf(t, "%7" PRIu64 "  %-8s  %-*.*s", writes ? f->items[i].stores : f->items[i].rank,
		  offsets.chars, width, width, name.chars);
}

static void c2c_functions_print_rows(const struct c2c_functions *readers,
				     const struct c2c_functions *writers, int width, FILE *out)
{
	size_t n = readers->n > writers->n ? readers->n : writers->n;

	for (size_t i = 0; i < n && i < SIDE_ROWS; i++) {
		_cleanup_(text_done) struct text t = TEXT_EMPTY;

		c2c_functions_add_side(readers, i, false, width, &t);
		text_add(&t, " | ");
		c2c_functions_add_side(writers, i, true, width, &t);
		while (t.length && t.chars[t.length - 1] == ' ')
			t.chars[--t.length] = '\0';
		fprintf(out, "  %s\n", t.chars);
	}
	if (n > SIDE_ROWS)
		fprintf(out, "  ... %zu more functions read it, %zu write it\n",
			readers->n > SIDE_ROWS ? readers->n - SIDE_ROWS : 0,
			writers->n > SIDE_ROWS ? writers->n - SIDE_ROWS : 0);
}

static void c2c_functions_print_line(const struct c2c_lines *l, size_t i, int width, FILE *out)
{
	const struct c2c_line *line = l->items[i];
	_cleanup_(c2c_functions_done) struct c2c_functions readers = { 0 }, writers = { 0 };
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	c2c_readers(l, line, &readers);
	c2c_writers(l, line, &writers);
	add_line_name(line, &name);
	fprintf(out, "\n# %zu  %s  %" PRIu64 " %s, %" PRIu32 " loads, %" PRIu32 " stores\n", i,
		name.chars, c2c_rank(&line->stats, l->o.display), rank_title(l),
		line->stats.n[C2C_LOADS], line->stats.n[C2C_STORES]);
	fprintf(out, "# %7s  %-8s  %-*s | %7s  %-8s  %s\n", rank_title(l), "offset", width,
		"who reads", "stores", "offset", "who writes");
	c2c_functions_print_rows(&readers, &writers, width, out);
}

/* The width beside the two names of a row: " ", numbers, offsets, " | ". */
#define BESIDE_SIDES (2 + 2 * 19 + 3)

void c2c_sides_print(const struct c2c_lines *l, unsigned terminal_columns, FILE *out)
{
	int width = c2c_functions_name_width(terminal_columns, BESIDE_SIDES, 2);

	c2c_title_print("          Who reads, and who writes, a line      ", out);
	for (size_t i = 0; i < l->n; i++)
		c2c_functions_print_line(l, i, width, out);
}

/*
 * The width beside the name of a function: shares, counts, and the name of a line, in most cases.
 */
#define BESIDE_FUNCTION (48 + 22)

void c2c_functions_print(const struct c2c_lines *l, unsigned terminal_columns, FILE *out)
{
	int width = c2c_functions_name_width(terminal_columns, BESIDE_FUNCTION, 1);
	_cleanup_(c2c_functions_done) struct c2c_functions f = { 0 };
	uint64_t all = c2c_rank(&l->total, l->o.display);

	c2c_functions_of_all(l, &f);
	c2c_title_print("          Functions that share cache lines       ", out);
	fprintf(out, "#\n# %8s  %7s  %7s  %7s  %5s  %-*s  %s\n#\n", "Share", rank_title(l), "loads",
		"stores", "lines", width, "function", "most of it on");
	for (size_t i = 0; i < f.n; i++) {
		const struct c2c_function *x = &f.items[i];
		_cleanup_(text_done) struct text name = TEXT_EMPTY, line = TEXT_EMPTY;

		c2c_functions_add_function(x, &name);
		if (terminal_columns && name.length > (size_t)width)
			text_filled(&name, name.chars + width);
		add_line_name(x->top, &line);
		fprintf(out,
			"  %7.2f%%  %7" PRIu64 "  %7" PRIu64 "  %7" PRIu64 "  %5zu  %-*s  %s\n",
			all ? 100.0 * (double)x->rank / (double)all : 0, x->rank, x->loads,
			x->stores, x->n_lines, width, name.chars, line.chars);
	}
}
