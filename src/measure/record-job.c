/* SPDX-License-Identifier: MIT */
#include "measure/record-job.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "capture/control.h"
#include "capture/release.h"
#include "event/env.h"
#include "kernel/explain.h"
#include "kernel/kept-files.h"
#include "kernel/perf-event.h"
#include "kernel/pmu.h"
#include "measure/bpf-events.h"
#include "measure/record-drains.h"
#include "measure/record-filter.h"
#include "measure/record-off-cpu.h"
#include "measure/record-sampling.h"
#include "probe/attach.h"

/*
 * Ring sizes for files with a limited size. Smaller rings than RING_LEAST lose records before they
 * are emptied.
 */
#define RING_MOST  ((size_t)4 << 20)
#define RING_LEAST ((size_t)512 << 10)

struct record_job record_job_new(const struct record_request *rq, struct notes *notes,
				 struct diag *diag)
{
	return (struct record_job){
		.rq = rq,
		.notes = notes,
		.diag = diag,
		.command = "record",
		.signals = SIGNALS_NONE,
		.workload = WORKLOAD_NONE,
		.trigger = RECORD_TRIGGER_NONE,
		.system = target_is_system(&rq->target, record_request_has_command(rq)),
	};
}

/* Joins all events into one group for -g, whatever the braces say. */
static void record_job_join_all(struct event_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		l->items[i]->leader = 0;
}

/*
 * Adds the default event, cycles. It is not precise if stacks are unwound by BPF, since the kernel
 * runs programs that ask for stacks only on events that are not precise.
 */
static int add_default(struct record_job *j)
{
	int r = sampling_add_default(&j->events, j->env, j->diag);

	for (size_t i = 0; i < j->events.n; i++)
		if (j->rq->sampling.callgraph.choice.mode == CALLGRAPH_BPF)
			j->events.items[i]->modifiers.max_precise = false;
	return r;
}

static void record_job_listen_to_programs(struct record_job *j)
{
	const struct bpf_events_options o = {
		.sources = &j->rq->bpf_sources,
		.buildid_dir = j->rq->buildid_dir,
		.dry_run = j->rq->dry_run,
		.verbose = j->rq->verbose,
		.notes = j->notes,
	};

	j->programs = bpf_events_new(&o);
	bpf_events_listen(j->programs, j->env);
}

/*
 * Refuses events that are only readings. Sensors and the values of a GPU's driver are numbers to
 * read, and give nothing to sample.
 */
static int refuse_readings(const struct record_job *j)
{
	for (size_t i = 0; i < j->events.n; i++) {
		const struct event *e = j->events.items[i];

		if (e->tool != EVENT_TOOL_FILE && e->tool != EVENT_TOOL_DRM)
			continue;
		diag_set(j->diag, -EOPNOTSUPP, "'%s' has no samples: it is a value that is read",
			 e->name);
		diag_hint(j->diag, "perf stat -I 1000 -e %s prints it each second.", e->name);
		return -EOPNOTSUPP;
	}
	return 0;
}

static int record_job_find_events(struct record_job *j)
{
	const struct event_words *words = &j->rq->events;
	_cleanup_(freep) size_t *before = xcalloc(words->n + 1, sizeof(*before));
	int r;

	j->env = event_env_new(NULL, NULL);
	event_env_set_worlds(j->env, words->worlds);
	record_job_listen_to_programs(j);
	r = event_words_attach(words, j->rq->buildid_dir, j->env, &j->attached, j->diag);
	if (r >= 0)
		r = event_words_resolve(words, j->env, EVENT_USE_SAMPLING, &j->events, before,
					j->diag);
	if (r >= 0)
		r = refuse_readings(j);
	if (r >= 0)
		r = bpf_events_complete(j->programs, &j->events, j->env, j->diag);
	if (r >= 0 && !j->events.n && !j->rq->may_be_empty)
		r = add_default(j);
	if (r < 0)
		return r;
	if (j->rq->group)
		record_job_join_all(&j->events);
	r = cgroup_choice_assign(&j->cgroups, words, before, j->events.n, j->diag);
	return r < 0 ? r : record_off_cpu_add_event(j);
}

/* Lays out the times of -D at which events are started and stopped in turn. */
static void plan_turns(struct record_job *j)
{
	const struct delay *d = &j->rq->control.delay;

	j->turns_ms = xcalloc(2 * d->n + 1, sizeof(j->turns_ms[0]));
	for (size_t i = 0; i < d->n; i++) {
		j->turns_ms[j->n_turns++] = d->items[i].from_ms;
		if (d->items[i].to_ms != DELAY_OPEN)
			j->turns_ms[j->n_turns++] = d->items[i].to_ms;
	}
}

