/* SPDX-License-Identifier: MIT */
/* perf report in the terminal's browser: decides when it is used, and what it shows. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/exec-path.h"
#include "cli/terminal.h"
#include "options/buildid-dir.h"
#include "options/explain-missing.h"
#include "tools/report/job.h"
#include "tools/report/opts.h"
#include "tui/browse.h"
#include "tui/report-browser.h"
#include "tui/screen.h"
#include "tui/tui.h"

bool report_browses(const struct invocation *inv)
{
	const struct report_opts *o = inv->opts;
	const char *path = inv->argc ? inv->argv[0] : o->input.path;

	if (report_refused_by(o, REPORT_BROWSER))
		return false;
	if (o->tui)
		return true;
	return tui_is_possible(inv->config, "report") && browse_is_possible(input_path(path));
}

int report_browse_check(const struct report_opts *o, struct diag *diag)
{
	const char *text = report_refused_by(o, REPORT_BROWSER);

	if (!o->tui || !text)
		return 0;
	return diag_set(diag, -EINVAL, "--tui is a browser in the terminal: %s is not for it",
			text);
}

static struct report_browser_options
report_browse_options_of(const struct report_opts *o, const struct annotate_request *annotate)
{
	struct report_browser_options b = {
		.request = {
			.profile = report_profile_request(o),
			.tables = report_tables_wanted(o),
		},
		.look = {
			.ascii = !terminal_has_utf8(),
			.full_names = o->full_names,
			.tree = report_tree_wanted(o),
		},
		.annotate = annotate,
		.code = o->code,
		.quiet = o->verbosity.quiet,
	};

	b.look.tree.images = o->verbosity.verbose > 0;
	b.code.figure = o->profile.plan.nr_samples ? ANNOTATE_SAMPLES : ANNOTATE_PERCENT;
	b.code.raw = o->annotate.asm_raw == CHOICE_YES;
	b.code.full_paths = o->profile.symbols.full_source_path;
	b.code.layout.hide_source |= o->annotate.source == CHOICE_NO;
	return b;
}

/* Prints the notes that --stdio prints on stderr. */
static void report_browse_tell_notes(const struct invocation *inv, struct browse *b)
{
	const struct report_opts *o = inv->opts;
	const struct browse_snapshot *s = browse_take(b, NULL);
	struct notes notes = command_notes(inv);

	if (!s)
		return;
	if (!o->verbosity.quiet) {
		profile_note(s->profile, &notes);
		if (profile_shows_names(s->profile))
			command_explain_missing(inv, s->profile);
	}
	browse_release(b, s);
}

static struct annotate_request annotate_of(const struct report_opts *o, const char *buildid_dir)
{
	struct annotate_request rq = o->annotate;

	rq.input = input_path(o->input.path);
	rq.force = o->input.force;
	rq.symbols = o->profile.symbols;
	rq.ignore_vmlinux = o->profile.ignore_vmlinux;
	rq.buildid_dir = buildid_dir;
	/* A key in the browser shows source. */
	rq.source = CHOICE_YES;
	return rq;
}

static int report_browse(struct invocation *inv, struct browse **b,
			 const struct report_browser_options *bo, struct diag *diag)
{
	const struct report_opts *o = inv->opts;
	const struct screen_options screen = {
		.config = inv->config,
		.without_colour = o->colour == COLOUR_NEVER || inv->colour_when == COLOUR_NEVER,
	};
	int r = report_browser_run(b, bo, &screen, diag);

	/*
	 * The signal that ended the browser ends the process, as it would have without the browser.
	 */
	if (r > 0) {
		signal(r, SIG_DFL);
		raise(r);
	}
	if (r < 0)
		return r == -EIO ? EXIT_FAILED : command_fail(inv, r, diag);
	report_browse_tell_notes(inv, *b);
	return EXIT_OK;
}

int report_browse_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct report_opts *o = inv->opts;
	_cleanup_(freep) char *buildid_dir = command_buildid_dir(inv);
	const struct annotate_request annotate = annotate_of(o, buildid_dir);
	_cleanup_(freep) char *exec_path = command_exec_path(inv);
	struct report_browser_options bo = report_browse_options_of(o, &annotate);
	_cleanup_(browse_freep) struct browse *b = NULL;
	bool heads = true;
	int r;

	if (config_get_bool(inv->config, "ui.show-headers", &heads, NULL) >= 0)
		bo.without_heads = !heads;
	bo.request.profile.buildid_dir = buildid_dir;
	bo.exec_path = exec_path;
	r = browse_open(&bo.request, &b, &diag);
	if (r < 0)
		return command_fail(inv, r, &diag);
	return report_browse(inv, &b, &bo, &diag);
}
