/* SPDX-License-Identifier: MIT */
/* perf lock contention -b: BPF programs count waits, and their maps become rows at the end. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "measure/live.h"
#include "measure/record-job.h"
#include "session/reading.h"
#include "symbol/symbolizer.h"
#include "tools/lock/bpf-plan-work.h"
#include "tools/lock/contention-model.h"
#include "tools/lock/futex-events-model.h"
#include "tools/lock/internal-work.h"
#include "tools/lock/live-names-work.h"
#include "tools/lock/lock-bpf.h"

struct lock_bpf {
	const struct lock_job *job;
	const struct lock_request *rq;
	struct lock_bpf_plan plan;
	struct bpf_lock *bpf;
	struct lock_live_names *names;
	struct user_locks *user; /* NULL: no futexes */
	struct lock_contention *model;
	uint64_t begin_ns, end_ns;
	uint64_t conditions; /* waits for conditions, which are left out */
	uint64_t open;       /* waits that had not ended */
};

/* Starts the programs. A kernel that refuses to unwind may still count. */
static int begin_lock_programs(struct lock_bpf *l, struct record_job *job)
{
	struct bpf_lock_request *request = &l->plan.request;
	_cleanup_(diag_done) struct diag why = { 0 };
	bool unwinds = request->unwinds;
	int r;

	if (unwinds && bpf_lock_begin(request, &l->bpf, &why) >= 0)
		return 0;
	request->unwinds = false;
	r = bpf_lock_begin(request, &l->bpf, job->diag);
	if (unwinds && r >= 0)
		notes_add(l->job->notes, NOTE_WARNING,
			  "stacks of programs are found by frame pointers: %s", why.message);
	return r;
}

static int lock_bpf_companion_begin(void *arg, struct record_job *job, int *ret_fd)
{
	struct lock_bpf *l = arg;
	_cleanup_(freep) pid_t *tids = xcalloc(job->targets.n + 1, sizeof(*tids));
	struct bpf_lock_request *request = &l->plan.request;
	bool by_user = l->rq->target.user.given;
	/*
	 * For a user, tasks that start later are included: the programs check the user themselves.
	 */
	size_t n = by_user ? 0 : job->targets.n;
	int r;

	for (size_t i = 0; i < n; i++)
		tids[i] = job->targets.items[i].tid;
	request->targets = (struct bpf_targets){
		.tids = n ? tids : NULL,
		.n_tids = n,
		.wait_for_exec = job->workload.pid && n == 1 && tids[0] == job->workload.pid,
		.cpus = l->rq->target.cpus.n ? &job->cpus : NULL,
		.cgroup_fd = -1,
	};
	r = begin_lock_programs(l, job);
	lock_live_names_interpreted(l->names, l->bpf);
	l->begin_ns = clock_ns(CLOCK_MONOTONIC);
	if (r < 0)
		diag_hint(job->diag, "Without -b: perf lock record, then perf lock contention.");
	*ret_fd = -1;
	return r;
}

static int companion_take(void *arg, uint64_t until_ns, bool last)
{
	(void)arg, (void)until_ns, (void)last;
	return 0;
}

static void lock_bpf_companion_stop(void *arg)
{
	struct lock_bpf *l = arg;

	bpf_lock_stop(l->bpf);
	l->end_ns = clock_ns(CLOCK_MONOTONIC);
}

static int session_begins(void *arg, struct consumer *c)
{
	struct lock_bpf *l = arg;

	l->user = user_locks_new(c->session);
	lock_live_names_user(l->names, l->user, c->session);
	return 0;
}

/* Gives a lock without a symbol the name that Linux's perf 7.2 uses, or one of ours. */
static void name_lock(struct lock_bpf *l, const struct bpf_lock_row *row)
{
	static const char *const names[BPF_LOCK_NAMES] = {
		[BPF_LOCK_MMAP_LOCK] = "mmap_lock",
		[BPF_LOCK_SIGLOCK] = "siglock",
	};
	_cleanup_(freep) char *cache = NULL;

	if (names[row->name]) {
		lock_live_names_lock(l->names, row->addr, names[row->name]);
	} else if (row->cache[0]) {
		cache = xasprintf("&%s", row->cache);
		lock_live_names_lock(l->names, row->addr, cache);
	}
}

