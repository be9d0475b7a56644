/* SPDX-License-Identifier: MIT */
/*
 * perf top in the terminal's browser.
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/terminal.h"
#include "profile/annotate.h"
#include "session/session.h"
#include "tools/top/opts.h"
#include "tui/report-browser.h"
#include "tui/screen.h"
#include "tui/tui.h"

/* The state for the keys of the browser. */
struct live_keys {
	struct top *top;
	char rate[32];
	char said[256];
	unsigned n_saved;
};

bool top_browses(const struct invocation *inv)
{
	const struct top_opts *o = inv->opts;

	return !o->stdio && !o->sym_annotate && (o->tui || tui_is_possible(inv->config, "top"));
}

/* Returns the rate of the first event: "4000 Hz". */
static const char *top_browse_rate(void *arg)
{
	struct live_keys *k = arg;
	uint64_t hz = top_frequency(k->top);

	if (!hz)
		return NULL;
	snprintf(k->rate, sizeof(k->rate), "%llu Hz", (unsigned long long)hz);
	return k->rate;
}

static const char *top_browse_zero(void *arg)
{
	struct live_keys *k = arg;
	bool zeroes = !top_settings(k->top).zeroes;

	top_set_zeroes(k->top, zeroes);
	return zeroes ? "Each refresh shows what happened since the one before: press 'z' again to "
			"let the past fade"
		      : "The past fades: press 'z' to forget it at each refresh";
}

static const char *top_browse_toggle_events(void *arg)
{
	struct live_keys *k = arg;
	bool frozen = !top_settings(k->top).frozen;

	top_set_frozen(k->top, frozen);
	return frozen ? "Press 'f' again to re-enable the events"
		      : "Press 'f' to disable the events or 'h' to see other hotkeys";
}

static double top_browse_delay(void *arg)
{
	struct live_keys *k = arg;

	return (double)top_settings(k->top).delay_ms / 1000;
}

static const char *top_browse_set_delay(void *arg, double seconds)
{
	struct live_keys *k = arg;
	uint64_t ms = (uint64_t)(seconds * 1000);

	top_set_delay(k->top, ms > TOP_DELAY_LEAST_MS ? ms : TOP_DELAY_LEAST_MS);
	snprintf(k->said, sizeof(k->said), "Refreshed every %g seconds", top_browse_delay(arg));
	return k->said;
}

/* Saves under the first free name, so that earlier files are not overwritten. */
static const char *top_browse_save(void *arg)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct live_keys *k = arg;
	char path[32];

	do
		snprintf(path, sizeof(path), "perf-top.data.%u", ++k->n_saved);
	while (access(path, F_OK) == 0);
	if (top_save(k->top, path, &diag) < 0)
		snprintf(k->said, sizeof(k->said), "%s", diag.message);
	else
		snprintf(k->said, sizeof(k->said), "The last samples are saved in %s", path);
	return k->said;
}

static struct report_browser_options top_browse_options_of(const struct top_opts *o,
							   const struct top_request *rq,
							   const struct annotate_request *annotate,
							   const struct report_live *live)
{
	struct report_browser_options b = {
		.request = rq->browse,
		.look = { .tree = top_tree_of(o),
			  .ascii = !terminal_has_utf8(),
			  .full_names = o->full_names },
		.annotate = annotate,
		.code = {
			.figure = rq->browse.profile.plan.nr_samples ? ANNOTATE_SAMPLES : ANNOTATE_PERCENT,
			.raw = annotate->asm_raw == CHOICE_YES,
		},
		.live = live,
	};

	b.look.tree.images = rq->browse.profile.verbose > 0;
	b.code.layout.hide_source = o->annotate.source == CHOICE_NO;
	return b;
}

int top_show_browser(struct invocation *inv, struct top *t, const struct top_request *rq,
		     struct diag *diag)
{
	const struct top_opts *o = inv->opts;
	struct live_keys keys = { .top = t };
	const struct report_live live = { .arg = &keys,
					  .rate = top_browse_rate,
					  .zero = top_browse_zero,
					  .toggle_events = top_browse_toggle_events,
					  .save = top_browse_save,
					  .delay = top_browse_delay,
					  .set_delay = top_browse_set_delay };
	const struct annotate_request annotate = top_annotate_of(o, rq);
	struct report_browser_options b = top_browse_options_of(o, rq, &annotate, &live);
	const struct screen_options screen = { .config = inv->config,
					       .without_colour = inv->colour_when == COLOUR_NEVER };
	struct browse *browse = top_browse(t);
	bool heads = true;

	if (config_get_bool(inv->config, "ui.show-headers", &heads, NULL) >= 0)
		b.without_heads = !heads;
	return report_browser_run(&browse, &b, &screen, diag);
}
