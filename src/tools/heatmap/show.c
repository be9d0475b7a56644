/* SPDX-License-Identifier: MIT */
/* The forms of a heat map: chooses the form and the place of the output. */
#include <version.h>

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "options/picture-file.h"
#include "profile/page/fit.h"
#include "profile/page/page.h"
#include "tools/heatmap/blocks-view.h"
#include "tools/heatmap/json-view.h"
#include "tools/heatmap/opts.h"
#include "tools/heatmap/heatmap-model.h"
#include "tools/heatmap/svg-view.h"
#include "tools/heatmap/words-view.h"
#include "view/picture/page.h"
#include "view/picture/palette.h"

/* The number of cells of a picture. In a terminal, the number of columns follows from its width. */
#define PICTURE_COLUMNS 120
#define PICTURE_ROWS    60
#define HALF_BLOCK_ROWS 40
#define SHADE_ROWS      24

static bool heatmap_show_ends_with(const char *path, const char *ending)
{
	size_t n = strlen(path), m = strlen(ending);

	return n >= m && !strcmp(path + n - m, ending);
}

static enum heatmap_form form_of(const struct invocation *inv, const struct heatmap_opts *o)
{
	if (o->svg)
		return HEATMAP_SVG;
	if (o->html)
		return HEATMAP_HTML;
	if (o->json)
		return HEATMAP_JSON;
	if (o->stdio)
		return HEATMAP_STDIO;
	if (o->output && strcmp(o->output, "-") != 0)
		return heatmap_show_ends_with(o->output, ".json")   ? HEATMAP_JSON
		       : heatmap_show_ends_with(o->output, ".html") ? HEATMAP_HTML
		       : heatmap_show_ends_with(o->output, ".txt")  ? HEATMAP_STDIO
								    : HEATMAP_SVG;
	return terminal_is(inv->settings->out) ? HEATMAP_STDIO : HEATMAP_SVG;
}

/* Returns the capabilities of the terminal, according to its environment. */
static struct heat_blocks heatmap_show_blocks_of(const struct invocation *inv,
						 const struct heatmap_opts *o)
{
	const char *term = getenv("TERM"), *colours = getenv("COLORTERM");
	const char *both = getenv("COLORFGBG"), *page = both ? strrchr(both, ';') : NULL;
	struct heat_blocks b = { .ink = HEAT_SHADES };

	setlocale(LC_CTYPE, "");
	b.ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	b.is_light = page && (!strcmp(page, ";7") || !strcmp(page, ";15"));
	if (!inv->colour || (o->output && strcmp(o->output, "-") != 0))
		return b;
	if (colours && (!strcmp(colours, "truecolor") || !strcmp(colours, "24bit")))
		b.ink = HEAT_TRUE_COLOUR;
	else if (term && strstr(term, "256color"))
		b.ink = HEAT_256;
	return b;
}

static bool has_halves(const struct heat_blocks *b)
{
	return b->ink != HEAT_SHADES && !b->ascii;
}

enum heatmap_form heatmap_form(const struct invocation *inv, struct heatmap_opts *o)
{
	enum heatmap_form form = form_of(inv, o);
	size_t columns = PICTURE_COLUMNS, rows = PICTURE_ROWS;

	if (form == HEATMAP_STDIO) {
		struct heat_blocks b = heatmap_show_blocks_of(inv, o);

		columns = heat_blocks_columns(terminal_width(inv->settings->out));
		rows = has_halves(&b) ? HALF_BLOCK_ROWS : SHADE_ROWS;
	}
	if (columns > HEAT_COLUMNS_MAX)
		columns = HEAT_COLUMNS_MAX;
	o->rq.columns = o->columns ? o->columns : columns;
	o->rq.rows = o->rows ? o->rows : rows;
	return form;
}

/*
 * Merges columns until the map fits. The width of columns of samples is fixed, so there may be too
 * many of them.
 */
static void heatmap_show_fit(const struct heatmap_opts *o, enum heatmap_form form,
			     struct heatmap *h)
{
	if (form == HEATMAP_STDIO || o->columns)
		heat_map_merge_columns(&h->map, o->rq.columns);
}

static int heatmap_show_print_page(const struct heat_picture *p, FILE *out)
{
	_cleanup_(page_done) struct page page;
	_cleanup_(text_done) struct text subtitle = TEXT_EMPTY, time = TEXT_EMPTY;

	if (p->subtitle)
		text_addf(&subtitle, "%s. ", p->subtitle);
	heat_add_summary(&subtitle, p);
	heat_add_time_name(&time, p);
	page_init(&page);
	heat_page_fill(&page, p->map, p->values_are_times);
	page.title = p->title;
	page.subtitle = subtitle.chars;
	page_add_fact(&page, "what", p->title);
	page_add_fact(&page, "rows", p->value_name);
	page_add_fact(&page, "columns", page_text(&page, time.chars));
	page_fit(&page, SIZE_MAX);
	return page_print(out, &page, "perf " PERF_VERSION);
}

static int heatmap_show_print(const struct invocation *inv, enum heatmap_form form,
			      const struct heat_picture *p, FILE *out)
{
	struct heat_blocks b;

	if (form == HEATMAP_SVG)
		return heat_svg_print(p, out);
	if (form == HEATMAP_HTML)
		return heatmap_show_print_page(p, out);
	if (form == HEATMAP_JSON) {
		heat_json_print(p, out);
		return 0;
	}
	b = heatmap_show_blocks_of(inv, inv->opts);
	heat_blocks_print(p, &b, out);
	return 0;
}

static struct heat_picture heatmap_show_picture_of(const struct heatmap_opts *o,
						   const struct heatmap *h)
{
	return (struct heat_picture){ .map = &h->map,
				      .title = o->title ? o->title : h->title,
				      .subtitle = o->subtitle,
				      .value_name = h->value_name,
				      .noun = h->noun,
				      .values_are_times = h->values_are_times,
				      .colours = sequence_find(o->colours) };
}

size_t heatmap_rows_in(const struct invocation *inv, size_t lines)
{
	const struct heat_blocks b = heatmap_show_blocks_of(inv, inv->opts);
	size_t rows = has_halves(&b) ? HALF_BLOCK_ROWS : SHADE_ROWS;
	size_t room = has_halves(&b) ? 2 * lines : lines;

	return room < rows ? room : rows;
}

void heatmap_print_text(const struct invocation *inv, const struct heatmap *h, FILE *out)
{
	const struct heat_blocks b = heatmap_show_blocks_of(inv, inv->opts);
	const struct heat_picture p = heatmap_show_picture_of(inv->opts, h);

	heat_blocks_print(&p, &b, out);
}

int heatmap_show(const struct invocation *inv, enum heatmap_form form, struct heatmap *h,
		 struct diag *diag)
{
	static const char *const usual[] = { [HEATMAP_SVG] = "heatmap.svg",
					     [HEATMAP_HTML] = "heatmap.html",
					     [HEATMAP_STDIO] = "-",
					     [HEATMAP_JSON] = "-" };
	const struct heatmap_opts *o = inv->opts;
	_cleanup_(picture_file_done) struct picture_file f;
	const struct heat_picture p = heatmap_show_picture_of(o, h);
	int r = picture_file_open(&f, inv, o->output, usual[form], diag);

	if (r < 0)
		return r;
	heatmap_show_fit(o, form, h);
	r = heatmap_show_print(inv, form, &p, f.out);
	if (r < 0)
		return diag_set(diag, r, "cannot write the picture: %s", strerror(-r));
	return picture_file_commit(&f, inv, o->quiet, diag);
}