static int record_job_hold_signals(struct record_job *j)
{
	int r = 0;

	if (j->signals.fd < 0 && !j->leaves_signals)
		r = j->ends_by_pipe ? signals_open(&j->signals)
				    : signals_open_for_recording(&j->signals);
	return r < 0 ? diag_set(j->diag, r, "cannot wait for signals: %s", strerror(-r)) : 0;
}

/* Determines whether one of the events writes a hardware trace. */
static int plan_trace(struct record_job *j)
{
	struct aux_request rq = j->rq->aux;
	int r;

	rq.pages = j->rq->buffer.size.aux_pages;
	r = aux_plan_make(&j->events, &rq, &j->aux, j->diag);
	if (r < 0 || j->aux.type == AUXTRACE_NONE)
		return r;
	if (!j->may_trace)
		return diag_set(j->diag, -EOPNOTSUPP,
				"hardware traces (%s) can only be recorded into a file: perf "
				"record",
				j->events.items[0]->pmu->name);
	if (j->rq->buffer.threads.kind != THREADS_ONE)
		return diag_set(
			j->diag, -EINVAL,
			"Parallel trace streaming is not available in AUX area tracing mode.");
	return 0;
}

static int prepare_trace(struct record_job *j)
{
	size_t sparse;
	int r;

	j->sampling.aux = &j->aux;
	j->sampling.aux_target = (struct aux_target){
		.per_cpu = !j->rq->target.per_thread,
		.system = j->system,
		.may_watch = geteuid() == 0 || perf_event_paranoid() < 1,
		.devices = PMU_DEVICES,
	};
	r = aux_plan_prepare(&j->aux, &j->events, &j->sampling.aux_target, j->diag);
	sparse = r >= 0 ? aux_plan_too_sparse(&j->aux, &j->events) : 0;
	if (sparse)
		notes_add(j->notes, NOTE_WARNING,
			  "Intel PT %s size (%zu) may be too small for PSB period (%zu)",
			  j->aux.samples ? "sample" : "snapshot",
			  j->aux.samples ? j->aux.sample_bytes : j->aux.snapshot_bytes, sparse);
	return r;
}

int record_job_prepare(struct record_job *j)
{
	size_t named;
	bool command;
	int r = record_check_registers(&j->rq->sampling.sample, j->diag);

	/* Signals are held from the first probe that must be removed again. */
	if (r >= 0 && event_words_may_attach(&j->rq->events))
		r = record_job_hold_signals(j);
	if (r >= 0)
		r = record_job_find_events(j);
	if (r < 0)
		return r;
	j->planned = true;
	named = j->events.n;
	r = target_tasks(&j->rq->target, &j->targets, j->diag);
	if (r >= 0)
		r = plan_trace(j);
	if (r >= 0)
		r = target_cpus(&j->rq->target, &j->cpus, j->diag);
	if (r >= 0)
		target_note_cpus(&j->rq->target, &j->cpus, j->notes);
	command = record_request_has_command(j->rq) && !j->system && !j->targets.n;
	if (r >= 0)
		r = record_sampling(j->rq, command, j->notes, &j->sampling, j->diag);
	if (r >= 0)
		r = record_off_cpu_adjust(j);
	if (r >= 0 && j->aux.type != AUXTRACE_NONE)
		r = prepare_trace(j);
	if (r >= 0 && named)
		r = sampling_apply(&j->sampling, &j->events, j->env, j->diag);
	if (r < 0)
		return r;
	record_off_cpu_lay_out(j);
	/* The dummy event, if one was added, has no cgroup. */
	cgroup_choice_limit(&j->cgroups, named, j->events.n - named, -1);
	plan_turns(j);
	return control_request_open(&j->rq->control, &j->control, j->diag);
}

/* True if a process that we start belongs to the user that is measured. */
static bool is_users(const struct target *t)
{
	return t->user.given && t->user.uid == geteuid();
}

static int fork_workload(struct record_job *j)
{
	int out = j->streams ? STDERR_FILENO : -1;
	int r = workload_fork_to(j->rq->argv, &j->signals, out, &j->workload);

	if (r < 0)
		return diag_set(j->diag, r, "cannot start a process: %s", strerror(-r));
	/* With --uid, the workload is a process of that user like any other. */
	if (!j->system && (!j->targets.n || is_users(&j->rq->target)))
		*ARRAY_ADD(&j->targets) = (struct target_task){ .tid = j->workload.pid };
	return 0;
}

