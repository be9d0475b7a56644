/* SPDX-License-Identifier: MIT */
#include "measure/record-off-cpu.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/notes.h"
#include "bpf/off-cpu.h"
#include "capture/sampling-regs.h"
#include "event/env.h"
#include "kernel/kallsyms-text.h"
#include "measure/record-interpreted.h"
#include "measure/record-job.h"
#include "wire/sample.h"

#define NS_PER_MS 1000000

struct record_off_cpu {
	struct bpf_off_cpu *programs;
	struct off_cpu_layout layout;
	clockid_t clock;               /* clock of the events */
	int64_t clock_ahead_ns;        /* the clock's time minus the monotonic one */
	const struct record_taker *to; /* set during a call of record_off_cpu_drain() */
	struct bytes record;
	struct runtime_functions *functions;
	struct runtime_addresses frames;
	struct notes *notes;
	bool failed; /* a read failed, and this was reported */
};

static bool record_off_cpu_is_wanted(const struct record_job *j)
{
	return j->rq->off_cpu.wanted;
}

int record_off_cpu_add_event(struct record_job *j)
{
	int r;

	if (!record_off_cpu_is_wanted(j))
		return 0;
	r = event_list_parse(&j->events, "bpf-output/name=" OFF_CPU_EVENT "/", j->env,
			     EVENT_USE_SAMPLING, j->diag);
	if (r < 0)
		return r;
	j->off_cpu_event = j->events.n - 1;
	/* The programs check cgroups themselves. */
	cgroup_choice_limit(&j->cgroups, j->off_cpu_event, 1, -1);
	return 0;
}

int record_off_cpu_adjust(struct record_job *j)
{
	struct sample_request *s = &j->sampling.rq.sample;

	if (!record_off_cpu_is_wanted(j))
		return 0;
	if (j->rq->buffer.overwrite) {
		diag_set(j->diag, -EINVAL, "--off-cpu cannot be used with --overwrite");
		diag_hint(j->diag, "--switch-output=10s --switch-max-files=2 keeps the last "
				   "seconds, with the time off the CPU.");
		return -EINVAL;
	}
	s->identifier = true;
	if (!s->clock.given)
		s->clock = (struct clock_choice){ .given = true, .id = CLOCK_MONOTONIC };
	return 0;
}

void record_off_cpu_lay_out(struct record_job *j)
{
	if (record_off_cpu_is_wanted(j))
		off_cpu_lay_out(&j->events.items[j->off_cpu_event]->attr,
				sampling_regs_leaf(j->sampling.arch));
}

static int record_off_cpu_take(void *arg, const struct off_cpu_time *t)
{
	struct record_off_cpu *o = arg;
	struct off_cpu_time moved = *t;
	struct sample_id id = { .pid = t->tgid, .tid = t->tid, .id = o->layout.id, .cpu = t->cpu };
	int r;

	if (moved.end_ns)
		moved.end_ns += (uint64_t)o->clock_ahead_ns;
	id.time = moved.end_ns ? moved.end_ns : SAMPLE_TIME_SUM;
	r = record_interpreted_translate(o->functions, RUNTIME_STACKS_OFF_CPU, &id, &o->layout.attr,
					 t->user, t->n_user, o->to, &o->frames);
	if (r < 0)
		return r;
	moved.user = o->frames.items;
	moved.n_user = o->frames.n;
	o->record.n = 0;
	off_cpu_sample_encode(&o->layout, &moved, &o->record);
	return o->to->take(o->to->arg, o->record.data, o->record.n);
}

static int record_off_cpu_drain(void *arg, bool file_ends, const struct record_taker *to)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct record_off_cpu *o = arg;
	int r;

	o->to = to;
	if (o->clock != CLOCK_MONOTONIC)
		o->clock_ahead_ns = (int64_t)clock_ns(o->clock) -
				    (int64_t)clock_ns(CLOCK_MONOTONIC);
	r = bpf_off_cpu_read(o->programs, file_ends, &diag);
	o->to = NULL;
	if (r >= 0 || !diag.message)
		return r;
	/*
	 * The other events are worth more than a map that cannot be read, so the recording goes on.
	 */
	if (!o->failed)
		notes_take(o->notes, NOTE_WARNING, &diag);
	o->failed = true;
	return 0;
}

static void record_off_cpu_turn(void *arg, const char *name, bool on)
{
	const struct record_off_cpu *o = arg;

	if (!name || !strcmp(name, OFF_CPU_EVENT))
		bpf_off_cpu_turn(o->programs, on);
}

static void set_targets(const struct record_job *j, const pid_t *tids,
			struct bpf_off_cpu_request *rq)
{
	bool command = j->targets.n == 1 && j->workload.pid &&
		       j->targets.items[0].tid == j->workload.pid;

