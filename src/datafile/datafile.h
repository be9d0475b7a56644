/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The inside of struct datafile, and who fills it in. Private to datafile/.
 */
#include "datafile/header.h"
#include "datafile/notes.h"
#include "datafile/part.h"
#include "datafile/reader.h"

struct datafile {
	char *path;
	struct file_header header;
	struct datafile_facts facts;
	struct {
		struct file_event **items; /* their addresses stay */
		size_t n, room;
	} events;
	struct features features;
	struct notes notes;
	struct {
		struct part *items; /* the file itself first */
		size_t n, room;
	} parts;
	size_t current;   /* the part being read; parts.n: all are read */
	uint64_t learned; /* what a stream said before this position has been taken in */
};

/* Adds an event without ids. */
struct file_event *datafile_event_add(struct datafile *df);

/*
 * Reads what the header of a seekable file points to: features, events, and where the data begins
 * and ends. What is damaged is found elsewhere if it can be, and noted.
 */
void sections_read(struct datafile *df);

/* The features that the table at the end of the data, or the early one, has; see feature-table.c.
 */
void feature_table_read(struct datafile *df);

/* Takes in what a record of a stream says about the rest of it: events and features. */
void stream_learn(struct datafile *df, const struct raw_record *rec);
