/* SPDX-License-Identifier: MIT */
#include "tui/panel.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "tui/help.h"

#define WATCHED_MAX 16
#define CTRL(c)     ((c)&0x1f)

struct panels {
	struct screen *screen;
	struct panel *top;
	int fds[WATCHED_MAX];
	size_t n_fds;
	unsigned tick_ms;
	uint64_t next_tick_ms;
	char *status, *answer;
};

struct panels *panels_new(struct screen *s)
{
	struct panels *p = xcalloc(1, sizeof(*p));

	p->screen = s;
	return p;
}

static void tui_panel_pop(struct panels *p)
{
	struct panel *gone = p->top;

	p->top = gone->below;
	if (gone->type->free)
		gone->type->free(gone);
	if (p->top && p->top->type->uncovered)
		p->top->type->uncovered(p->top);
}

void panels_free(struct panels *p)
{
	if (!p)
		return;
	/* uncovered() is not called, because no panel stays. */
	while (p->top) {
		struct panel *gone = p->top;

		p->top = gone->below;
		if (gone->type->free)
			gone->type->free(gone);
	}
	free(p->status);
	free(p->answer);
	free(p);
}

struct screen *panels_screen(struct panels *p)
{
	return p->screen;
}

void panels_push(struct panels *p, struct panel *panel)
{
	panel->panels = p;
	panel->below = p->top;
	p->top = panel;
}

struct panel *panels_top(struct panels *p)
{
	return p->top;
}

void panels_watch(struct panels *p, int fd)
{
	if (fd >= 0 && p->n_fds < WATCHED_MAX)
		p->fds[p->n_fds++] = fd;
}

void panels_unwatch(struct panels *p, int fd)
{
	for (size_t i = 0; i < p->n_fds; i++)
		if (p->fds[i] == fd) {
			p->fds[i] = p->fds[--p->n_fds];
			return;
		}
}

void panels_tick(struct panels *p, unsigned ms)
{
	p->tick_ms = ms;
	p->next_tick_ms = (uint64_t)clock_ms() + ms;
}

void panels_status(struct panels *p, const char *text)
{
	char *copy = text ? xstrdup(text) : NULL;

	free(p->status);
	p->status = copy;
}

void panels_answer(struct panels *p, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	free(p->answer);
	p->answer = text;
}

struct area panels_area(struct panels *p)
{
	struct area a = screen_area(p->screen);

	if (a.height > 1)
		a.height--;
	return a;
}

static void tui_panel_draw_status(struct panels *p)
{
	struct area a = screen_area(p->screen);
	const char *text = p->answer ? p->answer : p->status ? p->status : "";

	if (a.height < 2)
		return;
	a.y = a.height - 1;
	a.height = 1;
	screen_clear(p->screen, a, STYLE_STATUS);
	screen_put(p->screen, a, 0, 0, STYLE_STATUS, text, -1);
}

/* Draws @panel. Popups are drawn above the panels below them. */
static void draw_from(struct panels *p, struct panel *panel)
{
	if (panel->type->is_popup && panel->below)
		draw_from(p, panel->below);
	panel->type->draw(panel, p->screen);
}

static void tui_panel_draw(struct panels *p)
{
	screen_cursor(p->screen, screen_area(p->screen), -1, -1);
	screen_clear(p->screen, screen_area(p->screen), STYLE_NORMAL);
	draw_from(p, p->top);
	tui_panel_draw_status(p);
	screen_flush(p->screen);
}

static void tell_news(struct panels *p)
{
	/* Panels may push others in news(), above those that were not called yet. */
	for (struct panel *panel = p->top, *below; panel; panel = below) {
		below = panel->below;
		if (panel->type->news)
			panel->type->news(panel);
	}
}

static bool has_key(const struct key_binding *b, int key)
{
	for (size_t i = 0; i < ARRAY_SIZE(b->keys) && b->keys[i]; i++)
		if (b->keys[i] == key)
			return true;
	return false;
}

bool key_binding_applies(const struct key_binding *b, const struct panel *p)
{
	return !b->applies || b->applies(p);
}

