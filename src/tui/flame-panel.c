/* SPDX-License-Identifier: MIT */
#include "tui/flame-panel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tui/browse.h"
#include "tui/flame-draw.h"
#include "tui/flame-view.h"
#include "tui/menu.h"
#include "tui/snapshot-flame.h"

struct flame_panel {
	struct panel panel;
	struct flame_panel_options o; /* has texts of its own */
	char *name, *object;          /* those of the part for which it was opened; or NULL */
	char *merged;                 /* the function whose merged bars are shown; or NULL */
	const struct browse_snapshot *snapshot; /* NULL: none yet */
	struct flame_view view;
	struct area area; /* the place of the bars when last drawn */
	bool callers;
};

static struct flame_panel *tui_flame_panel_of(struct panel *p)
{
	return (struct flame_panel *)p;
}

static const struct flame_panel *of_const(const struct panel *p)
{
	return (const struct flame_panel *)p;
}

static struct flame_excerpt tui_flame_panel_part_of(const struct flame_panel *p)
{
	return p->merged ? (struct flame_excerpt){ .name = p->merged }
			 : (struct flame_excerpt){ p->name, p->object };
}

static struct snapshot_flame_request tui_flame_panel_request_of(const struct flame_panel *p)
{
	return (struct snapshot_flame_request){
		.event = p->o.event,
		.part = tui_flame_panel_part_of(p),
		.reverse = p->callers,
	};
}

static struct flame *tui_flame_panel_make_boxes(const struct flame_panel *p)
{
	const struct snapshot_flame_request rq = tui_flame_panel_request_of(p);

	return snapshot_flame(p->snapshot, &rq);
}

static bool tui_flame_panel_has_event(const struct browse_snapshot *s, size_t event)
{
	return event < s->tables->n_rows;
}

static void tui_flame_panel_take_news(struct panel *panel)
{
	struct flame_panel *p = tui_flame_panel_of(panel);
	const struct browse_snapshot *s = browse_take(p->o.browse, p->snapshot);

	if (!s)
		return;
	if (p->snapshot)
		browse_release(p->o.browse, p->snapshot);
	p->snapshot = s;
	if (tui_flame_panel_has_event(s, p->o.event))
		flame_view_take(&p->view, tui_flame_panel_make_boxes(p));
}

static void tui_flame_panel_draw(struct panel *panel, struct screen *s)
{
	struct flame_panel *p = tui_flame_panel_of(panel);
	const struct flame_excerpt part = tui_flame_panel_part_of(p);
	const struct flame_drawing d = {
		.view = &p->view,
		.snapshot = p->snapshot,
		.event = p->o.event,
		.part = &part,
		.callers = p->callers,
	};

	panels_status(panel->panels,
		      "ENTER zooms in, BACKSPACE out, / searches, i shows callers; ? for help");
	p->area = flame_draw(&d, s, panels_area(panel->panels));
}

static const struct flame_box *tui_flame_panel_selected(const struct flame_panel *p)
{
	return p->view.flame ? &p->view.flame->boxes[p->view.selected] : NULL;
}

static enum panel_next go_down(struct panel *panel)
{
	flame_view_down(&tui_flame_panel_of(panel)->view);
	return PANEL_STAY;
}

static enum panel_next zoom_out(struct panel *panel)
{
	if (!flame_view_zoom_out(&tui_flame_panel_of(panel)->view))
		panels_answer(panel->panels, "Everything is in sight");
	return PANEL_STAY;
}

static enum panel_next go_up(struct panel *panel)
{
	if (!flame_view_up(&tui_flame_panel_of(panel)->view))
		flame_view_zoom_out(&tui_flame_panel_of(panel)->view);
	return PANEL_STAY;
}

/* Goes left. Left of the zoomed box is the previous zoom. */
static enum panel_next go_left(struct panel *panel)
{
	struct flame_view *v = &tui_flame_panel_of(panel)->view;

	if (!flame_view_beside(v, -1) && v->selected == v->root)
		flame_view_zoom_out(v);
	return PANEL_STAY;
}

static enum panel_next go_right(struct panel *panel)
{
	flame_view_beside(&tui_flame_panel_of(panel)->view, 1);
	return PANEL_STAY;
}

static enum panel_next go_to_root(struct panel *panel)
{
	flame_view_select(&tui_flame_panel_of(panel)->view, tui_flame_panel_of(panel)->view.root);
	return PANEL_STAY;
}

