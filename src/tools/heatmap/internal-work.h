/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Definitions that the parts of making a heat map share. Private to tools/heatmap/heatmap-work*.c.
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

#define NS_PER_S   1000000000u
#define NS_PER_H   (3600 * (uint64_t)NS_PER_S)
#define NS_PER_MIN (60 * (uint64_t)NS_PER_S)

/* The source of the value of an event's samples. */
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
	struct diag *diag; /* set while the recording is read */
	enum heatmap_kind kind;
	const struct pair_preset *preset;
	struct typed_pair typed;
	const struct pair_spec *spec;
	struct pairs *pairs;
	struct heat *heat;
	struct heat_window *window; /* for a live map, in place of @heat; or NULL */
	bool by_minute;             /* times are whole minutes, as in the store of a fleet */
	bool has_started;
	uint64_t first_ns; /* the beginning of the first column */
	uint64_t step_ns;  /* HEATMAP_SAMPLES: the width of a column */
	uint64_t negative, unreadable;
	uint64_t n_samples; /* the samples that could have been counted */
	/* pid + 1 by tid + 1, with --pid, of the threads that are keys */
	struct u64_map processes;
	struct {
		struct heatmap_source *items; /* indexed by the event's index */
		size_t n, room;
	} sources;
	struct time_span *spans;
	struct sample_filter_request filter_request;
	struct sample_filter *filter;
};

/*
 * Decides what is drawn, once the events are known, and prepares for it. Errors are those of
 * heatmap_make().
 */
int heatmap_plan(struct heatmap_job *j, struct diag *diag);

/* True if @e is one of the events that the request names. */
bool heatmap_is_about(const struct heatmap_job *j, const struct session_event *e);

/*
 * Returns the time by which a sample is chosen. Samples of a store are chosen by their minute,
 * because their positions in it are unknown.
 */
uint64_t heatmap_moment(const struct heatmap_job *j, uint64_t time);

/* Returns the source of the values of @e. */
const struct heatmap_source *heatmap_source_of(struct heatmap_job *j,
					       const struct session_event *e);

/* The callbacks for pairs.h, with a heatmap_job as @arg, and for consumer.h. */
void heatmap_found(void *arg, const struct pair *p);
int heatmap_take(void *arg, const struct sample_batch *b);

/* Releases the contents of @j. */
void heatmap_job_done(struct heatmap_job *j);

/* Fills in the description of the map in @h. */
void heatmap_describe(const struct heatmap_job *j, struct heatmap *h);

/* Reports begins and ends that have no partner. */
void heatmap_note_unmatched(const struct pair_counts *c, struct notes *notes);
