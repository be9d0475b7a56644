/* SPDX-License-Identifier: MIT */
/* perf push: sends profiles of this machine to the store of a fleet. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "options/buildid-dir.h"
#include "options/input.h"
#include "options/record-line.h"
#include "options/symbols.h"
#include "options/value.h"
#include "options/verbosity.h"
#include "store/store.h"
#include "store/url.h"
#include "tools/push/push-work.h"

struct opts {
	const char *to, *input;
	const char *host, *service, *container;
	bool force, quiet;
	const char *queue;
	uint64_t queue_bytes;
	int64_t wait, every; /* in seconds */
	bool maintain;
	int64_t keep_minutes, keep_hours; /* in seconds */
	struct symbol_request symbols;
};

static int set_age(void *field, const struct option *o, const char *value, bool negated,
		   struct diag *diag)
{
	int64_t age = negated ? 0 : fleet_age(value);

	if (age < 0) {
		diag_set(diag, -EINVAL, "--%s: '%s' is not a time", o->name, value);
		diag_hint(diag, "Times are 90s, 15m, 12h, 7d or 2w.");
		return -EINVAL;
	}
	*(int64_t *)field = age;
	return 0;
}

static const struct option options[] = {
	OPT_STRING(0, "to", struct opts, to, "URL",
		   "the store: sqlite:PATH, postgresql://..., clickhouse://..., otlp+http://..."),
	OPT_HEADING("What is sent:"),
	OPT_INPUT(struct opts, input),
	OPT_FORCE(struct opts, force),
	OPT_CALL(0, "every", struct opts, every, "time",
		 "record with the options of record that follow, and send each time's samples",
		 .set = set_age),
	OPT_STRING(0, "host", struct opts, host, "name",
		   "the machine (default: the one that recorded)"),
	OPT_STRING(
		0, "service", struct opts, service, "name",
		"what it serves (default: the systemd unit of each task, where it was recorded)"),
	OPT_STRING(0, "container", struct opts, container, "name",
		   "the container (default: that of each task, where it was recorded)"),
	OPT_SET(struct opts, symbols, symbol_file_options),
	OPT_CHOICE(0, "inline", struct opts, symbols.inlines,
		   "inlined functions are frames (default: where perf unwound the stack)"),

	OPT_HEADING("While the store is away:"),
	OPT_STRING(0, "queue", struct opts, queue, "folder",
		   "what waits is kept here (default: /var/lib/perf/push of root, "
		   "~/.local/state/perf/push of others)"),
	OPT_CALL(0, "queue-size", struct opts, queue_bytes, "size",
		 "at most so much, the oldest goes first (default: 256M)", .set = size_set),
	OPT_CALL(0, "wait", struct opts, wait, "time", "try for so long (default: 30s)",
		 .set = set_age),

	OPT_HEADING("Tidying up:"),
	OPT_FLAG(0, "maintain", struct opts, maintain,
		 "add up hours that are past, and delete what is too old"),
	OPT_CALL(0, "keep-minutes", struct opts, keep_minutes, "time",
		 "how long single minutes are kept (default: for ever)", .set = set_age),
	OPT_CALL(0, "keep-hours", struct opts, keep_hours, "time",
		 "how long the sums of hours are kept (default: for ever)", .set = set_age),
	OPT_QUIET(struct opts, quiet),
	OPT_END
};

static int push_refuse_words(const struct invocation *inv, struct diag *diag)
{
	const struct opts *o = inv->opts;

	if (!o->to) {
		diag_set(diag, -EINVAL, "where to?");
		diag_hint(diag, "For example: perf push --to sqlite:fleet.db -i perf.data");
		return -EINVAL;
	}
	if (inv->argc && !o->every)
		return diag_set(diag, -EINVAL,
				"'%s' is not understood: options of record go with --every",
				inv->argv[0]);
	if (o->every && o->input)
		return diag_set(diag, -EINVAL,
				"--every makes its own recordings: it cannot be used with -i");
	if (o->every && (o->every < 1 || o->every > 86400))
		return diag_set(diag, -EINVAL, "--every is from 1s to 1d");
	if (o->input && fleet_is_url(o->input))
		return diag_set(diag, -EINVAL, "what is sent is a recording, not a store");
	if (!o->maintain && (o->keep_minutes || o->keep_hours))
		return diag_set(diag, -EINVAL,
				"--keep-minutes and --keep-hours go with --maintain");
	return 0;
}

static int push_maintain(const struct opts *o, const struct fleet_url *u, struct diag *diag)
{
	const struct fleet_retention keep = {
		.now = time(NULL),
		.minutes = o->keep_minutes,
		.hours = o->keep_hours,
	};
	_cleanup_(fleet_store_closep) struct fleet_store *s = NULL;
	int r = fleet_store_open(u, true, &s, diag);

	return r < 0 ? r : fleet_store_maintain(s, &keep, diag);
}

static void push_tell(const struct invocation *inv, const struct fleet_receipt *r)
{
	const struct opts *o = inv->opts;

	if (!o->quiet)
		fprintf(command_err(inv), "[ perf push: %zu batch%s sent, %zu known already ]\n",
			r->n_new, r->n_new == 1 ? "" : "es", r->n_known);
}

/* The default options of record: all CPUs, with call graphs. */
static char *const usual_words[] = { (char *)"-a", (char *)"-g", (char *)"-F", (char *)"99", NULL };

static int tools_push(struct invocation *inv, const struct fleet_url *u, int *ret_status,
		      struct diag *diag)
{
	const struct opts *o = inv->opts;
	_cleanup_(freep) char *buildid_dir = command_buildid_dir(inv);
	struct notes notes = command_notes(inv);
	struct fleet_receipt receipt;
	const struct push_request rq = {
		.to = u,
		.queue = o->queue,
		.queue_bytes = o->queue_bytes,
		.wait = o->wait,
		.rows = {
			.path = input_path(o->input),
			.force = o->force,
			.symbols = o->symbols,
			.buildid_dir = buildid_dir,
			.progress = command_progress(inv, o->quiet || o->every, false),
			.host = o->host,
			.service = o->service,
			.container = o->container,
			.now = time(NULL),
		},
	};
	int r = o->every ? push_every(&rq, o->every, inv->argc ? inv->argv : usual_words, &notes,
				      &receipt, ret_status, diag)
			 : push_recording(&rq, &notes, &receipt, diag);

	if (r >= 0)
		push_tell(inv, &receipt);
	return r;
}

static int push_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(fleet_url_done) struct fleet_url u = { 0 };
	int status = EXIT_OK;
	int r = push_refuse_words(inv, &diag);

	if (r >= 0)
		r = fleet_url_parse(o->to, time(NULL), &u, &diag);
	if (r >= 0 && !fleet_filter_is_empty(&u.filter))
		r = diag_set(&diag, -EINVAL,
			     "host=, service=, since= and the like choose what is read; "
			     "--host and --service say what is sent");
	if (r < 0)
		return command_usage(inv, &diag);
	r = o->maintain ? push_maintain(o, &u, &diag) : tools_push(inv, &u, &status, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : status;
}

static const struct opts defaults = { .queue_bytes = UINT64_C(256) << 20, .wait = 30 };

static const char *const usage[] = {
	"--to <URL> [-i <file>] [<options>]",
	"--to <URL> --every <time> [<options>] [<options of record>] [-- <program>]",
	"--to <URL> --maintain [--keep-minutes <time>] [--keep-hours <time>]",
	NULL,
};

const struct command cmd_push = {
	.name = "push",
	.summary = "send profiles to the store of a fleet",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.defaults = &defaults,
	.passes_to = "record",
	.run = push_run,
};
