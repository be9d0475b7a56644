/* SPDX-License-Identifier: MIT */
#include "capture/record-drain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/memory.h"
#include "capture/record-rings.h"
#include "capture/record-sink.h"
#include "capture/record-source.h"
#include "capture/seen-maps.h"
#include "datafile/writer.h"
#include "wire/record.h"

/* The size of a write when the disk is nearly full. Records are at most 64 KiB. */
#define SAVE_BYTES ((size_t)64 << 10)

/* The size of the part of a ring that is written before checking for more urgent work. */
#define SLICE_BYTES ((size_t)256 << 10)

/* Records of other sources are collected up to this size before they are passed on. */
#define OTHERS_BYTES ((size_t)256 << 10)

/* The value by which epoll identifies sources that are not rings. */
#define OTHER UINT64_MAX

void record_drain_done(struct record_drain *d)
{
	free(d->items);
	bytes_done(&d->copy);
	bytes_done(&d->from_others);
	free(d->aux_index.items);
	closep(&d->epoll_fd);
	*d = (struct record_drain)RECORD_DRAIN_NONE;
}

/* Watches ring @i through its current source. */
static int capture_record_drain_watch(struct record_drain *d, size_t i)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u64 = i };
	int fd = record_ring_fd(d->items[i]);

	return fd >= 0 && epoll_ctl(d->epoll_fd, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

static int watch_other(struct record_drain *d, const struct record_source *s)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET, .data.u64 = OTHER };

	return s->fd >= 0 && epoll_ctl(d->epoll_fd, EPOLL_CTL_ADD, s->fd, &event) < 0 ? -errno : 0;
}

int record_drain_watch(struct record_drain *d)
{
	int r = 0;

	d->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (d->epoll_fd < 0)
		return -errno;
	d->sources = d->n;
	for (size_t i = 0; i < d->n && r >= 0; i++)
		r = capture_record_drain_watch(d, i);
	for (size_t i = 0; i < d->n_others && r >= 0; i++)
		r = watch_other(d, &d->others[i]);
	return r;
}

void record_drain_look(struct record_drain *d)
{
	struct epoll_event events[64];
	int n = epoll_wait(d->epoll_fd, events, ARRAY_SIZE(events), 0);

	for (int i = 0; i < n; i++) {
		struct record_ring *ring;

		if (events[i].data.u64 == OTHER) {
			d->others_due = true;
			continue;
		}
		ring = d->items[events[i].data.u64];
		if (!(events[i].events & (EPOLLHUP | EPOLLERR)))
			continue;
		epoll_ctl(d->epoll_fd, EPOLL_CTL_DEL, record_ring_fd(ring), NULL);
		record_ring_next_source(ring);
		if (record_ring_fd(ring) < 0 ||
		    capture_record_drain_watch(d, events[i].data.u64) < 0)
			d->sources--;
	}
}

/*
 * Returns the word at @at. Records and rings are multiples of 8 bytes, so the end of a ring never
 * splits a word.
 */
static uint64_t record_drain_word_at(const struct iovec pieces[2], size_t at)
{
	const uint8_t *first = pieces[0].iov_base, *second = pieces[1].iov_base;
	uint64_t word;

	memcpy(&word, at < pieces[0].iov_len ? first + at : second + (at - pieces[0].iov_len),
	       sizeof(word));
	return word;
}

static void record_drain_count_aux(struct record_tally *t, uint64_t flags)
{
	t->aux++;
	t->aux_truncated += flags & PERF_AUX_FLAG_TRUNCATED ? 1 : 0;
	t->aux_partial += flags & PERF_AUX_FLAG_PARTIAL ? 1 : 0;
	t->aux_collided += flags & PERF_AUX_FLAG_COLLISION ? 1 : 0;
}

static void count_record(struct record_tally *t, const struct iovec pieces[2], size_t at,
			 const struct record_header *h)
{
	switch (h->type) {
	case PERF_RECORD_SAMPLE:
		t->samples++;
		break;
	case PERF_RECORD_LOST: /* id, lost */
		if (h->size >= 24)
			t->lost += record_drain_word_at(pieces, at + 16);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		if (h->size >= 16)
			t->lost += record_drain_word_at(pieces, at + 8);
		break;
	case PERF_RECORD_THROTTLE:
		t->throttled++;
		break;
	case PERF_RECORD_AUX: /* offset, size, flags */
		if (h->size >= 32)
			record_drain_count_aux(t, record_drain_word_at(pieces, at + 24));
		break;
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_FORK:
		t->maps++;
		break;
	default:
		break;
	}
}

