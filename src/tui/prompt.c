/* SPDX-License-Identifier: MIT */
/* An input line, and a question to be answered with yes or no. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "tui/menu.h"

#define PROMPT_WIDTH 60
#define CTRL(c)      ((c)&0x1f)

struct prompt_panel {
	struct panel panel;
	struct prompt prompt;
	char *title, *explanation;
	struct text text;
	size_t at; /* the byte offset at which the next character is inserted */
};

static void free_prompt(struct panel *p)
{
	struct prompt_panel *pr = (struct prompt_panel *)p;

	free(pr->title);
	free(pr->explanation);
	text_done(&pr->text);
	free(pr);
}

static void tui_prompt_changed(struct prompt_panel *pr)
{
	if (pr->prompt.changed)
		pr->prompt.changed(pr->prompt.owner, pr->text.chars, pr->prompt.arg);
}

/* Replaces @n bytes at @at by @with. */
static void tui_prompt_edit(struct prompt_panel *pr, size_t at, size_t n, const char *with,
			    size_t n_with)
{
	struct text t = TEXT_EMPTY;

	text_add_bytes(&t, pr->text.chars, at);
	text_add_bytes(&t, with, n_with);
	text_add(&t, pr->text.chars + at + n);
	text_swap(&t, &pr->text);
	text_done(&t);
	pr->at = at + n_with;
	tui_prompt_changed(pr);
}

static bool tui_prompt_continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t tui_prompt_before(const struct prompt_panel *pr)
{
	size_t i = pr->at;

	while (i && tui_prompt_continues(pr->text.chars[--i]))
		;
	return i;
}

static size_t tui_prompt_behind(const struct prompt_panel *pr)
{
	size_t i = pr->at;

	if (i < pr->text.length)
		do
			i++;
		while (tui_prompt_continues(pr->text.chars[i]));
	return i;
}

static void type_character(struct prompt_panel *pr, int c)
{
	char bytes[4];
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	if (n == 1)
		bytes[0] = (char)c;
	else
		bytes[0] = (char)((0xf00 >> n & 0xff) | c >> 6 * (n - 1));
	for (size_t i = 1; i < n; i++)
		bytes[i] = (char)(0x80 | (c >> 6 * (n - 1 - i) & 0x3f));
	tui_prompt_edit(pr, pr->at, 0, bytes, n);
}

/* Reports the answer. The prompt is closed before that. */
static enum panel_next tui_prompt_answer(struct prompt_panel *pr)
{
	const struct prompt asked = pr->prompt;
	struct panels *panels = pr->panel.panels;
	char *text = xstrdup(pr->text.chars);
	enum panel_next next;

	panels_close(&pr->panel);
	next = asked.typed(asked.owner, text, asked.arg);
	free(text);
	return popup_answered(panels, asked.owner, next);
}

static enum panel_next tui_prompt_give_up(struct prompt_panel *pr)
{
	const struct prompt asked = pr->prompt;

	panels_close(&pr->panel);
	if (asked.given_up)
		asked.given_up(asked.owner, asked.arg);
	return PANEL_STAY;
}

static enum panel_next tui_prompt_input(struct panel *p, const struct screen_input *in)
{
	struct prompt_panel *pr = (struct prompt_panel *)p;

	switch (in->key) {
	case SCREEN_KEY_ENTER:
		return tui_prompt_answer(pr);
	case SCREEN_KEY_ESCAPE:
	case CTRL('c'):
		return tui_prompt_give_up(pr);
	case SCREEN_KEY_LEFT:
		pr->at = tui_prompt_before(pr);
		break;
	case SCREEN_KEY_RIGHT:
		pr->at = tui_prompt_behind(pr);
		break;
	case SCREEN_KEY_HOME:
	case CTRL('a'):
		pr->at = 0;
		break;
	case SCREEN_KEY_END:
	case CTRL('e'):
		pr->at = pr->text.length;
		break;
	case SCREEN_KEY_BACKSPACE:
		tui_prompt_edit(pr, tui_prompt_before(pr), pr->at - tui_prompt_before(pr), "", 0);
		break;
	case SCREEN_KEY_DELETE:
	case CTRL('d'):
		tui_prompt_edit(pr, pr->at, tui_prompt_behind(pr) - pr->at, "", 0);
		break;
	case CTRL('u'):
		tui_prompt_edit(pr, 0, pr->at, "", 0);
		break;
	case CTRL('k'):
		tui_prompt_edit(pr, pr->at, pr->text.length - pr->at, "", 0);
		break;
	default:
		if (in->key >= ' ' && in->key < 0x110000)
			type_character(pr, in->key);
	}
	return PANEL_STAY;
}

