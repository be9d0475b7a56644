/* SPDX-License-Identifier: MIT */
/* perf sched map: shows the tasks on the CPUs, a line for each switch. */
#include <inttypes.h>

#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "datafile/features.h"
#include "options/value.h"
#include "profile/recorded.h"
#include "session/consumer.h"
#include "tools/sched/latency-view.h"
#include "tools/sched/map-model.h"
#include "tools/sched/map-view.h"
#include "tools/sched/opts.h"
#include "tools/sched/read-work.h"
#include "wire/record.h"

struct opts {
	struct sched_opts common;
	bool compact, fuzzy;
	struct cpu_list cpus, color_cpus;
	struct id_list color_pids;
	const char *task_names;
};

static const struct option options[] = {
	OPT_FLAG(0, "compact", struct opts, compact, "only CPUs with activity"),
	OPT_CALL(0, "cpus", struct opts, cpus, "cpus", "only these CPUs", .set = cpu_list_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_CALL(0, "color-cpus", struct opts, color_cpus, "cpus", "highlight these CPUs",
		 .set = cpu_list_set, .flags = OPTION_NO_NEGATION),
	OPT_CALL(0, "color-pids", struct opts, color_pids, "pids",
		 "highlight these tasks, or all of these processes", .set = id_list_set,
		 .flags = OPTION_NO_NEGATION),
	OPT_STRING(0, "task-name", struct opts, task_names, "name[,name...]",
		   "only tasks with these names: when they come and when they leave"),
	OPT_FLAG(0, "fuzzy-name", struct opts, fuzzy, "--task-name has parts of names"),
	OPT_SET(struct opts, common, sched_options),
	OPT_END,
};

static const char *const usage[] = { "[<options>]", NULL };

struct sched_map_job {
	struct sched_map map;
	struct sched_map_look look;
};

static void tools_sched_map_take(void *arg, const struct sched_event *e)
{
	struct sched_map_job *j = arg;
	struct sched_map_line lines[2];
	size_t n = sched_map_take(&j->map, e, lines);

	for (size_t i = 0; i < n; i++)
		sched_map_print(&j->look, &j->map, &lines[i]);
}

static void sched_map_take_record(void *arg, const struct record *r, uint64_t time)
{
	struct sched_map_job *j = arg;

	(void)time;
	if (r->header.type == PERF_RECORD_FORK)
		sched_map_forget(&j->map, r->task.pid, r->task.tid);
	else
		sched_map_rename(&j->map, r->comm.pid, r->comm.tid, r->id.id == 0);
}

static struct sched_map_look sched_map_look_of(const struct invocation *inv)
{
	const struct opts *o = inv->opts;

	return (struct sched_map_look){
		.out = inv->out,
		.compact = o->compact,
		.cpus = o->cpus.n ? &o->cpus : NULL,
		.all_columns = o->task_names,
		.colour = inv->colour,
		.pids = &o->color_pids,
		.marks = &o->color_cpus,
	};
}

static int read_and_print(const struct invocation *inv, struct sched_map_job *j, struct recorded *r,
			  struct diag *diag)
{
	const struct opts *o = inv->opts;
	struct sched_map_options how = { .session = r->session,
					 .task_names = o->task_names,
					 .fuzzy = o->fuzzy };
	struct notes notes = command_notes(inv);
	const struct sched_reader reader = {
		.kinds = SCHED_KIND_BIT(SCHED_SWITCH),
		.unread = SCHED_PRIOS | SCHED_WAKER,
		.take = tools_sched_map_take,
		.types = RECORD_TYPE_BIT(PERF_RECORD_FORK) | RECORD_TYPE_BIT(PERF_RECORD_COMM),
		.record = sched_map_take_record,
		.arg = j,
	};
	struct sched_info info;
	int status;

	if (!o->task_names)
		how.n_cpus = session_features(r->session)->cpus_available;
	sched_map_init(&j->map, &how);
	j->look = sched_map_look_of(inv);
	status = sched_read(r, &reader, &notes, diag);
	sched_map_finish(&j->look);
	if (status < 0)
		return status;
	info = sched_info_of(session_counts(r->session));
	sched_info_print(inv->out, &info);
	if (j->map.left_out)
		notes_add(&notes, NOTE_WARNING,
			  "%" PRIu64 " switches are left out: they name CPUs that no machine has",
			  j->map.left_out);
	return 0;
}

static int sched_map_open_and_print(const struct invocation *inv, struct diag *diag)
{
	const struct opts *o = inv->opts;
	const struct recorded_request rq = sched_recorded_request(&o->common, inv);
	_cleanup_(recorded_done) struct recorded recorded = { 0 };
	struct sched_map_job j = { .look = { .out = NULL } };
	int r = recorded_open(&rq, &recorded, diag);

	if (r >= 0)
		r = read_and_print(inv, &j, &recorded, diag);
	sched_map_done(&j.map);
	return r;
}

static int sched_map_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r;

	if (o->fuzzy && !o->task_names) {
		diag_set(&diag, 0, "--fuzzy-name has no effect without --task-name");
		command_warn(inv, &diag);
	}
	r = sched_dump(&o->common, inv, &diag);
	if (!r)
		r = sched_map_open_and_print(inv, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}

static void tools_sched_map_done(void *opts)
{
	struct opts *o = opts;

	cpu_list_done(&o->cpus);
	cpu_list_done(&o->color_cpus);
	id_list_done(&o->color_pids);
}

const struct command cmd_sched_map = {
	.name = "sched map",
	.summary = "show which task is on which CPU, switch by switch",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_PAGED,
	.run = sched_map_run,
	.done = tools_sched_map_done,
};
