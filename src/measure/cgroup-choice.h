/* SPDX-License-Identifier: MIT */
#pragma once
/* The cgroups to which events are limited, opened, and the cgroup of each event. */
#include <stddef.h>

#include "kernel/cgroup.h"

struct diag;
struct event_words;

struct cgroup_choice {
	struct cgroup *items;
	size_t n, room;
	int *of; /* for each event: index in @items, or -1 */
};

void cgroup_choice_done(struct cgroup_choice *c);

/*
 * Finds the index of the cgroup @name, and opens it if necessary; -1 for "", which means no limit.
 */
int cgroup_choice_find(struct cgroup_choice *c, const char *name, int *ret, struct diag *diag);

/* Limits @n events from @first on to the cgroup of that index. */
void cgroup_choice_limit(struct cgroup_choice *c, size_t first, size_t n, int cgroup);

/*
 * Applies all cgroups among @words to @n events. before[i]: the number of events before the i-th
 * word; a cgroup before all events applies to all of them. -EINVAL (more names than events),
 * -ENOENT, ...
 */
int cgroup_choice_assign(struct cgroup_choice *c, const struct event_words *words,
			 const size_t *before, size_t n, struct diag *diag);

/* Returns the descriptor of the cgroup to which event @i is limited, or -1. */
int cgroup_choice_fd(const struct cgroup_choice *c, size_t i);
