/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * An event that a Python program opens itself: with exactly the given attr, on each CPU for each
 * thread. (capture/opened-events.h completes and adapts attrs; here the program decides.)
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/attr.h"

struct diag;

/* CPUs or threads; -1: any. */
struct int_list {
	int *items;
	size_t n, room;
};

void int_list_done(struct int_list *l);
void int_list_add(struct int_list *l, int value);
void int_list_copy(struct int_list *to, const struct int_list *from);

/* Returns the index of @value; -1: it is not in the list. */
long int_list_find(const struct int_list *l, int value);

struct live_event {
	struct attr attr;
	char *name; /* for messages */
	struct int_list cpus, threads;
	int *fds; /* [cpu * n_threads + thread]; NULL: not open; an fd of -1: its thread is gone */
	uint64_t *ids; /* indexed in the same way */
};

struct live_place {
	const struct int_list *cpus, *threads;
	/* the group's leader, opened at the same places; or NULL */
	const struct live_event *leader;
	bool inherit;
};

/*
 * Opens the event, after closing it if it was open. Returns a negative errno with the reason and
 * the remedy in @diag.
 */
int live_event_open(struct live_event *e, const struct live_place *where, struct diag *diag);
void live_event_close(struct live_event *e);
void live_event_done(struct live_event *e);
bool live_event_is_open(const struct live_event *e);

/* Returns the descriptor; -1: it is not open there. */
int live_event_fd(const struct live_event *e, size_t cpu, size_t thread);

/* Enables or disables @e with PERF_EVENT_IOC_ENABLE or _DISABLE. */
int live_event_enable(const struct live_event *e, bool on);

struct live_count {
	uint64_t value, enabled, running, id, lost; /* 0 if read_format does not include it */
};

/* Reads the count at a place that is open. -EBADF: it is not open. */
int live_event_read(const struct live_event *e, size_t cpu, size_t thread, struct live_count *ret);

/* True if one of the event's descriptors has the id @id. */
bool live_event_has_id(const struct live_event *e, uint64_t id);
