/* SPDX-License-Identifier: MIT */
#include "tools/script/python.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "cli/command.h"
#include "cli/config.h"
#include "foreign/any-session.h"
#include "options/buildid-dir.h"
#include "session/reading.h"
#include "session/sample-filter.h"
#include "session/session.h"
#include "symbol/symbolizer.h"
#include "tools/script/dlfilter.h"
#include "tools/script/opts.h"
#include "tools/script/python/interrupt.h"
#include "tools/script/python/run.h"
#include "tools/script/script-view.h"

/*
 * Redirects descriptor 1, to which Python writes. If a pager shows the output, the descriptor is
 * the pipe to it until output_restore().
 */
static int output_redirect(const struct invocation *inv)
{
	int fd = fileno(inv->out), kept;

	fflush(inv->out);
	if (fd < 0 || fd == STDOUT_FILENO)
		return -1;
	kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	if (kept >= 0)
		dup2(fd, STDOUT_FILENO);
	return kept;
}

static void output_restore(int kept)
{
	if (kept < 0)
		return;
	dup2(kept, STDOUT_FILENO);
	close(kept);
}

static const char *script_python_setting(const void *config, const char *key)
{
	return config_get(config, key);
}

static int run_python(struct invocation *inv, struct session *session, const char *path,
		      struct diag *diag)
{
	const struct script_opts *o = inv->opts;
	_cleanup_(freep) struct time_span *spans = NULL;
	_cleanup_(sample_filter_freep) struct sample_filter *filter = NULL;
	_cleanup_(freep) char *where = NULL;
	_cleanup_(script_filter_done) struct script_filter dlfilter = SCRIPT_FILTER_NONE;
	struct sample_filter_request rq;
	struct notes notes = command_notes(inv);
	int r = reading_spans(&o->filter.time, session, &spans, diag), kept;

	if (r < 0)
		return command_fail(inv, r, diag);
	rq = filter_request_of_samples(&o->filter, spans);
	rq.addr_range = o->addr_range;
	r = sample_filter_new(&rq, &filter, diag);
	if (r >= 0)
		r = script_filter_open(&dlfilter, inv, diag);
	if (r >= 0)
		r = script_filter_start(&dlfilter, session, filter, diag);
	if (r < 0)
		return command_fail(inv, r, diag);
	kept = output_redirect(inv);
	r = python_run(
		&(struct python_request){
			.path = path,
			.arguments = inv->argv,
			.n_arguments = (size_t)inv->argc,
			.session = session,
			.filter = filter,
			.hook = dlfilter.hook,
			.max_stack = o->hide_call_graph ? 0
				     : o->max_stack     ? o->max_stack
							: SCRIPT_MAX_STACK,
			.inlines = reading_inlines(&o->symbols),
			.switch_on = o->filter.switch_on,
			.switch_off = o->filter.switch_off,
			.show_switches = o->filter.show_on_off_events,
			.config_get = script_python_setting,
			.config = inv->config,
			.notes = &notes,
		},
		&where, diag);
	r = script_filter_stop(&dlfilter, r, diag);
	output_restore(kept);
	if (where)
		command_failf(inv, "%s", where);
	if (!o->quiet) {
		reading_note_damage(session, &notes);
		reading_note_losses(session, &notes);
	}
	return r < 0 ? command_fail(inv, r, diag) : r;
}

/* Prints the languages for -s lang. */
static int list_languages(const struct invocation *inv)
{
	fprintf(inv->out,
		"\nScripting language extensions (used in perf script -s [spec:]script.[spec]):\n\n"
		"  %-42s [Python]\n  %-42s [Python]\n\n",
		"Python", "py");
	return EXIT_OK;
}

int script_python_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct script_opts *o = inv->opts;
	_cleanup_(freep) char *buildid_dir = command_buildid_dir(inv);
	const struct reading_symbols how = script_symbols_wanted(o, buildid_dir);
	_cleanup_(symbolizer_freep) struct symbolizer *symbols = reading_symbolizer(&how);
	_cleanup_(session_freep) struct session *session = NULL;
	const struct itrace traces = itrace_wanted(&o->filter.itrace, true);
	const struct session_options so = {
		.path = input_path(o->input.path),
		.force = o->input.force,
		.symbolizer = symbols,
		.guest_code = o->symbols.guest_code,
		.stop = python_interrupt_flag(),
		.traces = &traces,
	};
	const char *path;
	int r;

	if (!strcmp(o->script, "lang"))
		return list_languages(inv);
	r = python_script_path(o->script, &path, &diag);
	if (r == -EINVAL)
		return command_usage(inv, &diag);
	if (r >= 0)
		r = reading_check_files(&how, &diag);
	if (r >= 0)
		r = any_session_open(&so, &session, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : run_python(inv, session, path, &diag);
}
