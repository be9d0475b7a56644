/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counters that run on all CPUs for all tasks and are shared by perf processes: the second process
 * that counts cycles finds the counters of the first, and uses no others.
 *
 * The counters are in an array of perf events. Its id is found by the event's attr in a hash map
 * that is pinned (--bpf-attr-map). The array lives as long as a process holds it, however its
 * holders end. The pinned map is removed with its last user: by that process, or by a small process
 * that waits for its end if it was killed.
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
 * BPF file system; other errors; with @diag. If @path is NULL, nothing is shared.
 */
int shared_events_open(const char *path, struct shared_events **ret, struct diag *diag);

/* Ends the use of the shared counters. */
void shared_events_free(struct shared_events *s);
DEFINE_FREEP(shared_events)

/*
 * Finds the counters of @attr on @cpus, running: existing or new ones. Returns a descriptor of the
 * array, which belongs to @s, or errors of perf_event_open() and bpf(), without a message.
 */
int shared_events_find(struct shared_events *s, const struct attr *attr,
		       const struct cpu_list *cpus);
