/* SPDX-License-Identifier: MIT */
/*
 * The browser has two states. In the first, keys do what the table of keys says. In the other,
 * letters are added to the search words, and the list is updated after each of them.
 */
#include "tools/list/event-panel-view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "event/catalog.h"
#include "tools/list/catalog-search-model.h"
#include "tools/list/event-choice-view.h"
#include "tools/list/event-count-view.h"
#include "tools/list/event-description-view.h"
#include "tui/list.h"
#include "tui/menu.h"
#include "tui/panel.h"
#include "tui/text-lines.h"

#define CTRL(c)      ((c)&0x1f)
#define NAME_COLUMNS 50
#define LOOK_MS      500
#define WORDS_MAX    200
#define LIST_MIN     5 /* the minimum of rows; the description gets the rest */

struct event_panel {
	struct panel panel;
	const struct event_browser *browser;
	struct event_pick *pick;
	struct catalog_rows rows; /* the entries with the words */
	struct list list;
	struct text words;
	bool is_typing;
	struct event_choice choice;
	struct event_count *count; /* or NULL */
	char *refusal;             /* the reason why nothing is counted; or NULL */
};

static struct event_panel *list_event_panel_of(struct panel *p)
{
	return (struct event_panel *)p;
}

static const struct catalog_entry *list_event_panel_selected(const struct event_panel *e)
{
	return e->list.cursor < e->rows.n ? e->rows.items[e->list.cursor] : NULL;
}

static void show_keys(struct event_panel *e)
{
	panels_status(e->panel.panels,
		      e->is_typing
			      ? "Type to search. UP/DOWN move  ENTER: mark, count, insert  ESC: "
				"all events  F1: help"
			      : "/ search  SPACE mark  ENTER insert  c count  s/r/t/T command  "
				"h help  q leave");
}

/* Searches anew. The cursor stays on its event if that is still in the list. */
static void list_event_panel_search(struct event_panel *e)
{
	const struct catalog_entry *before = list_event_panel_selected(e);

	catalog_search(e->browser->catalogs, e->browser->n, e->words.chars, &e->rows);
	e->list.cursor = 0;
	if (!e->is_typing)
		for (size_t i = 0; i < e->rows.n; i++)
			if (e->rows.items[i] == before)
				e->list.cursor = i;
}

static void list_event_panel_type(struct event_panel *e, bool on)
{
	e->is_typing = on;
	show_keys(e);
}

static enum panel_next begin_typing(struct panel *p)
{
	list_event_panel_type(list_event_panel_of(p), true);
	return PANEL_STAY;
}

static void stop_counting(struct event_panel *e)
{
	event_count_free(TAKE(e->count));
	free(TAKE(e->refusal));
	panels_tick(e->panel.panels, 0);
}

/* Leaves one thing at a time: first the words, then the count, and finally the browser. */
static enum panel_next list_event_panel_leave(struct panel *p)
{
	struct event_panel *e = list_event_panel_of(p);

	if (e->words.length) {
		text_clear(&e->words);
		list_event_panel_search(e);
		return PANEL_STAY;
	}
	if (e->count || e->refusal) {
		stop_counting(e);
		return PANEL_STAY;
	}
	return PANEL_CLOSE;
}

static bool refuse_row(struct event_panel *e, const struct catalog_entry *entry)
{
	if (!entry)
		panels_answer(e->panel.panels, "No event has these words");
	else if (!event_can_be_chosen(entry))
		panels_answer(e->panel.panels, "'%s' is a way to write events, and none itself",
			      entry->name);
	else
		return false;
	return true;
}

static enum panel_next list_event_panel_mark(struct panel *p)
{
	struct event_panel *e = list_event_panel_of(p);
	const struct catalog_entry *entry = list_event_panel_selected(e);

	if (refuse_row(e, entry))
		return PANEL_STAY;
	event_choice_toggle(&e->choice, entry);
	list_input(&e->list, &(struct screen_input){ .key = SCREEN_KEY_DOWN });
	return PANEL_STAY;
}

static enum panel_next unmark_all(struct panel *p)
{
	list_event_panel_of(p)->choice.n = 0;
	return PANEL_STAY;
}

static bool has_marks(const struct panel *p)
{
	return ((const struct event_panel *)p)->choice.n;
}

