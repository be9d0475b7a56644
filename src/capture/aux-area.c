/* SPDX-License-Identifier: MIT */
#include "capture/aux-area.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/control-page.h"
#include "capture/ring.h"

/* It lies behind the records, where we say. */
int aux_area_map(const struct ring *r, size_t size, bool overwrites, struct aux_area *ret)
{
	struct control_page *page = (struct control_page *)r->base;
	size_t before = (size_t)sysconf(_SC_PAGESIZE) + r->size;
	int prot = overwrites ? PROT_READ : PROT_READ | PROT_WRITE;
	void *base;

	page->aux_offset = before;
	page->aux_size = size;
	base = mmap(NULL, size, prot, MAP_SHARED, r->fd, (off_t)before);
	if (base == MAP_FAILED)
		return -errno;
	*ret = (struct aux_area){
		.base = base, .size = size, .page = page, .overwrites = overwrites
	};
	return 0;
}

void aux_area_unmap(struct aux_area *a)
{
	if (a->base)
		munmap(a->base, a->size);
	a->base = NULL;
}

/* Acquire: what the hardware wrote before the driver moved the head is visible after the head is.
 */
static uint64_t aux_area_load_head(const struct aux_area *a)
{
	return __atomic_load_n(&a->page->aux_head, __ATOMIC_ACQUIRE);
}

/* The @n bytes that end at @end, which counts all bytes or only those of the area. */
static void aux_area_take_pieces(const struct aux_area *a, uint64_t end, size_t n,
				 struct aux_span *ret)
{
	size_t start = (size_t)(end - n) & (a->size - 1);
	size_t first = n < a->size - start ? n : a->size - start;

	ret->size = n;
	ret->pieces[0] = (struct iovec){ a->base + start, first };
	ret->pieces[1] = (struct iovec){ a->base, n - first };
}

size_t aux_area_pending(const struct aux_area *a)
{
	return a->base && !a->overwrites ? (size_t)(aux_area_load_head(a) - a->tail) : 0;
}

size_t aux_area_read(struct aux_area *a, struct aux_span *ret)
{
	uint64_t n;

	a->head = aux_area_load_head(a);
	n = a->head - a->tail;
	/* No driver writes over what was not released; a head that says so is no place. */
	if (n > a->size)
		n = a->size;
	ret->offset = a->head - n;
	aux_area_take_pieces(a, a->head, (size_t)n, ret);
	return (size_t)n;
}

void aux_area_release(struct aux_area *a)
{
	a->tail = a->head;
	if (!a->overwrites)
		__atomic_store_n(&a->page->aux_tail, a->tail, __ATOMIC_RELEASE);
}

/* An area begins as zeros, so that what is not zero behind the head is of the round before. */
static bool is_filled(const struct aux_area *a, uint64_t head)
{
	for (size_t i = (size_t)head; i < a->size; i++)
		if (a->base[i])
			return true;
	return false;
}

size_t aux_area_snapshot(struct aux_area *a, size_t most, struct aux_span *ret)
{
	uint64_t head = aux_area_load_head(a);
	bool counts_all = a->counts_all || head > a->size;
	uint64_t n;

	if (!a->wrapped)
		a->wrapped = !counts_all && is_filled(a, head);
	a->head = head;
	if (counts_all)
		n = head - a->tail < a->size ? head - a->tail : a->size;
	else if (a->wrapped)
		n = a->size;
	else
		n = head > a->tail ? head - a->tail : 0;
	if (most && n > most)
		n = most;
	/* A place in a full area stands for all that was written before it. */
	ret->offset = (counts_all || !a->wrapped ? head : head + a->size) - n;
	aux_area_take_pieces(a, head, (size_t)n, ret);
	return (size_t)n;
}
