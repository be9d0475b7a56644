/* SPDX-License-Identifier: MIT */
#include "tui/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <version.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/output-stream.h"
#include "base/size-text.h"
#include "base/text.h"
#include "profile/flame-excerpt.h"
#include "profile/folded.h"
#include "session/session.h"
#include "tui/browse.h"
#include "tui/menu.h"
#include "tui/page-making.h"
#include "tui/panel.h"
#include "tui/tables-print.h"
#include "view/folded.h"
#include "view/picture/flame-svg.h"
#include "view/picture/page.h"

#define NAMES_MAX 1000 /* tried to find a free one */

struct exporter {
	struct panels *panels;

	/* For the menu that was opened last: */
	struct browse *browse;
	struct export_view view; /* has texts of its own */
	char *name, *object, *stem;
	struct {
		char **items;
		size_t n, room;
	} zoom;
	enum export_kind kind;
	char *path;

	struct page_making *page; /* or NULL */
	char *page_path;
};

struct exporter *exporter_new(struct panels *p)
{
	struct exporter *e = xcalloc(1, sizeof(*e));

	e->panels = p;
	return e;
}

static void forget_view(struct exporter *e)
{
	for (size_t i = 0; i < e->zoom.n; i++)
		free(e->zoom.items[i]);
	e->zoom.n = 0;
	free(TAKE(e->name));
	free(TAKE(e->object));
	free(TAKE(e->stem));
}

static void end_page(struct exporter *e)
{
	if (!e->page)
		return;
	panels_unwatch(e->panels, page_making_fd(e->page));
	page_making_free(TAKE(e->page));
	free(TAKE(e->page_path));
}

void exporter_free(struct exporter *e)
{
	if (!e)
		return;
	end_page(e);
	forget_view(e);
	free(e->zoom.items);
	free(e->path);
	free(e);
}

static char *tui_export_copy_of(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

static void keep_view(struct exporter *e, const struct export_menu *m)
{
	forget_view(e);
	e->browse = m->browse;
	e->view = m->view;
	e->name = tui_export_copy_of(m->view.flame.part.name);
	e->object = tui_export_copy_of(m->view.flame.part.object);
	e->stem = xstrdup(m->stem);
	e->view.flame.part = (struct flame_excerpt){ e->name, e->object };
	for (size_t i = 0; i < m->view.n_zoom; i++)
		*ARRAY_ADD(&e->zoom) = xstrdup(m->view.zoom[i]);
	e->view.zoom = (const char *const *)e->zoom.items;
}

static void tui_export_say_written(struct exporter *e, const char *path, uint64_t size,
				   const char *remark)
{
	char room[SIZE_TEXT_MAX];

	panels_answer(e->panels, "%s: %s%s", path, size_text(size, room), remark);
}

static void start_page(struct exporter *e, const struct browse_snapshot *s)
{
	if (s->is_live) {
		panels_answer(e->panels, "A page needs a recording: save one first (w)");
		return;
	}
	if (!strcmp(s->request->profile.path, "-")) {
		panels_answer(e->panels, "A page reads the recording again, which standard input "
					 "does not allow");
		return;
	}
	if (e->page) {
		panels_answer(e->panels, "%s is still being made", e->page_path);
		return;
	}
	e->page = page_making_start(s->request);
	e->page_path = xstrdup(e->path);
	panels_watch(e->panels, page_making_fd(e->page));
	exporter_news(e);
}

static void write_now(struct exporter *e, const struct browse_snapshot *s)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint64_t size = 0;

	if (export_write(s, &e->view, e->kind, e->path, &size, &diag) < 0)
		panels_answer(e->panels, "%s", diag.message);
	else
		tui_export_say_written(e, e->path, size,
				       s->is_complete || s->is_live ? ""
								    : " (of what is read so far)");
}

static enum panel_next write_it(struct panel *owner, void *arg)
{
	struct exporter *e = arg;
	const struct browse_snapshot *s = browse_take(e->browse, NULL);

