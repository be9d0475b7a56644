/* SPDX-License-Identifier: MIT */
#include "tui/report-browser.h"

#include <stdlib.h>

#include "base/background.h"
#include "base/memory.h"
#include "tui/panel.h"
#include "tui/report-panel.h"

struct browse_request report_browser_request(struct report_browser *rb)
{
	struct browse_request rq = rb->base;

	zooms_apply(&rb->zooms, &rq);
	return rq;
}

void report_browser_ask(struct report_browser *rb)
{
	const struct browse_request rq = report_browser_request(rb);

	browse_ask(rb->browse, &rq);
}

void report_browser_sort(struct report_browser *rb, const char *sort)
{
	char *copy = sort ? xstrdup(sort) : NULL;

	*ARRAY_ADD(&rb->sorts) = copy;
	rb->base.profile.plan.sort = copy;
	/* Columns that the user chose belong to the old keys. */
	rb->base.profile.plan.fields = NULL;
}

void report_browser_keep(struct report_browser *rb)
{
	rb->good = rb->base;
	zooms_copy(&rb->good_zooms, &rb->zooms);
}

void report_browser_revert(struct report_browser *rb)
{
	rb->base = rb->good;
	zooms_copy(&rb->zooms, &rb->good_zooms);
}

void report_browser_replace(struct report_browser *rb, struct browse *b, const char *path)
{
	char *copy = xstrdup(path);

	zooms_clear(&rb->zooms);
	zooms_clear(&rb->good_zooms);
	free(rb->path);
	rb->path = copy;
	rb->base.profile.path = copy;
	rb->good = rb->base;
	panels_unwatch(rb->panels, rb->browse->work->fd);
	browse_free(rb->browse);
	rb->browse = b;
	panels_watch(rb->panels, b->work->fd);
}

static void report_browser_done(struct report_browser *rb)
{
	zooms_done(&rb->zooms);
	zooms_done(&rb->good_zooms);
	for (size_t i = 0; i < rb->sorts.n; i++)
		free(rb->sorts.items[i]);
	free(rb->sorts.items);
	free(rb->path);
}

int report_browser_run(struct browse **b, const struct report_browser_options *o,
		       const struct screen_options *screen_options, struct diag *diag)
{
	_cleanup_(report_browser_done) struct report_browser rb = {
		.o = o,
		.browse = *b,
		.base = o->request,
		.good = o->request,
		.look = o->look,
		.code = o->code,
	};
	_cleanup_(screen_freep) struct screen *screen = NULL;
	_cleanup_(panels_freep) struct panels *panels = NULL;
	int r = screen_open(screen_options, &screen, diag);

	if (r < 0)
		return r;
	panels = panels_new(screen);
	rb.panels = panels;
	panels_watch(panels, rb.browse->work->fd);
	report_panel_push(&rb);
	r = panels_run(panels);
	*b = rb.browse;
	return r;
}