/* Chooses the event under the cursor if none is marked. False: it cannot be chosen. */
static bool list_event_panel_choose(struct event_panel *e)
{
	const struct catalog_entry *entry = list_event_panel_selected(e);

	if (e->choice.n)
		return true;
	if (refuse_row(e, entry))
		return false;
	event_choice_toggle(&e->choice, entry);
	return true;
}

static enum panel_next list_event_panel_insert(struct panel *p)
{
	struct event_panel *e = list_event_panel_of(p);
	struct text t = TEXT_EMPTY;

	if (!list_event_panel_choose(e))
		return PANEL_STAY;
	event_choice_add_options(&e->choice, false, &t);
	e->pick->line = text_take(&t);
	return PANEL_QUIT;
}

static enum panel_next list_event_panel_run_line(struct panel *p, const char *text, void *arg)
{
	struct event_panel *e = list_event_panel_of(p);

	(void)arg;
	if (!*text)
		return PANEL_STAY;
	e->pick->line = xstrdup(text);
	e->pick->runs = !e->browser->prints;
	return PANEL_QUIT;
}

/* Forgets a choice that was made only for the command line, because it was not marked. */
static void forget_line(struct panel *p, void *arg)
{
	if (arg)
		list_event_panel_of(p)->choice.n = 0;
}

static enum panel_next list_event_panel_compose(struct panel *p,
						const struct event_command *command)
{
	struct event_panel *e = list_event_panel_of(p);
	bool marked = e->choice.n;
	struct text line = TEXT_EMPTY;
	const struct catalog_entry *misfit;

	if (!list_event_panel_choose(e))
		return PANEL_STAY;
	misfit = event_choice_misfit(&e->choice, command);
	if (misfit) {
		panels_answer(p->panels, "perf %s does not take '%s' (%s)", command->name,
			      misfit->name, catalog_kind_label(misfit->kind));
		forget_line(p, marked ? NULL : e);
		return PANEL_STAY;
	}
	event_choice_add_line(&e->choice, command, &line);
	prompt_push(p->panels,
		    &(struct prompt){
			    .title = "Command line",
			    .explanation = e->browser->prints ? "ENTER leaves and prints this line."
							      : "ENTER leaves and runs this line.",
			    .text = line.chars,
			    .typed = list_event_panel_run_line,
			    .given_up = forget_line,
			    .arg = marked ? NULL : e,
			    .owner = p,
		    });
	text_done(&line);
	return PANEL_STAY;
}

static enum panel_next compose_stat(struct panel *p)
{
	return list_event_panel_compose(p, &event_commands[EVENT_COMMAND_STAT]);
}

static enum panel_next compose_record(struct panel *p)
{
	return list_event_panel_compose(p, &event_commands[EVENT_COMMAND_RECORD]);
}

static enum panel_next compose_top(struct panel *p)
{
	return list_event_panel_compose(p, &event_commands[EVENT_COMMAND_TOP]);
}

static enum panel_next compose_trace(struct panel *p)
{
	return list_event_panel_compose(p, &event_commands[EVENT_COMMAND_TRACE]);
}

/*
 * Keeps the reason why an event cannot be counted. Most messages begin with the name of the event,
 * with modifiers.
 */
static void keep_refusal(struct event_panel *e, const struct catalog_entry *entry,
			 const struct diag *d)
{
	const char *message = d->message ? d->message : "it cannot be counted";
	bool named = !strncmp(message, entry->name, strlen(entry->name));

	free(e->refusal);
	e->refusal = xasprintf("%s%s%s%s%s", named ? "" : entry->name, named ? "" : ": ", message,
			       d->hint ? "\n" : "", d->hint ? d->hint : "");
}

static enum panel_next list_event_panel_count(struct panel *p)
{
	struct event_panel *e = list_event_panel_of(p);
	const struct catalog_entry *entry = list_event_panel_selected(e);
	_cleanup_(diag_done) struct diag d = { 0 };
	bool again = e->count && event_count_entry(e->count) == entry;

	if (refuse_row(e, entry))
		return PANEL_STAY;
	stop_counting(e);
	if (again)
		return PANEL_STAY;
	if (event_count_new(entry, e->browser->buildid_dir, &e->count, &d) < 0)
		keep_refusal(e, entry, &d);
	else
		panels_tick(p->panels, LOOK_MS);
	return PANEL_STAY;
}

