/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A profile that somebody looks at while it is made, and asks for in another way: what a browser
 * stands on.
 *
 * The data comes as snapshots. A snapshot does not change: whoever has one can draw, expand and
 * search it, on its own thread, while the next one is being made. Of a recording, the first
 * snapshot is of its first megabytes, the next ones of a multiple of that, the last one of
 * everything; of live data (tools/top/top-work.h) there is one for each refresh. A new question
 * (other keys, other filters) is answered in the same way, from the beginning.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "profile/profile.h"
#include "profile/report-tables.h"

struct annotate_request;
struct browse;
struct code_functions;
struct time_strip;

/* Texts and lists in it are copied by those who keep it. */
struct browse_request {
	struct profile_request profile;
	struct report_tables_request tables;
};

/* A copy, with texts and lists of its own. Those who share its progress must see to it. */
void browse_request_copy(struct browse_request *ret, const struct browse_request *from);
void browse_request_done(struct browse_request *rq);

struct browse_snapshot {
	const struct browse_request *request; /* that it answers */
	const struct profile *profile;        /* settled */
	const struct report_tables *tables;
	/* Samples over time, of all times, whichever the filter leaves; NULL: they have none. */
	const struct time_strip *strip;
	uint64_t done, total; /* bytes of the recording; done == total: all of it */
	bool is_complete;
	uint64_t serial; /* a later one has a larger number */
	/* Of live data: */
	bool is_live;
	bool is_frozen;
	uint64_t lost, dropped;         /* events, since the beginning */
	uint64_t new_lost, new_dropped; /* since the snapshot before */
};

/* Where it comes from. */
struct browse_type {
	/* A newer snapshot than @after, which may be NULL; NULL: there is none yet. */
	const struct browse_snapshot *(*take)(struct browse *b,
					      const struct browse_snapshot *after);
	void (*release)(struct browse *b, const struct browse_snapshot *s);
	void (*ask)(struct browse *b, const struct browse_request *rq);
	/* See browse_code(). */
	int (*code)(struct browse *b, const struct browse_snapshot *s,
		    const struct annotate_request *how, size_t first, size_t n,
		    struct code_functions **ret, struct diag *diag);
	/* NULL: nothing to tell. */
	void (*progress)(struct browse *b, uint64_t *ret_done, uint64_t *ret_total);
	int (*failure)(struct browse *b, struct diag *diag);
	void (*free)(struct browse *b);
};

struct browse {
	const struct browse_type *type;
	/* Readable when there is news: a snapshot, progress, an end. Emptied by browse_take(). */
	int fd;
};

void browse_free(struct browse *b);
DEFINE_FREEP(browse)

/*
 * The newest snapshot, if it is newer than @after; NULL: none. It stays until it is released.
 */
const struct browse_snapshot *browse_take(struct browse *b, const struct browse_snapshot *after);
void browse_release(struct browse *b, const struct browse_snapshot *s);

/*
 * Asks in another way. Snapshots that answer the old question may come no more. A mistake in it
 * (a sort key that there is not) comes as browse_failure().
 */
void browse_ask(struct browse *b, const struct browse_request *rq);

/*
 * Functions with samples, by place, of the events [@first, @first + @n): profile/code-functions.h.
 * To be freed before @b; @how outlives it.
 */
int browse_code(struct browse *b, const struct browse_snapshot *s,
		const struct annotate_request *how, size_t first, size_t n,
		struct code_functions **ret, struct diag *diag);

/* How far reading is, in bytes; and why it ended early, once: 0, or a negative errno with @diag. */
void browse_progress(struct browse *b, uint64_t *ret_done, uint64_t *ret_total);
int browse_failure(struct browse *b, struct diag *diag);

/*
 * For implementations: makes @fd (an eventfd) and tells that there is news. browse_tell() may be
 * called from any thread.
 */
int browse_news_open(struct browse *b);
void browse_tell(struct browse *b);

/* Whether what is at @path can be read again and again; else (a pipe) there is only text. */
bool browse_is_possible(const char *path);

/*
 * A recording. Opens it, so that mistakes of the request come at once: a negative errno with @diag;
 * -ESPIPE: it is a pipe. Reading goes on in the background.
 */
int browse_open(const struct browse_request *rq, struct browse **ret, struct diag *diag);
