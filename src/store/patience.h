/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Decides whether to keep waiting for a server: a signal may have come, or the time may be over.
 * Code that waits checks this at least every PATIENCE_LOOK_MS, and gives up with -EINTR.
 */
#include <stdbool.h>
#include <stddef.h>

#define PATIENCE_LOOK_MS 100

struct patience {
	bool (*is_over)(void *arg);
	void *arg;
};

/* True if the patience is over. With NULL it never is. */
static inline bool patience_is_over(const struct patience *p)
{
	return p && p->is_over(p->arg);
}
