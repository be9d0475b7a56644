/* SPDX-License-Identifier: MIT */
#include "cli/redraw.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "cli/redraw-cut.h"
#include "cli/terminal.h"

#define SAVE_CURSOR    "\0337"
#define RESTORE_CURSOR "\0338"
#define SCROLL_ALL     "\033[r"
#define ERASE_LINE     "\033[K"
#define ERASE_BELOW    "\033[J"

/* Terminals that support this show the output between them in one step; others ignore it. */
#define BEGIN_UPDATE "\033[?2026h"
#define END_UPDATE   "\033[?2026l"

/* The rows of a terminal that does not report them. */
#define ROWS_DEFAULT 24

/* --- signals ---------------------------------------------------------------------------------- */

/*
 * The state for the handlers: that the process was stopped, and the sequence that makes the
 * terminal scroll as usual. Written with the signals blocked.
 */
static struct {
	volatile sig_atomic_t continued;
	int fd;
	size_t length;
	char leaving[80];
} watched;

static const int leaving_signals[] = { SIGTSTP, SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static void on_continue(int number)
{
	(void)number;
	watched.continued = 1;
}

/* Restores the terminal, then gives the signal its usual effect. */
static void on_leaving(int number)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, own;
	sigset_t set;

	if (watched.length && write(watched.fd, watched.leaving, watched.length) < 0)
		return;
	watched.length = 0;
	watched.continued = 1;
	sigaction(number, &usual, &own);
	sigemptyset(&set);
	sigaddset(&set, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	/* This is reached only after a stop. */
	sigaction(number, &own, NULL);
}

static void block_signals(sigset_t *ret_before)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(leaving_signals); i++)
		sigaddset(&set, leaving_signals[i]);
	sigprocmask(SIG_BLOCK, &set, ret_before);
}

