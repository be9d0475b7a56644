/* SPDX-License-Identifier: MIT */
#include "view/picture/flame-svg.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/digits.h"
#include "base/escape.h"
#include "base/text.h"
#include "view/embedded.h"
#include "view/picture/flame-data.h"
#include "view/picture/flame-layout.h"
#include "view/picture/palette.h"
#include "view/picture/scale.h"
#include "view/picture/svg.h"
#include "view/picture/text-fit.h"

/* Sizes in pixels. The margin and the narrowest box are those of FlameGraph. */
#define WIDTH       1200
#define MARGIN      10
#define NARROWEST   0.1
#define ROW         17
#define FONT        12
#define BASELINE    12.5
#define TEXT_INDENT 4
#define LINE        18

struct flame_svg_drawing {
	struct svg svg;
	const struct flame *f;
	struct flame_picture picture; /* including the defaults */
	struct flame_layout layout;
	double inner; /* the width without the margins */
	double top;   /* the y of the first row of boxes */
	struct text text;
};

static struct flame_picture with_defaults(const struct flame *f, const struct flame_picture *given)
{
	struct flame_picture p = *given;

	if (!p.title)
		p.title = f->is_comparison ? "Flame graph: what changed" : "Flame graph";
	if (!p.subtitle)
		p.subtitle = "";
	if (!p.count_name)
		p.count_name = "samples";
	if (!p.before)
		p.before = "before";
	if (!p.after)
		p.after = "after";
	if (!p.palette)
		p.palette = palette_default();
	if (p.width <= 4 * MARGIN)
		p.width = WIDTH;
	return p;
}

/* --- colours -------------------------------------------------------------------------------- */

static void add_fill(struct text *t, const char *selector, unsigned number, struct rgb colour)
{
	char room[RGB_TEXT_MAX];

	text_add(t, selector);
	text_filled(t, digits_decimal(text_room(t, DIGITS_MAX), number));
	text_add(t, "{fill:");
	text_add(t, rgb_text(colour, room));
	text_add(t, "}");
}

static void add_fills(struct text *t, const struct flame_svg_drawing *d, enum theme theme)
{
	const struct palette *p = d->picture.palette;
	bool languages = flame_layout_kinds(&d->layout) > FLAME_LANGUAGES;

	for (unsigned i = 0; i < palette_size(p); i++)
		if (languages || !palette_is_for_languages(p, i))
			add_fill(t, ".c", i, palette_colour(p, i, theme));
	if (!d->f->is_comparison)
		return;
	for (int i = 0; i <= 2 * FLAME_CHANGE_STEPS; i++)
		add_fill(t, ".difference .d", (unsigned)i,
			 difference_colour((i - FLAME_CHANGE_STEPS) / (double)FLAME_CHANGE_STEPS,
					   theme));
	add_fill(t, ".before .stripe", 0, difference_colour(-0.35, theme));
	add_fill(t, ".before .stripe", 1, difference_colour(-1, theme));
	add_fill(t, ".after .stripe", 0, difference_colour(0.35, theme));
	add_fill(t, ".after .stripe", 1, difference_colour(1, theme));
}

/* Draws the stripes with which flame.css fills parts that only one side has. */
static void draw_stripes(struct flame_svg_drawing *d)
{
	static const char *const classes[] = { "stripe0", "stripe1" };

	svg_open(&d->svg, "pattern");
	svg_attr(&d->svg, "id", "stripes");
	svg_attr(&d->svg, "width", "8");
	svg_attr(&d->svg, "height", "8");
	svg_attr(&d->svg, "patternUnits", "userSpaceOnUse");
	svg_attr(&d->svg, "patternTransform", "rotate(45)");
	for (unsigned i = 0; i < 2; i++) {
		svg_open(&d->svg, "rect");
		svg_attr(&d->svg, "class", classes[i]);
		svg_attr(&d->svg, "width", i ? "4" : "8");
		svg_attr(&d->svg, "height", "8");
		svg_close(&d->svg);
	}
	svg_close(&d->svg);
	svg_line(&d->svg);
}

