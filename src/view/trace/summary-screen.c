/* SPDX-License-Identifier: MIT */
#include "view/trace/summary-screen.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/trace/summary.h"
#include "base/escape.h"
#include "base/text.h"

#define ROWS_MIN    12
#define COLUMNS_MIN 40

/* A title, the names of the columns, and calls. */
#define LINES_MAX 14
#define HEAD      2

#define SAVE_CURSOR    "\0337"
#define RESTORE_CURSOR "\0338"
#define SCROLL_ALL     "\033[r"
#define ERASE_LINE     "\033[K"
#define ERASE_BELOW    "\033[J"

static void add_position(struct text *t, const struct trace_screen *v, unsigned line)
{
	text_addf(t, "\033[%u;1H", v->size.rows - v->lines + 1 + line);
}

/* The cursor may be in the last line: what is there moves up. */
static void make_room(struct trace_screen *v, struct text *t, struct trace_screen_size size)
{
	v->size = size;
	v->lines = size.rows / 2 < LINES_MAX ? size.rows / 2 : LINES_MAX;
	for (unsigned i = 0; i < v->lines; i++)
		text_add_char(t, '\n');
	text_addf(t, "\033[%uA" SAVE_CURSOR "\033[1;%ur" RESTORE_CURSOR, v->lines,
		  size.rows - v->lines);
}

static void add_clearing(struct trace_screen *v, struct text *t)
{
	text_add(t, SAVE_CURSOR SCROLL_ALL);
	add_position(t, v, 0);
	text_add(t, ERASE_BELOW RESTORE_CURSOR);
	v->lines = 0;
}

static double msec(double ns)
{
	return ns / 1e6;
}

/* "ls/29001"; a cgroup has its path; in all there is nothing to tell. */
static void add_group(struct text *t, const struct trace_summary_group *g,
		      enum trace_summary_mode mode)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	if (mode == TRACE_SUMMARY_TOTAL)
		return;
	escape_terminal(&name, g->name, strlen(g->name));
	if (mode == TRACE_SUMMARY_THREAD)
		text_addf(&name, "/%" PRIu64, g->id);
	text_addf(t, " %s", name.chars);
}

static void add_call(struct text *t, const struct trace_summary_line *l,
		     enum trace_summary_mode mode)
{
	const struct trace_summary_call *c = l->call;

	text_addf(t, " %-15s %9" PRIu64 " %6" PRIu64 " %10.3f %9.3f %9.3f", c->name, c->calls,
		  c->errors, msec((double)c->total_ns), msec(c->duration_ns.mean),
		  msec((double)c->max_ns));
	add_group(t, l->group, mode);
}

/* A line as far as the terminal is wide. Names may have characters of several bytes. */
static void add_line(struct text *t, const struct trace_screen *v, unsigned line,
		     const struct text *content)
{
	size_t n = content->length;

	while (n && escape_columns(content->chars, n) > v->size.columns)
		n--;
	/* Not in the middle of a character. */
	while (n && n < content->length && ((unsigned char)content->chars[n] & 0xc0) == 0x80)
		n--;
	add_position(t, v, line);
	text_add_bytes(t, content->chars, n);
	text_add(t, ERASE_LINE);
}

static void add_table(struct text *t, const struct trace_screen *v, struct trace_summary *s,
		      uint64_t elapsed_ns)
{
	struct trace_summary_line top[LINES_MAX];
	size_t room = v->lines - HEAD, all = trace_summary_top(s, top, room);
	_cleanup_(text_done) struct text line = TEXT_EMPTY;

	text_addf(&line, " After %.0f s, most time first; %zu of %zu:", (double)elapsed_ns / 1e9,
		  all < room ? all : room, all);
	add_line(t, v, 0, &line);
	text_clear(&line);
	text_addf(&line, " %-15s %9s %6s %10s %9s %9s%s", "syscall", "calls", "errors", "total ms",
		  "avg ms", "max ms", trace_summary_mode(s) == TRACE_SUMMARY_TOTAL ? "" : " of");
	add_line(t, v, 1, &line);
	for (unsigned i = 0; i < room; i++) {
		text_clear(&line);
		if (i < all)
			add_call(&line, &top[i], trace_summary_mode(s));
		add_line(t, v, HEAD + i, &line);
	}
}

static void put(FILE *out, struct text *t)
{
	fwrite(t->chars, 1, t->length, out);
	fflush(out);
	text_done(t);
}

void trace_screen_draw(struct trace_screen *v, FILE *out, struct trace_screen_size size,
		       struct trace_summary *s, uint64_t elapsed_ns)
{
	struct text t = TEXT_EMPTY;

	if (v->lines && (v->size.rows != size.rows || v->size.columns != size.columns))
		add_clearing(v, &t);
	if (!v->lines && size.rows >= ROWS_MIN && size.columns >= COLUMNS_MIN)
		make_room(v, &t, size);
	if (v->lines) {
		text_add(&t, SAVE_CURSOR);
		add_table(&t, v, s, elapsed_ns);
		text_add(&t, RESTORE_CURSOR);
	}
	put(out, &t);
}

void trace_screen_clear(struct trace_screen *v, FILE *out)
{
	struct text t = TEXT_EMPTY;

	if (v->lines)
		add_clearing(v, &t);
	put(out, &t);
}
