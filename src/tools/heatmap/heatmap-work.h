/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Heat maps: from a recording, or from lines of text, to counts over time and value.
 */
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
	HEATMAP_AUTO,    /* pairs of a preset whose events were recorded; else samples */
	HEATMAP_PAIRS,   /* the time from one event to another, when that other one happens */
	HEATMAP_FIELD,   /* a number of each record */
	HEATMAP_SAMPLES, /* where in its second each sample lies */
	HEATMAP_TEXT,    /* lines of times and values */
};

/* An end of the value axis. */
struct heatmap_bound {
	uint64_t number; /* 0: not given */
	bool is_time;    /* it was given with a unit, and is in nanoseconds */
};

/* Texts are borrowed. */
struct heatmap_request {
	const char *path; /* of the recording or the text; "-": standard input */
	bool force;       /* files of other owners too */
	struct progress *progress;

	enum heatmap_kind kind;
	const char *preset;           /* of HEATMAP_PAIRS; or */
	const char *pair, *key;       /* as typed_pair_parse() takes them */
	const char *event;            /* of HEATMAP_FIELD: NULL is every event that has the field;
					 of HEATMAP_SAMPLES: NULL is all */
	const char *field;            /* of the record; or period or weight of the sample */
	uint64_t time_unit_ns;        /* of HEATMAP_TEXT: what a time of 1 means */
	uint64_t value_unit_ns;       /* the same of values, and of bounds without a unit */
	struct filter_request filter; /* time and CPU are those of the end of a pair, the rest is
					 about the thread that began it */

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
	const char *noun;         /* what was counted, in the plural: "requests" */
	struct pair_counts pairs; /* of HEATMAP_PAIRS */
};

/*
 * Makes the heat map. Notes tell what is not in the picture. Errors, with @diag: -ENOENT and
 * -EINVAL if the recording has no such events or fields, -ENODATA if there is nothing to count, and
 * those of reading. *@ret is untouched then.
 */
int heatmap_make(const struct heatmap_request *rq, struct heatmap *ret, struct notes *notes,
		 struct diag *diag);
void heatmap_done(struct heatmap *h);

/* What happens now, as a map that scrolls: a column for each interval. */
struct heatmap_live {
	char *const *argv;    /* how long: while this runs; empty: until a signal */
	uint64_t interval_ms; /* which is the step, too */
	/* Called for each interval, and at the end; @h is NULL if nothing has happened so far. */
	int (*show)(void *arg, struct heatmap *h, uint64_t time_ns);
	void *arg;
};

/*
 * Measures the events of @rq, which has no path, on all CPUs. What was lost goes to @notes. Errors
 * with @diag. *@ret is set in any case.
 */
int heatmap_watch(const struct heatmap_request *rq, const struct heatmap_live *live,
		  struct notes *notes, struct record_result *ret, struct diag *diag);
