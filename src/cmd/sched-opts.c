/* SPDX-License-Identifier: MIT */
#include "cmd/sched-opts.h"

#include "base/cleanup.h"
#include "cli/command.h"
#include "cmd/opt/input.h"
#include "job/recorded.h"
#include "session/session.h"
#include "view/report/dump.h"

const struct option sched_options[] = {
	OPT_INPUT(struct sched_opts, input),
	OPT_FORCE(struct sched_opts, force),
	OPT_DUMP_RAW(struct sched_opts, dump_raw),
	OPT_COUNT('v', "verbose", struct sched_opts, verbose, "say more"),
	OPT_END,
};

struct recorded_request sched_recorded_request(const struct sched_opts *o,
					       const struct invocation *inv)
{
	return (struct recorded_request){ .path = input_path(o->input),
					  .force = o->force,
					  .progress = command_progress(inv, false, false) };
}

int sched_dump(const struct sched_opts *o, const struct invocation *inv, struct diag *diag)
{
	const struct session_options how = { .path = input_path(o->input), .force = o->force };
	_cleanup_(session_freep) struct session *s = NULL;
	int r;

	if (!o->dump_raw)
		return 0;
	r = session_open(&how, &s, diag);
	if (r >= 0)
		r = report_dump_print(s, &(struct report_dump_options){ .out = inv->out }, diag);
	return r < 0 ? r : session_is_stream(s);
}