/* Reads the header at @at of @n bytes. False: there is no whole record. */
static bool header_at(const struct iovec pieces[2], size_t at, size_t n, struct record_header *ret)
{
	uint64_t word;

	if (at + RECORD_HEADER_SIZE > n)
		return false;
	word = record_drain_word_at(pieces, at);
	memcpy(ret, &word, sizeof(*ret));
	return ret->size >= RECORD_HEADER_SIZE && ret->size <= n - at;
}

/* Counts the records in @n bytes, but no more than fit @most; returns their total size. */
static size_t record_drain_count_records(struct record_tally *t, const struct iovec pieces[2],
					 size_t n, size_t most)
{
	struct record_header h;
	size_t at = 0;

	while (header_at(pieces, at, n, &h) && h.size <= most - at) {
		count_record(t, pieces, at, &h);
		at += h.size;
	}
	return at;
}

static int record_drain_write_pieces(const struct record_drain *d, const struct iovec pieces[2])
{
	int r = 0;

	if (!d->compress)
		return writer_writev(d->writer, d->part, pieces, pieces[1].iov_len ? 2 : 1);
	for (int i = 0; i < 2 && r >= 0; i++)
		if (pieces[i].iov_len)
			r = writer_compress(d->writer, d->part, pieces[i].iov_base,
					    pieces[i].iov_len);
	return r;
}

/* Cuts out the @n bytes of @pieces that begin at @at. */
static void record_drain_cut(const struct iovec pieces[2], size_t at, size_t n, struct iovec ret[2])
{
	size_t first = pieces[0].iov_len;

	if (at >= first) {
		ret[0] = (struct iovec){ (uint8_t *)pieces[1].iov_base + (at - first), n };
		ret[1] = (struct iovec){ pieces[1].iov_base, 0 };
		return;
	}
	first = first - at < n ? first - at : n;
	ret[0] = (struct iovec){ (uint8_t *)pieces[0].iov_base + at, first };
	ret[1] = (struct iovec){ pieces[1].iov_base, n - first };
}

/* Writes small pieces of whole records as long as they fit, because the disk is full. */
static void save_what_fits(struct record_drain *d, const struct iovec pieces[2], size_t n)
{
	size_t at = 0;

	while (at < n) {
		struct record_tally t = d->tally;
		struct iovec rest[2], some[2];

		record_drain_cut(pieces, at, n - at, rest);

		size_t size = record_drain_count_records(&t, rest, n - at, SAVE_BYTES);

		record_drain_cut(rest, 0, size, some);
		if (!size || record_drain_write_pieces(d, some) < 0)
			return;
		d->tally = t;
		at += size;
	}
}

/* Looks at maps when their record is first seen, because the process may end soon. */
static void see_maps(const struct record_drain *d, const struct iovec pieces[2], size_t n)
{
	struct record_header h;

	for (size_t at = 0; d->kept && header_at(pieces, at, n, &h); at += h.size)
		if (seen_map_matters(h.type))
			seen_map(d->kept, pieces, at, &h);
}

static bool has_stray_bit(const struct record_header *h)
{
	return h->type == PERF_RECORD_MMAP2 && (h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID);
}

/*
 * Resets a bit in a copy of the records, because rings cannot be written to. The kernel leaves
 * MISC_MMAP_BUILD_ID set in records of events that did not request build-ids, after one that did
 * (perf_event_mmap_output()), and Linux's perf 6.1 crashes when it reads them.
 */