static enum panel_next run_key(struct panel *p, const struct key_binding *keys, int key)
{
	for (const struct key_binding *b = keys; b && b->run; b++)
		if (has_key(b, key) && key_binding_applies(b, p))
			return b->run(p);
	return PANEL_PASS;
}

static enum panel_next tui_panel_close_it(struct panel *p)
{
	(void)p;
	return PANEL_CLOSE;
}

static enum panel_next tui_panel_show_help(struct panel *p)
{
	help_push(p);
	return PANEL_STAY;
}

static enum panel_next tui_panel_redraw(struct panel *p)
{
	screen_redraw(p->panels->screen);
	return PANEL_STAY;
}

const struct key_binding panel_common_keys[] = {
	{ KEY(tui_panel_show_help, "h/?/F1", "Show this window", 'h', '?', SCREEN_KEY_F1) },
	{ KEY(tui_panel_redraw, "CTRL+L", "Draw the screen again", CTRL('l')) },
	{ KEY(tui_panel_close_it, "q/ESC/CTRL+C", "Exit browser or go back to previous screen", 'q',
	      SCREEN_KEY_ESCAPE, CTRL('c')) },
	{ .run = NULL },
};

static enum panel_next take_input(struct panels *p, const struct screen_input *in)
{
	struct panel *top = p->top;
	enum panel_next next = top->type->input ? top->type->input(top, in) : PANEL_PASS;

	if (next == PANEL_PASS)
		next = run_key(top, top->type->keys, in->key);
	if (next == PANEL_PASS && !top->type->is_popup)
		next = run_key(top, panel_common_keys, in->key);
	return next;
}

static void tui_panel_follow(struct panels *p, struct panel *whose, enum panel_next next)
{
	if (next == PANEL_QUIT)
		while (p->top)
			tui_panel_pop(p);
	/* A panel that was pushed by the closing key stays. */
	else if (next == PANEL_CLOSE)
		panels_close(whose);
}

void panels_close(struct panel *panel)
{
	struct panels *p = panel->panels;

	if (p->top == panel) {
		tui_panel_pop(p);
		return;
	}
	for (struct panel *above = p->top; above; above = above->below)
		if (above->below == panel) {
			above->below = panel->below;
			if (panel->type->free)
				panel->type->free(panel);
			return;
		}
}

static int tui_panel_wait_ms(const struct panels *p)
{
	uint64_t now = (uint64_t)clock_ms();

	if (!p->tick_ms)
		return -1;
	return p->next_tick_ms <= now ? 0 : (int)(p->next_tick_ms - now);
}

static bool tui_panel_has_news(struct panels *p, const bool *ready, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= ready[i];
	if (p->tick_ms && (uint64_t)clock_ms() >= p->next_tick_ms) {
		p->next_tick_ms = (uint64_t)clock_ms() + p->tick_ms;
		any = true;
	}
	return any;
}

static void tui_panel_step(struct panels *p, struct screen_input *in)
{
	bool ready[WATCHED_MAX] = { 0 };
	size_t n = p->n_fds;

	screen_wait(p->screen,
		    &(struct screen_wait){ .fds = p->fds,
					   .n_fds = n,
					   .timeout_ms = tui_panel_wait_ms(p),
					   .ret_ready = ready },
		    in);
	if (tui_panel_has_news(p, ready, n))
		tell_news(p);
	if (in->key == SCREEN_KEY_NONE || in->key == SCREEN_KEY_RESIZED ||
	    in->key == SCREEN_KEY_ENDED || !p->top)
		return;
	free(TAKE(p->answer));

	struct panel *whose = p->top;

	tui_panel_follow(p, whose, take_input(p, in));
}

int panels_run(struct panels *p)
{
	struct screen_input in = { 0 };

	while (p->top) {
		tui_panel_draw(p);
		tui_panel_step(p, &in);
		if (in.key == SCREEN_KEY_ENDED)
			return screen_signal(p->screen) ? screen_signal(p->screen) : -EIO;
	}
	return 0;
}
