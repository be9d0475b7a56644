/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A bar on the terminal for work that takes long: `Reading [=====>    ] 42%`.
 *
 * Hand &bar.progress to the layer that works. Draws on a terminal only, begins after a moment
 * (quick work shows nothing), redraws a few times a second, and vanishes with progress_bar_done().
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/progress.h"

struct text;

struct progress_bar {
	struct progress progress;
	const char *title; /* borrowed */
	FILE *out;
	bool enabled, drawn;
	uint64_t next_ns; /* nothing is drawn before */
};

/* Prepares a bar on @out (stderr). */
void progress_bar_init(struct progress_bar *b, const char *title, FILE *out);

/* Removes what was drawn. */
void progress_bar_done(struct progress_bar *b);

/* Appends the bar for @done of @total, @width columns wide. */
void progress_bar_format(struct text *t, const char *title, uint64_t done, uint64_t total,
			 size_t width);
