/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A profile that a user can view while it is being made, and query in another way: the data source
 * of a browser.
 *
 * The data comes as snapshots. A snapshot does not change: its holder can draw, expand and search
 * it, on its own thread, while the next one is being made. Of a recording, the first snapshot
 * contains the first megabytes, the next ones a multiple of that, and the last one everything; of
 * live data (tools/top/top-work.h) there is one for each refresh. A new question (other keys, other
 * filters) is answered in the same way, from the beginning.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "profile/profile.h"
#include "profile/report-tables.h"

struct annotate_request;
struct background;
struct browse;
struct code_functions;
struct time_strip;

/* A question. Implementations that keep it copy its texts and lists. */
struct browse_request {
	struct profile_request profile;
	struct report_tables_request tables;
};

/*
 * Makes a copy with texts and lists of its own. The progress is shared with @from, which must
 * remain valid.
 */
void browse_request_copy(struct browse_request *ret, const struct browse_request *from);
void browse_request_done(struct browse_request *rq);

struct browse_snapshot {
	const struct browse_request *request; /* the request that it answers */
	const struct profile *profile;        /* settled */
	const struct report_tables *tables;
	/* Samples over time, of all times, whatever the filter is; NULL: they have no times. */
	const struct time_strip *strip;
	uint64_t done, total; /* bytes of the recording; done == total: all of it */
	bool is_complete;
	uint64_t serial; /* a later snapshot has a larger number */
	/* For live data: */
	bool is_live;
	bool is_frozen;
	uint64_t lost, dropped;         /* numbers of events, since the beginning */
	uint64_t new_lost, new_dropped; /* since the previous snapshot */
};

/* The implementation of the source. */
struct browse_type {
	/* Returns a newer snapshot than @after, which may be NULL. NULL: there is none yet. */
	const struct browse_snapshot *(*take)(struct browse *b,
					      const struct browse_snapshot *after);
	void (*release)(struct browse *b, const struct browse_snapshot *s);
	void (*ask)(struct browse *b, const struct browse_request *rq);
	/* Implements browse_code(). */
	int (*code)(struct browse *b, const struct browse_snapshot *s,
		    const struct annotate_request *how, size_t first, size_t n,
		    struct code_functions **ret, struct diag *diag);
	int (*failure)(struct browse *b, struct diag *diag);
	void (*free)(struct browse *b);
};

struct browse {
	const struct browse_type *type;
	/* Its news is a snapshot, progress, or an end; browse_take() hears it. */
	struct background *work;
};

void browse_free(struct browse *b);
DEFINE_FREEP(browse)

/*
 * Returns the newest snapshot, if it is newer than @after; NULL: there is none. It is valid until
 * it is released.
 */
const struct browse_snapshot *browse_take(struct browse *b, const struct browse_snapshot *after);
void browse_release(struct browse *b, const struct browse_snapshot *s);

/*
 * Asks a new question. There may be no more snapshots that answer the old one. An error in it (a
 * sort key that does not exist) is reported by browse_failure().
 */
void browse_ask(struct browse *b, const struct browse_request *rq);

/*
 * Returns functions with samples, by place, of the events [@first, @first + @n):
 * profile/code-functions.h. The result must be freed before @b; @how outlives it.
 */
int browse_code(struct browse *b, const struct browse_snapshot *s,
		const struct annotate_request *how, size_t first, size_t n,
		struct code_functions **ret, struct diag *diag);

/*
 * browse_progress() reports the progress of reading, in bytes. browse_failure() reports once why
 * reading ended early: 0, or a negative errno with @diag.
 */
void browse_progress(struct browse *b, uint64_t *ret_done, uint64_t *ret_total);
int browse_failure(struct browse *b, struct diag *diag);

/*
 * True if the data at @path can be read repeatedly. Otherwise (a pipe) only text output is
 * possible.
 */
bool browse_is_possible(const char *path);

/*
 * Opens a recording, so that errors in the request are reported at once. Returns a negative errno
 * with @diag; -ESPIPE: it is a pipe. Reading continues in the background.
 */
int browse_open(const struct browse_request *rq, struct browse **ret, struct diag *diag);
