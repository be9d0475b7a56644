/* SPDX-License-Identifier: MIT */
/* What the subcommands of perf lock that show something do alike. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "cmd/buildid-dir.h"
#include "cmd/lock-opts.h"
#include "cmd/opt/input.h"
#include "job/lock.h"
#include "session/session.h"
#include "view/report/dump.h"

struct showing {
	const struct invocation *inv;
	const struct lock_opts *o;
	lock_show_fn *show;
	struct diag *diag;
};

/* Prints all records, if -D asks for that. 1: that was standard input, which is used up. */
static int dump(const struct showing *w)
{
	const struct lock_opts *o = w->o;
	const struct session_options how = { .path = input_path(o->input), .force = o->force };
	_cleanup_(session_freep) struct session *s = NULL;
	int r;

	if (!o->dump_raw)
		return 0;
	r = session_open(&how, &s, w->diag);
	if (r >= 0)
		r = report_dump_print(s, &(struct report_dump_options){ .out = w->inv->out },
				      w->diag);
	return r < 0 ? r : session_is_stream(s);
}

static void on_note(void *arg, const struct note *note)
{
	const struct showing *w = arg;

	if (!w->o->quiet || note->kind == NOTE_FAILURE)
		command_note(w->inv, note);
}

static int open_output(const struct showing *w, FILE **ret)
{
	const struct invocation *inv = w->inv;
	const char *path = w->o->output;

	if (!path)
		*ret = terminal_is(stdout) && terminal_is(inv->err) ? inv->out : inv->err;
	else
		*ret = fopen(path, "we");
	return *ret ? 0 : diag_set(w->diag, -errno, "cannot write '%s': %s", path, strerror(errno));
}

static int close_output(const struct showing *w, FILE *out)
{
	const char *path = w->o->output;
	bool failed = ferror(out);

	if (!path)
		return 0;
	failed |= fclose(out) != 0;
	return failed ? diag_set(w->diag, -EIO, "cannot write all of '%s'", path) : 0;
}

static int on_model(void *arg, struct lock_contention *m, const struct lock_names *names)
{
	const struct showing *w = arg;
	FILE *out;
	int r = open_output(w, &out);

	if (r < 0)
		return r;
	w->show(w->inv, out, m, names);
	return close_output(w, out);
}

static int exit_status(const struct record_result *r)
{
	return r->reaped && r->end == LOOP_END_WORKLOAD ? WEXITSTATUS(r->wait_status) : EXIT_OK;
}

int lock_command(struct invocation *inv, const struct lock_opts *o, struct lock_request *rq,
		 lock_show_fn *show)
{
	_cleanup_(freep) char *cache = command_symbols_dir(inv, &o->symbols);
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct showing w = { inv, o, show, &diag };
	struct notes notes = { .listener = on_note, .arg = &w };
	struct record_result result = { 0 };
	int r = dump(&w);

	rq->verbose = o->verbose;
	rq->input = (struct lock_input){ .path = input_path(o->input),
					 .force = o->force,
					 .symbols = o->symbols,
					 .buildid_dir = cache,
					 .progress = command_progress(inv, o->quiet, false) };
	if (!r)
		r = lock_run(rq, &(struct lock_listener){ on_model, &w }, &notes, &result, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : exit_status(&result);
}
