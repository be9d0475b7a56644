/* SPDX-License-Identifier: MIT */
#include "tui/export-file.h"

#include <version.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/output-stream.h"
#include "base/text.h"
#include "profile/flame-excerpt.h"
#include "profile/folded.h"
#include "session/session.h"
#include "tui/browse.h"
#include "tui/tables-print.h"
#include "view/folded.h"
#include "view/picture/flame-svg.h"
#include "view/picture/page.h"

static const struct {
	const char *suffix, *words;
} kinds[N_EXPORTS] = {
	[EXPORT_SVG] = { ".svg", "Flame graph (SVG)" },
	[EXPORT_PAGE] = { ".html", "Page with everything (HTML)" },
	[EXPORT_FOLDED] = { ".folded", "Folded stacks, for other tools" },
	[EXPORT_JSON] = { ".json", "Rows as JSON" },
	[EXPORT_TEXT] = { ".txt", "Rows as text, as --stdio prints them" },
};

const char *export_suffix(enum export_kind kind)
{
	return kinds[kind].suffix;
}

const char *export_words(enum export_kind kind)
{
	return kinds[kind].words;
}

static uint32_t find_child(const struct flame *f, uint32_t box, const char *name)
{
	for (uint32_t c = box + 1; c < f->boxes[box].end; c = f->boxes[c].end)
		if (!strcmp(f->boxes[c].name, name))
			return c;
	return FLAME_NONE;
}

static uint32_t zoomed_box(const struct flame *f, const struct export_view *v)
{
	uint32_t box = 0;

	for (size_t i = 0; i < v->n_zoom; i++) {
		box = find_child(f, box, v->zoom[i]);
		if (box == FLAME_NONE)
			return FLAME_NONE;
	}
	return box;
}

/* The boxes in sight. */
static int tui_export_file_make_boxes(const struct browse_snapshot *s, const struct export_view *v,
				      const struct snapshot_flame_request *rq, struct flame **ret,
				      struct diag *diag)
{
	_cleanup_(flame_freep) struct flame *f = snapshot_flame(s, rq);
	const uint32_t box = zoomed_box(f, v);

	if (box == FLAME_NONE || !f->boxes[box].value[FLAME_AFTER].total)
		return diag_set(diag, -ENODATA, "there are no stacks to be written");
	*ret = box ? flame_excerpt_through(f, box) : TAKE(f);
	return 0;
}

/* "589 samples of cycles:u in perf.data, time 1.5,2". */
static void tui_export_file_describe(const struct browse_snapshot *s, const struct export_view *v,
				     const struct flame *f, const char *unit, struct text *out)
{
	const struct session_event *e = session_event(s->profile->session, v->flame.event);
	const struct profile_request *rq = &s->profile->rq;

	flame_amount_add(out, f->boxes[0].value[FLAME_AFTER].total, unit);
	if (strcmp(unit, e->name) != 0)
		text_addf(out, " of %s", e->name);
	if (!s->is_live && rq->path)
		text_addf(out, " in %s", rq->path);
	if (rq->filter.time.text)
		text_addf(out, ", time %s", rq->filter.time.text);
}

static int write_svg(const struct browse_snapshot *s, const struct export_view *v, FILE *out,
		     struct diag *diag)
{
	const char *unit = snapshot_flame_unit(s, &v->flame);
	_cleanup_(text_done) struct text subtitle = TEXT_EMPTY;
	_cleanup_(flame_freep) struct flame *f = NULL;
	int r = tui_export_file_make_boxes(s, v, &v->flame, &f, diag);

	if (r < 0)
		return r;
	tui_export_file_describe(s, v, f, unit, &subtitle);
	r = flame_svg_print(f,
			    &(struct flame_picture){ .title = v->flame.reverse ? "Callers" : NULL,
						     .subtitle = subtitle.chars,
						     .count_name = unit },
			    out);
	return r < 0 ? diag_set(diag, r, "cannot write the picture: %s", strerror(-r)) : 0;
}

/* Part and zoom go by the names of the screen: they are changed last. */
static void fold_names(struct flame *f)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;

	for (size_t i = 0; i < f->n; i++) {
		text_clear(&name);
		folded_name_add(&name, f->boxes[i].name, f->boxes[i].kind == FLAME_TASK);
		f->boxes[i].name = intern_text(&f->texts, name.chars);
	}
}

static int tui_export_file_write_folded(const struct browse_snapshot *s,
					const struct export_view *v, FILE *out, struct diag *diag)
{
	struct snapshot_flame_request rq = v->flame;
	_cleanup_(flame_freep) struct flame *f = NULL;
	int r;

	rq.by_samples = true;
	r = tui_export_file_make_boxes(s, v, &rq, &f, diag);
	if (r < 0)
		return r;
	fold_names(f);
	return folded_print(f, out);
}

static struct tables_print print_of(const struct browse_snapshot *s, const struct export_view *v)
{
	return (struct tables_print){
		.profile = s->profile,
		.tables = s->tables,
		.tree = v->tree,
		.widths = v->widths,
		.times_in_ns = v->times_in_ns,
		.verbose = s->profile->rq.verbose,
	};
}

static int print_kind(const struct browse_snapshot *s, const struct export_view *v,
		      enum export_kind kind, FILE *out, struct diag *diag)
{
	const struct tables_print tables = print_of(s, v);

	switch (kind) {
	case EXPORT_SVG:
		return write_svg(s, v, out, diag);
	case EXPORT_FOLDED:
		return tui_export_file_write_folded(s, v, out, diag);
	case EXPORT_JSON:
		return tables_print_json(&tables, out);
	default:
		return tables_print_text(&tables, out);
	}
}

int export_write(const struct browse_snapshot *s, const struct export_view *v,
		 enum export_kind kind, const char *path, uint64_t *ret_size, struct diag *diag)
{
	struct output_stream stream;
	int r = output_stream_begin(&stream, path, diag);

	if (r >= 0)
		r = print_kind(s, v, kind, stream.out, diag);
	if (r >= 0)
		r = output_stream_commit(&stream, ret_size, diag);
	else if (!diag->message)
		diag_set(diag, r, "cannot write '%s': %s", path, strerror(-r));
	output_stream_done(&stream);
	return r;
}

int export_write_page(const struct page *page, const char *path, uint64_t *ret_size,
		      struct diag *diag)
{
	struct output_stream stream;
	int r = output_stream_begin(&stream, path, diag);

	if (r >= 0) {
		r = page_print(stream.out, page, "perf " PERF_VERSION);
		if (r < 0)
			diag_set(diag, r, "cannot write '%s': %s", path, strerror(-r));
	}
	if (r >= 0)
		r = output_stream_commit(&stream, ret_size, diag);
	output_stream_done(&stream);
	return r;
}
