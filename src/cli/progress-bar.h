/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A bar on the terminal for work that takes long: `Reading samples [=====>    ] 42%`.
 *
 * command_run() makes one; commands pass it with command_progress() to the layers that do the work.
 * The bar appears when some work has lasted for half a second, is drawn ten times a second at most,
 * and is erased when the work finishes.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/progress.h"

struct text;

struct progress_bar {
	struct progress progress;
	FILE *out;
	uint64_t (*now_ns)(void); /* reads a monotonic clock */

	pthread_mutex_t lock; /* guards the members that follow */
	uint64_t next_ns;     /* nothing is drawn before this time; 0: no work has begun */
	bool drawn;
};

/* Prepares a bar on @out, a terminal. */
void progress_bar_init(struct progress_bar *b, FILE *out);
void progress_bar_done(struct progress_bar *b);

/* Appends the bar for @done of @total, @width columns wide. */
void progress_bar_format(struct text *t, const char *title, uint64_t done, uint64_t total,
			 size_t width);
