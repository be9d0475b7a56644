/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How far a long piece of work has come, for somebody who waits for it.
 *
 * A layer that works for seconds takes a `struct progress *` (NULL when nobody looks), calls
 * progress_update() after each chunk of work and progress_finish() at the end. Both may be called
 * on any thread. Drawing, and how often, is up to the receiver, which embeds this struct
 * (cli/progress-bar.h).
 */
#include <stdint.h>

struct progress {
	void (*update)(struct progress *p, const char *title, uint64_t done, uint64_t total);
	void (*finish)(struct progress *p);
};

/* @done of @total is done of the work called @title ("Reading samples"). */
static inline void progress_update(struct progress *p, const char *title, uint64_t done,
				   uint64_t total)
{
	if (p)
		p->update(p, title, done, total);
}

/* The work is over. Nothing need have been updated. */
static inline void progress_finish(struct progress *p)
{
	if (p)
		p->finish(p);
}
