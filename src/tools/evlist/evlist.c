/* SPDX-License-Identifier: MIT */
/* perf evlist: the events of a profile. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "foreign/any-session.h"
#include "options/input.h"
#include "session/reading.h"
#include "session/session.h"
#include "tools/evlist/evlist-view.h"

struct opts {
	const char *input;
	bool force, freq, group, trace_fields;
	unsigned verbose;
	bool names; /* --style=7 */
};

static int style_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	(void)o;
	if (!negated && strcmp(value, "6") != 0 && strcmp(value, "7") != 0) {
		diag_set(diag, -EINVAL, "'%s' is not a style of -v", value);
		diag_hint(diag, "6 shows numbers, 7 their names too");
		return -EINVAL;
	}
	*(bool *)field = !negated && *value == '7';
	return 0;
}

static const struct option options[] = {
	OPT_INPUT(struct opts, input),
	OPT_FORCE(struct opts, force),
	OPT_FLAG('F', "freq", struct opts, freq, "show the sampling frequency or period"),
	OPT_FLAG('g', "group", struct opts, group, "show which events form a group"),
	OPT_COUNT('v', "verbose", struct opts, verbose, "show all settings of the events"),
	OPT_CALL(0, "style", struct opts, names, "6|7",
		 "how -v shows settings: as perf 6, or with names as perf 7", .set = style_set,
		 .config = "evlist.style"),
	OPT_FLAG(0, "trace-fields", struct opts, trace_fields, "show the fields of tracepoints"),
	OPT_END,
};

static const char *const usage[] = { "[<options>]", NULL };

static int evlist_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	const struct evlist_options show = {
		.details = o->verbose,
		.names = o->names,
		.frequency = o->freq,
		.groups = o->group,
		.trace_fields = o->trace_fields,
	};
	const struct session_options how = { .path = input_path(o->input), .force = o->force };
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	struct notes notes = command_notes(inv);
	int r;

	if (o->group && (o->verbose || o->freq)) {
		diag_set(&d, -EINVAL, "--group option is not compatible with other options");
		return command_usage(inv, &d);
	}
	r = any_session_open(&how, &s, &d);
	if (r >= 0)
		r = reading_stream_header(s, &d);
	if (r < 0)
		return command_fail(inv, r, &d);
	evlist_print(s, &show, inv->out);
	reading_note_damage(s, &notes);
	return EXIT_OK;
}

const struct command cmd_evlist = {
	.name = "evlist",
	.summary = "list the events of a profile",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.run = evlist_run,
};