static void picture_flame_svg_draw_style(struct flame_svg_drawing *d)
{
	struct text *t = &d->text;

	text_clear(t);
	text_add_bytes(t, embedded_flame_css.text, embedded_flame_css.size);
	add_fills(t, d, THEME_LIGHT);
	text_add(t, "\n@media screen and (prefers-color-scheme:dark){");
	add_fills(t, d, THEME_DARK);
	text_add(t, "}\n");
	svg_verbatim(&d->svg, "style", t->chars, t->length);
}

/* --- above the boxes ------------------------------------------------------------------------ */

static void picture_flame_svg_add_share(struct text *t, double percent)
{
	text_filled(t, digits_hundredths(text_room(t, DIGITS_MAX), percent));
}

/* Draws a swatch and its meaning. Returns the position of the next one. */
static double draw_legend_item(struct flame_svg_drawing *d, double x, double y, char class,
			       unsigned number, const char *words)
{
	char name[DIGITS_MAX + 2] = { class };

	*digits_decimal(name + 1, number) = '\0';
	svg_open(&d->svg, "rect");
	svg_attr(&d->svg, "class", name);
	svg_attr_decimal(&d->svg, "x", x, 1);
	svg_attr_decimal(&d->svg, "y", y - 10, 1);
	svg_attr_unsigned(&d->svg, "width", 12);
	svg_attr_unsigned(&d->svg, "height", 12);
	svg_close(&d->svg);
	svg_words(&d->svg, "note", x + 17, y, words);
	return x + 17 + text_width(words, strlen(words), FONT) + 16;
}

static void draw_kinds(struct flame_svg_drawing *d, double y)
{
	double x = MARGIN;

	for (unsigned kind = FLAME_USER; kind < N_FLAME_KINDS; kind++)
		if (d->layout.has_kind[kind])
			x = draw_legend_item(d, x, y, 'c',
					     palette_kind_swatch(d->picture.palette, kind),
					     flame_kind_word(kind));
}

static void draw_directions(struct flame_svg_drawing *d, double y)
{
	double x = MARGIN, gone = flame_gone_share(d->f);

	text_clear(&d->text);
	text_add(&d->text, "after: ");
	text_add(&d->text, d->picture.after);
	text_add(&d->text, ", compared with before: ");
	text_add(&d->text, d->picture.before);
	svg_words(&d->svg, "note direction", MARGIN, y, d->text.chars);
	y += LINE;
	x = draw_legend_item(d, x, y, 'd', 2 * FLAME_CHANGE_STEPS - 1,
			     "red: takes a larger share than before");
	x = draw_legend_item(d, x, y, 'd', 1, "blue: a smaller share");
	x = draw_legend_item(d, x, y, 'd', FLAME_CHANGE_STEPS,
			     "grey: no change of its own beyond chance");
	if (gone > 0) {
		text_clear(&d->text);
		text_add(&d->text, "gone since before: ");
		picture_flame_svg_add_share(&d->text, gone);
		text_add_char(&d->text, '%');
		svg_words(&d->svg, "note gone-share", x, y, d->text.chars);
	}
}

static bool has_kinds_legend(const struct flame_svg_drawing *d)
{
	return !d->f->is_comparison && palette_tells_kinds(d->picture.palette);
}

static double head_height(const struct flame_svg_drawing *d)
{
	double height = 32;

	if (*d->picture.subtitle)
		height += LINE;
	if (d->f->is_comparison)
		height += 2 * LINE;
	else if (has_kinds_legend(d))
		height += LINE;
	return height + 4;
}

