/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Work on a thread of its own, for somebody who must not wait for it: a terminal's browser.
 *
 * A descriptor becomes readable when the work has something to tell: a result, progress, its end.
 * The owner embeds this struct, and the lock also protects what the owner shares with the work.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"

struct background {
	/*
	 * For what the work calls; its updates call background_report(). The owner may replace the
	 * function to convert them first.
	 */
	struct progress progress;
	atomic_bool stop; /* the owner does not need what is being done any more */
	int fd;           /* readable when there is news; a negative errno: it cannot be made */

	pthread_mutex_t lock;   /* protects the members below */
	pthread_cond_t changed; /* for waiting with the lock: what it protects has changed */
	const char *title;      /* the last progress; NULL: none yet */
	uint64_t done, total;
	uint64_t told_ns;
	bool is_over; /* the work has returned */

	/* Private: */
	void (*work)(void *arg);
	void *arg;
	pthread_t thread;
	bool has_thread;
};

void background_init(struct background *b);

/* Starts @work(@arg). Returns a negative errno if there is no descriptor or no thread. */
int background_start(struct background *b, void (*work)(void *arg), void *arg);

/* Tells @b to stop, wakes it from @changed, and waits for its end. */
void background_end(struct background *b);

/* Ends it, if it runs, and releases everything. */
void background_done(struct background *b);

/* Makes the descriptor readable. May be called from any thread, with or without the lock. */
void background_tell(struct background *b);

/*
 * Makes the descriptor unreadable. The caller looks for news after this, so that news that comes
 * meanwhile is told again.
 */
void background_hear(struct background *b);

/*
 * Sets the progress, and tells it unless some was told a moment ago. @title is static. May be
 * called from any thread without the lock.
 */
void background_report(struct background *b, const char *title, uint64_t done, uint64_t total);

/* Returns the last progress; 0 of 0: none. @ret_title may be NULL. */
void background_progress(struct background *b, const char **ret_title, uint64_t *ret_done,
			 uint64_t *ret_total);
