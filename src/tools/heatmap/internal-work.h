/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the parts of making a heat map share. Private to tools/heatmap/heatmap-work*.c.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/u64-map.h"
#include "session/sample-filter.h"
#include "tools/heatmap/heatmap-work.h"
#include "tools/heatmap/window-model.h"
#include "tracepoint/field.h"

struct notes;
struct pair_counts;
struct pair_preset;
struct sample_batch;
struct session;
struct session_event;

#define NS_PER_S 1000000000u
#define NS_PER_H (3600 * (uint64_t)NS_PER_S)

/* Where the number of an event's samples comes from. */
struct heatmap_source {
	bool is_bound;
	enum {
		VALUE_ABSENT,
		VALUE_FIELD,
		VALUE_PERIOD,
		VALUE_WEIGHT
	} from;
	struct field_ref ref;
};

struct heatmap_job {
	const struct heatmap_request *rq;
	struct session *session;
	struct diag *diag; /* while the recording is read */
	enum heatmap_kind kind;
	const struct pair_preset *preset;
	struct typed_pair typed;
	const struct pair_spec *spec;
	struct pairs *pairs;
	struct heat *heat;
	struct heat_window *window; /* of what happens now, in place of @heat; or NULL */
	bool by_minute;             /* times are whole minutes: those of a fleet's store */
	bool has_started;
	uint64_t first_ns; /* where the first column begins */
	uint64_t step_ns;  /* of HEATMAP_SAMPLES: the width of a column */
	uint64_t negative, unreadable;
	uint64_t n_samples;       /* that could have been counted */
	struct u64_map processes; /* by tid plus one: the pid plus one; with --pid of threads that
				     are keys */
	struct {
		struct heatmap_source *items; /* by the event's index */
		size_t n, room;
	} sources;
	struct time_span *spans;
	struct sample_filter_request filter_request;
	struct sample_filter *filter;
};

/*
 * Decides what is drawn, once the events are known, and makes ready for it. Errors as those of
 * heatmap_make().
 */
int heatmap_plan(struct heatmap_job *j, struct diag *diag);

/* Is @e one of the events that the request names? */
bool heatmap_is_about(const struct heatmap_job *j, const struct session_event *e);

/* Where the numbers of @e come from. */
const struct heatmap_source *heatmap_source_of(struct heatmap_job *j,
					       const struct session_event *e);

/* The callbacks of pairs.h, with a heatmap_job, and of consumer.h. */
void heatmap_found(void *arg, const struct pair *p);
int heatmap_take(void *arg, const struct sample_batch *b);

/* Releases what @j has. */
void heatmap_job_done(struct heatmap_job *j);

/* Fills in what the map of @h is about. */
void heatmap_describe(const struct heatmap_job *j, struct heatmap *h);

/* Begins and ends that have no partner. */
void heatmap_note_unmatched(const struct pair_counts *c, struct notes *notes);
