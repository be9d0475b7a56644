/* SPDX-License-Identifier: MIT */
#include "options/flamegraph-draw.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "options/buildid-dir.h"
#include "options/explain-missing.h"
#include "options/picture-file.h"
#include "profile/diff-inputs.h"
#include "profile/flamegraph.h"
#include "profile/page/make.h"
#include "profile/page/page.h"
#include "view/picture/flame-svg.h"
#include "view/picture/palette.h"

#define USUAL_NAME    "flamegraph.svg"
#define USUAL_PAGE    "flamegraph.html"
#define DEFAULT_WIDTH 1200

/* Appends "589 samples", "1.25 s". */
static void add_total(const struct flamegraph *g, enum flame_side side, struct text *ret)
{
	flame_amount_add(ret, g->flame->boxes[0].value[side].total, g->unit);
}

/*
 * Appends "589 samples of cycles:u in perf.data"; "589 samples of cycles:u before, 602 samples
 * after".
 */
static void options_flamegraph_draw_describe(const struct flamegraph *g,
					     const struct flamegraph_request *rq, struct text *ret)
{
	if (g->is_folded && !rq->sides)
		return;
	add_total(g, rq->sides ? FLAME_BEFORE : FLAME_AFTER, ret);
	if (g->event && strcmp(g->unit, g->event) != 0)
		text_addf(ret, " of %s", g->event);
	if (rq->sides) {
		text_add(ret, " before, ");
		add_total(g, FLAME_AFTER, ret);
		text_add(ret, " after");
	} else if (strcmp(rq->profile.path, "-") != 0) {
		text_addf(ret, " in %s", rq->profile.path);
	}
}

static const char *options_flamegraph_draw_title_of(const struct flamegraph_request *rq)
{
	if (rq->choice.wall)
		return rq->sides ? "Wall-clock time, before and after" : "Wall-clock time";
	if (rq->choice.off_cpu)
		return rq->sides ? "Off-CPU time, before and after" : "Off-CPU time";
	return rq->sides ? "Flame graph, before and after" : NULL;
}

/*
 * Returns the least share of the width that a box may have, in percent. A limit in pixels is a
 * share of the width too.
 */
static double least_percent(const struct flamegraph_look *look)
{
	double width = look->width ? (double)look->width : DEFAULT_WIDTH;
	double pixels = 100 * look->min_pixels / width;

	return pixels > look->min_percent ? pixels : look->min_percent;
}

static int options_flamegraph_draw_write_picture(const struct invocation *inv,
						 const struct flamegraph *g,
						 const struct flame_picture *picture,
						 const struct flamegraph_look *look,
						 struct diag *diag)
{
	_cleanup_(picture_file_done) struct picture_file f;
	int r = picture_file_open(&f, inv, look->output, USUAL_NAME, diag);

	if (r < 0)
		return r;
	r = flame_svg_print(g->flame, picture, f.out);
	if (r < 0)
		return diag_set(diag, r, "cannot write the picture: %s", strerror(-r));
	return picture_file_commit(&f, inv, look->quiet, diag);
}

/* Returns the settings of the page, in the form that a link to a view of it has. */
static char *options_flamegraph_draw_start_of(const struct flamegraph_look *look)
{
	struct text t = TEXT_EMPTY;

	if (look->is_icicle)
		text_add(&t, "icicle=1");
	if (look->palette)
		text_addf(&t, "%scolor=%s", t.length ? "&" : "", look->palette);
	return t.length ? text_take(&t) : NULL;
}

/*
 * Returns the subtitle. A page has one line below its title, so that line must name both sides of a
 * comparison.
 */
static char *page_subtitle(const struct flame_picture *picture)
{
	struct text t = TEXT_EMPTY;

	if (picture->after)
		text_addf(&t, "after: %s, compared with before: %s", picture->after,
			  picture->before);
	if (picture->subtitle)
		text_addf(&t, "%s%s", t.length ? "; " : "", picture->subtitle);
	return t.length ? text_take(&t) : NULL;
}

static int write_page(const struct invocation *inv, const struct flamegraph *g,
		      const struct flame_picture *picture, const struct flamegraph_look *look,
		      struct diag *diag)
{
	_cleanup_(page_done) struct page page = { 0 };
	_cleanup_(freep) char *start = options_flamegraph_draw_start_of(look);
	_cleanup_(freep) char *subtitle = page_subtitle(picture);
	const struct page_flame how = {
		.title = picture->title,
		.subtitle = subtitle,
		.event = look->count_name ? look->count_name
			 : g->event       ? g->event
					  : g->unit,
		.unit = g->unit,
		.samples = g->samples,
		.start = start,
		.profile = g->is_folded || g->flame->is_comparison ? NULL : &g->profile,
	};

	page_make_flame(g->flame, &how, &page);
	return picture_write_page(&page, inv, look->output, USUAL_PAGE, look->quiet, diag);
}

static int options_flamegraph_draw(const struct invocation *inv, const struct flamegraph *g,
				   const struct flamegraph_request *rq,
				   const struct flamegraph_look *look, struct diag *diag)
{
	_cleanup_(text_done) struct text subtitle = TEXT_EMPTY;
	struct flame_picture picture = {
		.title = look->title ? look->title : options_flamegraph_draw_title_of(rq),
		.subtitle = look->subtitle,
		.count_name = look->count_name ? look->count_name : g->unit,
		.before = rq->sides ? rq->sides->items[0].name : NULL,
		.after = rq->sides ? rq->sides->items[1].name : NULL,
		.palette = look->palette ? palette_find(look->palette) : NULL,
		.width = (unsigned)look->width,
		.min_percent = least_percent(look),
		.is_icicle = look->is_icicle,
	};

	if (!look->subtitle) {
		options_flamegraph_draw_describe(g, rq, &subtitle);
		picture.subtitle = subtitle.length ? subtitle.chars : NULL;
	}
	return look->is_page ? write_page(inv, g, &picture, look, diag)
			     : options_flamegraph_draw_write_picture(inv, g, &picture, look, diag);
}

static void options_flamegraph_draw_tell(const struct invocation *inv, const struct flamegraph *g,
					 const struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		command_note(inv, &notes->items[i]);
	if (g->flame && !g->is_folded)
		command_explain_missing(inv, &g->profile);
}

int flamegraph_draw(const struct invocation *inv, struct flamegraph_request *rq,
		    const struct flamegraph_look *look)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(notes_done) struct notes notes = { 0 };
	_cleanup_(freep) char *buildid_dir = command_buildid_dir(inv);
	_cleanup_(flamegraph_done) struct flamegraph g;
	int r;

	rq->profile.buildid_dir = buildid_dir;
	rq->with_samples = look->is_page;
	rq->profile.progress = command_progress(inv, look->quiet, false);
	r = flamegraph_make(&g, rq, &notes, &diag);
	if (r >= 0)
		r = options_flamegraph_draw(inv, &g, rq, look, &diag);
	if (!look->quiet)
		options_flamegraph_draw_tell(inv, &g, &notes);
	/* Lost output is reported by the code that closes the stream. */
	if (r < 0 && ferror(inv->out))
		return EXIT_FAILED;
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}
