/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The AUX area of a ring buffer: memory that hardware writes a trace into, beside the records.
 *
 * An area that is emptied as it fills is like a ring: the hardware stops before what was not
 * released. One for snapshots is overwritten; it is read while the event that writes it is
 * stopped. What the hardware wrote so far ends at aux_head of the control page. Some drivers count
 * all bytes there (CoreSight), others give the place in a snapshot area (Intel PT, Arm SPE): then
 * only the area itself can tell whether it was filled once, as it begins as zeros.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

struct control_page;
struct ring;

struct aux_area {
	uint8_t *base; /* NULL: there is none */
	size_t size;   /* a power of two */
	struct control_page *page;
	bool overwrites;
	bool counts_all; /* of a snapshot area: its head is no place, but counts all bytes */
	bool wrapped;    /* a snapshot has shown that it was filled once */
	uint64_t tail;   /* up to here it was taken */
	uint64_t head;   /* up to here it was read */
};

/* What was read: up to two pieces of the area. */
struct aux_span {
	uint64_t offset; /* of its first byte, for AUXTRACE */
	size_t size;
	struct iovec pieces[2];
};

/*
 * Maps the area of @r, whose event writes one: @size bytes, a power of two pages. -EOPNOTSUPP: the
 * event has no AUX area; -EPERM, -ENOMEM, -EINVAL, ...
 */
int aux_area_map(const struct ring *r, size_t size, bool overwrites, struct aux_area *ret);
void aux_area_unmap(struct aux_area *a);

/* How many bytes wait to be read; 0 for a snapshot area. */
size_t aux_area_pending(const struct aux_area *a);

/* What has come since the last release. Returns its size. Not for snapshot areas. */
size_t aux_area_read(struct aux_area *a, struct aux_span *ret);

/* Gives the space of what was read back to the hardware. */
void aux_area_release(struct aux_area *a);

/*
 * What a snapshot area holds that the last snapshot has not taken, at most the last @most bytes (0:
 * all). Its event must be stopped. Returns its size.
 */
size_t aux_area_snapshot(struct aux_area *a, size_t most, struct aux_span *ret);
