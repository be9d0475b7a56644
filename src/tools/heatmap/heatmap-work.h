/* SPDX-License-Identifier: MIT */
#pragma once
/* Makes heat maps from a recording, or from lines of text, as counts over time and value. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/record.h"
#include "pairs/pairs.h"
#include "profile/filter-request.h"
#include "tools/heatmap/heatmap-model.h"

struct diag;
struct notes;
struct progress;

enum heatmap_kind {
	HEATMAP_AUTO,    /* pairs of a preset whose events were recorded, else samples */
	HEATMAP_PAIRS,   /* the time from one event to another, at the time of the latter */
	HEATMAP_FIELD,   /* a field of each record */
	HEATMAP_SAMPLES, /* the offset of each sample within its second */
	HEATMAP_TEXT,    /* lines with times and values */
};

/* An end of the value axis. */
struct heatmap_bound {
	uint64_t number; /* 0: not given */
	bool is_time;    /* given with a unit, so it is in nanoseconds */
};

/* A request. Its texts are borrowed. */
struct heatmap_request {
	const char *path; /* the recording or the text; "-": standard input */
	bool force;       /* also read files of other owners */
	struct progress *progress;

	enum heatmap_kind kind;
	const char *preset;     /* for HEATMAP_PAIRS; or */
	const char *pair, *key; /* in the syntax of typed_pair_parse() */
	/* HEATMAP_FIELD: NULL is every event that has the field; | HEATMAP_SAMPLES: NULL is all */
	const char *event;
	const char *field;      /* a field of the record, or period or weight of the sample */
	uint64_t time_unit_ns;  /* HEATMAP_TEXT: the length of a time of 1 */
	uint64_t value_unit_ns; /* likewise for values, and for bounds without a unit */
	/* time and CPU filter the end of a pair, the rest filters the thread that began it */
	struct filter_request filter;

	enum heat_scale scale;
	struct heatmap_bound min, max;
	size_t rows, columns;
	uint64_t step_ns;
};

struct heatmap {
	struct heat_map map;
	enum heatmap_kind kind; /* never HEATMAP_AUTO */
	bool values_are_times;
	char *title;              /* "Block I/O latency" */
	const char *value_name;   /* "latency" */
	const char *noun;         /* a plural for what was counted: "requests" */
	struct pair_counts pairs; /* for HEATMAP_PAIRS */
};

/*
 * Makes the heat map. Notes report what is missing in the picture. Errors, with @diag: -ENOENT and
 * -EINVAL if the recording has no such events or fields, -ENODATA if there is nothing to count, and
 * the errors of reading. On error *@ret is untouched.
 */
int heatmap_make(const struct heatmap_request *rq, struct heatmap *ret, struct notes *notes,
		 struct diag *diag);
void heatmap_done(struct heatmap *h);

/* A live heat map that scrolls, with a column for each interval. */
struct heatmap_live {
	char *const *argv;    /* run while this command runs; empty: until a signal */
	uint64_t interval_ms; /* also the width of a column */
	/* Called for each interval, and at the end. @h is NULL if nothing has happened so far. */
	int (*show)(void *arg, struct heatmap *h, uint64_t time_ns);
	void *arg;
};

/*
 * Measures the events of @rq, which has no path, on all CPUs. Lost events are reported in @notes.
 * Errors with @diag. *@ret is set in any case.
 */
int heatmap_watch(const struct heatmap_request *rq, const struct heatmap_live *live,
		  struct notes *notes, struct record_result *ret, struct diag *diag);
