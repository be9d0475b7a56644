/* SPDX-License-Identifier: MIT */
#include "capture/ring.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/control-page.h"
#include "wire/abi.h"
#include "wire/record.h"

static size_t ring_page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static struct control_page *control_page(const struct ring *r)
{
	return (struct control_page *)r->base;
}

static uint8_t *ring_data(const struct ring *r)
{
	return r->base + ring_page_size();
}

/*
 * The kernel writes only up to data_tail if we can write to the control page, and else overwrites
 * everything.
 */
int ring_map(int fd, size_t size, bool backward, struct ring *ret)
{
	int prot = backward ? PROT_READ : PROT_READ | PROT_WRITE;
	void *base;

	/* Older kernels count pages in an int (rb_alloc()) and map a ring without any. */
	if (size / ring_page_size() > INT_MAX)
		return -ENOMEM;
	base = mmap(NULL, ring_page_size() + size, prot, MAP_SHARED, fd, 0);
	if (base == MAP_FAILED)
		return -errno;
	*ret = (struct ring){ .base = base, .size = size, .fd = fd, .backward = backward };
	return 0;
}

void ring_unmap(struct ring *r)
{
	if (r->base)
		munmap(r->base, ring_page_size() + r->size);
	r->base = NULL;
}

/*
 * Loads the head with acquire: records that the kernel wrote before it moved the head are visible
 * after the head is.
 */
static uint64_t ring_load_head(const struct ring *r)
{
	return __atomic_load_n(&control_page(r)->data_head, __ATOMIC_ACQUIRE);
}

static size_t ring_take_pieces(const struct ring *r, uint64_t from, size_t n,
			       struct iovec pieces[2])
{
	size_t start = from & (r->size - 1);
	size_t first = n < r->size - start ? n : r->size - start;

	pieces[0] = (struct iovec){ ring_data(r) + start, first };
	pieces[1] = (struct iovec){ ring_data(r), n - first };
	return n;
}

/*
 * Returns the size of the whole records in a backward ring. Its head falls from 0, so the newest
 * record begins at it and the older ones follow, up to one that is cut off by the newest, or that
 * was never written.
 */
static size_t backward_length(const struct ring *r, uint64_t head)
{
	size_t n = 0;

	while (n + RECORD_HEADER_SIZE <= r->size) {
		struct record_header h;

		memcpy(&h, ring_data(r) + ((head + n) & (r->size - 1)), sizeof(h));
		if (h.size < RECORD_HEADER_SIZE || h.size > r->size - n)
			break;
		n += h.size;
	}
	return n;
}

size_t ring_read(struct ring *r, struct iovec pieces[2])
{
	uint64_t head = ring_load_head(r);
	size_t n;

	r->head = head;
	if (!r->backward)
		return ring_take_pieces(r, r->tail, (size_t)(head - r->tail), pieces);
	/* Records of the last snapshot are not taken again. */
	n = head == r->tail ? 0 : backward_length(r, head);
	if (n > r->tail - head)
		n = (size_t)(r->tail - head);
	return ring_take_pieces(r, head, n, pieces);
}

size_t ring_peek(struct ring *r, struct iovec pieces[2])
{
	uint64_t from = r->seen > r->tail ? r->seen : r->tail;

	r->seen = ring_load_head(r);
	return ring_take_pieces(r, from, (size_t)(r->seen - from), pieces);
}

void ring_release(struct ring *r)
{
	r->tail = r->head;
	if (!r->backward)
		__atomic_store_n(&control_page(r)->data_tail, r->tail, __ATOMIC_RELEASE);
}

void ring_release_bytes(struct ring *r, size_t n)
{
	r->tail += n;
	__atomic_store_n(&control_page(r)->data_tail, r->tail, __ATOMIC_RELEASE);
}

size_t ring_pending(const struct ring *r)
{
	return r->backward ? 0 : (size_t)(ring_load_head(r) - r->tail);
}

int ring_pause(const struct ring *r, bool pause)
{
	return ioctl(r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, pause) < 0 ? -errno : 0;
}

/* The lock is a sequence number that changes when the kernel changes the values. */
bool ring_clock(const struct ring *r, struct ring_clock *ret)
{
	const struct control_page *p = control_page(r);
	struct ring_clock c;
	uint32_t before;

	do {
		before = __atomic_load_n(&p->lock, __ATOMIC_ACQUIRE);
		c = (struct ring_clock){
			.shift = p->time_shift,
			.mult = p->time_mult,
			.zero = p->time_zero,
			.cycles = p->time_cycles,
			.mask = p->time_mask,
			.has_zero = p->capabilities & CAP_USER_TIME_ZERO,
			.has_short = p->capabilities & CAP_USER_TIME_SHORT,
		};
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&p->lock, __ATOMIC_RELAXED) != before);
	if (!c.has_zero)
		return false;
	*ret = c;
	return true;
}
