/* SPDX-License-Identifier: MIT */
#include "capture/recording.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/output-file.h"
#include "capture/record-file.h"
#include "capture/record-priority.h"
#include "capture/record-sink.h"
#include "capture/record-threads.h"
#include "capture/record-trigger.h"
#include "capture/rotation.h"
#include "capture/signals.h"
#include "datafile/writer.h"
#include "kernel/kept-files.h"

#define NS_PER_MS 1000000ULL
#define NS_PER_S  1000000000ULL
#define MIB       (1024.0 * 1024.0)

/*
 * Rings are emptied at least this often. The second interval is used if a file's size is limited,
 * and for a sink, which looks at the processes in the records.
 */
#define LOOK_NS         NS_PER_S
#define LOOK_LIMITED_NS (100 * NS_PER_MS)
#define LOOK_SINK_NS    (50 * NS_PER_MS)

/*
 * The files of mappings are opened at least this often. The file names of a container that ends
 * sooner may be lost.
 */
#define PEEK_NS       (100 * NS_PER_MS)
#define FIRST_PEEK_NS (10 * NS_PER_MS)

struct capture_recording_run {
	struct recording *rec;
	struct diag *diag;
	struct record_threads threads;
	struct record_priority priority;
	uint64_t next_look_ns;
	uint64_t next_peek_ns;
	bool ended; /* the file was ended, with or without an error, and no other begun */
	bool dump;  /* SIGUSR2, or `snapshot`, has arrived */
};

static bool is_threaded(const struct capture_recording_run *run)
{
	return run->rec->n_drains > 1;
}

static uint64_t recording_earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void plan_wake(struct capture_recording_run *run)
{
	struct recording *rec = run->rec;
	uint64_t rotation = rec->rotation ? rotation_deadline(rec->rotation) : LOOP_NEVER;
	uint64_t look = is_threaded(run) ? LOOP_NEVER : run->next_look_ns;

	rec->loop.wake_ns = recording_earlier(recording_earlier(look, run->next_peek_ns), rotation);
}

static uint64_t next_look(const struct capture_recording_run *run)
{
	const struct recording *rec = run->rec;
	bool limited = rec->max_bytes || (rec->rotation && rec->rotation->bytes);

	if (rec->file->sink)
		return rec->loop.now_ns + LOOK_SINK_NS;
	return rec->loop.now_ns + (limited ? LOOK_LIMITED_NS : LOOK_NS);
}

/*
 * True if map records are looked at early. Not with threads, which own their rings, nor for a sink,
 * whose rings are emptied often anyway.
 */
static bool recording_peeks(const struct capture_recording_run *run)
{
	return !is_threaded(run) && run->rec->drains->kept && !run->rec->file->sink;
}

static void recording_peek(struct capture_recording_run *run)
{
	record_drain_peek(run->rec->drains);
	run->next_peek_ns = run->rec->loop.now_ns + PEEK_NS;
}

static int writing_failed(struct capture_recording_run *run, int error)
{
	writer_explain(run->rec->writer, error, run->diag);
	if (writer_is_full(error))
		diag_hint(run->diag, "Recordings are smaller with -F, -c, -z or --max-size.");
	return error;
}

/* Notes which sources of the rings have ended, and ends the run when all have. */
static int recording_look_at_sources(void *arg)
{
	struct capture_recording_run *run = arg;
	struct recording *rec = run->rec;
	size_t sources;
	int r = 0;

	if (is_threaded(run)) {
		r = record_threads_look(&run->threads, &sources);
	} else {
		record_drain_look(rec->drains);
		sources = rec->drains->sources;
	}
	if (r < 0)
		return writing_failed(run, r);
	if (rec->ends_with_tasks && !sources)
		loop_stop(&rec->loop, LOOP_END_TARGET);
	return 0;
}

static int take_trigger(void *arg)
{
	struct capture_recording_run *run = arg;

	run->dump |= record_trigger_take(run->rec->trigger);
	return 0;
}

static void recording_on_snapshot(void *arg, bool by_signal)
{
	struct capture_recording_run *run = arg;

	run->dump |= !by_signal || run->rec->by_signal;
}

/*
 * Makes one pass over the rings. With threads only after those have ended, because they own their
 * rings.
 */
static int recording_pass(struct capture_recording_run *run, bool last)
{
	struct recording *rec = run->rec;
	int r = 0;

	run->next_look_ns = next_look(run);
	for (size_t i = 0; i < rec->n_drains && r >= 0; i++)
		r = record_drain_pass(&rec->drains[i], last);
	return r < 0 ? writing_failed(run, r) : 0;
}

