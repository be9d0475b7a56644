/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The events of a recording, and which of them a record belongs to.
 *
 * Filled from what the file's header or, as a stream is read, its records tell. Events never move:
 * whoever holds one keeps it as long as the table.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/u64-map.h"
#include "datafile/tracing-data.h"
#include "session/session.h"

struct events {
	struct session_event **items;
	size_t n, room;
	struct u64_map by_id;
	struct bytes tracing_blob; /* a copy: a stream may tell again */
	struct tracing_data tracing;
	struct u64_map formats;      /* of the tracing data, by id */
	struct u64_map read_formats; /* those that events have, by id: session/formats.c */
	bool has_tracing;
};

void events_done(struct events *ev);

/* Adds an event, whose ids stay those of @fe. */
void events_put(struct events *ev, const struct file_event *fe);

/* Takes in the events that @df has come to know. */
void events_add(struct events *ev, const struct datafile *df);

/* Takes in what @f tells of all events: names, groups, formats of tracepoints. */
void events_sync(struct events *ev, const struct features *f);

/* What events_sync() takes, for datafile_allow_steps(), and whether a new @feature asks for it. */
uint64_t events_sync_steps(const struct events *ev, const struct features *f);
bool events_sync_needed(unsigned feature);

/* Applies an EVENT_UPDATE. */
void events_update(struct events *ev, const struct record_event_update *u);

/* Names the events of @config that have none from elsewhere. (HEADER_EVENT_TYPE) */
void events_name(struct events *ev, uint64_t config, const char *name);

/* The event that owns @id; without ids the only one; NULL: nobody's. */
const struct session_event *events_find(const struct events *ev, uint64_t id);

/*
 * Whose a record is, and its time; NULL, 0: neither can be told. Layouts of records that nobody
 * owns are taken to be the first event's. false: the record is shorter than its layout.
 */
bool events_place(const struct events *ev, const struct raw_record *raw, bool swap,
		  const struct session_event **ret, uint64_t *ret_time);
