/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A live profile: what runs now, as snapshots that follow each other.
 *
 *	request ─► live session ─► collector ─► each refresh: a settled copy, and its tables
 *	                              │
 *	                              └─ fades: of old samples some are forgotten at each refresh
 *
 * It is a `struct browse` (tui/browse.h) of its own kind. Events are taken in a thread of its own,
 * in which all signals are blocked. Memory does not grow with time: what has faded is left behind,
 * and the session forgets tasks that have ended and images that nobody refers to.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/record-request.h"
#include "tui/browse.h"

struct diag;
struct notes;
struct top;

/* Samples that are not wanted, as they come. */
struct top_hidden {
	bool kernel, user;
	bool self; /* those of this process */
};

/* Less would be spent on refreshing alone. */
#define TOP_DELAY_LEAST_MS 100

/* Texts are borrowed until browse_free(). */
struct top_request {
	struct record_request what;   /* its output is not looked at */
	struct browse_request browse; /* of its profile, no path */
	struct top_hidden hidden;
	uint64_t delay_ms;   /* between refreshes */
	bool zeroes;         /* at each refresh everything is forgotten */
	uint64_t kept_bytes; /* of raw records, for top_save(); 0: none are kept */
};

/*
 * Opens the events and begins. Returns when they are open, or with a negative errno and @diag.
 * *@ret_planned: what was asked for makes sense, other errors are not of usage. What the kernel did
 * not give is added to @notes at once; what there is to say later, by top_end().
 */
int top_open(const struct top_request *rq, struct notes *notes, struct top **ret, bool *ret_planned,
	     struct diag *diag);

/* It as a source of snapshots, with which it is freed. */
struct browse *top_browse(struct top *t);

/* The samples since the snapshot before. */
struct top_figures {
	uint64_t samples, kernel, user, guest_kernel, guest_user;
	uint64_t exact; /* whose address is that of the instruction */
	uint64_t span_ns;
};

/* Of a snapshot of top_browse(). */
const struct top_figures *top_figures(const struct browse_snapshot *s);

/* These come into effect with the next pass over the rings. */
void top_set_delay(struct top *t, uint64_t delay_ms);
void top_set_zeroes(struct top *t, bool zeroes);
/* Stops the events or lets them go on; snapshots say that they are frozen. */
void top_set_frozen(struct top *t, bool frozen);

struct top_settings {
	uint64_t delay_ms;
	bool zeroes, frozen;
	struct top_hidden hidden;
};
struct top_settings top_settings(struct top *t);

/*
 * Writes the raw records of the last seconds to @path, and waits until that is done. A negative
 * errno with @diag.
 */
int top_save(struct top *t, const char *path, struct diag *diag);

/* Samples a second of the first event; 0: it is sampled by periods. */
uint64_t top_frequency(const struct top *t);

/* The measured tasks have ended, or events could not be taken any more (browse_failure()). */
bool top_has_ended(struct top *t);

/*
 * Ends it, and adds what there is to say about losses to @notes. All snapshots were released;
 * browse_free() is still to be called.
 */
void top_end(struct top *t, struct notes *notes);
