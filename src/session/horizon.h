/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The age of the records in the rest of a file.
 *
 * Records wait for their turn until the end of a round. Files of other recorders, and files that
 * were made from others, may have no rounds: all records would wait until the end of the file. For
 * those the rest of the file is walked over once, when much waits already. The earliest time in
 * what follows each of its blocks then tells which records are due.
 *
 * `struct horizon h = { 0 };` knows nothing.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

struct horizon {
	uint64_t *earliest; /* by block: the earliest time in it and all blocks after it */
	size_t n;
	uint64_t from; /* position of the first block */
	bool is_known; /* a walk was tried, even if it found nothing */
};

/*
 * Walks over the records of a mapped file that are not read yet. If there is data in which it
 * cannot tell records from each other, nothing is found.
 */
void horizon_find(struct horizon *h, const struct session *s);

/*
 * Returns a time that no record from @position on is before; 0: unknown. @position does not
 * decrease from one call to the next.
 */
uint64_t horizon_at(const struct horizon *h, uint64_t position);

void horizon_done(struct horizon *h);