static enum panel_next go_to_hottest(struct panel *panel)
{
	while (flame_view_down(&tui_flame_panel_of(panel)->view))
		;
	return PANEL_STAY;
}

static enum panel_next tui_flame_panel_page_up(struct panel *panel)
{
	flame_view_scroll(&tui_flame_panel_of(panel)->view,
			  -tui_flame_panel_of(panel)->area.height);
	return PANEL_STAY;
}

static enum panel_next tui_flame_panel_page_down(struct panel *panel)
{
	flame_view_scroll(&tui_flame_panel_of(panel)->view, tui_flame_panel_of(panel)->area.height);
	return PANEL_STAY;
}

static enum panel_next zoom_in(struct panel *panel)
{
	if (!flame_view_zoom_in(&tui_flame_panel_of(panel)->view))
		panels_answer(panel->panels, "It is as wide as the screen already");
	return PANEL_STAY;
}

/* Makes the bars again, from the first one. */
static void tui_flame_panel_remake(struct flame_panel *p)
{
	if (p->snapshot && tui_flame_panel_has_event(p->snapshot, p->o.event))
		flame_view_reset(&p->view, tui_flame_panel_make_boxes(p));
}

/* Leaves the innermost state: the search, a zoom, a function, the panel. */
static enum panel_next step_back(struct panel *panel)
{
	struct flame_panel *p = tui_flame_panel_of(panel);

	if (p->view.searched) {
		flame_view_search(&p->view, NULL);
	} else if (!flame_view_zoom_out(&p->view)) {
		if (!p->merged)
			return PANEL_CLOSE;
		free(TAKE(p->merged));
		tui_flame_panel_remake(p);
	}
	return PANEL_STAY;
}

static void search_changed(struct panel *owner, const char *text, void *arg)
{
	(void)arg;
	flame_view_search(&tui_flame_panel_of(owner)->view, text);
}

static enum panel_next search_typed(struct panel *owner, const char *text, void *arg)
{
	struct flame_view *v = &tui_flame_panel_of(owner)->view;

	(void)arg;
	flame_view_search(v, text);
	if (*text && !flame_view_heaviest_match(v))
		panels_answer(owner->panels, "No name in sight has '%s'", text);
	return PANEL_STAY;
}

static void search_given_up(struct panel *owner, void *arg)
{
	(void)arg;
	flame_view_search(&tui_flame_panel_of(owner)->view, NULL);
}

static enum panel_next tui_flame_panel_search(struct panel *panel)
{
	prompt_push(panel->panels, &(struct prompt){
					   .title = "Search",
					   .explanation = "A part of the name of functions:",
					   .text = tui_flame_panel_of(panel)->view.searched,
					   .typed = search_typed,
					   .changed = search_changed,
					   .given_up = search_given_up,
					   .owner = panel,
				   });
	return PANEL_STAY;
}

static enum panel_next go_to_match(struct panel *panel, int step)
{
	struct flame_view *v = &tui_flame_panel_of(panel)->view;

	if (!v->searched)
		return tui_flame_panel_search(panel);
	if (!flame_view_next_match(v, step))
		panels_answer(panel->panels, "No name in sight has '%s'", v->searched);
	return PANEL_STAY;
}

static enum panel_next next_match(struct panel *panel)
{
	return go_to_match(panel, 1);
}

static enum panel_next previous_match(struct panel *panel)
{
	return go_to_match(panel, -1);
}

static enum panel_next tui_flame_panel_invert(struct panel *panel)
{
	struct flame_panel *p = tui_flame_panel_of(panel);

	p->callers = !p->callers;
	tui_flame_panel_remake(p);
	panels_answer(panel->panels,
		      p->callers ? "Callers: what was sampled is on top, below it who called it"
				 : "Callees: the outermost functions are on top");
	return PANEL_STAY;
}

static bool tui_flame_panel_has_samples(const struct browse_snapshot *s, size_t event)
{
	return collector_tally(s->profile->collector, event)->total.samples;
}

static enum panel_next tui_flame_panel_next_event(struct panel *panel)
{
	struct flame_panel *p = tui_flame_panel_of(panel);
	const size_t n = p->snapshot->tables->n_rows;

