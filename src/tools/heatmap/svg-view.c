/* SPDX-License-Identifier: MIT */
#include "tools/heatmap/svg-view.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/digits.h"
#include "base/text.h"
#include "tools/heatmap/words-view.h"
#include "view/embedded.h"
#include "view/picture/palette.h"
#include "view/picture/svg.h"
#include "view/picture/text-fit.h"

extern const struct embedded embedded_heat_css, embedded_heat_js;

/*
 * The layout in pixels. The script makes the plot as large as the window permits, with the same
 * margins.
 */
#define WIDTH  1200
#define LEFT   74
#define RIGHT  20
#define TOP    92
#define BOTTOM 52
#define HEIGHT 460 /* the height of the plot */
#define FONT   12

/* The number of colours between the weakest and the strongest cell. */
#define STEPS 16

#define TICKS_X 12
#define TICKS_Y 12

struct heatmap_drawing {
	struct svg svg;
	const struct heat_picture *p;
	struct text text;
};

static unsigned step_of(const struct heat_map *m, uint64_t count)
{
	return (unsigned)lround(heat_shade(m, count) * (STEPS - 1));
}

static void add_colours(struct text *t, const struct heat_picture *p, enum theme theme)
{
	char room[RGB_TEXT_MAX];

	for (unsigned i = 0; i < STEPS; i++) {
		double x = heat_strength(i / (STEPS - 1.0));

		text_addf(t, ".h%u{fill:%s}", i,
			  rgb_text(sequence_colour(p->colours, x, theme), room));
	}
}

static void heatmap_svg_draw_style(struct heatmap_drawing *d)
{
	struct text *t = &d->text;

	text_clear(t);
	text_add_bytes(t, embedded_heat_css.text, embedded_heat_css.size);
	add_colours(t, d->p, THEME_LIGHT);
	text_add(t, "\n@media screen and (prefers-color-scheme:dark){");
	add_colours(t, d->p, THEME_DARK);
	text_add(t, "}\n");
	svg_verbatim(&d->svg, "style", t->chars, t->length);
}

static void heatmap_svg_draw_words(struct heatmap_drawing *d, const char *class, const char *x,
				   double y, const char *words)
{
	svg_open(&d->svg, "text");
	svg_attr(&d->svg, "class", class);
	svg_attr(&d->svg, "x", x);
	svg_attr_decimal(&d->svg, "y", y, 1);
	svg_text(&d->svg, words);
	svg_close(&d->svg);
	svg_line(&d->svg);
}

static void heatmap_svg_draw_box(struct heatmap_drawing *d, const char *class, double x, double y,
				 double width, double height)
{
	svg_open(&d->svg, "rect");
	svg_attr(&d->svg, "class", class);
	svg_attr_decimal(&d->svg, "x", x, 2);
	svg_attr_decimal(&d->svg, "y", y, 2);
	svg_attr_decimal(&d->svg, "width", width, 2);
	svg_attr_decimal(&d->svg, "height", height, 2);
	svg_close(&d->svg);
}

/*
 * --- above the plot ----------------------------------------------------------------------------
 */

/* Draws "1 [][][] 2,337 pairs in a cell". Its right end is at the right end of the plot. */
static void heatmap_svg_draw_legend(struct heatmap_drawing *d, double y)
{
	struct text *t = &d->text;
	double width, x;

	text_clear(t);
	heat_add_count(t, d->p, d->p->map->highest);
	text_add(t, " in a cell");
	width = text_width(t->chars, t->length, FONT);
	svg_open(&d->svg, "svg"); /* content left of its origin is not clipped */
	svg_attr(&d->svg, "class", "legend");
	svg_attr_unsigned(&d->svg, "x", WIDTH - RIGHT);
	svg_attr(&d->svg, "overflow", "visible");
	heatmap_svg_draw_words(d, "note end", "0", y, t->chars);
	x = -width - 8 - STEPS * 9;
	for (unsigned i = d->p->map->highest > 1 ? 0 : STEPS - 1; i < STEPS; i++) {
		char class[8];

		snprintf(class, sizeof(class), "h%u", i);
		heatmap_svg_draw_box(d, class, x + 9 * i, y - 10, 9, 12);
	}
	text_clear(t);
	text_filled(t, digits_short(text_room(t, DIGITS_MAX), x - 6, 1));
	if (d->p->map->highest > 1)
		heatmap_svg_draw_words(d, "note end", t->chars, y, "1");
	svg_close(&d->svg);
	svg_line(&d->svg);
}

