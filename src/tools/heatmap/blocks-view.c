/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/blocks-view.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/heatmap/words-view.h"
#include "view/picture/palette.h"

/* The widths of the labels of the value axis and of the line next to them. */
#define LABEL 9
#define RULE  2

/* The space that a mark needs: columns on the time axis, lines on the value axis. */
#define TICK_COLUMNS 12
#define TICK_LINES   3

static const char shades[] = ".:-=+*%#@";

struct heatmap_blocks_page {
	const struct heat_picture *p;
	const struct heat_blocks *b;
	size_t n_lines;   /* the number of lines of cells */
	size_t rows_each; /* rows in a line: 2 with half blocks */
	struct text *t;
};

size_t heat_blocks_columns(size_t width)
{
	return width > LABEL + RULE + 10 ? width - LABEL - RULE : 10;
}

/* --- colours ---------------------------------------------------------------------------------- */

static struct rgb heat_blocks_colour_of(const struct heatmap_blocks_page *g, uint64_t count)
{
	return sequence_colour(g->p->colours, heat_strength(heat_shade(g->p->map, count)),
			       g->b->is_light ? THEME_LIGHT : THEME_DARK);
}

/* Returns the nearest colour of the cube of 6 x 6 x 6 that terminals with 256 colours have. */
static unsigned cube_of(struct rgb c)
{
	static const uint8_t levels[] = { 0, 95, 135, 175, 215, 255 };
	const uint8_t parts[] = { c.red, c.green, c.blue };
	unsigned colour = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		unsigned level = 0;

		while (level + 1 < ARRAY_SIZE(levels) &&
		       2 * parts[i] > levels[level] + levels[level + 1])
			level++;
		colour = colour * 6 + level;
	}
	return 16 + colour;
}

/*
 * Adds the escape sequence for a colour. @where is 38 for the character and 48 for its background.
 */
static void heat_blocks_add_colour(const struct heatmap_blocks_page *g, int where, uint64_t count)
{
	struct rgb c = heat_blocks_colour_of(g, count);

	if (g->b->ink == HEAT_TRUE_COLOUR)
		text_addf(g->t, "\033[%d;2;%d;%d;%dm", where, c.red, c.green, c.blue);
	else
		text_addf(g->t, "\033[%d;5;%um", where, cube_of(c));
}

static char shade_of(const struct heatmap_blocks_page *g, uint64_t count)
{
	size_t last = strlen(shades) - 1;

	return count ? shades[lround(heat_shade(g->p->map, count) * (double)last)] : ' ';
}

static void add_blank(const struct heatmap_blocks_page *g, uint64_t count)
{
	if (count)
		heat_blocks_add_colour(g, 48, count);
	text_add(g->t, count ? " \033[0m" : " ");
}

static void add_halves(const struct heatmap_blocks_page *g, uint64_t upper, uint64_t lower)
{
	if (!upper && !lower) {
		text_add_char(g->t, ' ');
		return;
	}
	heat_blocks_add_colour(g, 38, upper ? upper : lower);
	if (upper && lower)
		heat_blocks_add_colour(g, 48, lower);
	text_add(g->t, upper ? "\xe2\x96\x80" : "\xe2\x96\x84"); /* upper, lower half block */
	text_add(g->t, "\033[0m");
}

/* --- lines ------------------------------------------------------------------------------------ */

static uint64_t count_at(const struct heatmap_blocks_page *g, size_t column, size_t row)
{
	return row < g->p->map->rows.n ? heat_count(g->p->map, column, row) : 0;
}

/* Adds the cells of line @line, counted from the bottom. */
static void heat_blocks_add_cells(const struct heatmap_blocks_page *g, size_t line)
{
	for (size_t c = 0; c < g->p->map->n_columns; c++) {
		if (g->rows_each == 2)
			add_halves(g, count_at(g, c, 2 * line + 1), count_at(g, c, 2 * line));
		else if (g->b->ink == HEAT_SHADES)
			text_add_char(g->t, shade_of(g, count_at(g, c, line)));
		else
			add_blank(g, count_at(g, c, line));
	}
}

/*
 * Appends @s to @t. If only ASCII is allowed, a micro sign becomes a u. Returns the number of
 * columns.
 */
static size_t heat_blocks_add_words(const struct heatmap_blocks_page *g, struct text *t,
				    const char *s)
{
	size_t width = 0;

	for (; *s; s++, width++) {
		bool is_micro = (unsigned char)s[0] == 0xc2 && (unsigned char)s[1] == 0xb5;

		if (is_micro && g->b->ascii)
			text_add_char(t, 'u');
		else
			text_add_bytes(t, s, is_micro ? 2 : 1);
		s += is_micro;
	}
	return width;
}

