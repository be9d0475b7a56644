/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A ring buffer into which the kernel writes records, and from which perf takes them.
 *
 * Forward rings are emptied as they fill: the kernel stops before data that was not released, and
 * counts the records that it could not write. Backward rings are never full: the kernel overwrites
 * the oldest records, and the contents are taken while the ring is paused. Records may wrap around
 * the ring's end, so the data comes in at most two pieces.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct ring {
	uint8_t *base; /* the control page, then the data; NULL: not mapped */
	size_t size;   /* size of the data; a power of two */
	int fd;        /* the event with which it was mapped; not owned */
	bool backward;
	uint64_t tail; /* released up to here */
	uint64_t head; /* read up to here */
	uint64_t seen; /* shown by ring_peek() up to here */
};

/*
 * The values that convert the CPU's cycle counter to nanoseconds, for decoders of hardware traces.
 */
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
 * Finds the records that have come since the last release: up to two pieces, which do not change
 * until ring_release(). Returns their total size. A backward ring must be paused in the meantime.
 */
size_t ring_read(struct ring *r, struct iovec pieces[2]);

/*
 * Does the same for a forward ring, but only for records that neither ring_peek() nor ring_read()
 * has shown before; they remain to be read.
 */
size_t ring_peek(struct ring *r, struct iovec pieces[2]);

/* Gives the space of the data that was read back to the kernel. */
void ring_release(struct ring *r);

/* Gives back the first @n bytes of the data that was read. Not for backward rings. */
void ring_release_bytes(struct ring *r, size_t n);

/* Returns the number of bytes that wait to be read. */
size_t ring_pending(const struct ring *r);

/* Stops or starts the writing into a backward ring. */
int ring_pause(const struct ring *r, bool pause);

/* Reads the conversion. False: the kernel offers none. */
bool ring_clock(const struct ring *r, struct ring_clock *ret);
