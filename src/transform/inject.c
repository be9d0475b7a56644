/* SPDX-License-Identifier: MIT */
#include "transform/inject.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "datafile/writer.h"
#include "foreign/any-session.h"
#include "session/reading.h"
#include "session/session.h"
#include "session/stack-unwind.h"
#include "symbol/symbolizer.h"
#include "transform/build-id-marks.h"
#include "transform/decoded-traces.h"
#include "transform/jit-images.h"
#include "transform/known-build-ids.h"
#include "transform/map-build-ids.h"
#include "transform/new-addresses.h"
#include "transform/output.h"
#include "transform/rewrite.h"
#include "transform/sleep-times.h"
#include "transform/transform.h"
#include "transform/unwind-stacks.h"

/* The transforms of the request, in the order of the chain. */
struct inject_job {
	const struct inject_request *rq;
	struct symbolizer *symbols;
	struct session *session;
	struct writer *writer;
	struct known_build_ids known;
	struct unwind_stacks *stacks;
	struct decoded_traces *traces;
	struct jit_images *jit;
	struct sleep_times *sleeps;
	struct build_id_marks *marks;
	struct map_build_ids *maps;
	struct new_addresses *addresses;
	struct output *output;
	struct transform *first;
};

static void job_done(struct inject_job *j)
{
	output_free(j->output);
	new_addresses_free(j->addresses);
	map_build_ids_free(j->maps);
	build_id_marks_free(j->marks);
	sleep_times_free(j->sleeps);
	jit_images_free(j->jit);
	decoded_traces_free(j->traces);
	unwind_stacks_free(j->stacks);
	known_build_ids_done(&j->known);
	writer_free(j->writer);
	session_free(j->session);
	symbolizer_free(j->symbols);
}

/*
 * True if the records need the order of time: those of several files, or with new ones among them.
 */
