/* SPDX-License-Identifier: MIT */
#include "python/live-rings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "wire/record.h"

#define EVENT_SET_OUTPUT _IO('$', 5)

void live_rings_done(struct live_rings *r)
{
	for (size_t i = 0; i < r->n; i++)
		ring_unmap(&r->items[i].ring);
	free(r->items);
	*r = (struct live_rings){ 0 };
}

static int live_rings_explain_map(int error, size_t bytes, struct diag *diag)
{
	diag_set(diag, error, "cannot map a ring buffer of %zu bytes: %s", bytes, strerror(-error));
	if (error == -EPERM)
		diag_hint(diag, "The limit is kernel.perf_event_mlock_kb; ask for fewer pages.");
	return error;
}

/* Makes the descriptor @fd write into @owner's ring, or into one that is made for it. */
static int join_ring(struct live_rings *r, int *owner, int fd, int cpu, size_t bytes,
		     struct diag *diag)
{
	struct ring ring;
	int status;

	if (fd < 0)
		return 0;
	if (*owner >= 0)
		return ioctl(fd, EVENT_SET_OUTPUT, *owner) < 0
			       ? live_rings_explain_map(-errno, bytes, diag)
			       : 0;
	status = ring_map(fd, bytes, false, &ring);
	if (status < 0)
		return live_rings_explain_map(status, bytes, diag);
	*ARRAY_ADD(r) = (struct live_ring){ .ring = ring, .cpu = cpu };
	*owner = fd;
	return 0;
}

/* Maps the ring that all descriptors at a CPU, or at a thread on any CPU, share. */
static int map_place(struct live_rings *r, struct live_event *const *events, size_t n, size_t cpu,
		     size_t thread, int *owner, size_t bytes, struct diag *diag)
{
	for (size_t i = 0; i < n; i++) {
		const struct live_event *e = events[i];
		int status;

		if (cpu >= e->cpus.n || thread >= e->threads.n)
			continue;
		status = join_ring(r, owner, live_event_fd(e, cpu, thread), e->cpus.items[cpu],
				   bytes, diag);
		if (status < 0)
			return status;
	}
	return 0;
}

int live_rings_map(struct live_rings *r, struct live_event *const *events, size_t n, size_t pages,
		   struct diag *diag)
{
	size_t bytes = pages * (size_t)sysconf(_SC_PAGESIZE);

	live_rings_done(r);
	for (size_t cpu = 0; n && cpu < events[0]->cpus.n; cpu++) {
		int owner = -1;

		for (size_t thread = 0; thread < events[0]->threads.n; thread++) {
			int status;

			/* The kernel refuses to share a ring among threads that run anywhere. */
			if (events[0]->cpus.items[cpu] < 0)
				owner = -1;
			status = map_place(r, events, n, cpu, thread, &owner, bytes, diag);
			if (status < 0) {
				live_rings_done(r);
				return status;
			}
		}
	}
	return 0;
}

/* Copies @n bytes of data that lies in two pieces. */
static void copy_pieces(const struct iovec pieces[2], size_t n, uint8_t *to)
{
	size_t first = n < pieces[0].iov_len ? n : pieces[0].iov_len;

	memcpy(to, pieces[0].iov_base, first);
	if (n > first)
		memcpy(to + first, pieces[1].iov_base, n - first);
}

static int live_rings_take_record(struct ring *ring, uint8_t *record)
{
	struct iovec pieces[2] = { 0 };
	size_t there = ring_read(ring, pieces);
	struct record_header header;

	if (there < RECORD_HEADER_SIZE)
		return 0;
	copy_pieces(pieces, RECORD_HEADER_SIZE, record);
	header = record_header_at(record, false);
	if (header.size < RECORD_HEADER_SIZE || header.size > there) {
		ring_release(ring);
		return 0;
	}
	copy_pieces(pieces, header.size, record);
	ring_release_bytes(ring, header.size);
	return header.size;
}

int live_rings_take(struct live_rings *r, int cpu, uint8_t *record)
{
	bool found = false;

	for (size_t i = 0; i < r->n; i++) {
		int size;

		if (r->items[i].cpu != cpu)
			continue;
		found = true;
		size = live_rings_take_record(&r->items[i].ring, record);
		if (size)
			return size;
	}
	return found ? 0 : -ENOENT;
}