	(void)owner;
	if (!s) {
		panels_answer(e->panels, "There is nothing to be written yet");
		return PANEL_STAY;
	}
	if (e->kind == EXPORT_PAGE)
		start_page(e, s);
	else
		write_now(e, s);
	browse_release(e->browse, s);
	return PANEL_STAY;
}

static enum panel_next tui_export_named(struct panel *owner, const char *text, void *arg)
{
	struct exporter *e = arg;
	_cleanup_(freep) char *question = NULL;

	free(e->path);
	e->path = xstrdup(text);
	if (!*text)
		return PANEL_STAY;
	if (access(text, F_OK) != 0)
		return write_it(owner, e);
	question = xasprintf("'%s' exists. Replace it?", text);
	question_push(e->panels, owner, question, write_it, e);
	return PANEL_STAY;
}

/* Returns perf-report.svg, or perf-report-2.svg if that exists. */
static char *free_name(const struct exporter *e)
{
	char *name = xasprintf("%s%s", e->stem, export_suffix(e->kind));

	for (unsigned i = 2; i < NAMES_MAX && access(name, F_OK) == 0; i++) {
		free(name);
		name = xasprintf("%s-%u%s", e->stem, i, export_suffix(e->kind));
	}
	return name;
}

static enum panel_next tui_export_chosen(struct panel *owner, size_t value, void *arg)
{
	struct exporter *e = arg;
	_cleanup_(freep) char *name = NULL;

	e->kind = (enum export_kind)value;
	name = free_name(e);
	prompt_push(e->panels, &(struct prompt){
				       .title = export_words(e->kind),
				       .explanation = "The name of the file:",
				       .text = name,
				       .typed = tui_export_named,
				       .arg = e,
				       .owner = owner,
			       });
	return PANEL_STAY;
}

void exporter_menu(struct exporter *e, struct panel *owner, const struct export_menu *m)
{
	static const int letters[N_EXPORTS] = { 's', 'h', 'f', 'j', 't' };
	struct menu_item items[N_EXPORTS] = { 0 };

	keep_view(e, m);
	for (size_t i = 0; i < N_EXPORTS; i++)
		items[i] = (struct menu_item){ .text = export_words((enum export_kind)i),
					       .key = letters[i],
					       .value = i };
	menu_push(e->panels, &(struct menu){
				     .title = "Export",
				     .items = items,
				     .n = N_EXPORTS,
				     .chosen = tui_export_chosen,
				     .arg = e,
				     .owner = owner,
			     });
}

static void say_progress(struct exporter *e)
{
	const char *title;
	uint64_t done, total;

	page_making_progress(e->page, &title, &done, &total);
	if (total)
		panels_answer(e->panels, "%s: %s, %.0f%%", e->page_path, title,
			      100.0 * (double)done / (double)total);
	else
		panels_answer(e->panels, "%s: %s", e->page_path, title);
}

void exporter_news(struct exporter *e)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct page *page = NULL;
	uint64_t size = 0;
	int r;

	if (!e->page)
		return;
	say_progress(e);
	r = page_making_result(e->page, &page, &diag);
	if (!r)
		return;
	if (r > 0)
		r = export_write_page(page, e->page_path, &size, &diag);
	if (r < 0)
		panels_answer(e->panels, "%s", diag.message);
	else
		tui_export_say_written(e, e->page_path, size, "");
	end_page(e);
}

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

/* Makes the visible boxes. */
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

/* Appends "589 samples of cycles:u in perf.data, time 1.5,2". */
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

/*
 * Changes the names for folded stacks. This is done last, because part and zoom use the names on
 * the screen.
 */
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
	struct tables_print p = { .profile = s->profile, .tables = s->tables, .tree = v->tree };

	p.tree.form.verbose = s->profile->rq.verbose;
	return p;
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