/* Returns the task of the row, and keeps its name. */
static uint32_t settle_task(struct lock_bpf *l, const struct bpf_lock_row *row)
{
	uint32_t tid = l->rq->owners && !row->tid ? UINT32_MAX : row->tid;

	if (l->rq->by == LOCK_BY_TASK)
		lock_live_names_comm(l->names, row->pid, tid,
				     tid == UINT32_MAX ? "Unknown" : row->comm);
	return tid;
}

static void add_futex(struct lock_bpf *l, const struct bpf_lock_row *row)
{
	const struct futex_waits w = {
		.wait = { .pid = row->pid,
			  .op = row->op,
			  .value = row->value,
			  .stack = row->stack,
			  .n_stack = row->n_stack },
		.tid = settle_task(l, row),
		.of_owner = l->rq->owners,
		.addr = row->addr,
		.cgroup = row->cgroup,
		.contended = row->waits,
		.total_ns = row->total_ns,
		.max_ns = row->max_ns,
		.min_ns = row->min_ns,
	};

	l->conditions += futex_waits_add(&w, l->user, &l->rq->filters, l->model);
}

/*
 * Returns the number of frames to use. Programs read more frames, because the first ones are their
 * own.
 */
static size_t lock_bpf_cut(const struct lock_bpf *l, size_t n)
{
	return n < l->rq->max_stack ? n : l->rq->max_stack;
}

static void add_kernel_lock(struct lock_bpf *l, const struct bpf_lock_row *row)
{
	size_t skip = l->rq->owners ? 0 : lock_live_names_skip(l->names, row->stack, row->n_stack);
	const struct lock_waits w = {
		.pid = row->pid,
		.tid = settle_task(l, row),
		.addr = row->addr,
		.cgroup = row->cgroup,
		.flags = row->flags,
		.stack = row->stack + skip,
		.n_stack = lock_bpf_cut(l, row->n_stack - skip),
		.contended = row->waits,
		.total_ns = row->total_ns,
		.max_ns = row->max_ns,
		.min_ns = row->min_ns,
	};

	name_lock(l, row);
	lock_contention_add(l->model, &w);
}

static int lock_bpf_take_row(void *arg, const struct bpf_lock_row *row)
{
	struct lock_bpf *l = arg;

	if (row->is_futex)
		add_futex(l, row);
	else
		add_kernel_lock(l, row);
	l->open += row->open;
	return 0;
}

