/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A mapped file cut into pieces of whole records, to be shared among threads. The cuts are made
 * while the file is read for its side-band.
 *
 * Within a piece, each record begins where the one before it ends. Data that is not mapped
 * (compressed data, or a file of a directory that could not be mapped) is in no piece; `elsewhere`
 * says that there is such data. `struct pieces p = { 0 };` is empty.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct raw_record;
struct sample_run;

struct piece {
	uint64_t offset, position; /* as in a raw_record */
	uint64_t size;
	uint64_t n_samples;
	unsigned part;
};

struct pieces {
	struct piece *items; /* in the order of the file */
	size_t n, room;
	uint64_t sample_bytes; /* the total of all pieces */
	bool elsewhere;        /* some samples are not stored uncompressed in the file */
};

void pieces_done(struct pieces *p);

/* Add the records that were read, in the order of reading. @stays: datafile_record_stays(). */
void pieces_add_samples(struct pieces *p, const struct sample_run *run);
void pieces_add_record(struct pieces *p, const struct raw_record *raw, bool stays);