static void heatmap_svg_draw_head(struct heatmap_drawing *d)
{
	heatmap_svg_draw_words(d, "title", "16", 26, d->p->title);
	text_clear(&d->text);
	if (d->p->subtitle)
		text_addf(&d->text, "%s. ", d->p->subtitle);
	heat_add_summary(&d->text, d->p);
	heatmap_svg_draw_words(d, "note", "16", 46, d->text.chars);
	svg_open(&d->svg, "text");
	svg_attr(&d->svg, "class", "cell");
	svg_attr(&d->svg, "x", "16");
	svg_attr_unsigned(&d->svg, "y", 66);
	svg_attr(&d->svg, "role", "status");
	svg_close(&d->svg);
	svg_line(&d->svg);
	heatmap_svg_draw_legend(d, 26);
}

/* --- axes ------------------------------------------------------------------------------------- */

static void heatmap_svg_add_percent(struct text *t, double place)
{
	text_clear(t);
	text_filled(t, digits_short(text_room(t, DIGITS_MAX), 100 * place, 3));
	text_add_char(t, '%');
}

static void heatmap_svg_draw_line(struct heatmap_drawing *d, const char *x1, const char *y1,
				  const char *x2, const char *y2)
{
	svg_open(&d->svg, "line");
	svg_attr(&d->svg, "x1", x1);
	svg_attr(&d->svg, "y1", y1);
	svg_attr(&d->svg, "x2", x2);
	svg_attr(&d->svg, "y2", y2);
	svg_close(&d->svg);
}

static void draw_tick_label(struct heatmap_drawing *d, const char *x, const char *y, double dx,
			    double dy, const char *class, const char *label)
{
	svg_open(&d->svg, "text");
	svg_attr(&d->svg, "class", class);
	svg_attr(&d->svg, "x", x);
	svg_attr(&d->svg, "y", y);
	svg_attr_decimal(&d->svg, "dx", dx, 1);
	svg_attr_decimal(&d->svg, "dy", dy, 1);
	svg_text(&d->svg, label);
	svg_close(&d->svg);
	svg_line(&d->svg);
}

/* Opens an <svg> at the place of the plot. Percentages within it are shares of the plot. */
static void open_plot(struct heatmap_drawing *d, const char *class)
{
	svg_open(&d->svg, "svg");
	svg_attr(&d->svg, "class", class);
	svg_attr_unsigned(&d->svg, "x", LEFT);
	svg_attr_unsigned(&d->svg, "y", TOP);
	svg_attr_unsigned(&d->svg, "width", WIDTH - LEFT - RIGHT);
	svg_attr_unsigned(&d->svg, "height", HEIGHT);
}

static void draw_x_axis(struct heatmap_drawing *d)
{
	struct heat_tick ticks[SCALE_TICKS_MAX];
	size_t n = heat_x_ticks(d->p, TICKS_X, ticks);

	for (size_t i = 0; i < n; i++) {
		const char *class = i % 2 ? "x odd" : "x";

		heatmap_svg_add_percent(&d->text, ticks[i].place);
		heatmap_svg_draw_line(d, d->text.chars, "0", d->text.chars, "100%");
		draw_tick_label(d, d->text.chars, "100%", 0, 17, class, ticks[i].label);
	}
	text_clear(&d->text);
	heat_add_time_name(&d->text, d->p);
	draw_tick_label(d, "50%", "100%", 0, 38, "x name", d->text.chars);
}