static void reset_build_id_bits(struct record_drain *d, struct iovec pieces[2], size_t n)
{
	struct record_header h;
	bool any = false;

	for (size_t at = 0; !any && header_at(pieces, at, n, &h); at += h.size)
		any = has_stray_bit(&h);
	if (!any)
		return;
	d->copy.n = 0;
	bytes_add(&d->copy, pieces[0].iov_base, pieces[0].iov_len);
	bytes_add(&d->copy, pieces[1].iov_base, pieces[1].iov_len);
	pieces[0] = (struct iovec){ d->copy.data, d->copy.n };
	pieces[1] = (struct iovec){ NULL, 0 };
	for (size_t at = 0; header_at(pieces, at, n, &h); at += h.size) {
		if (!has_stray_bit(&h))
			continue;
		h.misc &= (uint16_t)~PERF_RECORD_MISC_MMAP_BUILD_ID;
		memcpy(d->copy.data + at, &h, sizeof(h));
	}
}

/*
 * Passes on the first @n bytes of @pieces, or as many whole records of them as fit @most. Returns
 * their size, or the error of the writer.
 */
static ssize_t record_drain_hand_on(struct record_drain *d, bool backward,
				    const struct iovec pieces[2], size_t n, size_t most)
{
	struct record_tally of_slice = { 0 };
	size_t size = record_drain_count_records(&of_slice, pieces, n, most);
	struct iovec slice[2];
	int r = 0;

	/* Counting stops at bytes that are not a record; they are written as they are. */
	if (most >= n || !size)
		size = n;
	record_drain_cut(pieces, 0, size, slice);
	if (of_slice.maps && !d->build_ids)
		reset_build_id_bits(d, slice, size);
	if (of_slice.maps)
		see_maps(d, slice, size);
	if (d->sink)
		d->sink->take(d->sink->arg, slice);
	else
		r = record_drain_write_pieces(d, slice);
	if (writer_is_full(r) && !d->compress)
		save_what_fits(d, slice, size);
	if (r < 0)
		return r;
	/*
	 * A ring that overwrites is never full. Its LOST records count the records that came while
	 * it was paused, which the kernel counts in the same way (__perf_output_begin()).
	 */
	if (backward) {
		of_slice.missed = of_slice.lost;
		of_slice.lost = 0;
	}
	record_tally_add(&d->tally, &of_slice);
	return (ssize_t)size;
}

static int drain_backward(struct record_drain *d, struct ring *ring)
{
	struct iovec pieces[2];
	size_t n = ring_read(ring, pieces);
	ssize_t r = n ? record_drain_hand_on(d, true, pieces, n, n) : 0;

	if (r > 0)
		ring_release(ring);
	return r < 0 ? (int)r : r > 0;
}

static bool is_urgent(const struct record_drain *d)
{
	return d->is_urgent && d->is_urgent(d->urgent_arg);
}

/*
 * Writes the current contents of the ring, slice by slice. *@cut_short: the rest is left because
 * something is urgent.
 */
static int drain_ring(struct record_drain *d, struct ring *ring, bool *cut_short)
{
	struct iovec pieces[2], rest[2];
	size_t n = ring_read(ring, pieces), at = 0;

	while (at < n) {
		if (cut_short && (*cut_short = is_urgent(d)))
			break;
		record_drain_cut(pieces, at, n - at, rest);

		ssize_t size = record_drain_hand_on(d, false, rest, n - at, SLICE_BYTES);

		if (size < 0)
			return (int)size;
		ring_release_bytes(ring, (size_t)size);
		at += (size_t)size;
	}
	return at > 0;
}

/*
 * Returns the size of the next slice. The compressor takes at most the size of a ring at once, for
 * which readers allocate memory. A larger record of another source is written uncompressed.
 */
static size_t others_slice(const struct record_drain *d)
{
	size_t most = SLICE_BYTES;

	for (size_t i = 0; i < d->n && d->compress; i++)
		if (d->items[i]->ring.size < most)
			most = d->items[i]->ring.size;
	return most;
}

/* Passes on the records of other sources. A build-id in one of them is there on purpose. */
static int flush_others(struct record_drain *d)
{
	const bool compress = d->compress, build_ids = d->build_ids;
	size_t at = 0, most = others_slice(d);
	ssize_t size = 0;

	d->build_ids = true;
	while (at < d->from_others.n && size >= 0) {
		const struct iovec rest[2] = { { d->from_others.data + at, d->from_others.n - at },
					       { NULL, 0 } };
		struct record_header h;

		d->compress = compress && header_at(rest, 0, rest[0].iov_len, &h) && h.size <= most;
		size = record_drain_hand_on(d, false, rest, rest[0].iov_len,
					    d->compress ? most : SLICE_BYTES);
		at += size < 0 ? 0 : (size_t)size;
	}
	d->compress = compress;
	d->build_ids = build_ids;
	d->from_others.n = 0;
	return size < 0 ? (int)size : 0;
}