static int tui_prompt_count_lines(const char *text)
{
	int n = 1;

	for (const char *c = text; *c; c++)
		n += *c == '\n' && c[1];
	return n;
}

static int put_lines(struct screen *s, struct area a, const char *text)
{
	int y = 0;

	for (const char *line = text; *line; y++) {
		size_t n = strcspn(line, "\n");

		screen_put(s, a, y, 1, STYLE_NORMAL, line, (int)n);
		line += n + (line[n] == '\n');
	}
	return y;
}

static void tui_prompt_draw(struct panel *p, struct screen *s)
{
	struct prompt_panel *pr = (struct prompt_panel *)p;
	int lines = *pr->explanation ? tui_prompt_count_lines(pr->explanation) : 0, y, column, left;
	struct area inside = popup_box(p->panels, PROMPT_WIDTH, lines + 1, pr->title);
	struct area line;

	y = put_lines(s, inside, pr->explanation);
	line = (struct area){ inside.y + y, inside.x + 1, 1, inside.width - 2 };
	screen_clear(s, line, STYLE_CHOSEN);
	column = screen_text_width(s, pr->text.chars, (int)pr->at);
	left = column >= line.width ? column - line.width + 1 : 0;
	screen_put(s, line, 0, -left, STYLE_CHOSEN, pr->text.chars, -1);
	screen_cursor(s, line, 0, column - left);
}

static const struct panel_type type = {
	.input = tui_prompt_input,
	.draw = tui_prompt_draw,
	.free = free_prompt,
	.is_popup = true,
};

void prompt_push(struct panels *p, const struct prompt *prompt)
{
	struct prompt_panel *pr = xcalloc(1, sizeof(*pr));

	pr->panel.type = &type;
	pr->prompt = *prompt;
	pr->title = xstrdup(prompt->title ? prompt->title : "");
	pr->explanation = xstrdup(prompt->explanation ? prompt->explanation : "");
	pr->text = (struct text)TEXT_EMPTY;
	text_add(&pr->text, prompt->text ? prompt->text : "");
	pr->at = pr->text.length;
	panels_push(p, &pr->panel);
}

struct tui_prompt_question {
	enum panel_next (*yes)(struct panel *owner, void *arg);
	void *arg;
};

static enum panel_next tui_prompt_answered(struct panel *owner, size_t value, void *arg)
{
	struct tui_prompt_question *q = arg;
	const struct tui_prompt_question asked = *q;

	free(q);
	return value ? asked.yes(owner, asked.arg) : PANEL_STAY;
}

void question_push(struct panels *p, struct panel *owner, const char *text,
		   enum panel_next (*yes)(struct panel *owner, void *arg), void *arg)
{
	static const struct menu_item items[] = {
		{ .text = "No (n)", .key = 'n', .value = 0 },
		{ .text = "Yes (y)", .key = 'y', .value = 1 },
	};
	struct tui_prompt_question *q = xmalloc(sizeof(*q));

	*q = (struct tui_prompt_question){ yes, arg };
	menu_push(p, &(struct menu){
			     .title = text,
			     .items = items,
			     .n = ARRAY_SIZE(items),
			     .chosen = tui_prompt_answered,
			     .given_up = free,
			     .arg = q,
			     .owner = owner,
		     });
}
