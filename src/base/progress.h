/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The progress of a long piece of work, for a user who waits for it.
 *
 * A layer that works for seconds takes a `struct progress *` (NULL if nobody looks), calls
 * progress_update() after each chunk of work and progress_finish() at the end. Both may be called
 * on any thread. The receiver, which embeds this struct, decides how and how often to draw
 * (cli/progress-bar.h).
 */
#include <stdint.h>

struct progress {
	void (*update)(struct progress *p, const char *title, uint64_t done, uint64_t total);
	void (*finish)(struct progress *p);
};

/* Reports that @done of @total of the work called @title ("Reading samples") is done. */
static inline void progress_update(struct progress *p, const char *title, uint64_t done,
				   uint64_t total)
{
	if (p)
		p->update(p, title, done, total);
}

/* Reports the end of the work. There may have been no update. */
static inline void progress_finish(struct progress *p)
{
	if (p)
		p->finish(p);
}