	for (size_t i = 1; i < n; i++) {
		const size_t event = (p->o.event + i) % n;

		if (!tui_flame_panel_has_samples(p->snapshot, event))
			continue;
		p->o.event = event;
		flame_view_take(&p->view, tui_flame_panel_make_boxes(p));
		return PANEL_STAY;
	}
	panels_answer(panel->panels, "No other event has samples");
	return PANEL_STAY;
}

static bool tui_flame_panel_has_events(const struct panel *p)
{
	const struct browse_snapshot *s = of_const(p)->snapshot;

	return s && s->tables->n_rows > 1;
}

static bool tui_flame_panel_is_function(const struct flame_box *b)
{
	return b && b->kind != FLAME_ALL && b->kind != FLAME_TASK && b->kind != FLAME_UNKNOWN;
}

static enum panel_next tui_flame_panel_annotate(struct panel *panel)
{
	struct flame_panel *p = tui_flame_panel_of(panel);
	const struct flame_box *b = tui_flame_panel_selected(p);

	if (!tui_flame_panel_is_function(b))
		panels_answer(panel->panels, "'%s' is not a function", b ? b->name : "");
	else if (!p->o.hooks.annotate(p->o.hooks.arg, b))
		panels_answer(panel->panels, "No sample was taken in %s itself", b->name);
	return PANEL_STAY;
}

/* True if samples were taken in the function itself, whatever its callers were. */
static bool has_self(const struct flame *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->boxes[i].name == name && f->boxes[i].value[FLAME_AFTER].self)
			return true;
	return false;
}

/*
 * True if the function was sampled. With callers on top, the first level contains the sampled
 * functions, and all other boxes are callers.
 */
static bool was_sampled(const struct flame_panel *p, const struct flame_box *b)
{
	if (!p->callers)
		return has_self(p->view.flame, b->name);
	for (uint32_t c = 1; c < p->view.flame->n; c = p->view.flame->boxes[c].end)
		if (p->view.flame->boxes[c].name == b->name)
			return true;
	return false;
}

static enum panel_next tui_flame_panel_filter(struct panel *panel)
{
	struct flame_panel *p = tui_flame_panel_of(panel);
	const struct flame_box *b = tui_flame_panel_selected(p);

	if (!tui_flame_panel_is_function(b))
		panels_answer(panel->panels, "'%s' is not a function", b ? b->name : "");
	else if (!was_sampled(p, b))
		panels_answer(panel->panels,
			      "No sample was taken in %s itself: m shows what is below it",
			      b->name);
	else
		p->o.hooks.filter(p->o.hooks.arg, b);
	return PANEL_STAY;
}

static enum panel_next tui_flame_panel_merge(struct panel *panel)
{
	struct flame_panel *p = tui_flame_panel_of(panel);
	const struct flame_box *b = tui_flame_panel_selected(p);

	if (!b || b->parent == FLAME_NONE)
		return PANEL_STAY;
	free(p->merged);
	p->merged = xstrdup(b->name);
	tui_flame_panel_remake(p);
	panels_answer(panel->panels, "%s, from wherever it is called: ESC goes back", p->merged);
	return PANEL_STAY;
}

static enum panel_next tui_flame_panel_save(struct panel *panel)
{
	struct flame_panel *p = tui_flame_panel_of(panel);
	const struct snapshot_flame_request rq = tui_flame_panel_request_of(p);
	_cleanup_(flame_path_done) struct flame_path path = { 0 };

	if (!p->view.flame)
		return PANEL_STAY;
	flame_path_take(&path, p->view.flame, p->view.root);
	p->o.hooks.save(p->o.hooks.arg, panel, &rq, (const char *const *)path.names.items,
			path.names.n);
	return PANEL_STAY;
}

static bool can_annotate(const struct panel *p)
{
	return of_const(p)->o.hooks.annotate;
}

static bool can_filter(const struct panel *p)
{
	return of_const(p)->o.hooks.filter;
}

static bool tui_flame_panel_can_save(const struct panel *p)
{
	return of_const(p)->o.hooks.save;
}

