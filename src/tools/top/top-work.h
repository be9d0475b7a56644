/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A live profile: what runs now, as successive snapshots.
 *
 *	request ─► live session ─► collector ─► each refresh: a settled copy, and its tables
 *	                              │
 *	                              └─ fades: of old samples some are forgotten at each refresh
 *
 * It is a `struct browse` (tui/browse.h) of its own kind. Events are taken in a thread of its own,
 * in which all signals are blocked. Memory does not grow with time: data that has faded is dropped,
 * and the session forgets tasks that have ended and images to which nothing refers.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/record-request.h"
#include "tui/browse.h"

struct diag;
struct notes;
struct top;

/* Samples that are dropped when they arrive. */
struct top_hidden {
	bool kernel, user;
	bool self; /* samples of this process */
};

/* The minimum delay. A shorter one would spend all time on refreshing. */
#define TOP_DELAY_LEAST_MS 100

/* A request. Texts are borrowed until browse_free(). */
struct top_request {
	struct record_request what;   /* its output is not used */
	struct browse_request browse; /* for its profile, without a path */
	struct top_hidden hidden;
	uint64_t delay_ms;   /* the time between refreshes */
	bool zeroes;         /* forget everything at each refresh */
	uint64_t kept_bytes; /* the size of kept raw records, for top_save(); 0: none */
};

/*
 * Opens the events and begins. Returns when they are open, or with a negative errno and @diag.
 * *@ret_planned: the request is valid, so that an error is not one of usage. Events that the kernel
 * refused are added to @notes at once; later messages are added by top_end().
 */
int top_open(const struct top_request *rq, struct notes *notes, struct top **ret, bool *ret_planned,
	     struct diag *diag);

/* Returns it as a source of snapshots. Both are freed together. */
struct browse *top_browse(struct top *t);

/* The samples since the previous snapshot. */
struct top_figures {
	uint64_t samples, kernel, user, guest_kernel, guest_user;
	uint64_t exact; /* samples with the exact address of the instruction */
	uint64_t span_ns;
};

/* Returns the figures of a snapshot of top_browse(). */
const struct top_figures *top_figures(const struct browse_snapshot *s);

/*
 * Set the delay, and whether weights are zeroed. They take effect with the next pass over the
 * rings.
 */
void top_set_delay(struct top *t, uint64_t delay_ms);
void top_set_zeroes(struct top *t, bool zeroes);
/* Stops the events or continues them. Snapshots show that they are frozen. */
void top_set_frozen(struct top *t, bool frozen);

struct top_settings {
	uint64_t delay_ms;
	bool zeroes, frozen;
	struct top_hidden hidden;
};
struct top_settings top_settings(struct top *t);

/*
 * Writes the raw records of the last seconds to @path, and waits for the result. Returns a negative
 * errno with @diag.
 */
int top_save(struct top *t, const char *path, struct diag *diag);

/* Returns the samples per second of the first event. 0: it is sampled with a period. */
uint64_t top_frequency(const struct top *t);

/*
 * True if the measured tasks have ended, or if events could not be taken any more
 * (browse_failure()).
 */
bool top_has_ended(struct top *t);

/*
 * Ends it, and adds messages about losses to @notes. All snapshots must have been released;
 * browse_free() must still be called.
 */
void top_end(struct top *t, struct notes *notes);
