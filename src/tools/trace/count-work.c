/* SPDX-License-Identifier: MIT */
/* perf trace -s: the kernel counts calls, without a record for each. */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "kernel/cgroup-names.h"
#include "measure/live.h"
#include "measure/record-job.h"
#include "tools/trace/internal-work.h"
#include "tools/trace/summary-bpf.h"

struct trace_counting {
	struct trace_job *job;
	const struct id_list *left_out;
	struct bpf_trace_summary *bpf;
	struct cgroup_names *cgroups; /* NULL: not needed, or not available */
	struct diag *why;
	int refused;
	uint64_t begin_ns;
};

/* True if the only task is the command, which has not called exec yet. */
static bool trace_count_waits_for_exec(const struct record_job *job)
{
	return job->workload.pid && job->targets.n == 1 &&
	       job->targets.items[0].tid == job->workload.pid;
}

struct bpf_targets trace_bpf_targets(const struct trace_request *rq, const struct record_job *job,
				     pid_t *tids)
{
	const struct target *target = &rq->what.target;
	/*
	 * For a user, tasks that start later are included: the programs check the user themselves.
	 */
	size_t n = target->user.given ? 0 : job->targets.n;

	for (size_t i = 0; i < n; i++)
		tids[i] = job->targets.items[i].tid;
	return (struct bpf_targets){
		.tids = n ? tids : NULL,
		.n_tids = n,
		.wait_for_exec = trace_count_waits_for_exec(job),
		.cpus = target->cpus.n ? &job->cpus : NULL,
		.cgroup_fd = -1,
	};
}

int trace_bpf_cgroup(const struct trace_request *rq, struct record_job *job, int *ret_fd)
{
	const char *name = rq->selection.cgroup;
	int index = -1, r = name ? cgroup_choice_find(&job->cgroups, name, &index, job->diag) : 0;

	*ret_fd = index < 0 ? -1 : job->cgroups.items[index].fd;
	return r;
}

bool trace_follows_forks(const struct trace_request *rq)
{
	const struct record_request *what = &rq->what;

	return what->no_inherit == CHOICE_UNSAID ? !what->target.tids.n
						 : what->no_inherit == CHOICE_NO;
}

uint64_t trace_from_ns(const struct trace_request *rq)
{
	const struct delay *delay = &rq->what.control.delay;

	return delay->n ? clock_ns(CLOCK_MONOTONIC) + delay->items[0].from_ms * 1000000 : 0;
}

bool trace_can_count(const struct trace_request *rq)
{
	return rq->only_counts && !rq->faults && !rq->accrues_runtime && !rq->max_events &&
	       !rq->min_duration_ns && !rq->only_failures && !rq->switch_on && !rq->switch_off &&
	       !rq->selection.filters.n &&
	       !event_words_have(&rq->selection.events, EVENT_WORD_EVENT);
}

static const char *group_name(const struct trace_counting *c,
			      const struct bpf_trace_summary_row *row)
{
	if (c->job->rq->counts_by == TRACE_SUMMARY_CGROUP)
		return c->cgroups ? cgroup_names_find(c->cgroups, row->id) : NULL;
	return row->comm;
}

struct trace_count_filling {
	const struct trace_counting *counting;
	struct trace_summary *summary;
};

static int trace_count_take_row(void *arg, const struct bpf_trace_summary_row *row)
{
	const struct trace_count_filling *f = arg;
	const char *name = group_name(f->counting, row);
	struct trace_summary_call call = {
		.abi = row->abi,
		.nr = row->nr,
		.calls = row->calls,
		.errors = row->errors,
		.total_ns = row->total_ns,
		.min_ns = row->min_ns,
		.max_ns = row->max_ns,
		.duration_ns = { .n = row->calls, .mean = row->mean_ns, .m2 = row->m2 },
		.errnos = { .items = (struct trace_summary_errno *)row->errnos,
			    .n = row->n_errnos },
	};

	trace_summary_group(f->summary, row->id, name)->events += row->events;
	if (!row->calls)
		return 0;
	memcpy(call.rows, row->buckets, sizeof(call.rows));
	trace_summary_merge(f->summary, row->id, name, &call);
	return 0;
}