static void list_event_panel_news(struct panel *p)
{
	struct event_panel *e = list_event_panel_of(p);
	_cleanup_(diag_done) struct diag d = { 0 };

	if (!e->count || event_count_look(e->count, &d) >= 0)
		return;
	const struct catalog_entry *entry = event_count_entry(e->count);

	stop_counting(e);
	keep_refusal(e, entry, &d);
}

static enum panel_next list_event_panel_read_all(struct panel *p)
{
	const struct catalog_entry *entry = list_event_panel_selected(list_event_panel_of(p));
	struct text t = TEXT_EMPTY;

	if (!entry)
		return PANEL_STAY;
	event_describe(entry, (unsigned)panels_area(p->panels).width, &t);
	text_panel_push(p->panels, entry->name, t.chars);
	text_done(&t);
	return PANEL_STAY;
}

/*
 * True if both entries are in the same group: they have the same kind, and tracepoints the same
 * system.
 */
static bool same_group(const struct catalog_entry *a, const struct catalog_entry *b)
{
	size_t n = strcspn(a->name, ":");

	return a->kind == b->kind &&
	       (a->kind != CATALOG_TRACEPOINT || !strncmp(a->name, b->name, n + 1));
}

static enum panel_next next_group(struct panel *p)
{
	struct event_panel *e = list_event_panel_of(p);
	size_t i = e->list.cursor;

	while (i + 1 < e->rows.n && same_group(e->rows.items[i], e->rows.items[i + 1]))
		i++;
	if (i + 1 < e->rows.n)
		e->list.cursor = i + 1;
	return PANEL_STAY;
}

static size_t group_begin(const struct event_panel *e, size_t i)
{
	while (i && i < e->rows.n && same_group(e->rows.items[i], e->rows.items[i - 1]))
		i--;
	return i;
}

static enum panel_next previous_group(struct panel *p)
{
	struct event_panel *e = list_event_panel_of(p);
	size_t begin = group_begin(e, e->list.cursor);

	if (begin == e->list.cursor && begin)
		begin = group_begin(e, begin - 1);
	e->list.cursor = begin;
	return PANEL_STAY;
}

/* Only present for the help; the list handles these keys itself. */
static enum panel_next list_event_panel_navigate(struct panel *p)
{
	(void)p;
	return PANEL_PASS;
}

static const struct key_binding keys[] = {
	{ KEY(list_event_panel_navigate, "UP/DOWN/PGUP/PGDN", "Move", 0) },
	{ KEY(next_group, "TAB", "Go to the next group of events", SCREEN_KEY_TAB) },
	{ KEY(previous_group, "SHIFT+TAB", "Go to the previous group of events",
	      SCREEN_KEY_BACK_TAB) },
	{ KEY(begin_typing, "/", "Search names, descriptions and fields as you type", '/') },
	{ KEY(list_event_panel_mark, "SPACE", "Mark the event, or take the mark away", ' ') },
	{ KEY(unmark_all, "u", "Take all marks away", 'u'), .applies = has_marks },
	{ KEY(list_event_panel_insert, "ENTER", "Leave and print the options for what is marked",
	      SCREEN_KEY_ENTER) },
	{ KEY(list_event_panel_read_all, "d/RIGHT", "Read all of the description", 'd',
	      SCREEN_KEY_RIGHT) },
	{ KEY(list_event_panel_count, "c", "Count the event on all CPUs; again: stop", 'c') },
	{ KEY(compose_stat, "s", "Make a line for perf stat", 's') },
	{ KEY(compose_record, "r", "Make a line for perf record", 'r') },
	{ KEY(compose_top, "t", "Make a line for perf top", 't') },
	{ KEY(compose_trace, "T", "Make a line for perf trace", 'T') },
	{ KEY(list_event_panel_leave, NULL, NULL, SCREEN_KEY_ESCAPE) },
	{ .run = NULL },
};

