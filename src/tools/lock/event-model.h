/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads the tracepoints of locks. Fields are bound once for a recording; a sample is then read
 * without names.
 *
 * Every kernel since 5.19 has contention_begin and contention_end. Only kernels with CONFIG_LOCKDEP
 * and CONFIG_LOCK_STAT have the others.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepoint/field.h"

struct session;
struct session_event;
struct session_sample;

enum lock_kind {
	LOCK_NONE, /* not an event of a lock */
	LOCK_ACQUIRE,
	LOCK_ACQUIRED,
	LOCK_CONTENDED,
	LOCK_RELEASE,
	LOCK_BEGIN, /* contention_begin */
	LOCK_END,
};
#define LOCK_KINDS (LOCK_END + 1)

/* Flags of LOCK_ACQUIRE. */
enum {
	LOCK_ACQUIRE_TRY = 1 << 0,
	LOCK_ACQUIRE_READ = 1 << 1,
};

struct lock_event {
	enum lock_kind kind;
	uint64_t time;
	uint32_t pid, tid;
	uint64_t addr;
	uint32_t flags;   /* LOCK_ACQUIRE_*; of LOCK_BEGIN: tools/lock/type-model.h */
	const char *name; /* the class of the lock, in the sample, not terminated; or NULL */
	size_t name_length;
};

struct lock_source {
	enum lock_kind kind;
	struct field_ref addr, flags, name;
};

struct lock_events {
	struct lock_source *sources; /* indexed by event of the recording */
	size_t n_sources;
	bool has[LOCK_KINDS]; /* the kinds that were recorded */
};

/* Binds the events of @s, whose records may be in the other byte order. */
void lock_events_bind(struct lock_events *e, const struct session *s);
void lock_events_done(struct lock_events *e);

/* Returns the kind of the samples of @event. */
enum lock_kind lock_event_kind(const struct lock_events *e, const struct session_event *event);

/* Reads @s. False: it is not an event of a lock, or its record is too short. */
bool lock_event_read(const struct lock_events *e, const struct session_sample *s,
		     struct lock_event *ret);