/* Draws the head. The script replaces it by its own. */
static void picture_flame_svg_draw_head(struct flame_svg_drawing *d)
{
	double y = 24;

	svg_open(&d->svg, "g");
	svg_attr(&d->svg, "class", "head");
	svg_words(&d->svg, "title", MARGIN, y, d->picture.title);
	if (*d->picture.subtitle)
		svg_words(&d->svg, "note", MARGIN, y += LINE, d->picture.subtitle);
	if (d->f->is_comparison)
		draw_directions(d, y + LINE);
	else if (has_kinds_legend(d))
		draw_kinds(d, y + LINE);
	svg_close(&d->svg);
	svg_line(&d->svg);
}

/* --- boxes ---------------------------------------------------------------------------------- */

void flame_amount_add(struct text *t, uint64_t n, const char *count_name)
{
	if (n && !strcmp(count_name, "ns")) {
		scale_label(t, SCALE_TIME, (double)n);
		return;
	}
	text_filled(t, digits_grouped(text_room(t, DIGITS_GROUPED_MAX), n));
	text_add_char(t, ' ');
	text_add(t, count_name);
}

static void picture_flame_svg_add_difference(struct text *t, const struct flame *f,
					     const struct flame_box *box)
{
	double before = flame_share(f, box, FLAME_BEFORE);
	double points = flame_share(f, box, FLAME_AFTER) - before;

	text_add(t, "; before ");
	picture_flame_svg_add_share(t, before);
	text_add(t, "%: ");
	text_add(t, points < 0 ? "-" : "+");
	picture_flame_svg_add_share(t, fabs(points));
	text_add(t, " points");
	if (box->change == FLAME_NOISE)
		text_add(t, ", no change of its own beyond chance");
}

/* Draws "main (1,234 samples, 12.34%)", which scripts of FlameGraph's users parse. */
static void picture_flame_svg_draw_title(struct flame_svg_drawing *d, size_t i)
{
	const struct flame_box *box = &d->f->boxes[i];
	struct text *t = &d->text;

	text_clear(t);
	text_add(t, box->name);
	text_add(t, " (");
	flame_amount_add(t, box->value[FLAME_AFTER].total, d->picture.count_name);
	text_add(t, ", ");
	if (i)
		picture_flame_svg_add_share(t, flame_share(d->f, box, FLAME_AFTER));
	else
		text_add(t, "100");
	text_add_char(t, '%');
	if (d->f->is_comparison && i)
		picture_flame_svg_add_difference(t, d->f, box);
	text_add_char(t, ')');
	svg_element(&d->svg, "title", t->chars);
}

/* Draws the name. It is escaped first, so that the measured text is the one that is drawn. */
static void draw_name(struct flame_svg_drawing *d, const char *name, double x, double y,
		      double width)
{
	struct text *t = &d->text;
	size_t n;

	text_clear(t);
	escape_terminal(t, name, strlen(name));
	n = text_fit(t->chars, t->length, FONT, width - 2 * TEXT_INDENT);
	if (!n)
		return;
	svg_open(&d->svg, "text");
	svg_attr_decimal(&d->svg, "x", x + TEXT_INDENT, 1);
	svg_attr_decimal(&d->svg, "y", y + BASELINE, 1);
	svg_text_bytes(&d->svg, t->chars, n);
	if (n < t->length)
		svg_text(&d->svg, TEXT_ELLIPSIS);
	svg_close(&d->svg);
}

static void open_box(struct flame_svg_drawing *d, const struct flame_box *box)
{
	struct text *t = &d->text;

	text_clear(t);
	text_add_char(t, 'c');
	text_filled(t, digits_decimal(text_room(t, DIGITS_MAX),
				      palette_swatch(d->picture.palette, box->name, box->object,
						     box->kind)));
	if (d->f->is_comparison) {
		int step = FLAME_CHANGE_STEPS + flame_change_step(d->f, box);

		text_add(t, " d");
		text_filled(t, digits_decimal(text_room(t, DIGITS_MAX), (unsigned)step));
		if (!box->value[FLAME_AFTER].total)
			text_add(t, " gone");
		else if (!box->value[FLAME_BEFORE].total)
			text_add(t, " new");
	}
	svg_open(&d->svg, "g");
	svg_attr(&d->svg, "class", t->chars);
}

