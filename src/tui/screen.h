/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The terminal as a grid of cells, and its keys. The only user of ncursesw.
 *
 * screen_open() takes over the terminal and screen_free() gives it back, also before the process
 * stops (Ctrl-Z, SIGTSTP) or is ended by a signal. Text is UTF-8 from any source: characters on
 * which a terminal would act are escaped, and text that does not fit is cut off. If the locale is
 * not UTF-8, lines and arrows are ASCII and other characters are '?'.
 *
 * There is one screen, used by one thread.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"
#include "tui/style.h"

struct config;
struct diag;
struct screen;

struct screen_options {
	const struct config *config; /* colors.*; borrowed until the screen is open */
	bool without_colour;         /* as with $NO_COLOR */
	bool ascii;
	/* If stdin or stdout is not a terminal, uses that of the process: /dev/tty. */
	bool of_process;
};

/* True if $TERM names a terminal that is known here and can position its cursor. */
bool screen_knows_terminal(void);

/*
 * Takes over the terminal of stdin and stdout. Returns -ENOTTY with @diag if these are not a
 * terminal, or one that cannot position a cursor (TERM=dumb).
 */
int screen_open(const struct screen_options *o, struct screen **ret, struct diag *diag);
void screen_free(struct screen *s);
DEFINE_FREEP(screen)

/* Return its size in cells; at least 1. */
int screen_width(const struct screen *s);
int screen_height(const struct screen *s);
bool screen_is_utf8(const struct screen *s);
bool screen_has_colours(const struct screen *s);

/* A rectangle of cells. Drawing is clipped at its edges. */
struct area {
	int y, x, height, width;
};

/* Returns the area of all cells of the screen. */
struct area screen_area(const struct screen *s);

/* Fills @a with blanks. */
void screen_clear(struct screen *s, struct area a, enum style style);

/*
 * Writes @n bytes of @text in row @y of @a from column @x on; -1 bytes: up to its NUL. @x may be
 * negative: the part left of the area is cut off too. Returns the column after the text, even if
 * that is not shown.
 */
int screen_put(struct screen *s, struct area a, int y, int x, enum style style, const char *text,
	       int n);

/* Does the same with a format. */
int screen_putf(struct screen *s, struct area a, int y, int x, enum style style, const char *format,
		...) __attribute__((format(printf, 6, 7)));

/* Returns the number of cells that @text takes. */
int screen_text_width(struct screen *s, const char *text, int n);

/* Characters for drawing. ASCII has a substitute for each of them. */
enum glyph {
	GLYPH_HORIZONTAL,
	GLYPH_VERTICAL,
	GLYPH_TOP_LEFT,
	GLYPH_TOP_RIGHT,
	GLYPH_BOTTOM_LEFT,
	GLYPH_BOTTOM_RIGHT,
	GLYPH_TEE_LEFT, /* a vertical line with a branch to the right */
	GLYPH_UP,       /* arrows */
	GLYPH_DOWN,
	GLYPH_LEFT,
	GLYPH_RIGHT,
	GLYPH_BAR_1, /* bars of 1/8 to 8/8 of a cell's height */
	GLYPH_BAR_8 = GLYPH_BAR_1 + 7,
	GLYPH_TRACK, /* the parts of a scroll bar */
	GLYPH_THUMB,
	GLYPH_ELLIPSIS,
	N_GLYPHS,
};
/* Returns the glyph as text for screen_put(). */
const char *screen_glyph(const struct screen *s, enum glyph g);

void screen_put_box(struct screen *s, struct area a, enum style style, const char *title);

/* Changes the style of all cells of @a, whatever their contents are. */
void screen_restyle(struct screen *s, struct area a, enum style style);

/* Shows the text cursor at a cell of @a (in a prompt); @y < 0 hides it. */
void screen_cursor(struct screen *s, struct area a, int y, int x);

/*
 * screen_flush() sends the drawing to the terminal. After screen_redraw() it sends everything, as
 * for Ctrl-L.
 */
void screen_flush(struct screen *s);
void screen_redraw(struct screen *s);

/* A key is a character (Unicode), or one of these. Ctrl-A is 1, and so on. */
enum screen_key {
	SCREEN_KEY_NONE = 0, /* no key was pressed: a timeout, or a descriptor is ready */
	SCREEN_KEY_TAB = '\t',
	SCREEN_KEY_ENTER = '\r',
	SCREEN_KEY_ESCAPE = 27,
	SCREEN_KEY_UP = 0x110000,
	SCREEN_KEY_DOWN,
	SCREEN_KEY_LEFT,
	SCREEN_KEY_RIGHT,
	SCREEN_KEY_PAGE_UP,
	SCREEN_KEY_PAGE_DOWN,
	SCREEN_KEY_HOME,
	SCREEN_KEY_END,
	SCREEN_KEY_BACK_TAB,
	SCREEN_KEY_BACKSPACE,
	SCREEN_KEY_DELETE,
	SCREEN_KEY_F1,
	SCREEN_KEY_SHIFT_LEFT, /* if the terminal distinguishes it */
	SCREEN_KEY_SHIFT_RIGHT,
	SCREEN_KEY_MOUSE,   /* see struct screen_input */
	SCREEN_KEY_RESIZED, /* everything must be drawn again */
	SCREEN_KEY_ENDED,   /* by a signal, or the terminal is gone: the program must end */
};

enum mouse_action {
	MOUSE_CLICK,
	MOUSE_DOUBLE_CLICK,
	MOUSE_DRAG, /* the button was released elsewhere; pressed at @y0, @x0 */
	MOUSE_WHEEL_UP,
	MOUSE_WHEEL_DOWN,
	MOUSE_RIGHT_CLICK,
};

struct screen_input {
	int key;
	/* For SCREEN_KEY_MOUSE: */
	enum mouse_action mouse;
	int y, x, y0, x0;
};

/* Descriptors and the time to wait for, in addition to keys. */
struct screen_wait {
	const int *fds; /* the wait ends when one is readable */
	size_t n_fds;
	int timeout_ms;  /* -1: no timeout */
	bool *ret_ready; /* for each descriptor: whether it is ready */
};

/*
 * Waits for a key, a descriptor or the timeout. Ctrl-Z stops the process; when it continues, the
 * result is SCREEN_KEY_RESIZED.
 */
void screen_wait(struct screen *s, const struct screen_wait *w, struct screen_input *ret);

/* Returns the signal that ended it; 0: none, the terminal has gone. */
int screen_signal(const struct screen *s);