static int record_drain_take_other(void *arg, const void *records, size_t size)
{
	struct record_drain *d = arg;

	bytes_add(&d->from_others, records, size);
	return d->from_others.n < OTHERS_BYTES ? 0 : flush_others(d);
}

/* Collects all records of the sources besides the rings. *@any: there were some. */
static int empty_others(struct record_drain *d, bool all, bool *any)
{
	const struct record_taker taker = { record_drain_take_other, d };
	const struct record_tally before = d->tally;
	int r = 0;

	d->others_due = false;
	for (size_t i = 0; i < d->n_others && r >= 0; i++)
		r = d->others[i].drain(d->others[i].arg, all, &taker);
	*any |= d->from_others.n || d->tally.samples != before.samples;
	return r < 0 ? r : flush_others(d);
}

static int record_drain_end_pass(struct record_drain *d, bool any)
{
	const struct record_header round = { .type = PERF_RECORD_FINISHED_ROUND,
					     .size = RECORD_HEADER_SIZE };
	int r = 0;

	if (!any)
		return 0;
	d->tally.passes++;
	if (d->rounds)
		r = writer_write(d->writer, d->part, &round, sizeof(round));
	if (r >= 0)
		r = writer_flush(d->writer);
	return r < 0 ? r : 1;
}

static uint64_t aux_reference(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc(); /* the clock of Intel PT's own times */
#else
	return clock_ns(CLOCK_MONOTONIC_RAW);
#endif
}

/* Writes an AUXTRACE record and, after it, the data, which is padded like records. */
static int write_aux(struct record_drain *d, const struct record_ring *ring, size_t index,
		     const struct aux_span *s)
{
	static const uint64_t zeros;
	size_t padding = -s->size & 7;
	const struct record r = {
		.header.type = PERF_RECORD_AUXTRACE,
		.auxtrace = { .size = s->size + padding,
			      .offset = s->offset,
			      .reference = aux_reference(),
			      .idx = (uint32_t)index,
			      .tid = (uint32_t)ring->tid,
			      .cpu = (uint32_t)ring->cpu },
	};
	_cleanup_(bytes_done) struct bytes b = { 0 };
	uint64_t at = writer_offset(d->writer);
	struct iovec all[4];
	int n = 0, result = record_encode(&r, NULL, &b);

	if (result < 0)
		return result;
	all[n++] = (struct iovec){ b.data, b.n };
	for (int i = 0; i < 2; i++)
		if (s->pieces[i].iov_len)
			all[n++] = s->pieces[i];
	if (padding)
		all[n++] = (struct iovec){ (void *)&zeros, padding };
	*ARRAY_ADD(&d->aux_index) = (struct aux_entry){ at, b.n };
	return writer_writev(d->writer, d->part, all, n);
}

/*
 * Passes on the data that the hardware wrote. A driver that found the area full has stopped its
 * event without reporting it, so the event is started again.
 */
static int drain_aux(struct record_drain *d, size_t i)
{
	struct record_ring *ring = d->items[i];
	struct aux_span span;
	int r;

	if (!ring->aux.base || ring->aux.overwrites || !aux_area_read(&ring->aux, &span))
		return 0;
	r = write_aux(d, ring, i, &span);
	if (r < 0)
		return r;
	aux_area_release(&ring->aux);
	if (!d->aux_off)
		record_ring_switch_aux(ring, true);
	return 1;
}

static int snapshot_aux(struct record_drain *d, size_t i, bool last)
{
	struct record_ring *ring = d->items[i];
	struct aux_span span;
	int r = 0;

	if (!ring->aux.base || !ring->aux.overwrites)
		return 0;
	record_ring_switch_aux(ring, false);
	if (aux_area_snapshot(&ring->aux, d->snapshot_bytes, &span)) {
		r = write_aux(d, ring, i, &span);
		aux_area_release(&ring->aux);
		r = r < 0 ? r : 1;
	}
	if (!last && !d->aux_off)
		record_ring_switch_aux(ring, true);
	return r;
}