static int recording_snapshot(struct capture_recording_run *run)
{
	struct recording *rec = run->rec;
	int r = 0;

	for (size_t i = 0; i < rec->n_drains && r >= 0; i++)
		r = record_drain_snapshot(&rec->drains[i]);
	return r < 0 ? writing_failed(run, r) : 0;
}

static int aux_snapshot(struct capture_recording_run *run, bool last)
{
	struct recording *rec = run->rec;
	int r = recording_pass(run, true);

	for (size_t i = 0; i < rec->n_drains && r >= 0; i++) {
		r = record_drain_aux_snapshot(&rec->drains[i], last);
		if (r < 0)
			writing_failed(run, r);
	}
	return r < 0 ? r : 0;
}

static void add_sizes(struct recording *rec)
{
	rec->data_bytes += writer_data_size(rec->writer);
	rec->unpacked_bytes += writer_uncompressed_size(rec->writer);
	rec->packed_bytes += writer_compressed_size(rec->writer);
}

/* Makes the sink write everything that belongs into this file. */
static int recording_settle(struct capture_recording_run *run, bool last)
{
	const struct record_sink *sink = run->rec->file->sink;
	int r = sink ? sink->settle(sink->arg, last) : 0;

	return r < 0 ? writing_failed(run, r) : 0;
}

static int end_file(struct capture_recording_run *run)
{
	struct recording *rec = run->rec;

	run->ended = true;
	add_sizes(rec);
	return record_file_end(rec->file, rec->writer, rec->loop.events, run->diag);
}

/* Renames the finished file after the current time. */
static int dump_file(struct capture_recording_run *run)
{
	struct recording *rec = run->rec;
	_cleanup_(freep) char *name = rotation_name_now(rec->file->path);

	int r = output_file_rename(rec->file->path, name);

	if (r < 0)
		return diag_set(run->diag, r, "cannot rename '%s' to '%s': %s", rec->file->path,
				name, strerror(-r));
	rotation_add(rec->rotation, name);
	notes_add(rec->loop.notes, NOTE_STATUS, "[ perf record: Dump %s ]", name);
	return 0;
}

/* Empties the rings, and ends this file; @last: the recording has ended. */
static int recording_complete_file(struct capture_recording_run *run, bool last)
{
	int r = recording_pass(run, true);

	if (r >= 0 && last && run->rec->aux_at_exit)
		r = aux_snapshot(run, true);
	if (r >= 0 && run->rec->overwrites)
		r = recording_snapshot(run);
	if (r >= 0)
		r = recording_settle(run, last);
	if (r >= 0)
		r = end_file(run);
	if (r >= 0 && run->rec->rotation)
		r = dump_file(run);
	return r;
}

static int begin_file(struct capture_recording_run *run, bool first)
{
	struct recording *rec = run->rec;
	struct writer *next = NULL;
	int r = record_file_begin(rec->file, first, &next, run->diag);

	if (r < 0)
		return r;
	writer_free(rec->writer);
	rec->writer = next;
	run->ended = false;
	for (size_t i = 0; i < rec->n_drains; i++) {
		rec->drains[i].writer = next;
		rec->drains[i].aux_index.n = 0;
	}
	return 0;
}

static int switch_files(struct capture_recording_run *run)
{
	int r = recording_complete_file(run, false);

	if (r >= 0)
		r = begin_file(run, false);
	if (r >= 0)
		rotation_begin(run->rec->rotation, run->rec->loop.now_ns);
	return r;
}

static bool is_dump_due(struct capture_recording_run *run)
{
	const struct recording *rec = run->rec;
	bool asked = run->dump;

	run->dump = false;
	return rec->rotation &&
	       (asked ||
		rotation_is_due(rec->rotation, writer_data_size(rec->writer), rec->loop.now_ns));
}

static int recording_on_wake(void *arg)
{
	struct capture_recording_run *run = arg;
	struct recording *rec = run->rec;
	int r = 0;

	if (rec->loop.now_ns >= run->next_peek_ns)
		recording_peek(run);
	if (rec->drains->kept)
		kept_files_look_for_jit_maps(rec->drains->kept);
	if (!is_threaded(run) &&
	    (rec->loop.now_ns >= run->next_look_ns || record_drain_is_due(rec->drains)))
		r = recording_pass(run, false);
	if (r >= 0 && run->dump && rec->aux_snapshots) {
		notes_add(rec->loop.notes, NOTE_DETAIL, "Recording AUX area tracing snapshot");
		run->dump = rec->rotation != NULL;
		r = aux_snapshot(run, false);
	}
	if (r >= 0 && run->dump && !rec->rotation && rec->overwrites) {
		run->dump = false;
		r = recording_snapshot(run);
	}
	if (r >= 0 && is_dump_due(run))
		r = switch_files(run);
	if (r >= 0 && rec->max_bytes && writer_data_size(rec->writer) >= rec->max_bytes)
		loop_stop(&rec->loop, LOOP_END_SIZE);
	plan_wake(run);
	return r;
}

