/* SPDX-License-Identifier: MIT */
#include "tools/stat/count-replay-work.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "count/stat-model.h"
#include "datafile/features-topology.h"
#include "datafile/reader.h"
#include "session/event-name.h"
#include "tools/stat/replay-model.h"

int count_replay_open(struct count_replay *r, const char *path, struct diag *diag)
{
	return datafile_open(path, false, &r->file, diag);
}

void count_replay_done(struct count_replay *r)
{
	stat_replay_free(r->replay);
	topology_done(&r->topology);
	datafile_free(r->file);
}

/* Returns the name in EVENT_DESC, which streams of counts lack. The caller frees it. */
static char *count_replay_event_name(const struct features *f, size_t i, const struct attr *attr)
{
	const char *name = i < f->event_descs.n ? f->event_descs.items[i].name : NULL;

	return name ? xstrdup(name) : event_name_derive(attr);
}

/* True for a record before the first proper record of a stream, which the reader processes. */
static bool is_header_record(uint32_t type)
{
	return type == PERF_RECORD_HEADER_ATTR || type == PERF_RECORD_HEADER_EVENT_TYPE ||
	       type == PERF_RECORD_HEADER_FEATURE || type == PERF_RECORD_HEADER_TRACING_DATA;
}

static void start_replay(struct count_replay *r)
{
	const struct features *f = datafile_features(r->file);
	const struct stat_replay_options options = {
		.aggregate = r->aggregate.given,
		.aggregation = r->aggregate.over,
		.cache_level = r->aggregate.cache_level,
		.topology = &r->topology,
		.version = f->version,
	};

	features_topology(f, &r->topology);
	r->replay = stat_replay_new(&options);
	for (size_t i = 0; i < datafile_event_count(r->file); i++) {
		const struct file_event *e = datafile_event(r->file, i);
		_cleanup_(freep) char *name = count_replay_event_name(f, i, &e->attr);

		stat_replay_add_event(r->replay, &e->attr, name, e->ids, e->n_ids);
	}
}

static void count_replay_show_table(struct count_replay *r)
{
	struct stat_table table;

	stat_model_table(stat_replay_model(r->replay), &table);
	r->on_table(r->arg, &table);
}

char *count_replay_title(const struct count_replay *r)
{
	const struct string_list *words = &datafile_features(r->file)->cmdline;
	struct text t = TEXT_EMPTY;

	if (datafile_is_pipe(r->file))
		return xstrdup("pipe");
	for (size_t i = 0; i < words->n; i++)
		text_addf(&t, "%s%s", i ? " " : "", words->items[i]);
	return text_take(&t);
}

static int replay_file(struct count_replay *r, struct diag *diag)
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
			count_replay_show_table(r);
		datafile_release(r->file, raw.position);
	}
	if (n == 0 && r->replay && stat_replay_end(r->replay) != STAT_REPLAY_NOTHING)
		count_replay_show_table(r);
	return n;
}

int count_replay_run(struct count_replay *r, struct diag *diag)
{
	int error = replay_file(r, diag);

	if (error < 0 || (r->replay && stat_replay_model(r->replay)))
		return error;
	diag_set(diag, -ENODATA, "'%s' holds no counts", datafile_path(r->file));
	diag_hint(diag, "They are recorded with 'perf stat record'.");
	return -ENODATA;
}

void count_replay_notes(const struct count_replay *r, struct notes *notes)
{
	if (r->replay && stat_replay_refused(r->replay))
		notes_add(notes, NOTE_WARNING, "%s",
			  r->aggregate.over == STAT_THREAD
				  ? "CPUs were counted, whoever ran there: there are no threads"
				  : "tasks were counted, wherever they ran: there are no sums "
				    "over CPUs");
	/* Truncated or damaged files are reported once, at the end. */
	for (size_t i = 0; r->file && i < datafile_note_count(r->file); i++)
		notes_add(notes, NOTE_WARNING, "%s: %s", datafile_path(r->file),
			  datafile_note(r->file, i));
}
