/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Bytes that come in pieces, lent out as whole records. Private to datafile/.
 *
 * What is read from a pipe or decompressed lies in a list of chunks. A record that straddles two is
 * moved, as far as it has come, to the front of a new one; so everything lent is contiguous and
 * stays where it is until chunks_release() passes it. `struct chunks c = { 0 };` is empty.
 */
#include <stddef.h>
#include <stdint.h>

struct chunk;

struct chunks {
	struct chunk *first, *last;
};

void chunks_done(struct chunks *c);

/* The bytes that have come and were not taken yet. */
size_t chunks_available(const struct chunks *c);
const uint8_t *chunks_bytes(const struct chunks *c);

/*
 * Where the next bytes go, contiguous with those available: at least one. Memory grows with what
 * has come, never with what a header promises. Moves the bytes of chunks_bytes().
 */
uint8_t *chunks_room(struct chunks *c, size_t *ret_size);
void chunks_filled(struct chunks *c, size_t n);

/* Takes the first @n available bytes: lent until chunks_release() is given @position or more. */
const uint8_t *chunks_take(struct chunks *c, size_t n, uint64_t position);
void chunks_release(struct chunks *c, uint64_t position);
