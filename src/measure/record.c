/* SPDX-License-Identifier: MIT */
#include "measure/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/notes.h"
#include "capture/workload.h"
#include "kernel/kept-files.h"
#include "measure/record-drains.h"
#include "measure/record-filter.h"
#include "measure/record-finish.h"
#include "measure/record-interpreted.h"
#include "measure/record-job.h"
#include "measure/record-notes.h"
#include "measure/record-off-cpu.h"
#include "measure/record-stacks.h"
#include "measure/record-unwind.h"
#include "symbol/buildid/kcore.h"

#define RUNNING_CODE "/proc/kcore"

static int explain_kcore(int error, struct diag *diag)
{
	bool forbidden = error == -EACCES || error == -EPERM;

	diag_set(diag, error, "--kcore: cannot copy the kernel's code from %s: %s", RUNNING_CODE,
		 strerror(-error));
	diag_hint(diag, "%s",
		  forbidden ? "Only root may read it, if kernel.kptr_restrict is not 2."
			    : "The kernel must be built with CONFIG_PROC_KCORE=y.");
	return error;
}

/* Checked before anything is created, because a recording of this name may exist already. */
static int check_kcore(const struct record_job *j)
{
	if (!j->rq->output.kcore)
		return 0;
	if (j->streams)
		return diag_set(j->diag, -EINVAL,
				"--kcore needs a place for the kernel's code: name it with -o");
	return access(RUNNING_CODE, R_OK) < 0 ? explain_kcore(-errno, j->diag) : 0;
}

/*
 * Standard output is chosen by -o -, or if no path is given and standard output is a pipe with a
 * reader. A reader that gets messages from the same pipe (2>&1 | tee log) does not want data there.
 */
static int choose_path(struct record_job *j)
{
	const char *path = j->rq->output.path;
	bool streams = path ? !strcmp(path, "-") : file_is_data_pipe(STDOUT_FILENO, STDERR_FILENO);

	j->streams = streams;
	j->path = streams ? NULL : path ? path : "perf.data";
	if (!streams || !isatty(STDOUT_FILENO))
		return 0;
	diag_set(j->diag, -EINVAL, "the data is not for a terminal");
	diag_hint(j->diag, "Give it to a reader: perf record -o - ... | perf script -i -");
	return -EINVAL;
}

static bool lists_build_ids(const struct record_job *j)
{
	return j->rq->output.no_buildid != CHOICE_YES;
}

/* This number of maps and processes takes about 30 MB. */
#define MAPS_FEW 100000

static int record_complete_file(void *arg, const char *path, struct features *f, struct diag *diag)
{
	struct record_job *j = arg;
	const char *dir = j->rq->buildid_dir;
	bool copies = j->rq->output.no_buildid_cache != CHOICE_YES;
	const struct record_finish_options o = {
		.path = path,
		.only_times = !lists_build_ids(j),
		/* Only the decoder of a trace knows which images the trace ran through. */
		.all_images = j->rq->output.buildid_all || j->aux.type != AUXTRACE_NONE,
		.no_cache = !copies || !dir,
		.few_maps = recording_tally(&j->recording).maps < MAPS_FEW,
		.buildid_dir = dir,
		.kept = j->kept,
		.jit_maps = copies ? &j->jit_maps : NULL,
		.progress = j->rq->progress,
	};
	_cleanup_(record_findings_done) struct record_findings found = { 0 };
	_cleanup_(diag_done) struct diag why = { 0 };

	(void)diag;
	record_interpreted_keep(j);
	/* The data is worth more than the names in it. */
	if (record_finish(&o, f, &found, &why) != 0)
		notes_take(j->notes, NOTE_WARNING, &why);
	record_notes_unnamed(j, &found.unnamed);
	record_notes_dumps(j, &found.dumps);
	j->runtimes.found |= found.runtimes.found;
	stack_depths_add(&j->depths, &found.depths);
	record_interpreted_begin_file(j);
	return 0;
}

/* Copies the kernel's code as it is now to a place beside the data (--kcore). */
static int copy_kcore(void *arg, const char *path, struct diag *diag)
{
	_cleanup_(freep) char *dir = xasprintf("%s/kcore_dir", path);
	int r = mkdir(dir, 0700) < 0 ? -errno : kcore_copy(RUNNING_CODE, dir, diag);

	(void)arg;
	return r >= 0 || diag->message ? r : explain_kcore(r, diag);
}

static uint64_t dropped_of(void *arg, size_t event)
{
	const struct record_job *j = arg;

	return record_filters_dropped(j->filters, event);
}

/* Keeps mapped files open only if build-ids are listed or stacks are unwound. */
static void keep_files(struct record_job *j)
{
	if (j->unwinds || (lists_build_ids(j) && j->path))
		j->kept = kept_files_new();
	if (j->kept && j->path && j->rq->output.no_buildid_cache != CHOICE_YES)
		kept_files_keep_jit_maps(j->kept);
}