/* Appends the label @s, right-aligned. */
static void heat_blocks_add_label(const struct heatmap_blocks_page *g, const char *s)
{
	_cleanup_(text_done) struct text label = TEXT_EMPTY;
	size_t width = heat_blocks_add_words(g, &label, s);

	for (; width < LABEL; width++)
		text_add_char(g->t, ' ');
	text_add(g->t, label.chars);
}

static void heat_blocks_end_line(const struct heatmap_blocks_page *g)
{
	struct text *t = g->t;

	while (t->length && t->chars[t->length - 1] == ' ')
		t->length--;
	t->chars[t->length] = '\0';
	text_add_char(t, '\n');
}

static void heat_blocks_add_rows(const struct heatmap_blocks_page *g)
{
	struct heat_tick ticks[SCALE_TICKS_MAX];
	size_t n = heat_y_ticks(g->p, g->n_lines / TICK_LINES + 1, ticks);
	const char *rule = g->b->ascii ? " |" : " \xe2\x94\x82";

	for (size_t line = g->n_lines; line-- > 0;) {
		const char *label = "";

		for (size_t i = 0; i < n; i++) {
			double row = ticks[i].place * (double)g->p->map->rows.n;

			if ((size_t)(row + 1e-6) / g->rows_each == line)
				label = ticks[i].label;
		}
		heat_blocks_add_label(g, label);
		text_add(g->t, rule);
		heat_blocks_add_cells(g, line);
		heat_blocks_end_line(g);
	}
}

static void add_time_axis(const struct heatmap_blocks_page *g)
{
	size_t n_columns = g->p->map->n_columns, at = 0;
	struct heat_tick ticks[SCALE_TICKS_MAX];
	size_t n = heat_x_ticks(g->p, n_columns / TICK_COLUMNS + 1, ticks);

	heat_blocks_add_label(g, "");
	text_add(g->t, g->b->ascii ? " +" : " \xe2\x94\x94");
	for (size_t c = 0; c < n_columns; c++)
		text_add(g->t, g->b->ascii ? "-" : "\xe2\x94\x80");
	heat_blocks_end_line(g);
	for (size_t i = 0; i < LABEL + RULE; i++)
		text_add_char(g->t, ' ');
	for (size_t i = 0; i < n; i++) {
		size_t place = (size_t)(ticks[i].place * (double)n_columns);
		_cleanup_(text_done) struct text label = TEXT_EMPTY;
		size_t width = heat_blocks_add_words(g, &label, ticks[i].label);

		if (place < at || place + width > n_columns)
			continue;
		for (; at < place; at++)
			text_add_char(g->t, ' ');
		text_add(g->t, label.chars);
		at += width;
	}
	heat_blocks_end_line(g);
}

/* Adds the legend: each shade once, from one to the highest count. */
static void add_legend(const struct heatmap_blocks_page *g)
{
	const struct heat_map *m = g->p->map;
	size_t n = strlen(shades);
	uint64_t before = 0;

	text_add(g->t, m->highest > 1 ? "1 " : "");
	for (size_t i = 0; i < n; i++) {
		uint64_t count = (uint64_t)(heat_shade_count(m, (double)i / (double)(n - 1)) + 0.5);

		if (count == before || (before && shade_of(g, count) == shade_of(g, before)))
			continue;
		before = count;
		if (g->b->ink == HEAT_SHADES)
			text_add_char(g->t, shade_of(g, count));
		else
			add_blank(g, count);
	}
	text_add_char(g->t, ' ');
	heat_add_count(g->t, g->p, m->highest);
	text_add(g->t, " in a cell; ");
	heat_add_time_name(g->t, g->p);
	heat_blocks_end_line(g);
}

/* Adds a line of text. @words may contain text that the user typed. */
static void heat_blocks_add_line(const struct heatmap_blocks_page *g, const char *words)
{
	_cleanup_(text_done) struct text line = TEXT_EMPTY;

	heat_blocks_add_words(g, &line, words);
	escape_terminal(g->t, line.chars, line.length);
	heat_blocks_end_line(g);
}

void heat_blocks_print(const struct heat_picture *p, const struct heat_blocks *b, FILE *out)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY, summary = TEXT_EMPTY;
	struct heatmap_blocks_page g = {
		.p = p, .b = b, .rows_each = b->ink != HEAT_SHADES && !b->ascii ? 2 : 1, .t = &t
	};

	g.n_lines = (p->map->rows.n - 1) / g.rows_each + 1;
	heat_blocks_add_line(&g, p->title);
	if (p->subtitle)
		heat_blocks_add_line(&g, p->subtitle);
	heat_add_summary(&summary, p);
	heat_blocks_add_line(&g, summary.chars);
	text_add_char(&t, '\n');
	heat_blocks_add_rows(&g);
	add_time_axis(&g);
	add_legend(&g);
	fwrite(t.chars, 1, t.length, out);
}