static enum panel_next edit_words(struct event_panel *e, int key)
{
	/* A slash at the beginning is ignored, because some users are used to typing it. */
	if (key == '/' && !e->words.length)
		return PANEL_STAY;
	if (key >= ' ' && key < 127 && e->words.length < WORDS_MAX)
		text_add_char(&e->words, (char)key);
	else if (key == SCREEN_KEY_BACKSPACE && e->words.length)
		e->words.chars[--e->words.length] = '\0';
	else if (key == CTRL('u') || key == SCREEN_KEY_ESCAPE)
		text_clear(&e->words);
	else
		return PANEL_PASS;
	list_event_panel_search(e);
	if (key == SCREEN_KEY_ESCAPE)
		list_event_panel_type(e, false);
	return PANEL_STAY;
}

static enum panel_next input_while_typing(struct event_panel *e, const struct screen_input *in)
{
	if (in->key == SCREEN_KEY_ENTER || in->key == SCREEN_KEY_TAB || in->key == CTRL('c')) {
		list_event_panel_type(e, false);
		return PANEL_STAY;
	}
	/* A blank belongs to the words and does not scroll the list. */
	if (in->key != ' ' && list_input(&e->list, in))
		return PANEL_STAY;
	return edit_words(e, in->key);
}

static enum panel_next list_event_panel_input(struct panel *p, const struct screen_input *in)
{
	struct event_panel *e = list_event_panel_of(p);

	if (e->is_typing)
		return input_while_typing(e, in);
	if (in->key == SCREEN_KEY_MOUSE && in->mouse == MOUSE_DOUBLE_CLICK)
		return list_event_panel_mark(p);
	return in->key != ' ' && list_input(&e->list, in) ? PANEL_STAY : PANEL_PASS;
}

static int put_match(struct screen *s, struct area a, int x, enum style style, const char *name,
		     const char *words)
{
	const char *match = *words && !strchr(words, ' ') ? strcasestr(name, words) : NULL;
	int end = screen_put(s, a, 0, x, style, name, -1);

	if (match)
		screen_put(s, a, 0, x + screen_text_width(s, name, (int)(match - name)),
			   STYLE_MATCH, match, (int)strlen(words));
	return end;
}

static void list_event_panel_draw_row(void *arg, struct screen *s, const struct list_row *row)
{
	struct event_panel *e = arg;
	const struct catalog_entry *entry = e->rows.items[row->index];
	enum style style = row->is_selected             ? STYLE_SELECTED
			   : event_can_be_chosen(entry) ? STYLE_NORMAL
							: STYLE_DIM;
	enum style label = row->is_selected ? STYLE_SELECTED : STYLE_DIM;
	int x;

	screen_clear(s, row->area, style);
	screen_put(s, row->area, 0, 0, style, event_choice_has(&e->choice, entry) ? "*" : " ", 1);
	x = put_match(s, row->area, 2, style, entry->name, e->words.chars);
	if (entry->alias) {
		x = screen_put(s, row->area, 0, x, style, " OR ", -1);
		x = put_match(s, row->area, x, style, entry->alias, e->words.chars);
	}
	x = x > NAME_COLUMNS ? x : NAME_COLUMNS;
	screen_putf(s, row->area, 0, x + 2, label, "[%s]",
		    entry->topic ? entry->topic : catalog_kind_label(entry->kind));
}

static void list_event_panel_draw_title(struct event_panel *e, struct screen *s, struct area a)
{
	int x;

	a.height = 1;
	screen_clear(s, a, STYLE_ROOT);
	x = screen_putf(s, a, 0, 0, STYLE_ROOT, "%zu event%s", e->rows.n,
			e->rows.n == 1 ? "" : "s");
	if (e->choice.n)
		x = screen_putf(s, a, 0, x, STYLE_ROOT, ", %zu marked", e->choice.n);
	if (!e->is_typing && !e->words.length) {
		if (e->browser->missing)
			screen_putf(s, a, 0, x, STYLE_ROOT, "; %s", e->browser->missing);
		screen_cursor(s, a, -1, 0);
		return;
	}
	x = screen_put(s, a, 0, x, STYLE_ROOT, "  Search: ", -1);
	x = screen_put(s, a, 0, x, STYLE_ROOT, e->words.chars, -1);
	screen_cursor(s, a, e->is_typing ? 0 : -1, x);
}