static void lock_bpf_note_losses(struct lock_bpf *l, const struct bpf_lock_losses *lost)
{
	const struct {
		uint64_t n;
		const char *what;
	} all[] = {
		{ lost->rows, "waits are not counted: there was no room for their rows; more fit "
			      "with --map-nr-entries" },
		{ lost->tasks, "waits are not counted: more tasks waited than there is room for" },
		{ lost->nested, "waits are not counted: their ends were not seen" },
		{ lost->targets, "tasks are not counted: more ran at once than can be followed" },
		{ lost->runs, "waits may be missing: they came while BPF programs ran" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		if (all[i].n)
			notes_add(l->job->notes, NOTE_WARNING, "%llu %s",
				  (unsigned long long)all[i].n, all[i].what);
}

static void note_rest(const struct lock_bpf *l)
{
	if (l->conditions && l->rq->verbose)
		notes_add(l->job->notes, NOTE_DETAIL,
			  "%llu waits for conditions, semaphores and the like are left out; -Y "
			  "futex shows them",
			  (unsigned long long)l->conditions);
	if (l->open && l->rq->verbose)
		notes_add(l->job->notes, NOTE_DETAIL, "%llu %s had not ended: counted until now",
			  (unsigned long long)l->open, l->open == 1 ? "wait" : "waits");
}

static void add_failures(struct lock_bpf *l)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	struct lock_failures *f = lock_contention_failures(l->model);
	struct bpf_lock_losses lost;

	if (bpf_lock_losses(l->bpf, &lost, &why) < 0)
		return;
	f->task += lost.tasks;
	f->data += lost.rows;
	f->time += lost.nested;
	f->stack += lost.stacks;
	lock_bpf_note_losses(l, &lost);
}

/* Makes a model of what was counted until @now_ns, and shows it. */
static int lock_bpf_show(struct lock_bpf *l, uint64_t now_ns, bool is_last)
{
	struct lock_names names = lock_live_names(l->names);
	/* The programs have chosen locks and cgroups already. */
	const struct lock_filters filters = { .types = l->rq->filters.types,
					      .callers = l->rq->filters.callers };
	struct lock_request rq = *l->rq;
	struct lock_job job = *l->job;
	int r;

	rq.filters = filters;
	/* The stack of an owner begins in the function in which it sleeps. */
	if (rq.owners)
		rq.stack_skip = 0;
	job.rq = &rq;
	lock_contention_free(l->model);
	l->model = lock_job_model(&job, &names, NULL);
	l->conditions = l->open = 0;
	r = bpf_lock_read(l->bpf, now_ns, lock_bpf_take_row, l, l->job->diag);
	if (r < 0)
		return r;
	if (is_last) {
		add_failures(l);
		note_rest(l);
	}
	return lock_job_show(&job, &(struct lock_counted){ .model = l->model,
							   .names = &names,
							   .time_ns = now_ns - l->begin_ns,
							   .is_last = is_last });
}

static int lock_bpf_on_interval(void *arg)
{
	return lock_bpf_show(arg, clock_ns(CLOCK_MONOTONIC), false);
}

static int lock_bpf_on_end(void *arg)
{
	struct lock_bpf *l = arg;

	return lock_bpf_show(l, l->end_ns, true);
}

static int lock_bpf_measure(struct lock_bpf *l, struct record_result *ret)
{
	const struct live_companion companion = { .begin = lock_bpf_companion_begin,
						  .take = companion_take,
						  .stop = lock_bpf_companion_stop,
						  .arg = l };
	const struct reading_symbols symbols = { .request = &l->rq->input.symbols,
						 .buildid_dir = l->rq->input.buildid_dir };
	_cleanup_(symbolizer_freep) struct symbolizer *symbolizer = reading_symbolizer(&symbols);
	bool futexes = l->plan.request.futexes;
	struct live_request live = {
		.what = { .argv = l->rq->argv, .target = l->rq->target, .may_be_empty = true },
		.consumer = { .order = CONSUMER_IN_ORDER, .begin = session_begins, .arg = l },
		.symbolizer = symbolizer,
		.keeps_all = true,
		.companion = &companion,
		.leaves_command = true,
		.interval_ms = l->rq->interval_ms,
		.on_interval = lock_bpf_on_interval,
		.on_end = lock_bpf_on_end,
	};
	int r;

	/* Addresses of processes are named by their mappings, including data. */
	if (futexes)
		event_words_add(&live.what.events, EVENT_WORD_EVENT, "dummy:u");
	live.what.sampling.sample.data_addr = futexes;
	live.what.sampling.sideband.no_bpf_event = true;
	r = live_run(&live, l->job->notes, ret, l->job->diag);
	event_words_done(&live.what.events);
	user_locks_free(l->user);
	return r;
}

int lock_count(const struct lock_job *j, struct record_result *ret)
{
	const struct lock_request *rq = j->rq;
	struct lock_bpf l = { .job = j, .rq = rq };
	struct lock_names names;
	int r = lock_live_names_new(&rq->input.symbols, rq->by == LOCK_BY_CGROUP, &l.names,
				    j->diag);

	if (r < 0)
		return r;
	names = lock_live_names(l.names);
	r = lock_bpf_plan(rq, &names, &l.plan, j->diag);
	if (r >= 0)
		r = lock_bpf_measure(&l, ret);
	lock_contention_free(l.model);
	bpf_lock_free(l.bpf);
	lock_live_names_free(l.names);
	lock_bpf_plan_done(&l.plan);
	return r;
}