static const struct key_binding keys[] = {
	{ KEY(go_up, "UP/DOWN", "Go to who calls, or to the heaviest that is called",
	      SCREEN_KEY_UP),
	  .heading = "Bars" },
	{ KEY(go_down, NULL, NULL, SCREEN_KEY_DOWN) },
	{ KEY(go_left, "LEFT/RIGHT", "Go to the bar beside it", SCREEN_KEY_LEFT) },
	{ KEY(go_right, NULL, NULL, SCREEN_KEY_RIGHT) },
	{ KEY(go_to_root, "HOME/END", "Go to the first bar, or to the hottest below",
	      SCREEN_KEY_HOME) },
	{ KEY(go_to_hottest, NULL, NULL, SCREEN_KEY_END) },
	{ KEY(tui_flame_panel_page_up, "PGUP/PGDN", "Scroll", SCREEN_KEY_PAGE_UP) },
	{ KEY(tui_flame_panel_page_down, NULL, NULL, SCREEN_KEY_PAGE_DOWN, ' ') },
	{ KEY(zoom_in, "ENTER", "Zoom into the selected bar", SCREEN_KEY_ENTER, '\n') },
	{ KEY(zoom_out, "BACKSPACE", "Zoom out again", SCREEN_KEY_BACKSPACE) },
	{ KEY(step_back, "ESC", "Leave the search, the zoom, the function, the bars",
	      SCREEN_KEY_ESCAPE) },
	{ KEY(tui_flame_panel_search, "/", "Search for functions, and see their share", '/', 6) },
	{ KEY(next_match, "n/N", "Go to the next match, or the one before", 'n') },
	{ KEY(previous_match, NULL, NULL, 'N') },
	{ KEY(tui_flame_panel_invert, "i", "Show callers in place of callees, and back", 'i') },
	{ KEY(tui_flame_panel_next_event, "TAB", "Show the next event", SCREEN_KEY_TAB),
	  .applies = tui_flame_panel_has_events },
	{ KEY(tui_flame_panel_merge, "m",
	      "Show the selected function alone, from wherever it is called", 'm') },
	{ KEY(tui_flame_panel_annotate, "a", "Annotate the selected function", 'a'),
	  .applies = can_annotate },
	{ KEY(tui_flame_panel_filter, "d", "Show only samples of the selected function", 'd'),
	  .applies = can_filter },
	{ KEY(tui_flame_panel_save, "x", "Export: SVG, HTML, folded stacks, JSON, text", 'x'),
	  .applies = tui_flame_panel_can_save },
	{ .run = NULL },
};

static void tui_flame_panel_click(struct flame_panel *p, const struct screen_input *in)
{
	const size_t row = (size_t)(in->y - p->area.y) + p->view.top;
	const struct flame_bar *bar;

	if (in->y < p->area.y || in->y >= p->area.y + p->area.height)
		return;
	bar = flame_bars_at(&p->view.bars, row, in->x - p->area.x);
	if (!bar)
		return;
	flame_view_select(&p->view, bar->box);
	if (in->mouse == MOUSE_DOUBLE_CLICK)
		flame_view_zoom_in(&p->view);
}

static enum panel_next tui_flame_panel_input(struct panel *panel, const struct screen_input *in)
{
	struct flame_panel *p = tui_flame_panel_of(panel);

	if (in->key != SCREEN_KEY_MOUSE)
		return PANEL_PASS;
	if (in->mouse == MOUSE_WHEEL_UP || in->mouse == MOUSE_WHEEL_DOWN)
		flame_view_scroll(&p->view, in->mouse == MOUSE_WHEEL_UP ? -3 : 3);
	else if (in->mouse == MOUSE_RIGHT_CLICK)
		flame_view_zoom_out(&p->view);
	else
		tui_flame_panel_click(p, in);
	return PANEL_STAY;
}

static void tui_flame_panel_free(struct panel *panel)
{
	struct flame_panel *p = tui_flame_panel_of(panel);

	if (p->snapshot)
		browse_release(p->o.browse, p->snapshot);
	flame_view_done(&p->view);
	free(p->name);
	free(p->object);
	free(p->merged);
	free(p);
}

static const struct panel_type type = {
	.name = "Flame bars",
	.keys = keys,
	.input = tui_flame_panel_input,
	.draw = tui_flame_panel_draw,
	.news = tui_flame_panel_take_news,
	.free = tui_flame_panel_free,
};

void flame_panel_push(struct panels *panels, const struct flame_panel_options *o)
{
	struct flame_panel *p = xcalloc(1, sizeof(*p));

	p->panel.type = &type;
	p->o = *o;
	p->name = o->part.name ? xstrdup(o->part.name) : NULL;
	p->object = o->part.object ? xstrdup(o->part.object) : NULL;
	tui_flame_panel_take_news(&p->panel);
	panels_push(panels, &p->panel);
}