static void draw_lines(struct screen *s, struct area a, const char *text)
{
	struct text_lines lines;

	text_lines_init(&lines, text);
	for (int y = 0; y < a.height && (size_t)y < lines.n; y++)
		screen_put(s, a, y, 0, y ? STYLE_NORMAL : STYLE_ADDRESS, lines.items[y], -1);
	if (a.height > 0 && lines.n > (size_t)a.height)
		screen_put(s, a, a.height - 1, a.width - 7, STYLE_DIM, " d: all", -1);
	text_lines_done(&lines);
}

/* Draws the count, or the reason why nothing is counted. */
static int draw_count(struct event_panel *e, struct screen *s, struct area a)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (e->refusal)
		text_add(&t, e->refusal);
	else if (e->count) {
		text_addf(&t, "%s: ", event_count_entry(e->count)->name);
		event_count_describe(e->count, s, &t);
	} else
		return 0;

	struct text_lines lines;
	int n;

	text_lines_init(&lines, t.chars);
	n = (int)lines.n < a.height ? (int)lines.n : a.height;
	for (int y = 0; y < n; y++)
		screen_put(s, a, y, 0, e->refusal ? STYLE_TOP : STYLE_MEDIUM, lines.items[y], -1);
	text_lines_done(&lines);
	return n;
}

static void draw_selected(struct event_panel *e, struct screen *s, struct area a)
{
	const struct catalog_entry *entry = list_event_panel_selected(e);
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	int n;

	for (int x = 0; x < a.width; x++)
		screen_put(s, a, 0, x, STYLE_FRAME, screen_glyph(s, GLYPH_HORIZONTAL), -1);
	a.y++, a.height--;
	n = draw_count(e, s, a);
	a.y += n, a.height -= n;
	if (entry && a.height > 0) {
		event_describe(entry, (unsigned)a.width, &t);
		draw_lines(s, a, t.chars);
	}
}

static void list_event_panel_draw(struct panel *p, struct screen *s)
{
	struct event_panel *e = list_event_panel_of(p);
	struct area a = panels_area(p->panels), below = a;
	int rows = a.height - 1, text = rows > LIST_MIN + 2 ? rows * 2 / 5 : 0;

	list_event_panel_draw_title(e, s, a);
	a.y++;
	a.height = rows - text;
	below.y = a.y + a.height;
	below.height = text;
	list_settle(&e->list, e->rows.n, a);
	list_draw(&e->list, s, list_event_panel_draw_row, e);
	if (text > 1)
		draw_selected(e, s, below);
}

static void list_event_panel_free(struct panel *p)
{
	struct event_panel *e = list_event_panel_of(p);

	catalog_rows_done(&e->rows);
	event_choice_done(&e->choice);
	event_count_free(e->count);
	text_done(&e->words);
	free(e->refusal);
	free(e);
}

static const struct panel_type type_of_panel = {
	.name = "Keys of the list of events",
	.keys = keys,
	.input = list_event_panel_input,
	.draw = list_event_panel_draw,
	.news = list_event_panel_news,
	.free = list_event_panel_free,
};

static void list_event_panel_push(struct panels *panels, const struct event_browser *b,
				  struct event_pick *ret)
{
	struct event_panel *e = xcalloc(1, sizeof(*e));

	e->panel.type = &type_of_panel;
	e->browser = b;
	e->pick = ret;
	e->words = (struct text)TEXT_EMPTY;
	panels_push(panels, &e->panel);
	list_event_panel_search(e);
	list_event_panel_type(e, true);
}

int event_browser_run(const struct event_browser *b, struct event_pick *ret, struct diag *diag)
{
	const struct screen_options options = {
		.config = b->config,
		.without_colour = b->without_colour,
		.of_process = true,
	};
	_cleanup_(screen_freep) struct screen *screen = NULL;
	_cleanup_(panels_freep) struct panels *panels = NULL;
	struct event_pick pick = { 0 };
	int r = screen_open(&options, &screen, diag);

	if (r < 0)
		return r;
	panels = panels_new(screen);
	list_event_panel_push(panels, b, &pick);
	r = panels_run(panels);
	if (r == -EIO)
		diag_set(diag, r, "the terminal is gone");
	if (r == 0)
		*ret = pick;
	else
		free(pick.line);
	return r;
}