static void picture_flame_svg_draw_box(struct flame_svg_drawing *d, size_t i)
{
	const struct flame_box *box = &d->f->boxes[i];
	uint32_t row = d->picture.is_icicle ? box->depth : d->layout.depth - box->depth;
	double x = MARGIN + flame_layout_x(&d->layout, i, FLAME_AFTER, d->inner);
	double width = flame_layout_width(&d->layout, i, FLAME_AFTER, d->inner);
	double y = d->top + row * (double)ROW;

	open_box(d, box);
	picture_flame_svg_draw_title(d, i);
	svg_open(&d->svg, "rect");
	svg_attr_decimal(&d->svg, "x", x, 1);
	svg_attr_decimal(&d->svg, "y", y, 1);
	svg_attr_decimal(&d->svg, "width", width, 1);
	svg_attr_unsigned(&d->svg, "height", ROW - 1);
	svg_close(&d->svg);
	draw_name(d, box->name, x, y, width);
	svg_close(&d->svg);
	svg_line(&d->svg);
}

static void draw_boxes(struct flame_svg_drawing *d)
{
	svg_open(&d->svg, "g");
	svg_attr(&d->svg, "class", "boxes");
	svg_line(&d->svg);
	for (size_t i = 0; i < d->f->n; i++)
		if (d->layout.is_drawn[i])
			picture_flame_svg_draw_box(d, i);
	svg_close(&d->svg);
	svg_line(&d->svg);
}

/* --- the file ------------------------------------------------------------------------------- */

static void picture_flame_svg_draw_data_and_script(struct flame_svg_drawing *d)
{
	text_clear(&d->text);
	flame_data_add(&d->text, &d->layout, &d->picture);
	svg_element(&d->svg, "metadata", d->text.chars);
	svg_line(&d->svg);
	svg_verbatim(&d->svg, "script", embedded_flame_js.text, embedded_flame_js.size);
}

static void picture_flame_svg_draw(struct flame_svg_drawing *d)
{
	double height = d->top + (d->layout.depth + 1) * (double)ROW + MARGIN;
	_cleanup_(text_done) struct text view_box = TEXT_EMPTY;

	text_addf(&view_box, "0 0 %u %.0f", d->picture.width, height);
	svg_document(&d->svg);
	svg_attr_unsigned(&d->svg, "width", d->picture.width);
	svg_attr_decimal(&d->svg, "height", height, 0);
	svg_attr(&d->svg, "viewBox", view_box.chars);
	svg_attr(&d->svg, "class", d->f->is_comparison ? "flame difference" : "flame");
	svg_line(&d->svg);
	svg_element(&d->svg, "title", d->picture.title);
	svg_line(&d->svg);
	picture_flame_svg_draw_style(d);
	svg_page(&d->svg);
	if (d->f->is_comparison)
		draw_stripes(d);
	picture_flame_svg_draw_head(d);
	draw_boxes(d);
	picture_flame_svg_draw_data_and_script(d);
	svg_close(&d->svg);
	svg_line(&d->svg);
}

int flame_svg_print(const struct flame *f, const struct flame_picture *picture, FILE *out)
{
	struct flame_svg_drawing d = {
		.f = f,
		.picture = with_defaults(f, picture),
		.text = TEXT_EMPTY,
	};
	int r;

	d.inner = d.picture.width - 2 * MARGIN;
	d.top = head_height(&d);
	flame_layout_init(&d.layout, f, fmax(d.picture.min_percent / 100, NARROWEST / d.inner));
	svg_init(&d.svg, out);
	picture_flame_svg_draw(&d);
	r = svg_done(&d.svg);
	flame_layout_done(&d.layout);
	text_done(&d.text);
	return r;
}
