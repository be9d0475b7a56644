/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Bytes that come in pieces, lent out as whole records. Private to datafile/.
 *
 * Data that is read from a pipe or decompressed is in a list of chunks. A record that straddles two
 * is moved, as far as it has arrived, to the front of a new one. All lent bytes are therefore
 * contiguous, and do not move until chunks_release() passes them. `struct chunks c = { 0 };` is
 * empty.
 */
#include <stddef.h>
#include <stdint.h>

struct chunk;

struct chunks {
	struct chunk *first, *last;
};

void chunks_done(struct chunks *c);

/* Return the bytes that have arrived and were not taken yet. */
size_t chunks_available(const struct chunks *c);
const uint8_t *chunks_bytes(const struct chunks *c);

/*
 * Returns the place for the next bytes, contiguous with the available ones: at least one byte.
 * Memory grows with the data that has arrived, never with a size from a header. Moves the bytes of
 * chunks_bytes().
 */
uint8_t *chunks_room(struct chunks *c, size_t *ret_size);
void chunks_filled(struct chunks *c, size_t n);

/*
 * Takes the first @n available bytes: they are lent until chunks_release() is given @position or
 * more.
 */
const uint8_t *chunks_take(struct chunks *c, size_t n, uint64_t position);
void chunks_release(struct chunks *c, uint64_t position);
