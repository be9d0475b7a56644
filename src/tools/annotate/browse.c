/* SPDX-License-Identifier: MIT */
/* perf annotate on a terminal: the browser of code. */
#include <errno.h>
#include <signal.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "cli/command.h"
#include "options/input.h"
#include "profile/code-functions.h"
#include "tools/annotate/opts.h"
#include "tui/annotate-panel.h"
#include "tui/browse.h"
#include "tui/panel.h"
#include "tui/screen.h"
#include "tui/tui.h"

bool annotate_browses(const struct invocation *inv)
{
	const struct annotate_opts *o = inv->opts;

	/* The output of these options is not suited for a browser. */
	if (o->stdio || o->stdio2 || o->dump_raw || o->data_type || o->type_stat || o->insn_stat ||
	    o->code_with_type)
		return false;
	if (o->tui)
		return true;
	return !o->rq.print_line && tui_is_possible(inv->config, "annotate") &&
	       browse_is_possible(input_path(o->rq.input));
}

static struct annotate_view first_view(const struct annotate_opts *o)
{
	struct annotate_view v = {
		.figure = o->figure,
		.whole.base = o->base,
		.raw = o->rq.asm_raw == CHOICE_YES,
		.full_paths = o->full_paths,
		.layout = o->layout,
	};

	v.layout.hide_source |= o->rq.source == CHOICE_NO;
	return v;
}

/*
 * Returns the exit status. A signal that ended the browser ends the process, as it would have
 * without a browser.
 */
static int annotate_browse_status_of(int r)
{
	if (r > 0) {
		signal(r, SIG_DFL);
		raise(r);
	}
	return r < 0 ? EXIT_FAILED : EXIT_OK;
}

int annotate_browse(const struct invocation *inv, struct diag *diag)
{
	const struct annotate_opts *o = inv->opts;
	struct annotate_request how = o->rq;
	struct annotate_view view = first_view(o);
	struct profile_request rq;
	_cleanup_(code_functions_freep) struct code_functions *functions = NULL;
	_cleanup_(panels_freep) struct panels *panels = NULL;
	_cleanup_(screen_freep) struct screen *screen = NULL;
	int r;

	/* A key of the browser decides whether source is shown. */
	how.source = CHOICE_YES;
	how.progress = NULL;
	rq = annotate_request_of_profile(&how);
	r = code_functions_open(&rq, &how, 0, 0, &functions, diag);
	if (r >= 0)
		r = screen_open(&(struct screen_options){ .config = inv->config }, &screen, diag);
	if (r < 0)
		return command_fail(inv, r, diag);
	panels = panels_new(screen);
	annotate_panel_push(panels, &(struct annotate_panel_options){
					    .functions = TAKE(functions),
					    .symbol = o->rq.symbol,
					    .view = &view,
					    .only_function = o->rq.symbol,
				    });
	r = panels_run(panels);
	panels_free(TAKE(panels));
	screen_free(TAKE(screen));
	return annotate_browse_status_of(r);
}