static int record_job_open_events(struct record_job *j)
{
	_cleanup_(freep) int *fds = xcalloc(j->events.n + 1, sizeof(*fds));
	const struct open_request rq = {
		.events = &j->events,
		.use = EVENT_USE_SAMPLING,
		.tasks = &j->targets,
		.cpus = &j->cpus,
		.cgroup_fds = fds,
		.any_cpu = j->rq->target.per_thread,
	};

	for (size_t i = 0; i < j->events.n; i++)
		fds[i] = cgroup_choice_fd(&j->cgroups, i);
	return opened_events_open(&rq, &j->opened, j->diag);
}

/*
 * Returns the size of a ring as -m says. A limit on the file's size is checked when rings are
 * emptied, so rings should be smaller than the limit. 0: choose a good size.
 */
static size_t ring_bytes(const struct record_request *rq)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = RING_MOST;
	uint64_t limit = rq->output.max_bytes ? rq->output.max_bytes : rq->output.rotate.bytes;

	if (rq->buffer.size.data_pages || !limit)
		return (size_t)rq->buffer.size.data_pages * page;
	while (bytes > RING_LEAST && bytes > limit / 4)
		bytes /= 2;
	return bytes < RING_MOST ? bytes : 0;
}

static int map_areas(struct record_job *j)
{
	int r = record_rings_map_aux(&j->rings, &j->opened, j->aux.bytes,
				     j->aux.snapshots || j->aux.samples, j->diag);

	for (size_t i = 0; i < j->rings.n; i++) {
		struct record_ring *ring = &j->rings.items[i];

		ring->tid = j->targets.n ? j->targets.items[ring->task].tid : -1;
		ring->aux.counts_all = j->aux.type == AUXTRACE_CS_ETM;
	}
	return r;
}

int record_job_open(struct record_job *j)
{
	int r = record_job_hold_signals(j);

	if (r >= 0 && record_request_has_command(j->rq))
		r = fork_workload(j);
	if (r >= 0)
		r = record_job_open_events(j);
	if (r >= 0)
		r = record_filters_attach(&j->opened, &j->filters, j->diag);
	if (r >= 0)
		r = bpf_events_attach(j->programs, &j->opened, j->diag);
	if (r >= 0)
		r = record_rings_map(&j->opened, ring_bytes(j->rq), &j->rings, j->diag);
	return r < 0 || j->aux.type == AUXTRACE_NONE ? r : map_areas(j);
}

void record_job_add_source(struct record_job *j, struct record_source s)
{
	assert(j->n_sources < RECORD_SOURCES_MAX && !j->n_drains);
	j->sources[j->n_sources++] = s;
}

struct loop record_job_loop(struct record_job *j)
{
	return (struct loop){
		.events = &j->opened,
		.workload = &j->workload,
		.signals = &j->signals,
		.control = j->control,
		.watches_cpus = !j->rq->target.per_thread && !j->rq->target.cpus.n,
		.held_back = j->sampling.delayed,
		.turns_ms = j->turns_ms,
		.n_turns = j->n_turns,
		.notes = j->notes,
	};
}

bool record_job_ends_with_tasks(const struct record_job *j)
{
	return j->targets.n && !record_request_has_command(j->rq);
}

void record_job_done(struct record_job *j)
{
	record_off_cpu_done(j);
	workload_done(&j->workload);
	kept_files_free(j->kept);
	jit_map_copies_done(&j->jit_maps);
	record_drains_done(j);
	record_rings_unmap(&j->rings);
	release_events(&j->opened, 0);
	record_filters_free(j->filters);
	attached_probes_free(j->attached);
	bpf_events_free(j->programs);
	record_facts_done(&j->facts);
	control_free(j->control);
	signals_close(&j->signals);
	task_list_done(&j->targets);
	cpu_list_done(&j->cpus);
	cgroup_choice_done(&j->cgroups);
	event_list_done(&j->events);
	event_env_free(j->env);
	free(j->turns_ms);
	free(j->more_stacks);
}

bool record_job_has_build_ids(const struct record_job *j)
{
	for (size_t i = 0; i < j->opened.n; i++)
		if (j->opened.items[i].event->attr.build_id)
			return true;
	return false;
}

struct record_result record_job_result(const struct record_job *j, const struct loop *loop)
{
	return (struct record_result){
		.planned = j->planned,
		.end = loop->end,
		.signal = loop->signal,
		.reaped = loop->reaped,
		.wait_status = loop->wait_status,
		.max_stack = perf_event_max_stack(),
		.depths = j->depths,
	};
}
