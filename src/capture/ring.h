/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A ring buffer that the kernel writes records into and we take them out of.
 *
 * Forward rings are emptied as they fill: the kernel stops before what was not released, and counts
 * what it could not write. Backward rings are never full: the kernel overwrites the oldest records,
 * and what is there is taken while it is paused. Records may run over the ring's end, so what is
 * read comes in at most two pieces.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct ring {
	uint8_t *base; /* the control page, then the data; NULL: not mapped */
	size_t size;   /* of the data; a power of two */
	int fd;        /* of the event it was mapped with; not owned */
	bool backward;
	uint64_t tail; /* up to here it was released */
	uint64_t head; /* up to here it was read */
	uint64_t seen; /* up to here ring_peek() showed it */
};

/* What converts the CPU's cycle counter to nanoseconds, for decoders of hardware traces. */
struct ring_clock {
	uint64_t shift, mult, zero, cycles, mask;
	bool has_zero, has_short; /* cap_user_time_zero, cap_user_time_short */
};

/*
 * Maps a ring of @size bytes (a power of two, at least a page) to the event @fd. -EPERM: more than
 * the user may lock; -ENOMEM, -EINVAL, ...
 */
int ring_map(int fd, size_t size, bool backward, struct ring *ret);
void ring_unmap(struct ring *r);

/*
 * Where the records are that have come since the last release: up to two pieces, which stay as they
 * are until ring_release(). Returns the bytes in all. A backward ring must be paused meanwhile.
 */
size_t ring_read(struct ring *r, struct iovec pieces[2]);

/*
 * The same of a forward ring, but only what neither ring_peek() nor ring_read() has shown before;
 * it stays to be read.
 */
size_t ring_peek(struct ring *r, struct iovec pieces[2]);

/* Gives the space of what was read back to the kernel. */
void ring_release(struct ring *r);

/* Gives back the first @n bytes of what was read. Not for backward rings. */
void ring_release_bytes(struct ring *r, size_t n);

/* How many bytes wait to be read. */
size_t ring_pending(const struct ring *r);

/* Stops and starts the writing into a backward ring. */
int ring_pause(const struct ring *r, bool pause);

/* false: the kernel offers no such conversion. */
bool ring_clock(const struct ring *r, struct ring_clock *ret);
