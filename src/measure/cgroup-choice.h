/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The cgroups that events are limited to, opened, and which of them goes with which event.
 */
#include <stddef.h>

#include "kernel/cgroup.h"

struct diag;
struct event_words;

struct cgroup_choice {
	struct cgroup *items;
	size_t n, room;
	int *of; /* of each event: index in @items, or -1 */
};

void cgroup_choice_done(struct cgroup_choice *c);

/* The index of the cgroup @name, opened if it is not yet; -1 for "", which means no limit. */
int cgroup_choice_find(struct cgroup_choice *c, const char *name, int *ret, struct diag *diag);

/* Limits @n events from @first on to the cgroup of that index. */
void cgroup_choice_limit(struct cgroup_choice *c, size_t first, size_t n, int cgroup);

/*
 * Obeys all cgroups among @words for @n events. before[i]: how many events were there when the i-th
 * word came; a cgroup before all events is for all of them. -EINVAL (more names than events),
 * -ENOENT, ...
 */
int cgroup_choice_assign(struct cgroup_choice *c, const struct event_words *words,
			 const size_t *before, size_t n, struct diag *diag);

/* The descriptor that event @i is limited to, or -1. */
int cgroup_choice_fd(const struct cgroup_choice *c, size_t i);