	rq->targets.tids = j->system ? NULL : tids;
	rq->targets.n_tids = j->system ? 0 : j->targets.n;
	rq->targets.wait_for_exec = command;
	rq->last_task = command ? (uint32_t)j->workload.pid : 0;
	rq->targets.cpus = j->rq->target.cpus.n ? &j->cpus : NULL;
	rq->no_children = !j->sampling.inherit;
	rq->kernel_threads = !j->system && !command;
}

/*
 * Opens the programs. Copies of stacks would be large, so stacks that need no frame pointers are
 * unwound at once; if the kernel refuses that, the programs follow frame pointers.
 */
static int record_off_cpu_open_with(struct record_job *j, struct bpf_off_cpu_request *rq,
				    struct record_off_cpu *o)
{
	_cleanup_(diag_done) struct diag why = { 0 };
	int r;

	rq->unwinds = rq->user_stack && callgraph_copies(j->rq->sampling.callgraph.choice.mode);
	if (!rq->unwinds)
		return bpf_off_cpu_open(rq, record_off_cpu_take, o, &o->programs, j->diag);
	if (bpf_off_cpu_open(rq, record_off_cpu_take, o, &o->programs, &why) >= 0)
		return 0;
	rq->unwinds = false;
	r = bpf_off_cpu_open(rq, record_off_cpu_take, o, &o->programs, j->diag);
	if (r >= 0)
		notes_add(j->notes, NOTE_WARNING, "user stacks of waits follow frame pointers: %s",
			  why.message);
	return r;
}

static int open_programs(struct record_job *j, struct record_off_cpu *o)
{
	const struct sampling_request *s = &j->rq->sampling;
	_cleanup_(freep) pid_t *tids = xcalloc(j->targets.n + 1, sizeof(*tids));
	_cleanup_(freep) int *cgroups = xcalloc(j->cgroups.n + 1, sizeof(*cgroups));
	struct bpf_off_cpu_request rq = {
		.targets = { .cgroup_fd = -1 },
		.cgroup_fds = cgroups,
		.n_cgroup_fds = j->cgroups.n,
		.kernel_stack = !s->callgraph.user_only && !s->all_user,
		.user_stack = !s->callgraph.kernel_only && !s->all_kernel,
		.wants_link = sampling_regs_leaf(j->sampling.arch),
		.states = (1U << OFF_CPU_STATES) - 1,
		.functions = j->functions,
		.threshold_ns = j->rq->off_cpu.threshold_ms * NS_PER_MS,
	};

	for (size_t i = 0; i < j->targets.n; i++)
		tids[i] = j->targets.items[i].tid;
	for (size_t i = 0; i < j->cgroups.n; i++)
		cgroups[i] = j->cgroups.items[i].fd;
	set_targets(j, tids, &rq);
	return record_off_cpu_open_with(j, &rq, o);
}

/* Explains what can be done without BPF. */
static int record_off_cpu_explain(struct record_job *j, int error)
{
	diag_hint(j->diag, "Tracepoints tell the same, at a higher cost: perf record -e cpu-clock "
			   "-e sched:sched_switch -g, then perf flamegraph --wall.");
	return error;
}

int record_off_cpu_start(struct record_job *j)
{
	struct record_off_cpu *o;
	size_t i = j->off_cpu_event;
	int r;

	if (!record_off_cpu_is_wanted(j))
		return 0;
	o = j->off_cpu = xcalloc(1, sizeof(*o));
	o->notes = j->notes;
	o->functions = j->functions;
	o->clock = j->sampling.rq.sample.clock.id;
	o->layout.attr = j->events.items[i]->attr;
	o->layout.id = j->opened.items[i].ids[0];
	off_cpu_layout_find_scheduler(&o->layout);
	r = open_programs(j, o);
	if (r < 0)
		return record_off_cpu_explain(j, r);
	record_job_add_source(j, (struct record_source){
					 .fd = bpf_off_cpu_fd(o->programs),
					 .drain = record_off_cpu_drain,
					 .turn = record_off_cpu_turn,
					 .arg = o,
				 });
	return 0;
}

void record_off_cpu_done(struct record_job *j)
{
	struct record_off_cpu *o = j->off_cpu;

	if (!o)
		return;
	bpf_off_cpu_free(o->programs);
	bytes_done(&o->record);
	free(o->frames.items);
	free(o);
	j->off_cpu = NULL;
}

