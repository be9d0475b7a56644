/* SPDX-License-Identifier: MIT */
#include "cmd/stat-report.h"

#include <errno.h>
#include <locale.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cmd/opt/input.h"
#include "cmd/stat-job.h"
#include "cmd/stat-opts.h"
#include "cmd/stat-output.h"
#include "datafile/features-topology.h"
#include "datafile/reader.h"
#include "count/stat-model.h"
#include "count/stat-replay.h"
#include "session/event-name.h"
#include "wire/topology.h"

/* What Linux's perf returns when it cannot read the file. */
#define EXIT_NOT_READ 255

struct report {
	struct invocation *inv;
	struct datafile *file;
	const struct stat_opts *o;
	struct topology topology;
	struct stat_replay *replay; /* once the file has told what is in it */
	struct stat_output out;
};

static void report_done(struct report *r)
{
	stat_replay_free(r->replay);
	topology_done(&r->topology);
	datafile_free(r->file);
}

/* Files that are cut or damaged say so once, at the end. */
static void tell_damage(struct report *r)
{
	for (size_t i = 0; i < datafile_note_count(r->file); i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };

		diag_set(&diag, 0, "%s: %s", datafile_path(r->file), datafile_note(r->file, i));
		command_warn(r->inv, &diag);
	}
}

/* As EVENT_DESC has it; streams of counts come without. The caller frees it. */
static char *event_name(const struct features *f, size_t i, const struct attr *attr)
{
	const char *name = i < f->event_descs.n ? f->event_descs.items[i].name : NULL;

	return name ? xstrdup(name) : event_name_derive(attr);
}

/* What of a stream is told before its first record proper: the reader takes it in. */
static bool is_header_record(uint32_t type)
{
	return type == PERF_RECORD_HEADER_ATTR || type == PERF_RECORD_HEADER_EVENT_TYPE ||
	       type == PERF_RECORD_HEADER_FEATURE || type == PERF_RECORD_HEADER_TRACING_DATA;
}

static void start_replay(struct report *r)
{
	const struct features *f = datafile_features(r->file);
	const struct stat_replay_options options = {
		.aggregate = r->o->aggregate.over != AGGREGATE_UNSAID,
		.aggregation = stat_aggregation_of(r->o->aggregate.over),
		.cache_level = r->o->aggregate.cache_level,
		.topology = &r->topology,
		.version = f->version,
	};

	features_topology(f, &r->topology);
	r->replay = stat_replay_new(&options);
	for (size_t i = 0; i < datafile_event_count(r->file); i++) {
		const struct file_event *e = datafile_event(r->file, i);
		_cleanup_(freep) char *name = event_name(f, i, &e->attr);

		stat_replay_add_event(r->replay, &e->attr, name, e->ids, e->n_ids);
	}
}

static void print_table(struct report *r)
{
	struct stat_table table;

	if (!r->out.file)
		return;
	stat_model_table(stat_replay_model(r->replay), &table);
	r->out.print(&r->out.view, &table, r->out.file);
	fflush(r->out.file);
}

/* The command line that recorded it; a stream has no name for what it carries. */
static char *title_of(const struct datafile *df)
{
	const struct string_list *words = &datafile_features(df)->cmdline;
	struct text t = TEXT_EMPTY;

	if (datafile_is_pipe(df))
		return xstrdup("pipe");
	for (size_t i = 0; i < words->n; i++)
		text_addf(&t, "%s%s", i ? " " : "", words->items[i]);
	return text_take(&t);
}

static int replay_file(struct report *r, struct diag *diag)
{
	bool swap = datafile_swapped(r->file);
	struct raw_record raw;
	int n;

	while ((n = datafile_next(r->file, &raw, diag)) > 0) {
		struct record rec;

		if (is_header_record(raw.header.type))
			continue;
		if (!r->replay)
			start_replay(r);
		if (raw.header.type >= PERF_RECORD_USER_FIRST &&
		    record_decode(raw.bytes, raw.header.size, swap, NULL, &rec) == 0 &&
		    stat_replay_apply(r->replay, &rec) != STAT_REPLAY_NOTHING)
			print_table(r);
		datafile_release(r->file, raw.position);
	}
	if (n == 0 && r->replay && stat_replay_end(r->replay) != STAT_REPLAY_NOTHING)
		print_table(r);
	return n;
}

static int open_output(struct report *r, struct diag *diag)
{
	int error = stat_output_open(&r->out, r->o, r->inv, false, diag);

	free(r->out.title);
	r->out.title = title_of(r->file);
	r->out.view.title = (struct stat_title){ .target = STAT_TARGET_COMMAND,
						 .text = r->out.title };
	return error;
}

static void tell_refusal(struct report *r)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (!stat_replay_refused(r->replay))
		return;
	diag_set(&diag, 0, "tasks were counted, wherever they ran: there are no sums over CPUs");
	command_warn(r->inv, &diag);
}

static int report_all(struct report *r, struct diag *diag)
{
	const char *path = input_path(r->o->input);
	int error = datafile_open(path, false, &r->file, diag);

	if (error >= 0)
		error = open_output(r, diag);
	if (error >= 0)
		error = replay_file(r, diag);
	if (error >= 0 && (!r->replay || !stat_replay_model(r->replay))) {
		diag_set(diag, -ENODATA, "'%s' holds no counts", path);
		diag_hint(diag, "They are recorded with 'perf stat record'.");
		error = -ENODATA;
	}
	return error;
}

int stat_report(struct invocation *inv, const struct stat_opts *o)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(report_done) struct report r = { .inv = inv, .o = o };
	int error;

	setlocale(LC_NUMERIC, "");
	error = report_all(&r, &diag);
	if (r.replay)
		tell_refusal(&r);
	if (r.file)
		tell_damage(&r);
	if (!stat_output_done(&r.out) && error >= 0)
		error = diag_set(&diag, -EIO, "cannot write the counts: %s", strerror(errno));
	if (error >= 0)
		return EXIT_OK;
	command_fail(inv, error, &diag);
	return EXIT_NOT_READ;
}
