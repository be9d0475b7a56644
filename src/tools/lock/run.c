/* SPDX-License-Identifier: MIT */
/* Common parts of the subcommands of perf lock that show a result. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "base/output-file.h"
#include "cli/command.h"
#include "cli/live-table.h"
#include "cli/terminal.h"
#include "foreign/any-session.h"
#include "measure/record.h"
#include "options/buildid-dir.h"
#include "options/input.h"
#include "session/session.h"
#include "tools/lock/lock-work.h"
#include "tools/lock/opts.h"
#include "view/report/dump.h"

struct lock_showing {
	struct invocation *inv;
	const struct lock_opts *o;
	lock_show_fn *show;
	struct diag *diag;
	uint64_t interval_ms;    /* 0: a single table at the end */
	struct live_table table; /* used if several tables are shown */
	FILE *out;               /* NULL: nothing was shown so far */
};

/*
 * Prints all records if -D requests it. Returns 1 if the input was standard input, which is then
 * used up.
 */
static int lock_run_dump(const struct lock_showing *w)
{
	const struct lock_opts *o = w->o;
	const struct session_options how = { .path = input_path(o->input), .force = o->force };
	_cleanup_(session_freep) struct session *s = NULL;
	int r;

	if (!o->dump_raw)
		return 0;
	r = any_session_open(&how, &s, w->diag);
	if (r >= 0)
		r = report_dump_print(s, &(struct report_dump_options){ .out = w->inv->out },
				      w->diag);
	return r < 0 ? r : session_is_stream(s);
}

static void lock_run_on_note(void *arg, const struct note *note)
{
	const struct lock_showing *w = arg;

	if (!w->o->quiet || note->kind == NOTE_FAILURE)
		command_note(w->inv, note);
}

static int lock_run_open_output(struct lock_showing *w)
{
	const struct invocation *inv = w->inv;
	const char *path = w->o->output;

	if (!path)
		w->out = terminal_is(stdout) && terminal_is(inv->err) ? inv->out : inv->err;
	else
		return output_file_stream(path, OUTPUT_TRUNCATE, 0666, &w->out, w->diag);
	return 0;
}

static int lock_run_close_output(struct lock_showing *w)
{
	const char *path = w->o->output;
	bool failed = w->out && ferror(w->out);

	if (!path || !w->out)
		return 0;
	failed |= fclose(w->out) != 0;
	return failed ? diag_set(w->diag, -EIO, "cannot write all of '%s'", path) : 0;
}

static int on_model(void *arg, const struct lock_counted *s)
{
	struct lock_showing *w = arg;
	int r = w->out ? 0 : lock_run_open_output(w);

	if (r < 0)
		return r;
	if (!w->interval_ms) {
		w->show(w->inv, w->out, s->model, s->names);
		return 0;
	}
	if (!w->table.out)
		live_table_open(&w->table, w->inv, w->out, w->inv->argc > 0);
	w->show(w->inv, live_table_begin(&w->table, s->time_ns), s->model, s->names);
	live_table_end(&w->table);
	return 0;
}

int lock_command(struct invocation *inv, const struct lock_opts *o, struct lock_request *rq,
		 lock_show_fn *show)
{
	_cleanup_(freep) char *cache = command_buildid_dir(inv);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct lock_showing w = {
		.inv = inv, .o = o, .show = show, .diag = &diag, .interval_ms = rq->interval_ms
	};
	struct notes notes = { .listener = lock_run_on_note, .arg = &w };
	struct record_result result = { 0 };
	int r = lock_run_dump(&w), closed;

	rq->verbose = o->verbose;
	rq->input = (struct lock_input){ .path = input_path(o->input),
					 .force = o->force,
					 .symbols = o->symbols,
					 .buildid_dir = cache,
					 .progress = command_progress(inv, o->quiet, false) };
	if (!r)
		r = lock_run(rq, &(struct lock_listener){ on_model, &w }, &notes, &result, &diag);
	live_table_close(&w.table, true);
	closed = lock_run_close_output(&w);
	if (r >= 0)
		r = closed;
	return r < 0 ? command_fail(inv, r, &diag) : record_result_status(&result);
}
