/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The records of one file or stream, one after the other, compressed ones in their place; after
 * damage the reading goes on where records follow again. Private to datafile/.
 *
 * A perf.data file has one part, a directory one for each of its files.
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
	uint64_t start;       /* offset of the first record */
	uint64_t limit;       /* reading ends after about so many bytes; 0: at the end */
	bool is_limited;      /* it did, and there is more */
	bool after_round;     /* the record before was the last one of a round */
	uint64_t base;        /* position of offset 0 */
	uint64_t inflated;    /* bytes of records that came out of compressed ones so far */
	uint64_t last_record; /* offset of the record before, from which to look after damage */
	bool odd;             /* a record did not end at a multiple of 8 */
	struct inflater *inflater;
	bool inflating;        /* a compressed record, */
	uint64_t inflating_at; /* at this offset */
	bool inflater_lost;    /* after damage nothing can be decompressed any more */
	size_t damages;        /* places passed over */
	uint64_t damaged_bytes;
	struct damage *damage; /* the file's */
};

/* Is that the name of a part in a directory, beside `data`: data.0, data.1, ...? */
bool part_name_is(const char *name);

/* Reads from p->input, which was sought to p->start; @base is the position that is next. */
void part_start(struct part *p, uint64_t base);

/* The next record. 1: there is one; 0: the end; negative: errno of reading. */
int part_next(struct part *p, struct raw_record *ret);

/* As datafile_next_samples(). */
bool part_next_samples(struct part *p, size_t most, struct sample_run *ret);

/* The position of what comes next. */
uint64_t part_position(const struct part *p);

/* As datafile_release(). */
void part_release(struct part *p, uint64_t position);

void part_done(struct part *p);