static void draw_y_axis(struct heatmap_drawing *d)
{
	struct heat_tick ticks[SCALE_TICKS_MAX];
	size_t n = heat_y_ticks(d->p, TICKS_Y, ticks);

	for (size_t i = 0; i < n; i++) {
		heatmap_svg_add_percent(&d->text, 1 - ticks[i].place);
		heatmap_svg_draw_line(d, "0", d->text.chars, "100%", d->text.chars);
		draw_tick_label(d, "0", d->text.chars, -8, 4, "y", ticks[i].label);
	}
	draw_tick_label(d, "0", "0", 16 - LEFT, -14, "name", d->p->value_name);
}

static void draw_axes(struct heatmap_drawing *d)
{
	open_plot(d, "plot axes");
	svg_attr(&d->svg, "overflow", "visible");
	svg_line(&d->svg);
	draw_x_axis(d);
	draw_y_axis(d);
	svg_close(&d->svg);
	svg_line(&d->svg);
}

/* --- cells ------------------------------------------------------------------------------------ */

/* Draws a cell as a square of size 1, which the plot stretches. */
static void draw_cell(struct heatmap_drawing *d, size_t column, size_t row)
{
	const struct heat_map *m = d->p->map;
	char class[8];

	snprintf(class, sizeof(class), "h%u", step_of(m, heat_count(m, column, row)));
	svg_open(&d->svg, "rect");
	svg_attr(&d->svg, "class", class);
	svg_attr_unsigned(&d->svg, "x", column);
	svg_attr_unsigned(&d->svg, "y", m->rows.n - 1 - row);
	svg_attr_unsigned(&d->svg, "width", 1);
	svg_attr_unsigned(&d->svg, "height", 1);
	text_clear(&d->text);
	heat_add_cell(&d->text, d->p, column, row);
	svg_element(&d->svg, "title", d->text.chars);
	svg_close(&d->svg);
	svg_line(&d->svg);
}

static void draw_cells(struct heatmap_drawing *d)
{
	const struct heat_map *m = d->p->map;

	open_plot(d, "plot cells");
	text_clear(&d->text);
	text_addf(&d->text, "0 0 %zu %zu", m->n_columns, m->rows.n);
	svg_attr(&d->svg, "viewBox", d->text.chars);
	svg_attr(&d->svg, "preserveAspectRatio", "none");
	svg_attr(&d->svg, "shape-rendering", "crispEdges");
	svg_line(&d->svg);
	for (size_t c = 0; c < m->n_columns; c++)
		for (size_t r = 0; r < m->rows.n; r++)
			if (heat_count(m, c, r))
				draw_cell(d, c, r);
	svg_close(&d->svg);
	svg_line(&d->svg);
}

static void heatmap_svg_draw(struct heatmap_drawing *d)
{
	svg_document(&d->svg);
	svg_attr_unsigned(&d->svg, "width", WIDTH);
	svg_attr_unsigned(&d->svg, "height", TOP + HEIGHT + BOTTOM);
	svg_attr(&d->svg, "class", "heat");
	svg_line(&d->svg);
	svg_element(&d->svg, "title", d->p->title);
	svg_line(&d->svg);
	heatmap_svg_draw_style(d);
	svg_page(&d->svg);
	heatmap_svg_draw_head(d);
	draw_axes(d);
	draw_cells(d);
	svg_verbatim(&d->svg, "script", embedded_heat_js.text, embedded_heat_js.size);
	svg_close(&d->svg);
	svg_line(&d->svg);
}

int heat_svg_print(const struct heat_picture *p, FILE *out)
{
	struct heatmap_drawing d = { .p = p, .text = TEXT_EMPTY };
	int r;

	svg_init(&d.svg, out);
	heatmap_svg_draw(&d);
	r = svg_done(&d.svg);
	text_done(&d.text);
	return r;
}
