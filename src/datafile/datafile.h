/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The inside of struct datafile, and who fills it in. Private to datafile/.
 */
#include "base/budget.h"
#include "datafile/header.h"
#include "datafile/damage.h"
#include "datafile/part.h"
#include "datafile/reader.h"

struct datafile {
	char *path;
	struct file_header header;
	struct datafile_facts facts;
	bool is_cut; /* the header announces more data than there is */
	struct {
		struct file_event **items; /* their addresses stay */
		size_t n, room;
	} events;
	struct features features;
	struct damage damage;
	struct {
		struct part *items; /* the file itself first */
		size_t n, room;
	} parts;
	struct budget claims; /* bytes of sections that may still be read */
	struct budget steps;  /* of datafile_allow_steps() */
	size_t current;       /* the part being read; parts.n: all are read */
	uint64_t learned;     /* what a stream said before this position has been taken in */
};

/*
 * The bytes of a section that a table of the file points to, or NULL: they are not in the file, or
 * (with a note) the sections overlap so much that together they are larger than the file. What is
 * made of a section takes at most some 16 times its size, so this bounds the memory of them all.
 */
const uint8_t *section_claim(struct datafile *df, struct file_section where, struct bytes *room);

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
