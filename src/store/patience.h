/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Whether it is worth to wait on for a server: a signal may have come, or time may be over. Who
 * waits asks at least each PATIENCE_LOOK_MS, and gives up with -EINTR.
 */
#include <stdbool.h>
#include <stddef.h>

#define PATIENCE_LOOK_MS 100

struct patience {
	bool (*is_over)(void *arg);
	void *arg;
};

/* NULL: it never is. */
static inline bool patience_is_over(const struct patience *p)
{
	return p && p->is_over(p->arg);
}
