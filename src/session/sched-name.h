/* SPDX-License-Identifier: MIT */
#pragma once
/* A copy of a task's name, since the texts of records are gone when the records are. */
#include <stdint.h>
#include <string.h>

#include "session/sched-event.h"

/* The kernel's TASK_COMM_LEN is 16, with the NUL. */
#define SCHED_NAME_MAX 15

struct sched_name {
	char chars[SCHED_NAME_MAX + 1]; /* NUL-terminated */
};

static inline void sched_name_set(struct sched_name *n, struct sched_comm c)
{
	uint32_t length = sched_comm_length(c);

	if (length > SCHED_NAME_MAX)
		length = SCHED_NAME_MAX;

	memcpy(n->chars, c.chars, length);
	n->chars[length] = '\0';
}
