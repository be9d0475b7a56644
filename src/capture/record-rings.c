/* SPDX-License-Identifier: MIT */
#include "capture/record-rings.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "capture/control-page.h"
#include "capture/opened-events.h"
#include "capture/ring.h"
#include "event/event.h"
#include "wire/attr.h"

/*
 * The kernel wakes us up when a ring is half full. The other half must hold the records that come
 * until the ring is emptied. At a usual sampling frequency these are few; but a CPU that only makes
 * system calls writes 100 MB of records a second, and a write to a file may take 50 ms.
 */
#define RING_USUAL ((size_t)4 << 20)
#define RING_LARGE ((size_t)16 << 20)
#define RING_LEAST ((size_t)64 << 10)
#define FREQ_HIGH  10000

/* The limits on all rings together: a fraction of the memory, and a size. */
#define MEMORY_PART 16
#define TOTAL_MAX   ((uint64_t)512 << 20)

static void add_fd(struct record_ring *r, int fd)
{
	r->fds = array_reserve(r->fds, &r->room, r->n + 1, sizeof(r->fds[0]));
	r->fds[r->n++] = fd;
}

/* Returns the ring of the place's CPU, or of its thread. */
static struct record_ring ring_of(const struct opened_event *e, size_t place)
{
	int cpu = opened_event_cpu(e, place);

	return (struct record_ring){
		.cpu = cpu,
		.task = cpu < 0 ? opened_event_task(e, place) : 0,
		.ring.backward = e->event->attr.write_backward,
	};
}

size_t record_rings_find(const struct record_rings *rs, const struct opened_event *e, size_t place)
{
	const struct record_ring wanted = ring_of(e, place);
	size_t i;

	for (i = 0; i < rs->n; i++) {
		const struct record_ring *r = &rs->items[i];

		if (r->cpu == wanted.cpu && r->task == wanted.task &&
		    r->ring.backward == wanted.ring.backward)
			break;
	}
	return i;
}

static void record_rings_assign(void *arg, const struct opened_event *e, size_t place)
{
	struct record_rings *rs = arg;
	size_t i = record_rings_find(rs, e, place);

	if (i == rs->n)
		*ARRAY_ADD(rs) = ring_of(e, place);
	/* The event that traces is the first of all, and so are its descriptors. */
	rs->items[i].n_aux += e->event->traces;
	add_fd(&rs->items[i], e->fds[place]);
}

static void unmap_all(struct record_rings *rs)
{
	for (size_t i = 0; i < rs->n; i++) {
		aux_area_unmap(&rs->items[i].aux);
		ring_unmap(&rs->items[i].ring);
	}
}

static int map_all(struct record_rings *rs, size_t bytes)
{
	int r = 0;

	for (size_t i = 0; i < rs->n && r >= 0; i++) {
		struct record_ring *ring = &rs->items[i];

		r = ring_map(ring->fds[0], bytes, ring->ring.backward, &ring->ring);
	}
	if (r < 0)
		unmap_all(rs);
	return r;
}

/* True if the event writes a record each time it happens, or large ones. */
static bool is_heavy(const struct attr *a)
{
	bool dummy = a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY;

	return a->context_switch || a->sample_stack_user ||
	       (a->freq ? a->sample_freq > FREQ_HIGH : a->sample_period && !dummy);
}

static size_t usual_size(const struct record_rings *rs, const struct opened_events *events)
{
	struct sysinfo memory;
	uint64_t total = TOTAL_MAX;
	size_t bytes = RING_USUAL;

	for (size_t i = 0; i < events->n; i++)
		if (is_heavy(&events->items[i].event->attr))
			bytes = RING_LARGE;

	if (sysinfo(&memory) == 0) {
		uint64_t part = (uint64_t)memory.totalram * memory.mem_unit / MEMORY_PART;

		total = part < total ? part : total;
	}
	while (bytes > RING_LEAST && bytes * rs->n > total)
		bytes /= 2;
	return bytes;
}

/*
 * Maps rings as large as the kernel permits: the amount that a user may lock depends on how much is
 * locked already.
 */
static int map_usual(struct record_rings *rs, const struct opened_events *events)
{
	size_t least = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = usual_size(rs, events);
	int r = map_all(rs, bytes);

	while ((r == -EPERM || r == -ENOMEM) && bytes > least) {
		bytes /= 2;
		r = map_all(rs, bytes);
	}
	return r;
}

static int record_rings_connect(const struct record_ring *r)
{
	for (size_t i = 1; i < r->n; i++)
		if (ioctl(r->fds[i], PERF_EVENT_IOC_SET_OUTPUT, r->fds[0]) < 0)
			return -errno;
	return 0;
}