static bool needs_order(const struct inject_request *rq, const char *path)
{
	struct stat st;

	return rq->build_ids || rq->buildid_all || rq->map_build_ids || rq->map_build_ids_all ||
	       rq->new_addresses || rq->sched_stat || rq->jit || rq->unwind || rq->itrace.asked ||
	       (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static int inject_open_input(struct inject_job *j, struct diag *d)
{
	const struct inject_request *rq = j->rq;
	const char *path = rq->input ? rq->input : "-";
	const struct itrace traces = itrace_wanted(&rq->itrace, false);
	struct session_options how = { .path = path,
				       .force = rq->force,
				       .in_file_order = !needs_order(rq, path),
				       .traces = rq->itrace.asked ? &traces : NULL,
				       .progress = rq->progress };
	int r;

	/* Unwind rules, and the code that ran, are read from the files of images. */
	if (rq->unwind || rq->itrace.asked)
		how.symbolizer = j->symbols = reading_symbolizer(&(struct reading_symbols){
			.request = &rq->symbols,
			.buildid_dir = rq->buildid_dir,
			.ignore_vmlinux = rq->ignore_vmlinux,
			.any_owner = rq->force,
			.progress = rq->progress,
		});
	r = any_session_open(&how, &j->session, d);
	if (r >= 0 && session_undecoded(j->session))
		return diag_set(d, -EOPNOTSUPP, "%s", session_undecoded(j->session));
	return r;
}

static int inject_open_output(struct inject_job *j, struct diag *d)
{
	const char *path = j->rq->output ? j->rq->output : "-";
	bool is_stdout = !strcmp(path, "-");
	const struct writer_options how = { .form = is_stdout ? WRITER_PIPE : WRITER_FILE,
					    .keep_old = true };

	return writer_open(path, is_stdout ? STDOUT_FILENO : -1, &how, &j->writer, d);
}

/* Puts @t at the head of the chain, so the transforms are added in reverse order. */
static void inject_chain(struct inject_job *j, struct transform *t)
{
	t->next = j->first;
	j->first = t;
}

static void build_chain(struct inject_job *j, struct diag *d)
{
	const struct inject_request *rq = j->rq;

	struct build_id_marks_options ids = {
		.session = j->session,
		.known = &j->known,
		.vmlinux = rq->symbols.vmlinux,
	};

	j->output = output_new(j->session, j->writer, &j->known, d);
	/* After all others, which use the recorded addresses. */
	if (rq->new_addresses) {
		j->addresses = new_addresses_new(j->session);
		inject_chain(j, new_addresses_transform(j->addresses));
	}
	if (rq->build_ids || rq->buildid_all) {
		ids.all_images = rq->buildid_all;
		j->marks = build_id_marks_new(&ids);
		inject_chain(j, build_id_marks_transform(j->marks));
	}
	if (rq->map_build_ids || rq->map_build_ids_all) {
		ids.all_images = rq->map_build_ids_all;
		j->maps = map_build_ids_new(&ids);
		inject_chain(j, map_build_ids_transform(j->maps));
	}
	if (rq->unwind) {
		j->stacks = unwind_stacks_new(j->session);
		inject_chain(j, unwind_stacks_transform(j->stacks));
	}
	if (rq->sched_stat) {
		j->sleeps = sleep_times_new(j->session);
		inject_chain(j, sleep_times_transform(j->sleeps));
	}
	if (rq->jit) {
		j->jit = jit_images_new(rq->force, d);
		inject_chain(j, jit_images_transform(j->jit));
	}
	if (rq->itrace.asked) {
		j->traces = decoded_traces_new(&(struct decoded_traces_options){
			.session = j->session, .strip = rq->strip, .diag = d });
		inject_chain(j, decoded_traces_transform(j->traces));
	}
	j->first = output_close_chain(j->output, j->first);
}

static void note_jit(const struct inject_job *j, struct notes *notes)
{
	for (size_t i = 0; i < jit_images_dumps(j->jit); i++)
		if (jit_images_remark(j->jit, i))
			notes_add(notes, NOTE_WARNING, "%s", jit_images_remark(j->jit, i));
	if (j->rq->verbose)
		notes_add(notes, NOTE_DETAIL, "%" PRIu64 " compiled functions written",
			  jit_images_made(j->jit));
}

static void note_unwinding(const struct inject_job *j, struct notes *notes)
{
	struct unwind_counts c = session_unwind_counts(j->session);
	struct diag d = { 0 };

	if (!c.stacks) {
		diag_set(&d, 0, "no sample has a copy of its stack");
		diag_hint(&d, "record --call-graph dwarf makes such.");
		notes_take(notes, NOTE_WARNING, &d);
	}
	reading_note_stacks(j->session, notes);
	if (j->rq->verbose)
		notes_add(notes, NOTE_DETAIL, "%" PRIu64 " stacks unwound", c.stacks);
}

/* Notes which data is no longer in the recording, for users who give it away. */
static void note_addresses(const struct inject_job *j, struct notes *notes)
{
	struct new_addresses_left_out n = new_addresses_left_out(j->addresses);

	if (n.raw)
		notes_add(notes, NOTE_WARNING,
			  "%" PRIu64 " samples with raw data (of tracepoints) are left out: there "
			  "may be addresses in it",
			  n.raw);
	if (n.physical)
		notes_add(notes, NOTE_WARNING,
			  "%" PRIu64 " samples with physical addresses are left out", n.physical);
	if (n.stacks)
		notes_add(notes, NOTE_WARNING,
			  "%" PRIu64
			  " samples with copied stacks are left out: --unwind makes call "
			  "chains of them, which can stay",
			  n.stacks);
}

static void note_all(const struct inject_job *j, uint64_t left_out, struct notes *notes)
{
	reading_note_damage(j->session, notes);
	if (left_out)
		notes_add(notes, NOTE_WARNING,
			  "%" PRIu64 " records of an unknown kind are left out: their byte "
			  "order cannot be changed",
			  left_out);
	if (j->jit)
		note_jit(j, notes);
	if (j->stacks)
		note_unwinding(j, notes);
	/* The records with this information are not in the new profile. */
	if (j->traces)
		reading_note_traces(j->session, notes);
	if (j->addresses)
		note_addresses(j, notes);
	if (!j->rq->verbose)
		return;
	if (j->maps)
		notes_add(notes, NOTE_DETAIL,
			  "%" PRIu64 " maps have build-ids, %" PRIu64 " are left out",
			  map_build_ids_made(j->maps), map_build_ids_left_out(j->maps));
	if (j->marks)
		notes_add(notes, NOTE_DETAIL, "%" PRIu64 " build-ids added, %" PRIu64 " not known",
			  build_id_marks_made(j->marks), build_id_marks_missed(j->marks));
	if (j->sleeps)
		notes_add(notes, NOTE_DETAIL, "%" PRIu64 " sleeps", sleep_times_merged(j->sleeps));
}

int inject_run(const struct inject_request *rq, struct notes *notes, struct diag *diag)
{
	_cleanup_(job_done) struct inject_job j = { .rq = rq };
	uint64_t left_out = 0;
	int r = rq->known_build_ids ? known_build_ids_parse(&j.known, rq->known_build_ids, diag)
				    : 0;

	if (r >= 0)
		r = inject_open_input(&j, diag);
	if (r >= 0)
		r = inject_open_output(&j, diag);
	if (r < 0)
		return r;
	build_chain(&j, diag);
	r = rewrite(j.session, j.first, &left_out, diag);
	if (r >= 0)
		note_all(&j, left_out, notes);
	return r;
}