int record_drain_aux_snapshot(struct record_drain *d, bool last)
{
	bool any = false;
	int r = 0;

	for (size_t i = 0; i < d->n && r >= 0; i++) {
		r = snapshot_aux(d, i, last);
		any |= r > 0;
	}
	return r < 0 ? r : record_drain_end_pass(d, any);
}

bool record_drain_is_due(const struct record_drain *d)
{
	if (d->others_due)
		return true;
	for (size_t i = 0; i < d->n; i++) {
		const struct ring *ring = &d->items[i]->ring;

		if (ring_pending(ring) >= (d->eager ? 1 : ring->size / 4))
			return true;
		if (d->items[i]->aux.base &&
		    aux_area_pending(&d->items[i]->aux) >= d->items[i]->aux.size / 4)
			return true;
	}
	return false;
}

/* The state of one pass over the rings. */
struct pass {
	bool all;       /* this is the last pass: nothing is more urgent */
	bool any;       /* some ring contained data */
	bool cut_short; /* ended early for something urgent */
};

static int empty_rings(struct record_drain *d, struct pass *p, size_t least_bytes)
{
	for (size_t i = 0; i < d->n && !p->cut_short; i++) {
		struct ring *ring = &d->items[i]->ring;
		int r = 0;

		if (!ring->backward && ring_pending(ring) >= least_bytes)
			r = drain_ring(d, ring, p->all ? NULL : &p->cut_short);
		p->any |= r > 0;
		if (r >= 0 && !p->cut_short)
			r = drain_aux(d, i);
		if (r < 0)
			return r;
		p->any |= r > 0;
	}
	return 0;
}

static int pass_to_sink(struct record_drain *d, struct pass *p)
{
	int r = 0;

	for (int i = 0; i < 2 && r >= 0 && !p->cut_short; i++) {
		r = empty_rings(d, p, 0);
		if (r >= 0 && !p->cut_short)
			r = empty_others(d, p->all, &p->any);
		if (r >= 0 && !p->cut_short)
			r = d->sink->end_pass(d->sink->arg);
	}
	d->tally.passes += p->any;
	return r < 0 ? r : p->any;
}

int record_drain_pass(struct record_drain *d, bool all)
{
	struct pass p = { .all = all };
	int r;

	if (d->sink)
		return pass_to_sink(d, &p);
	r = empty_rings(d, &p, all ? 0 : d->least_bytes);
	if (r < 0 || p.cut_short)
		return r < 0 ? r : p.any;
	r = empty_others(d, all, &p.any);
	return r < 0 ? r : record_drain_end_pass(d, p.any);
}

void record_drain_turn(struct record_drain *d, const char *name, bool on)
{
	if (!name)
		d->aux_off = !on;
	for (size_t i = 0; i < d->n_others; i++)
		if (d->others[i].turn)
			d->others[i].turn(d->others[i].arg, name, on);
}

void record_drain_peek(struct record_drain *d)
{
	struct iovec pieces[2];

	for (size_t i = 0; i < d->n && d->kept; i++) {
		struct ring *ring = &d->items[i]->ring;

		if (!ring->backward)
			see_maps(d, pieces, ring_peek(ring, pieces));
	}
}

int record_drain_snapshot(struct record_drain *d)
{
	bool any = false;

	for (size_t i = 0; i < d->n; i++) {
		struct ring *ring = &d->items[i]->ring;
		int r;

		if (!ring->backward)
			continue;
		ring_pause(ring, true);
		r = drain_backward(d, ring);
		ring_pause(ring, false);
		if (r < 0)
			return r;
		any |= r > 0;
	}
	return record_drain_end_pass(d, any);
}

void record_tally_add(struct record_tally *to, const struct record_tally *from)
{
	to->samples += from->samples;
	to->lost += from->lost;
	to->missed += from->missed;
	to->throttled += from->throttled;
	to->passes += from->passes;
	to->maps += from->maps;
	to->aux += from->aux;
	to->aux_truncated += from->aux_truncated;
	to->aux_partial += from->aux_partial;
	to->aux_collided += from->aux_collided;
}