/* Reports the counts so far. */
static int trace_count_tell(struct trace_counting *c, bool last)
{
	const struct trace_request *rq = c->job->rq;
	_cleanup_(trace_summary_freep) struct trace_summary *s = trace_summary_new(rq->counts_by);
	struct trace_count_filling f = { c, s };
	int r = bpf_trace_summary_read(c->bpf, trace_count_take_row, &f, c->job->diag);

	return r < 0 ? r
		     : rq->on_counts(rq->sink.arg, s, clock_ns(CLOCK_MONOTONIC) - c->begin_ns,
				     last);
}

static int trace_count_begin(void *arg, struct record_job *job, int *ret_fd)
{
	struct trace_counting *c = arg;
	const struct trace_request *rq = c->job->rq;
	_cleanup_(freep) pid_t *tids = xcalloc(job->targets.n + 1, sizeof(*tids));
	struct bpf_trace_summary_request request = {
		.env = job->env,
		.targets = trace_bpf_targets(rq, job, tids),
		.by = (enum bpf_trace_summary_by)rq->counts_by,
		.fills_buckets = rq->counts_rows,
		.excluded = c->left_out->items,
		.n_excluded = c->left_out->n,
		.limits_user = rq->what.target.user.given,
		.user = rq->what.target.user.uid,
		.from_ns = trace_from_ns(rq),
		.follows_no_forks = !trace_follows_forks(rq),
	};
	int r = trace_bpf_cgroup(rq, job, &request.targets.cgroup_fd);

	if (r < 0)
		return r;
	for (unsigned abi = 0; abi < SYSCALL_N_ABIS && rq->selection.names_calls; abi++)
		request.wanted[abi] = rq->selection.wanted[abi];
	c->refused = bpf_trace_summary_begin(&request, &c->bpf, c->why);
	c->begin_ns = clock_ns(CLOCK_MONOTONIC);
	*ret_fd = -1;
	return c->refused;
}

static int trace_count_take(void *arg, uint64_t until_ns, bool last)
{
	(void)arg;
	(void)until_ns;
	(void)last;
	return 0;
}

static void trace_count_stop(void *arg)
{
	struct trace_counting *c = arg;

	bpf_trace_summary_stop(c->bpf);
}

static int trace_count_on_interval(void *arg)
{
	return trace_count_tell(arg, false);
}

static int trace_count_on_end(void *arg)
{
	return trace_count_tell(arg, true);
}

static void trace_count_note_losses(const struct trace_counting *c)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	struct bpf_trace_summary_losses lost;
	const struct {
		const uint64_t *n;
		const char *what;
	} all[] = {
		{ &lost.calls, "system calls are not counted: there were more kinds than fit" },
		{ &lost.times, "system calls are counted without their times" },
		{ &lost.tasks, "tasks are not counted: more ran at once than can be followed" },
		{ &lost.runs, "system calls are not counted: they came while BPF programs ran" },
	};

	if (!c->bpf || bpf_trace_summary_losses(c->bpf, &lost, &why) < 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (*all[i].n)
			notes_add(c->job->notes, NOTE_WARNING, "%llu %s",
				  (unsigned long long)*all[i].n, all[i].what);
}

int trace_count(struct trace_job *j, const struct id_list *left_out, struct record_result *ret,
		int *ret_refused, struct diag *why)
{
	struct trace_counting c = { .job = j, .left_out = left_out, .why = why };
	_cleanup_(diag_done) struct diag no_names = { 0 };
	const struct live_companion companion = { .begin = trace_count_begin,
						  .take = trace_count_take,
						  .stop = trace_count_stop,
						  .arg = &c };
	struct live_request live = {
		.what = j->rq->what,
		.companion = &companion,
		.consumer = { .arg = &c },
		.leaves_command = true,
		.sees_broken_pipe = true,
		.interval_ms = j->rq->refresh_ms,
		.on_interval = trace_count_on_interval,
		.on_end = trace_count_on_end,
	};
	int r;

	if (j->rq->counts_by == TRACE_SUMMARY_CGROUP)
		cgroup_names_read(NULL, &c.cgroups, &no_names);
	live.what.may_be_empty = true;
	r = live_run(&live, j->notes, ret, j->diag);
	if (!c.refused)
		trace_count_note_losses(&c);
	bpf_trace_summary_free(c.bpf);
	cgroup_names_free(c.cgroups);
	*ret_refused = c.refused;
	return r;
}
