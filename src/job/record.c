/* SPDX-License-Identifier: MIT */
#include "job/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "capture/control.h"
#include "capture/release.h"
#include "capture/trace-events.h"
#include "event/env.h"
#include "job/record-drains.h"
#include "job/record-finish.h"
#include "job/record-job.h"
#include "job/record-notes.h"
#include "job/record-sampling.h"
#include "job/record-unwind.h"
#include "kernel/kept-files.h"
#include "probe/attach.h"

/* Rings of files with a limited size: smaller ones lose records before they are emptied. */
#define RING_MOST  ((size_t)4 << 20)
#define RING_LEAST ((size_t)512 << 10)

static bool is_pipe(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* -o -, or nothing said and a reader at the other end of standard output. */
static int choose_path(struct record_job *j)
{
	const char *path = j->rq->output.path;
	bool streams = path ? !strcmp(path, "-") : is_pipe(STDOUT_FILENO);

	j->path = streams ? NULL : path ? path : "perf.data";
	if (!streams || !isatty(STDOUT_FILENO))
		return 0;
	diag_set(j->diag, -EINVAL, "the data is not for a terminal");
	diag_hint(j->diag, "Give it to a reader: perf record -o - ... | perf script -i -");
	return -EINVAL;
}

/* -g: all events are one group, whatever braces said. */
static void join_all(struct event_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		l->items[i]->leader = 0;
}

static int find_events(struct record_job *j)
{
	const struct event_words *words = &j->rq->events;
	_cleanup_(freep) size_t *before = xcalloc(words->n + 1, sizeof(*before));
	int r;

	j->env = event_env_new(NULL, NULL);
	r = event_words_attach(words, j->rq->buildid_dir, j->env, &j->attached, j->diag);
	if (r >= 0)
		r = event_words_resolve(words, j->env, EVENT_USE_SAMPLING, &j->events, before,
					j->diag);
	if (r >= 0 && !j->events.n)
		r = sampling_add_default(&j->events, j->env, j->diag);
	if (r < 0)
		return r;
	if (j->rq->group)
		join_all(&j->events);
	return cgroup_choice_assign(&j->cgroups, words, before, j->events.n, j->diag);
}

/* The moments of -D at which events are started and stopped in turn. */
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

static int hold_signals(struct record_job *j)
{
	int r = j->signals.fd < 0 ? signals_open_for_recording(&j->signals) : 0;

	return r < 0 ? diag_set(j->diag, r, "cannot wait for signals: %s", strerror(-r)) : 0;
}

static int prepare(struct record_job *j)
{
	size_t named;
	bool command;
	int r = choose_path(j);

	if (r >= 0)
		r = record_check_registers(&j->rq->sampling.sample, j->diag);
	/* From the first probe on that is to be removed again. */
	if (r >= 0 && event_words_may_attach(&j->rq->events))
		r = hold_signals(j);
	if (r >= 0)
		r = find_events(j);
	if (r < 0)
		return r;
	j->planned = true;
	named = j->events.n;
	r = target_tasks(&j->rq->target, &j->targets, j->diag);
	if (r >= 0)
		r = trace_events_refuse(&j->events, j->diag);
	if (r >= 0)
		r = target_cpus(&j->rq->target, &j->cpus, j->diag);
	command = record_request_has_command(j->rq) && !j->system && !j->targets.n;
	if (r >= 0)
		r = record_sampling(j->rq, command, j->notes, &j->sampling, j->diag);
	if (r >= 0)
		r = sampling_apply(&j->sampling, &j->events, j->env, j->diag);
	if (r < 0)
		return r;
	record_unwind_choose(j);
	/* The dummy, if one was added, is of no cgroup. */
	cgroup_choice_limit(&j->cgroups, named, j->events.n - named, -1);
	plan_turns(j);
	return control_request_open(&j->rq->control, &j->control, j->diag);
}

static int fork_workload(struct record_job *j)
{
	int r = workload_fork(j->rq->argv, &j->signals, &j->workload);

	if (r < 0)
		return diag_set(j->diag, r, "cannot start a process: %s", strerror(-r));
	if (!j->system && !j->targets.n)
		*ARRAY_ADD(&j->targets) = (struct target_task){ .tid = j->workload.pid };
	return 0;
}

static int open_events(struct record_job *j)
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
 * As -m says. A limit on the file's size is seen when rings are emptied, which should then be
 * smaller than it. 0: whatever is good.
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

static bool lists_build_ids(const struct record_job *j)
{
	return j->rq->output.no_buildid != CHOICE_YES;
}

static int complete_file(void *arg, const char *path, struct features *f, struct diag *diag)
{
	const struct record_job *j = arg;
	const char *dir = j->rq->buildid_dir;
	const struct record_finish_options o = {
		.path = path,
		.only_times = !lists_build_ids(j),
		.all_images = j->rq->output.buildid_all,
		.no_cache = j->rq->output.no_buildid_cache == CHOICE_YES || !dir,
		.buildid_dir = dir,
		.kept = j->kept,
	};
	_cleanup_(unnamed_files_done) struct unnamed_files unnamed = { 0 };
	_cleanup_(diag_done) struct diag why = { 0 };

	(void)diag;
	/* The data is worth more than the names in it. */
	if (record_finish(&o, f, &unnamed, &why) != 0)
		notes_take(j->notes, NOTE_WARNING, &why);
	record_notes_unnamed(j, &unnamed);
	return 0;
}

/* Who neither lists build-ids nor unwinds has no use for the files. */
static void keep_files(struct record_job *j)
{
	if (j->unwinds || (lists_build_ids(j) && j->path))
		j->kept = kept_files_new();
}

static void plan_file(struct record_job *j)
{
	const struct output_request *o = &j->rq->output;
	bool threads = j->rq->buffer.threads.kind != THREADS_ONE;
	j->file = (struct record_file){
		.path = j->path,
		.options = {
			.form = !j->path ? WRITER_PIPE : threads ? WRITER_DIRECTORY : WRITER_FILE,
			.parts = threads ? j->n_drains : 0,
			.compression_level = (int)o->compression_level,
			.keep_old = true,
		},
		.events = j->facts.events,
		.n_events = j->facts.n,
		.early = &j->facts.early,
		.synth = &j->facts.synth,
		.tail = j->rq->sampling.sideband.tail_synthesize,
		.sink = j->unwinding ? &j->sink : NULL,
		.complete = lists_build_ids(j) || o->timestamp_boundary ? complete_file : NULL,
		.arg = j,
	};
}

static void plan_rotation(struct record_job *j)
{
	const struct output_request *o = &j->rq->output;

	j->rotation = (struct rotation){
		.bytes = o->rotate.kind == SWITCH_ON_SIZE ? o->rotate.bytes : 0,
		.each_ns = o->rotate.kind == SWITCH_ON_TIME ? o->rotate.seconds * 1000000000 : 0,
		.max_files = o->switch_max_files,
	};
}

static int open_trigger(struct record_job *j)
{
	const char *text = j->rq->output.switch_event;
	int r = 0;

	if (!text)
		return 0;
	r = event_list_parse(&j->trigger_events, text, j->env, EVENT_USE_SAMPLING, j->diag);
	return r < 0 ? r : record_trigger_open(&j->trigger, &j->trigger_events, &j->cpus, j->diag);
}

static bool overwrites(const struct record_job *j)
{
	for (size_t i = 0; i < j->rings.n; i++)
		if (j->rings.items[i].ring.backward)
			return true;
	return false;
}

static int run_loop(struct record_job *j)
{
	const struct output_request *o = &j->rq->output;

	plan_rotation(j);
	j->recording = (struct recording){
		.loop = {
			.events = &j->opened,
			.workload = &j->workload,
			.signals = &j->signals,
			.control = j->control,
			.held_back = j->sampling.delayed,
			.turns_ms = j->turns_ms,
			.n_turns = j->n_turns,
			.notes = j->notes,
		},
		.drains = j->drains,
		.n_drains = j->n_drains,
		.file = &j->file,
		.rotation = o->timestamp_filename && j->path ? &j->rotation : NULL,
		.trigger = o->switch_event ? &j->trigger : NULL,
		.by_signal = o->rotate.kind == SWITCH_ON_SIGNAL || j->rq->buffer.overwrite,
		.overwrites = overwrites(j),
		.max_bytes = o->max_bytes,
		.realtime = j->rq->buffer.realtime ? (int)j->rq->buffer.realtime : 1,
		.ends_with_tasks = j->targets.n && !record_request_has_command(j->rq),
		.on_list = record_notes_list,
		.arg = j,
	};

	return recording_run(&j->recording, j->diag);
}

static int run(struct record_job *j)
{
	int r = hold_signals(j);

	if (r >= 0 && record_request_has_command(j->rq))
		r = fork_workload(j);
	if (r >= 0)
		r = open_events(j);
	if (r >= 0)
		r = record_rings_map(&j->opened, ring_bytes(j->rq), &j->rings, j->diag);
	if (r >= 0)
		r = open_trigger(j);
	keep_files(j);
	if (r >= 0)
		r = record_drains_make(j, j->diag);
	if (r >= 0)
		r = record_facts_gather(&j->facts, j, j->diag);
	if (r >= 0)
		r = record_unwind_start(j);
	if (r < 0)
		return r;
	record_notes_before(j);
	plan_file(j);
	r = run_loop(j);
	if (r < 0 && record_request_has_command(j->rq) && !j->workload.pid &&
	    !j->recording.loop.reaped) {
		workload_explain(j->rq->argv[0], r, j->diag);
		writer_discard(j->recording.writer);
	}
	return r;
}

static void job_done(struct record_job *j)
{
	workload_done(&j->workload);
	record_unwind_done(j);
	kept_files_free(j->kept);
	writer_free(j->recording.writer);
	record_drains_done(j);
	record_rings_unmap(&j->rings);
	release_events(&j->opened, 0);
	record_trigger_close(&j->trigger);
	attached_probes_free(j->attached);
	event_list_done(&j->trigger_events);
	record_facts_done(&j->facts);
	rotation_done(&j->rotation);
	control_free(j->control);
	signals_close(&j->signals);
	task_list_done(&j->targets);
	cpu_list_done(&j->cpus);
	cgroup_choice_done(&j->cgroups);
	event_list_done(&j->events);
	event_env_free(j->env);
	free(j->turns_ms);
}

int record_run(const struct record_request *rq, struct notes *notes, struct record_result *ret,
	       struct diag *diag)
{
	struct record_job j = {
		.rq = rq,
		.notes = notes,
		.diag = diag,
		.signals = SIGNALS_NONE,
		.workload = WORKLOAD_NONE,
		.trigger = RECORD_TRIGGER_NONE,
		.system = target_is_system(&rq->target, record_request_has_command(rq)),
	};
	int r = prepare(&j);

	if (r >= 0 && !rq->dry_run) {
		r = run(&j);
		if (j.recording.data_bytes)
			record_notes_after(&j);
	}
	*ret = (struct record_result){
		.planned = j.planned,
		.end = j.recording.loop.end,
		.signal = j.recording.loop.signal,
		.reaped = j.recording.loop.reaped,
		.wait_status = j.recording.loop.wait_status,
	};
	job_done(&j);
	return r;
}
