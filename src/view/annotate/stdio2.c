/* SPDX-License-Identifier: MIT */
/*
 * The layout of the browser as plain text: view/annotate/line-text.h.
 */
#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "profile/annotation.h"
#include "profile/listing.h"
#include "symbol/symbolizer.h"
#include "view/annotate/annotate.h"
#include "view/annotate/line-text.h"
#include "view/annotate/types.h"

/* The longest title that contains the base of percentages. */
#define TITLE_BASE 29

static void annotate_stdio2_add_title(const struct line_text *t, struct text *out)
{
	const struct annotate_view *v = t->view;
	const struct listing *l = t->listing;
	const char *path = image_long_name(l->function->image);

	size_t begin = out->length;

	line_text_add_title(out, v);
	text_add(out, v->columns && out->length - begin + TITLE_BASE > v->columns ? ",\n" : ", ");
	text_addf(out, "[percent: %s]\n", annotate_base_name(v->whole.base));
	annotate_add_name(out, v, l->name, strlen(l->name),
			  escape_columns(path, strlen(path)) + strlen("() "));
	text_add(out, "() ");
	escape_terminal(out, path, strlen(path));
	text_addf(out, "\n%-*s", (int)t->figures, line_text_head(v));
	line_text_add_cycles_head(t, out);
	text_addf(out, "%*s\n", (int)t->figures + 1, "");
}

static void add_empty(const struct line_text *t, struct text *out)
{
	text_addf(out, "%*s\n", (int)(2 * t->figures + 1), "");
}

/* Ends a line. Its text since @from is padded to @width columns. */
static void annotate_stdio2_end_line(struct text *out, size_t from, size_t width)
{
	size_t columns = escape_columns(out->chars + from, out->length - from);

	for (; columns < width; columns++)
		text_add_char(out, ' ');
	text_add_char(out, '\n');
}

/* Appends the margin of a line without figures. */
static void add_margin(const struct line_text *t, struct text *out, const struct listing_line *line)
{
	text_addf(out, "%*s", (int)(t->figures + t->cycles) + 1, "");
	line_text_add_offset(t, out, line);
}

static void annotate_stdio2_add_words(const struct line_text *t, struct text *out, const char *text)
{
	static const struct listing_line none = { .kind = LISTING_PLACE };
	size_t from;

	add_margin(t, out, &none);
	from = out->length;
	text_add(out, text);
	annotate_stdio2_end_line(out, from, t->figures + 3);
}

static void annotate_stdio2_add_head(struct line_text *t, struct text *out)
{
	struct text words = TEXT_EMPTY;

	add_empty(t, out);
	add_empty(t, out);
	line_text_add_section(&words, t->listing);
	annotate_stdio2_add_words(t, out, words.chars);
	add_empty(t, out);
	text_clear(&words);
	line_text_add_symbol(t, &words);
	annotate_stdio2_add_words(t, out, words.chars);
	text_done(&words);
}

static void annotate_stdio2_add_note(const struct line_text *t, struct text *out,
				     const struct listing_line *line)
{
	size_t from;

	if (line_text_is_blank(line)) {
		add_empty(t, out);
		return;
	}
	add_margin(t, out, line);
	from = out->length;
	line_text_add_note(t, out, line);
	annotate_stdio2_end_line(out, from, t->figures + 3);
}

static void annotate_stdio2_add_figures(const struct line_text *t, struct text *out,
					const struct listing_line *line)
{
	const struct annotate_view *v = t->view;

	if (!line_text_has_figures(t, line)) {
		text_addf(out, "%*s", (int)t->figures, "");
		return;
	}
	for (size_t e = 0; e < v->whole.n_events; e++) {
		double percent = listing_share(t->listing, line, e, &v->whole);

		text_add(out, annotate_colour(v, percent));
		line_text_add_figure(t, out, line, e);
		text_add(out, annotate_colour_off(v, percent));
	}
}

static void annotate_stdio2_add_code(struct line_text *t, struct text *out,
				     const struct listing_line *line)
{
	static const char *const arrows[] = {
		[LINE_ARROW_NONE] = "  ", [LINE_ARROW_UP] = "↑ ",   [LINE_ARROW_DOWN] = "↓ ",
		[LINE_ARROW_AWAY] = "→ ", [LINE_ARROW_BACK] = "← ",
	};
	size_t from;

	annotate_stdio2_add_figures(t, out, line);
	line_text_add_cycles(t, out, line);
	text_add_char(out, ' ');
	line_text_add_offset(t, out, line);
	text_add(out, arrows[line_text_arrow(t, line)]);
	from = out->length;
	line_text_add_code(t, out, line);
	annotate_access_add(out, &line->access);
	annotate_stdio2_end_line(out, from, t->name + t->figures + 3);
}

void annotate_stdio2_add(struct text *out, const struct annotate_view *v, const struct listing *l)
{
	struct line_text t;

	line_text_init(&t, v, l);
	annotate_stdio2_add_title(&t, out);
	annotate_stdio2_add_head(&t, out);
	for (size_t i = 0; i < l->n; i++) {
		const struct listing_line *line = &l->items[i];

		if (listing_line_weighs(line))
			annotate_stdio2_add_code(&t, out, line);
		else if (line_text_shows(&t, line))
			annotate_stdio2_add_note(&t, out, line);
	}
	line_text_done(&t);
}
