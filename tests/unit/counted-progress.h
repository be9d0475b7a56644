/* SPDX-License-Identifier: MIT */
#pragma once
/* A receiver of progress that remembers the updates. */
#include <string.h>

#include "base/progress.h"

struct counted_progress {
	struct progress progress;
	char title[64]; /* of the last update */
	uint64_t done, total;
	unsigned updates, finishes;
};

static inline void counted_progress_update(struct progress *p, const char *title, uint64_t done,
					   uint64_t total)
{
	struct counted_progress *c = (struct counted_progress *)p;

	strncpy(c->title, title, sizeof(c->title) - 1);
	c->done = done;
	c->total = total;
	c->updates++;
}

static inline void counted_progress_finish(struct progress *p)
{
	((struct counted_progress *)p)->finishes++;
}

#define COUNTED_PROGRESS                                                                           \
	{                                                                                          \
		.progress = {                                                                      \
			.update = counted_progress_update,                                         \
			.finish = counted_progress_finish                                          \
		}                                                                                  \
	}