void record_off_cpu_tell(const struct record_job *j)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bpf_off_cpu_losses lost;

	if (!j->off_cpu || !j->off_cpu->programs)
		return;
	if (bpf_off_cpu_losses(j->off_cpu->programs, &lost, &diag) < 0) {
		notes_take(j->notes, NOTE_WARNING, &diag);
		return;
	}
	if (lost.waits)
		notes_add(j->notes, NOTE_WARNING,
			  "%" PRIu64 " waits of together %.3f s are missing in " OFF_CPU_EVENT
			  ": they came faster than they could be written",
			  lost.waits, (double)lost.wait_ns / 1e9);
	if (lost.tasks || lost.children)
		notes_add(j->notes, NOTE_WARNING,
			  "some waits are missing in " OFF_CPU_EVENT
			  ": there were more tasks than room for them (%" PRIu64 " waits, %" PRIu64
			  " tasks)",
			  lost.tasks, lost.children);
}

/* The frames of a BPF program and of the code that runs it are no more than these. */
#define PROGRAM_FRAMES 12

/* The chain has a marker before each of its two parts. */
#define CHAIN_MAX (OFF_CPU_FRAMES + 2)

void off_cpu_lay_out(struct attr *attr, uint64_t leaf_regs)
{
	attr->sample_type = (attr->sample_type & PERF_SAMPLE_IDENTIFIER) | PERF_SAMPLE_IP |
			    PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			    PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN;
	attr->freq = 0;
	attr->sample_period = 1;
	attr->sample_stack_user = 0;
	attr->sample_regs_intr = 0;
	attr->sample_regs_user = leaf_regs;
	attr->branch_sample_type = 0;
	attr->exclude_callchain_user = attr->exclude_callchain_kernel = 0;
	if (leaf_regs)
		attr->sample_type |= PERF_SAMPLE_REGS_USER;
}

static bool off_cpu_sample_is_called(const struct kallsyms_line *l, const char *name)
{
	return !l->module && l->name_length == strlen(name) &&
	       !memcmp(l->name, name, l->name_length);
}

void off_cpu_layout_find_scheduler(struct off_cpu_layout *l)
{
	_cleanup_(freep) char *text = NULL;
	struct kallsyms_line line;
	size_t size;

	if (file_read(AT_FDCWD, "/proc/kallsyms", KALLSYMS_SIZE_MAX, &text, &size) < 0)
		return;
	for (const char *at = text, *end = text + size;
	     !l->scheduler_end && kallsyms_next(&at, end, &line);) {
		if (off_cpu_sample_is_called(&line, "__sched_text_start"))
			l->scheduler_start = line.addr;
		else if (off_cpu_sample_is_called(&line, "__sched_text_end"))
			l->scheduler_end = line.addr;
	}
}

/* Returns how many frames do not belong to the task that waits. */
static size_t program_frames(const struct off_cpu_layout *l, const struct off_cpu_time *t)
{
	for (size_t i = 0; i < t->n_kernel && i < PROGRAM_FRAMES; i++)
		if (t->kernel[i] >= l->scheduler_start && t->kernel[i] < l->scheduler_end)
			return i;
	return 0;
}

static size_t at_most(size_t n, size_t most)
{
	return n < most ? n : most;
}

/*
 * Returns how many words the chain has. As in the kernel's own chains, the limit applies to both
 * parts together.
 */
static size_t make_chain(const struct off_cpu_layout *l, const struct off_cpu_time *t,
			 uint64_t chain[CHAIN_MAX])
{
	size_t max = l->attr.sample_max_stack ? l->attr.sample_max_stack : OFF_CPU_FRAMES;
	size_t n = 0, skip = program_frames(l, t);
	size_t n_kernel = at_most(t->n_kernel - skip, max);
	size_t n_user = at_most(t->n_user, max - n_kernel);

	if (n_kernel)
		chain[n++] = PERF_CONTEXT_KERNEL;
	for (size_t i = 0; i < n_kernel; i++)
		chain[n++] = t->kernel[skip + i];
	if (n_user)
		chain[n++] = PERF_CONTEXT_USER;
	for (size_t i = 0; i < n_user; i++)
		chain[n++] = t->user[i];
	return n;
}

void off_cpu_sample_encode(const struct off_cpu_layout *l, const struct off_cpu_time *t,
			   struct bytes *out)
{
	uint64_t chain[CHAIN_MAX];
	size_t n = make_chain(l, t, chain);
	bool in_kernel = n && chain[0] == (uint64_t)PERF_CONTEXT_KERNEL;
	const struct sample s = {
		.misc = in_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.id = l->id,
		.ip = n ? chain[1] : 0,
		.pid = t->tgid,
		.tid = t->tid,
		.time = t->end_ns ? t->end_ns : SAMPLE_TIME_SUM,
		.cpu = t->cpu,
		.period = t->ns,
		.chain = { .bytes = (const uint8_t *)chain, .n = n },
		.user_regs = { .abi = t->link ? REGS_ABI_64 : 0,
			       .mask = l->attr.sample_regs_user,
			       .values = { .bytes = (const uint8_t *)&t->link, .n = 1 } },
	};

	/* A record has space for far more than the frames of a wait. */
	sample_encode(&s, &l->attr, out);
}
