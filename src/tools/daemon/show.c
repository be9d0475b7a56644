/* SPDX-License-Identifier: MIT */
/* Shows the status of a daemon as text. */
#include <inttypes.h>
#include <stdio.h>

#include "base/size-text.h"
#include "cli/command.h"
#include "tools/daemon/opts.h"
#include "tools/daemon/protocol-work.h"

#define S_PER_MINUTE 60

static void show_fields(FILE *out, const char *x, const struct daemon_reply *r)
{
	fprintf(out, "%" PRIu64 "%sdaemon%s%s%s%s/output%s%s/lock%s%" PRIu64 "\n", r->pid, x, x,
		r->base, x, r->base, x, r->base, x, r->up_s / S_PER_MINUTE);
	for (size_t i = 0; i < r->sessions.n; i++) {
		const struct daemon_session_status *s = &r->sessions.items[i];

		if (s->state == DAEMON_ENDED)
			continue;
		fprintf(out, "%" PRIu64 "%s%s%s%s%s", s->pid, x, s->name, x, s->run, x);
		fprintf(out, "%s/session-%s%s", r->base, s->name, x);
		fprintf(out, "%s/session-%s/output%s", r->base, s->name, x);
		fprintf(out, "%s/session-%s/control%s", r->base, s->name, x);
		fprintf(out, "%s/session-%s/ack%s", r->base, s->name, x);
		fprintf(out, "%" PRIu64 "\n", s->up_s / S_PER_MINUTE);
	}
}

static void show_last_end(FILE *out, const struct daemon_session_status *s)
{
	if (s->exit_signal)
		fprintf(out, "killed by signal %" PRIu64, s->exit_signal);
	else
		fprintf(out, "exited with status %" PRIu64, s->exit_status);
}

/* Shows the state; nothing for a session that runs as it should. */
static void show_state(FILE *out, const struct daemon_session_status *s)
{
	if (s->state == DAEMON_RUNNING && !s->failures)
		return;
	fputs("  state:   ", out);
	if (s->state == DAEMON_STOPPING) {
		fputs("ending\n", out);
		return;
	}
	if (s->state == DAEMON_ENDED) {
		fputs("ended successfully\n", out);
		return;
	}
	if (!s->failures) {
		fputs("starting\n", out);
		return;
	}
	show_last_end(out, s);
	if (s->failures > 1)
		fprintf(out, ", %" PRIu64 " times in a row", s->failures);
	if (s->state == DAEMON_RUNNING)
		fputs("; runs again\n", out);
	else if (s->state == DAEMON_NO_ROOM)
		fputs("; waits for room on the disk\n", out);
	else
		fprintf(out, "; restarts in %" PRIu64 " s\n", s->next_s);
}

static void show_files(FILE *out, const struct daemon_session_status *s)
{
	char have[SIZE_TEXT_MAX], may[SIZE_TEXT_MAX];

	if (!s->max_bytes && !s->keep_s)
		return;
	fprintf(out, "  data:    %" PRIu64 " files, %s", s->files, size_text(s->bytes, have));
	if (s->max_bytes)
		fprintf(out, " of at most %s", size_text(s->max_bytes, may));
	if (s->keep_s)
		fprintf(out, ", kept for %" PRIu64 " s", s->keep_s);
	fputc('\n', out);
}

static void show_session(FILE *out, bool verbose, const char *base,
			 const struct daemon_session_status *s)
{
	/* A session that has ended by itself is shown only on request. */
	if (s->state == DAEMON_ENDED && !verbose)
		return;
	fprintf(out, "[%" PRIu64 ":%s] perf record %s\n", s->pid, s->name, s->run);
	if (verbose) {
		fprintf(out, "  base:    %s/session-%s\n", base, s->name);
		fprintf(out, "  output:  %s/session-%s/output\n", base, s->name);
		fprintf(out, "  control: %s/session-%s/control\n", base, s->name);
		fprintf(out, "  ack:     %s/session-%s/ack\n", base, s->name);
		fprintf(out, "  up:      %" PRIu64 " minutes\n", s->up_s / S_PER_MINUTE);
		show_files(out, s);
	}
	show_state(out, s);
}

static void show_text(FILE *out, bool verbose, const struct daemon_reply *r)
{
	fprintf(out, "[%" PRIu64 ":daemon] base: %s\n", r->pid, r->base);
	if (verbose) {
		fprintf(out, "  output:  %s/output\n", r->base);
		fprintf(out, "  lock:    %s/lock\n", r->base);
		fprintf(out, "  up:      %" PRIu64 " minutes\n", r->up_s / S_PER_MINUTE);
	}
	if (r->is_full)
		fputs("  disk:    full\n", out);
	for (size_t i = 0; i < r->sessions.n; i++)
		show_session(out, verbose, r->base, &r->sessions.items[i]);
}

void daemon_show_list(const struct invocation *inv, const struct daemon_opts *o,
		      const struct daemon_reply *r)
{
	if (o->separator)
		show_fields(inv->out, o->separator, r);
	else
		show_text(inv->out, o->verbose > 0, r);
}
