/* SPDX-License-Identifier: MIT */
#pragma once
/* The members of struct datafile, and the functions that fill them in. Private to datafile/. */
#include "base/budget.h"
#include "datafile/header.h"
#include "datafile/damage.h"
#include "datafile/part.h"
#include "datafile/reader.h"

struct datafile {
	char *path;
	struct file_header header;
	struct datafile_facts facts;
	bool is_cut; /* the header gives more data than there is */
	struct {
		struct file_event **items; /* the addresses of events do not change */
		size_t n, room;
	} events;
	struct features features;
	struct damage damage;
	struct {
		struct part *items; /* the file itself first */
		size_t n, room;
	} parts;
	struct budget claims; /* bytes of sections that may still be read */
	struct budget steps;  /* set by datafile_allow_steps() */
	size_t current;       /* the part that is being read; parts.n: all have been read */
	uint64_t learned;     /* records of a stream before this position have been processed */
};

/*
 * Returns the bytes of a section to which a table of the file points. NULL: they are not in the
 * file, or (with a note) the sections overlap so much that together they are larger than the file.
 * The data made from a section takes at most some 16 times its size, so this bounds the memory for
 * all of them.
 */
const uint8_t *section_claim(struct datafile *df, struct file_section where, struct bytes *room);

/* Adds an event without ids. */
struct file_event *datafile_event_add(struct datafile *df);

/*
 * Reads the data to which the header of a seekable file points: features, events, and the bounds of
 * the records. Damaged data is found elsewhere if possible, and noted.
 */
void sections_read(struct datafile *df);

/*
 * Reads the features in the table at the end of the data, or in the early one; see feature-table.c.
 */
void feature_table_read(struct datafile *df);

/* Processes a record of a stream that describes the rest of it: events and features. */
void stream_learn(struct datafile *df, const struct raw_record *rec);