/* Installs a handler, unless the signal is ignored or has one already. */
static void redraw_handle(int number, void (*handler)(int))
{
	const struct sigaction own = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct sigaction now;

	if (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
		sigaction(number, &own, NULL);
}

static void redraw_unhandle(int number, void (*handler)(int))
{
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	struct sigaction now;

	if (sigaction(number, NULL, &now) == 0 && now.sa_handler == handler)
		sigaction(number, &usual, NULL);
}

static void watch_signals(enum redraw_place place)
{
	watched.continued = 0;
	watched.length = 0;
	redraw_handle(SIGCONT, on_continue);
	for (size_t i = 0; place == REDRAW_BOTTOM && i < ARRAY_SIZE(leaving_signals); i++)
		redraw_handle(leaving_signals[i], on_leaving);
}

static void unwatch_signals(void)
{
	redraw_unhandle(SIGCONT, on_continue);
	for (size_t i = 0; i < ARRAY_SIZE(leaving_signals); i++)
		redraw_unhandle(leaving_signals[i], on_leaving);
}

/* --- the terminal ----------------------------------------------------------------------------- */

/*
 * True if the process is in the foreground. A terminal of another session has no foreground in
 * which we could be.
 */
static bool in_foreground(FILE *out)
{
	pid_t group = tcgetpgrp(fileno(out));

	return group <= 0 || group == getpgrp();
}

bool redraw_possible(FILE *out)
{
	return terminal_understands(out) && in_foreground(out);
}

static struct redraw_size redraw_size_of(FILE *out)
{
	unsigned rows = terminal_height(out);

	return (struct redraw_size){ rows ? rows : ROWS_DEFAULT, terminal_width(out) };
}

/* Returns the number of bytes in lines that were typed, and echoed at the cursor. */
static int typed_bytes(void)
{
	int n = 0;

	return isatty(STDIN_FILENO) == 1 && ioctl(STDIN_FILENO, FIONREAD, &n) == 0 ? n : 0;
}

static void redraw_put(struct redraw *r, struct text *t)
{
	fwrite(t->chars, 1, t->length, r->out);
	fflush(r->out);
	text_done(t);
}

static unsigned rows_for(const struct redraw *r, struct redraw_size size)
{
	if (r->place == REDRAW_BOTTOM)
		return size.rows / 2;
	return size.rows > 1 ? size.rows - 1 : 1;
}

/* --- lines of a block ------------------------------------------------------------------------- */

static size_t redraw_count_lines(const char *block, size_t n)
{
	size_t lines = 0;

	for (size_t i = 0; i < n; i++)
		lines += block[i] == '\n';
	return n && block[n - 1] != '\n' ? lines + 1 : lines;
}

/* Returns the line at *@at, without its end, and moves *@at to the next. */
static const char *redraw_take_line(const char *block, size_t n, size_t *at, size_t *ret_length)
{
	const char *line = block + *at, *end = memchr(line, '\n', n - *at);

	*ret_length = end ? (size_t)(end - line) : n - *at;
	*at += *ret_length + (end != NULL);
	return line;
}

/* Adds "... 12 more lines" in place of those that do not fit. */
static void redraw_add_rest(struct redraw *r, struct text *t, size_t left, size_t columns)
{
	char words[64];
	int n = snprintf(words, sizeof(words), " ... %zu more lines, in a higher terminal", left);

	*ARRAY_ADD(&r->widths) = (unsigned)redraw_cut(t, words, (size_t)n, columns);
}

/* --- at the cursor ---------------------------------------------------------------------------- */

/*
 * Returns the number of lines from the first one of the block to the cursor. A terminal that has
 * become narrower has broken the lines that no longer fit.
 */
static size_t lines_above(const struct redraw *r, unsigned columns)
{
	size_t n = 0;

	for (size_t i = 0; i < r->widths.n; i++)
		n += r->widths.items[i] > columns ? (r->widths.items[i] - 1) / columns + 1 : 1;
	return r->lines ? n : 0;
}

static void add_way_up(struct redraw *r, struct text *t, struct redraw_size size)
{
	size_t up = lines_above(r, size.columns);

	if (up)
		text_addf(t, "\r\033[%zuA", up);
	else
		text_add(t, "\r");
}

/* Adds at most @max lines of @columns; the last one gives the number of omitted lines. */
static void redraw_add_lines(struct redraw *r, struct text *t, size_t max, size_t columns)
{
	const char *block = r->last.chars;
	size_t n = r->last.length, lines = redraw_count_lines(block, n), at = 0, length;

	r->widths.n = 0;
	for (size_t i = 0; i < lines && i < max; i++) {
		const char *line = redraw_take_line(block, n, &at, &length);

		if (i + 1 == max && lines > max)
			redraw_add_rest(r, t, lines - i, columns);
		else
			*ARRAY_ADD(&r->widths) = (unsigned)redraw_cut(t, line, length, columns);
		text_add(t, ERASE_LINE "\n");
	}
	r->lines = r->widths.n;
}

static void draw_here(struct redraw *r, struct redraw_size size)
{
	struct text t = TEXT_EMPTY;

	text_add(&t, BEGIN_UPDATE);
	add_way_up(r, &t, size);
	redraw_add_lines(r, &t, rows_for(r, size), size.columns - 1);
	text_add(&t, ERASE_BELOW END_UPDATE);
	redraw_put(r, &t);
	r->drawn = size;
}

/* --- in the last lines ------------------------------------------------------------------------ */

static void add_position(struct text *t, struct redraw_size size, size_t lines, size_t line)
{
	text_addf(t, "\033[%zu;1H", size.rows - lines + 1 + line);
}

/* Makes the terminal scroll all its lines again, without the block. */
static void add_clearing(struct redraw *r, struct text *t, struct redraw_size size)
{
	struct redraw_size lower = { size.rows < r->drawn.rows ? size.rows : r->drawn.rows, 0 };
	size_t lines = r->lines < lower.rows ? r->lines : lower.rows;

	text_add(t, SAVE_CURSOR SCROLL_ALL);
	add_position(t, lower, lines, 0);
	text_add(t, ERASE_BELOW RESTORE_CURSOR);
	r->lines = 0;
	watched.length = 0;
}

/* Prepares the text of add_clearing() for handlers. */
static void prepare_leaving(const struct redraw *r)
{
	int n = snprintf(watched.leaving, sizeof(watched.leaving),
			 SAVE_CURSOR SCROLL_ALL "\033[%zu;1H" ERASE_BELOW RESTORE_CURSOR END_UPDATE,
			 r->drawn.rows - r->lines + 1);

	watched.fd = fileno(r->out);
	watched.length = n > 0 && (size_t)n < sizeof(watched.leaving) ? (size_t)n : 0;
}

/* Makes space for the block. The cursor may be in the last line, so the text there moves up. */
static void redraw_make_room(struct redraw *r, struct text *t, struct redraw_size size,
			     size_t lines)
{
	r->drawn = size;
	r->lines = lines;
	for (size_t i = 0; i < lines; i++)
		text_add_char(t, '\n');
	text_addf(t, "\033[%zuA" SAVE_CURSOR "\033[1;%zur" RESTORE_CURSOR, lines,
		  size.rows - lines);
}

static void add_bottom_lines(struct redraw *r, struct text *t, size_t lines)
{
	const char *block = r->last.chars;
	size_t n = r->last.length, at = 0, length = 0, columns = r->drawn.columns - 1;

	r->widths.n = 0;
	for (size_t i = 0; i < r->lines; i++) {
		const char *line = i < lines ? redraw_take_line(block, n, &at, &length) : NULL;

		add_position(t, r->drawn, r->lines, i);
		if (i + 1 == r->lines && lines > r->lines)
			redraw_add_rest(r, t, lines - i, columns);
		else if (line)
			redraw_cut(t, line, length, columns);
		text_add(t, ERASE_LINE);
	}
}

static void draw_bottom(struct redraw *r, struct redraw_size size)
{
	size_t lines = redraw_count_lines(r->last.chars, r->last.length), most = rows_for(r, size);
	size_t room = lines < most ? lines : most;
	struct text t = TEXT_EMPTY;

	text_add(&t, BEGIN_UPDATE);
	if (r->lines &&
	    (r->drawn.rows != size.rows || r->drawn.columns != size.columns || room > r->lines))
		add_clearing(r, &t, size);
	if (!r->lines && room)
		redraw_make_room(r, &t, size, room);
	if (r->lines) {
		text_add(&t, SAVE_CURSOR);
		add_bottom_lines(r, &t, lines);
		text_add(&t, RESTORE_CURSOR);
		prepare_leaving(r);
	}
	text_add(&t, END_UPDATE);
	redraw_put(r, &t);
}

/* --- both ------------------------------------------------------------------------------------- */

void redraw_init(struct redraw *r, FILE *out, enum redraw_place place)
{
	*r = (struct redraw){
		.out = out, .place = place, .size = redraw_size_of, .last = TEXT_EMPTY, .typed = -1
	};
	watch_signals(place);
}

struct redraw_size redraw_room(const struct redraw *r)
{
	struct redraw_size size = r->size(r->out);

	return (struct redraw_size){ rows_for(r, size), size.columns - 1 };
}

/* Notes that the block has moved, after a stop or a typed line. */
static void notice_moves(struct redraw *r)
{
	int typed = typed_bytes();

	if (watched.continued || (r->place == REDRAW_HERE && r->typed >= 0 && typed > r->typed))
		r->lines = 0;
	watched.continued = 0;
	r->typed = typed;
}

void redraw_show(struct redraw *r, const char *block, size_t n)
{
	sigset_t before;

	text_clear(&r->last);
	if (n)
		text_add_bytes(&r->last, block, n);
	if (!in_foreground(r->out))
		return;
	block_signals(&before);
	notice_moves(r);
	if (r->place == REDRAW_HERE)
		draw_here(r, r->size(r->out));
	else
		draw_bottom(r, r->size(r->out));
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Erases the block; the next output appears in its place, or where a command has its cursor. */
static void redraw_erase(struct redraw *r)
{
	struct text t = TEXT_EMPTY;
	struct redraw_size size = r->size(r->out);

	if (r->place == REDRAW_BOTTOM) {
		add_clearing(r, &t, size);
	} else {
		add_way_up(r, &t, size);
		text_add(&t, ERASE_BELOW);
		r->lines = 0;
	}
	redraw_put(r, &t);
}

void redraw_interrupt(struct redraw *r)
{
	sigset_t before;

	if (!r || !r->lines || r->place == REDRAW_BOTTOM || !in_foreground(r->out))
		return;
	block_signals(&before);
	notice_moves(r);
	if (r->lines)
		redraw_erase(r);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void redraw_end(struct redraw *r, bool keeps)
{
	sigset_t before;

	block_signals(&before);
	notice_moves(r);
	if (r->place == REDRAW_HERE && !in_foreground(r->out))
		r->lines = 0;
	if (r->lines)
		redraw_erase(r);
	if (keeps && r->last.length) {
		/* A command may have left its cursor in the middle of a line. */
		if (r->place == REDRAW_BOTTOM)
			fputc('\n', r->out);
		fwrite(r->last.chars, 1, r->last.length, r->out);
		fflush(r->out);
	}
	text_clear(&r->last);
	unwatch_signals();
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void redraw_done(struct redraw *r)
{
	if (r->out)
		redraw_end(r, false);
	free(r->widths.items);
	text_done(&r->last);
	*r = (struct redraw){ .last = TEXT_EMPTY };
}