static void recording_on_list(void *arg, const char *options)
{
	const struct capture_recording_run *run = arg;

	if (run->rec->on_list)
		run->rec->on_list(run->rec->arg, options);
}

static void recording_on_switch(void *arg, const char *name, bool on)
{
	const struct recording *rec = ((const struct capture_recording_run *)arg)->rec;

	for (size_t i = 0; i < rec->n_drains; i++)
		record_drain_turn(&rec->drains[i], name, on);
}

static const struct loop_handler handler = {
	.on_wake = recording_on_wake,
	.on_snapshot = recording_on_snapshot,
	.on_list = recording_on_list,
	.on_switch = recording_on_switch,
};

static bool recording_has_news(void *arg)
{
	return loop_has_news(arg);
}

/* Begins to watch the rings, here or in threads. */
static int start_drains(struct capture_recording_run *run)
{
	struct recording *rec = run->rec;
	int r = 0;

	for (size_t i = 0; i < rec->n_drains && r >= 0; i++)
		r = record_drain_watch(&rec->drains[i]);
	record_priority_raise(rec->realtime, &run->priority);
	if (!is_threaded(run)) {
		rec->drains->is_urgent = recording_has_news;
		rec->drains->urgent_arg = &rec->loop;
	} else if (r >= 0) {
		r = record_threads_start(&run->threads, rec->drains, rec->n_drains);
	}
	if (r < 0)
		diag_set(run->diag, r, "cannot watch the ring buffers: %s", strerror(-r));
	return r;
}

static void plan_loop(struct capture_recording_run *run)
{
	struct recording *rec = run->rec;
	struct loop *loop = &rec->loop;
	int fd = is_threaded(run) ? run->threads.news_fd : rec->drains->epoll_fd;

	loop->handler = &handler;
	loop->arg = run;
	loop->sources[0] = (struct loop_source){ fd, recording_look_at_sources };
	if (rec->trigger)
		loop->sources[1] = (struct loop_source){ record_trigger_fd(rec->trigger),
							 take_trigger };
	loop->now_ns = clock_ns(CLOCK_MONOTONIC);
	run->next_look_ns = next_look(run);
	run->next_peek_ns = recording_peeks(run) ? loop->now_ns + FIRST_PEEK_NS : LOOP_NEVER;
	if (rec->rotation)
		rotation_begin(rec->rotation, loop->now_ns);
	plan_wake(run);
}

/*
 * Finishes the file when the disk is full: its end may still fit although the last record did not.
 */
static void recording_save(struct capture_recording_run *run)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	struct recording *rec = run->rec;

	if (!run->ended) {
		add_sizes(rec);
		record_file_end(rec->file, rec->writer, rec->loop.events, &ignored);
	}
	diag_hint(run->diag, "What fitted, %.3f MB, is in '%s'%s and can be read.",
		  (double)rec->data_bytes / MIB, rec->file->path ? rec->file->path : "-",
		  rec->rotation ? " and the files before it" : "");
}

int recording_run(struct recording *rec, struct diag *diag)
{
	struct capture_recording_run run = { .rec = rec,
					     .diag = diag,
					     .threads = RECORD_THREADS_NONE };
	int r = begin_file(&run, true), stopped;
	bool started;

	if (r < 0)
		return r;
	r = start_drains(&run);
	started = r >= 0;
	if (started) {
		plan_loop(&run);
		r = loop_run(&rec->loop, diag);
	}
	signals_ending(rec->loop.signals, rec->loop.signal);
	stopped = record_threads_stop(&run.threads);
	if (r >= 0 && stopped < 0)
		r = writing_failed(&run, stopped);
	record_priority_restore(&run.priority);
	if (r >= 0)
		r = recording_complete_file(&run, true);
	if (started && writer_is_full(r))
		recording_save(&run);
	signals_not_ending(rec->loop.signals);
	loop_end_workload(&rec->loop);
	return r;
}

struct record_tally recording_tally(const struct recording *rec)
{
	struct record_tally sum = { 0 };

	for (size_t i = 0; i < rec->n_drains; i++)
		record_tally_add(&sum, &rec->drains[i].tally);
	return sum;
}
