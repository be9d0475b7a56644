/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counters that run on all CPUs for everybody, which perf processes share: the second that counts
 * cycles finds the counters of the first, and takes no other ones.
 *
 * The counters are in an array of perf events, whose id is found by the event's attr in a hash map
 * that is pinned (--bpf-attr-map). The array lives as long as somebody holds it, however its
 * holders end. The pinned map is removed with its last user: by himself, or by a small process
 * that waits for his end if he was killed.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct attr;
struct cpu_list;
struct diag;
struct shared_events;

#define SHARED_EVENTS_PATH "/sys/fs/bpf/perf_attr_map"

/*
 * Opens the pinned map at @path, or makes it. -EOPNOTSUPP: it is not one of ours, or there is no
 * BPF file system; other errors; with @diag. NULL as @path: nothing is shared.
 */
int shared_events_open(const char *path, struct shared_events **ret, struct diag *diag);

/* Ends the use of what was shared. */
void shared_events_free(struct shared_events *s);
DEFINE_FREEP(shared_events)

/*
 * The counters of @attr on @cpus, running: those that are there, or new ones. A descriptor of the
 * array, which belongs to @s; errors of perf_event_open() and bpf(), without words.
 */
int shared_events_find(struct shared_events *s, const struct attr *attr,
		       const struct cpu_list *cpus);
