/* SPDX-License-Identifier: MIT */
/* tui/screen.h in a build without ncursesw: no screen can be opened, so nothing is ever drawn. */
#include "tui/screen.h"

#include <config.h>

#if !HAVE_NCURSES

#include <errno.h>

#include "base/diag.h"

bool screen_knows_terminal(void)
{
	return false;
}

int screen_open(const struct screen_options *o, struct screen **ret, struct diag *diag)
{
	(void)o, (void)ret;
	diag_set(diag, -EOPNOTSUPP, "this perf was built without browsers");
	diag_hint(diag, "They need ncursesw when perf is built. --stdio prints text.");
	return -EOPNOTSUPP;
}

void screen_free(struct screen *s)
{
	(void)s;
}

int screen_width(const struct screen *s)
{
	(void)s;
	return 1;
}

int screen_height(const struct screen *s)
{
	(void)s;
	return 1;
}

bool screen_is_utf8(const struct screen *s)
{
	(void)s;
	return false;
}

bool screen_has_colours(const struct screen *s)
{
	(void)s;
	return false;
}

struct area screen_area(const struct screen *s)
{
	(void)s;
	return (struct area){ .height = 1, .width = 1 };
}

void screen_clear(struct screen *s, struct area a, enum style style)
{
	(void)s, (void)a, (void)style;
}

int screen_put(struct screen *s, struct area a, int y, int x, enum style style, const char *text,
	       int n)
{
	(void)s, (void)a, (void)y, (void)style, (void)text, (void)n;
	return x;
}

int screen_putf(struct screen *s, struct area a, int y, int x, enum style style, const char *format,
		...)
{
	(void)s, (void)a, (void)y, (void)style, (void)format;
	return x;
}

int screen_text_width(struct screen *s, const char *text, int n)
{
	(void)s, (void)text, (void)n;
	return 0;
}

const char *screen_glyph(const struct screen *s, enum glyph g)
{
	(void)s, (void)g;
	return " ";
}

void screen_put_box(struct screen *s, struct area a, enum style style, const char *title)
{
	(void)s, (void)a, (void)style, (void)title;
}

void screen_restyle(struct screen *s, struct area a, enum style style)
{
	(void)s, (void)a, (void)style;
}

void screen_cursor(struct screen *s, struct area a, int y, int x)
{
	(void)s, (void)a, (void)y, (void)x;
}

void screen_flush(struct screen *s)
{
	(void)s;
}

void screen_redraw(struct screen *s)
{
	(void)s;
}

void screen_wait(struct screen *s, const struct screen_wait *w, struct screen_input *ret)
{
	(void)s, (void)w;
	*ret = (struct screen_input){ .key = SCREEN_KEY_ENDED };
}

int screen_signal(const struct screen *s)
{
	(void)s;
	return 0;
}

#endif