static int record_rings_explain(int error, size_t bytes, struct diag *diag)
{
	switch (-error) {
	case EPERM:
		diag_set(diag, error, "Permission error mapping pages: more than you may lock");
		diag_hint(diag, "Consider increasing /proc/sys/kernel/perf_event_mlock_kb,");
		diag_hint(diag, "or try again with a smaller value of -m/--mmap_pages.");
		if (bytes)
			diag_hint(diag, "(current value: %zu,0)",
				  bytes / (size_t)sysconf(_SC_PAGESIZE));
		return error;
	case ENOMEM:
		diag_set(diag, error, "there is not enough memory for the ring buffers");
		diag_hint(diag, "Try again with a smaller value of -m/--mmap_pages.");
		return error;
	default:
		return diag_set(diag, error, "failed to mmap with %d (%s)", -error,
				strerror(-error));
	}
}

int record_rings_map(const struct opened_events *events, size_t bytes, struct record_rings *ret,
		     struct diag *diag)
{
	int r;

	opened_events_for_each(events, record_rings_assign, ret);
	r = bytes ? map_all(ret, bytes) : map_usual(ret, events);
	if (r < 0)
		return record_rings_explain(r, bytes, diag);
	for (size_t i = 0; i < ret->n && r >= 0; i++)
		r = record_rings_connect(&ret->items[i]);
	if (r < 0)
		diag_set(diag, r, "the events cannot share a ring buffer: %s", strerror(-r));
	return r;
}

static int explain_aux(int error, size_t bytes, const char *name, struct diag *diag)
{
	switch (-error) {
	case EOPNOTSUPP:
	case EINVAL:
		diag_set(diag, error, "%s: the kernel gives it no AUX area of %zu KiB", name,
			 bytes / 1024);
		diag_hint(diag, "Without one there is no trace. Another size: -m ,PAGES");
		return error;
	case EPERM:
	case ENOMEM:
		diag_set(diag, error, "%s: an AUX area of %zu KiB for each CPU is more than %s",
			 name, bytes / 1024,
			 error == -EPERM ? "you may lock" : "there is memory for");
		diag_hint(diag, "Try a smaller one (-m ,PAGES)%s",
			  error == -EPERM ? ", or raise kernel.perf_event_mlock_kb." : ".");
		return error;
	default:
		return diag_set(diag, error, "%s: cannot map its AUX area: %s", name,
				strerror(-error));
	}
}

int record_rings_map_aux(struct record_rings *rs, const struct opened_events *events, size_t bytes,
			 bool overwrites, struct diag *diag)
{
	for (size_t i = 0; i < rs->n; i++) {
		struct record_ring *ring = &rs->items[i];
		int r;

		if (!ring->n_aux)
			continue;
		r = aux_area_map(&ring->ring, bytes, overwrites, &ring->aux);
		if (r < 0)
			return explain_aux(r, bytes, events->items[0].event->name, diag);
	}
	return 0;
}

void record_ring_switch_aux(const struct record_ring *r, bool on)
{
	for (size_t i = 0; i < r->n_aux; i++)
		ioctl(r->fds[i], on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

void record_rings_unmap(struct record_rings *rs)
{
	unmap_all(rs);
	for (size_t i = 0; i < rs->n; i++)
		free(rs->items[i].fds);
	free(rs->items);
	*rs = (struct record_rings){ 0 };
}

int record_ring_fd(const struct record_ring *r)
{
	return r->watched < r->n ? r->fds[r->watched] : -1;
}

void record_ring_next_source(struct record_ring *r)
{
	while (++r->watched < r->n) {
		struct pollfd p = { .fd = r->fds[r->watched], .events = POLLIN };

		if (poll(&p, 1, 0) < 1 || !(p.revents & (POLLHUP | POLLERR)))
			return;
	}
}

/* The area is mapped after the records, at an offset of our choice. */
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

/*
 * Loads the head with acquire: data that the hardware wrote before the driver moved the head is
 * visible after the head is.
 */
static uint64_t aux_area_load_head(const struct aux_area *a)
{
	return __atomic_load_n(&a->page->aux_head, __ATOMIC_ACQUIRE);
}

/* Takes the @n bytes that end at @end, which counts all bytes or only those of the area. */
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
	/*
	 * No driver overwrites data that was not released; a head beyond that is not a valid
	 * position.
	 */
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

/*
 * True if the area was filled once. It begins as zeros, so data after the head that is not zero is
 * from the previous round.
 */
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
	/* A position in a full area also counts the data that was written before it. */
	ret->offset = (counts_all || !a->wrapped ? head : head + a->size) - n;
	aux_area_take_pieces(a, head, (size_t)n, ret);
	return (size_t)n;
}
