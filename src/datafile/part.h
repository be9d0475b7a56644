/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The records of one file or stream, one after the other, with compressed ones decompressed in
 * their place. After damage, reading continues where records follow again. Private to datafile/.
 *
 * A perf.data file has one part, a directory has one for each of its files.
 */
#include <stdbool.h>
#include <stdint.h>

#include "datafile/input.h"
#include "datafile/damage.h"
#include "datafile/reader.h"

struct inflater;

struct part {
	unsigned number; /* raw_record.part */
	char *name;      /* for notes: "data.1", or NULL if there is only one */
	struct input input;
	bool swap;
	uint64_t start;    /* offset of the first record */
	uint64_t limit;    /* reading ends after about this many bytes; 0: at the end */
	bool is_limited;   /* the limit was reached, and there is more */
	bool after_round;  /* the previous record was the last one of a round */
	uint64_t base;     /* position of offset 0 */
	uint64_t inflated; /* bytes of records decompressed so far */
	/* offset of the previous record, where a search after damage begins */
	uint64_t last_record;
	bool odd; /* a record did not end at a multiple of 8 */
	struct inflater *inflater;
	bool inflating;        /* a compressed record is being inflated */
	uint64_t inflating_at; /* offset of that record */
	bool inflater_lost;    /* after damage, nothing can be decompressed any more */
	size_t damages;        /* number of damaged places that were skipped */
	uint64_t damaged_bytes;
	struct damage *damage; /* damage of the whole file */
};

/* True if that is the name of a part in a directory, beside `data`: data.0, data.1, ... */
bool part_name_is(const char *name);

/* Starts reading from p->input, which was set to p->start; @base is the next position. */
void part_start(struct part *p, uint64_t base);

/* Reads the next record. 1: there is one; 0: the end; negative: errno of reading. */
int part_next(struct part *p, struct raw_record *ret);

/* Does the same as datafile_next_samples(), for this part. */
bool part_next_samples(struct part *p, size_t most, struct sample_run *ret);

/* Returns the position of the next record. */
uint64_t part_position(const struct part *p);

/* Does the same as datafile_release(), for this part. */
void part_release(struct part *p, uint64_t position);

void part_done(struct part *p);
