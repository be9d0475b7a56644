/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The events of a recording, and the lookup of the event to which a record belongs.
 *
 * Filled from the file's header, or from records as a stream is read. Events never move: pointers
 * to them are valid as long as the table.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/u64-map.h"
#include "datafile/tracing-data.h"
#include "session/session.h"

struct events {
	struct session_event **items;
	size_t n, room;
	struct u64_map by_id;
	/*
	 * The kernel numbers events consecutively. These are the events that follow the first one,
	 * by id.
	 */
	struct {
		struct session_event **items;
		size_t n, room;
		uint64_t first;
	} near;
	struct bytes tracing_blob; /* a copy, because a stream may send it again */
	struct tracing_data tracing;
	struct u64_map formats;      /* the tracing data's formats, by id */
	struct u64_map read_formats; /* formats that events have, by id: session/events.c */
	bool has_tracing;
	bool defers; /* the user's part of stacks may come later: session/deferred-chains.h */
};

void events_done(struct events *ev);

/* Adds an event; its ids remain stored in @fe. */
void events_put(struct events *ev, const struct file_event *fe);

/* Adds the events that @df has read since the last call. */
void events_add(struct events *ev, const struct datafile *df);

/* Applies the data of @f about all events: names, groups, formats of tracepoints. */
void events_sync(struct events *ev, const struct features *f);

/*
 * Return the steps that events_sync() takes, for datafile_allow_steps(), and whether a new @feature
 * needs events_sync().
 */
uint64_t events_sync_steps(const struct events *ev, const struct features *f);
bool events_sync_needed(unsigned feature);

/* Applies an EVENT_UPDATE. */
void events_update(struct events *ev, const struct record_event_update *u);

/* Names those events of @config that have no name from elsewhere. (HEADER_EVENT_TYPE) */
void events_name(struct events *ev, uint64_t config, const char *name);

/* Returns the event that owns @id; if no event has ids, the only event; NULL: none. */
const struct session_event *events_find(const struct events *ev, uint64_t id);

/* Does the same as events_find() if events have ids, without hashing for most ids. */
static inline const struct session_event *events_of_id(const struct events *ev, uint64_t id)
{
	uint64_t i = id - ev->near.first;

	if (i < ev->near.n && ev->near.items[i])
		return ev->near.items[i];
	return u64_map_find(&ev->by_id, id);
}

static inline uint64_t record_word(const struct raw_record *raw, int offset, bool swap)
{
	uint64_t v;

	memcpy(&v, raw->bytes + offset, sizeof(v));
	return swap ? __builtin_bswap64(v) : v;
}

static inline bool record_has_word(const struct raw_record *raw, int offset)
{
	return offset >= 0 && (size_t)offset + sizeof(uint64_t) <= raw->header.size;
}

/*
 * Does the same as events_place() for a sample. The id has the same offset in the samples of all
 * events, or there is only one event.
 */
static inline bool events_place_sample(const struct events *ev, const struct raw_record *raw,
				       bool swap, const struct session_event **ret,
				       uint64_t *ret_time)
{
	const struct session_event *first = ev->items[0], *e = first;

	if (ev->n > 1 && first->id_offset >= 0) {
		if (!record_has_word(raw, first->id_offset))
			return false;
		e = events_of_id(ev, record_word(raw, first->id_offset, swap));
	}

	int time_offset = e ? e->time_offset : first->time_offset;

	if (time_offset >= 0 && !record_has_word(raw, time_offset))
		return false;
	*ret = e;
	*ret_time = time_offset >= 0 ? record_word(raw, time_offset, swap) : 0;
	return true;
}

/* Does the same as events_place() for any other record. */
bool events_place_other(const struct events *ev, const struct raw_record *raw, bool swap,
			const struct session_event **ret, uint64_t *ret_time);

/*
 * Finds the event and the time of a record; NULL and 0 if unknown. A record that no event owns is
 * laid out like the first event's. false: the record is shorter than its layout.
 */
static inline bool events_place(const struct events *ev, const struct raw_record *raw, bool swap,
				const struct session_event **ret, uint64_t *ret_time)
{
	if (!ev->n) {
		*ret = NULL;
		*ret_time = 0;
		return true;
	}
	if (raw->header.type == PERF_RECORD_SAMPLE)
		return events_place_sample(ev, raw, swap, ret, ret_time);
	return events_place_other(ev, raw, swap, ret, ret_time);
}