static void plan_file(struct record_job *j)
{
	const struct output_request *o = &j->rq->output;
	bool threads = j->rq->buffer.threads.kind != THREADS_ONE;
	bool directory = threads || o->kcore;

	j->file = (struct record_file){
		.path = j->path,
		.options = {
			.form = !j->path ? WRITER_PIPE : directory ? WRITER_DIRECTORY : WRITER_FILE,
			.parts = threads ? j->n_drains : 0,
			.compression_level = (int)o->compression_level,
			.compress_aligned = o->compress_aligned,
			.keep_old = true,
		},
		.events = j->facts.events,
		.n_events = j->facts.n,
		.early = &j->facts.early,
		.synth = &j->facts.synth,
		.tail = j->rq->sampling.sideband.tail_synthesize,
		.sink = j->unwinding ? &j->sink : NULL,
		.dropped = j->filters ? dropped_of : NULL,
		.created = o->kcore ? copy_kcore : NULL,
		.complete = lists_build_ids(j) || o->timestamp_boundary || j->functions
				    ? record_complete_file
				    : NULL,
		.arg = j,
		.kept = j->kept,
		.traces = j->aux.type != AUXTRACE_NONE,
		.drains = j->drains,
		.n_drains = j->n_drains,
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

static bool record_overwrites(const struct record_job *j)
{
	for (size_t i = 0; i < j->rings.n; i++)
		if (j->rings.items[i].ring.backward)
			return true;
	return false;
}

static int record_run_loop(struct record_job *j)
{
	const struct output_request *o = &j->rq->output;

	plan_rotation(j);
	j->recording = (struct recording){
		.loop = record_job_loop(j),
		.drains = j->drains,
		.n_drains = j->n_drains,
		.file = &j->file,
		.rotation = o->timestamp_filename && j->path ? &j->rotation : NULL,
		.trigger = o->switch_event ? &j->trigger : NULL,
		.by_signal = o->rotate.kind == SWITCH_ON_SIGNAL || j->rq->buffer.overwrite ||
			     j->aux.snapshots,
		.aux_snapshots = j->aux.snapshots,
		.aux_at_exit = j->aux.at_exit,
		.overwrites = record_overwrites(j),
		.max_bytes = o->max_bytes,
		.realtime = j->rq->buffer.realtime ? (int)j->rq->buffer.realtime : 1,
		.ends_with_tasks = record_job_ends_with_tasks(j),
		.on_list = record_notes_list,
		.arg = j,
	};

	return recording_run(&j->recording, j->diag);
}

/* Checks the command before the existing recording is renamed to the old one. */
static int check_program(struct record_job *j)
{
	int r = record_request_has_command(j->rq) ? workload_check(j->rq->argv[0]) : 0;

	if (r < 0) {
		diag_set(j->diag, r, "Workload failed: %s", strerror(-r));
		workload_explain(j->rq->argv[0], r, j->diag);
	}
	return r;
}

static int measure_record_run(struct record_job *j)
{
	int r = record_job_open(j);

	record_interpreted_begin(j);
	if (r >= 0)
		r = record_off_cpu_start(j);
	if (r >= 0)
		r = open_trigger(j);
	keep_files(j);
	if (r >= 0)
		record_stacks_start(j);
	if (r >= 0)
		r = record_drains_make(j, j->diag);
	if (r >= 0)
		r = record_facts_gather(&j->facts, j, j->diag);
	if (r >= 0)
		r = record_unwind_start(j);
	if (r >= 0)
		r = check_program(j);
	if (r < 0)
		return r;
	record_notes_before(j);
	plan_file(j);
	r = record_run_loop(j);
	record_interpreted_keep(j);
	if (r < 0 && record_request_has_command(j->rq) && !j->workload.pid &&
	    !j->recording.loop.reaped) {
		workload_explain(j->rq->argv[0], r, j->diag);
		writer_discard(j->recording.writer);
	}
	return r;
}

static void record_done(struct record_job *j)
{
	/* The thread that unwinds writes into the file and reads the kept files. */
	record_unwind_done(j);
	record_stacks_free(j->stacks);
	writer_free(j->recording.writer);
	record_trigger_close(&j->trigger);
	event_list_done(&j->trigger_events);
	rotation_done(&j->rotation);
	record_job_done(j);
	record_interpreted_end(j);
}

int record_result_status(const struct record_result *r)
{
	return r->reaped && r->end == LOOP_END_WORKLOAD ? workload_status(r->wait_status) : 0;
}

int record_run(const struct record_request *rq, struct notes *notes, struct record_result *ret,
	       struct diag *diag)
{
	struct record_job j = record_job_new(rq, notes, diag);
	int r = choose_path(&j);

	j.may_trace = true;
	if (r >= 0)
		r = record_job_prepare(&j);
	if (r >= 0)
		r = check_kcore(&j);
	if (r >= 0)
		record_unwind_choose(&j);
	if (r >= 0 && !rq->dry_run) {
		r = measure_record_run(&j);
		if (j.recording.data_bytes)
			record_notes_after(&j);
		/*
		 * A recording of all processes may contain interpreters that were not recorded on
		 * purpose.
		 */
		if (!j.system)
			record_notes_runtimes(&j, &j.runtimes);
		jit_map_copies_tell(&j.jit_maps, j.kept, j.notes);
		record_off_cpu_tell(&j);
	}
	*ret = record_job_result(&j, &j.recording.loop);
	record_done(&j);
	return r;
}
