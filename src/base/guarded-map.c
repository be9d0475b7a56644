/* SPDX-License-Identifier: MIT */
#include "base/guarded-map.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

/*
 * Pages are released in steps of this size, because a system call for every record would cost more.
 */
#define RELEASE_STEP (UINT64_C(2) << 20)

/*
 * A page fault maps pages of the file around it, too: 64 KB of them (fault_around_bytes), and since
 * Linux 6.18 the whole folio, which may be as large as a huge page.
 */
#define FAULT_WINDOW (UINT64_C(64) << 10)
#define FOLIO_MAX    (UINT64_C(2) << 20)

/* Slots come in blocks of this many: one block is enough for all but large directories. */
#define BLOCK_SLOTS 256

struct guarded_map {
	_Atomic(uintptr_t) start; /* 0: this slot is free */
	size_t size;
	uint64_t released;
	atomic_bool shrank;
};

/* A block is never freed, because the handler may be reading it at any moment. */
struct guarded_map_block {
	struct guarded_map_block *next;
	size_t n_free;
	struct guarded_map slots[BLOCK_SLOTS];
};

static struct {
	pthread_mutex_t lock;
	struct sigaction previous;
	_Atomic(struct guarded_map_block *) blocks;
} guard = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool slot_covers(const struct guarded_map *m, uintptr_t addr)
{
	uintptr_t start = atomic_load(&m->start);

	return start && addr >= start && addr - start < m->size;
}

static struct guarded_map *guarded_map_of(uintptr_t addr)
{
	for (struct guarded_map_block *b = atomic_load(&guard.blocks); b; b = b->next)
		for (size_t i = 0; i < BLOCK_SLOTS; i++)
			if (slot_covers(&b->slots[i], addr))
				return &b->slots[i];
	return NULL;
}

/*
 * Maps zeros over the page at @addr. Only system calls from here on: the interrupted code may hold
 * any lock.
 */
static bool cover_with_zeros(uintptr_t addr)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	struct guarded_map *m = guarded_map_of(addr);

	if (!m)
		return false;
	atomic_store(&m->shrank, true);
	return mmap((void *)(addr & ~(page - 1)), page, PROT_READ,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

static void on_bus_error(int sig, siginfo_t *info, void *context)
{
	int saved = errno;
	bool covered = cover_with_zeros((uintptr_t)info->si_addr);

	errno = saved;
	if (covered)
		return;
	if (guard.previous.sa_flags & SA_SIGINFO) {
		guard.previous.sa_sigaction(sig, info, context);
	} else if (guard.previous.sa_handler != SIG_DFL && guard.previous.sa_handler != SIG_IGN) {
		guard.previous.sa_handler(sig);
	} else {
		/* After the return the error happens again, now with the default action. */
		sigaction(SIGBUS, &guard.previous, NULL);
	}
}

/*
 * Installs the handler. Another handler may have replaced ours in the meantime; ours then passes
 * signals on to it.
 */
static void guarded_map_install(void)
{
	struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO }, now;

	if (sigaction(SIGBUS, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
	    now.sa_sigaction == on_bus_error)
		return;
	guard.previous = now;
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}

static struct guarded_map_block *block_with_free_slot(void)
{
	struct guarded_map_block *b = atomic_load(&guard.blocks);

	while (b && !b->n_free)
		b = b->next;
	if (b)
		return b;
	b = xcalloc(1, sizeof(*b));
	b->next = atomic_load(&guard.blocks);
	b->n_free = BLOCK_SLOTS;
	atomic_store(&guard.blocks, b);
	return b;
}

static struct guarded_map *guarded_map_slot_take(void)
{
	struct guarded_map_block *b = block_with_free_slot();
	size_t i = 0;

	while (atomic_load(&b->slots[i].start))
		i++;
	b->n_free--;
	return &b->slots[i];
}

static void slot_give_back(struct guarded_map *m)
{
	struct guarded_map_block *b = atomic_load(&guard.blocks);

	while (m < b->slots || m >= b->slots + BLOCK_SLOTS)
		b = b->next;
	atomic_store(&m->start, 0);
	b->n_free++;
}

int guarded_map_new(int fd, uint64_t size, struct guarded_map **ret)
{
	struct guarded_map *m;
	void *p;

	if (size > SIZE_MAX)
		return -ENOMEM;
	p = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return -errno;

	pthread_mutex_lock(&guard.lock);
	guarded_map_install();
	m = guarded_map_slot_take();
	m->size = size;
	m->released = 0;
	atomic_store(&m->shrank, false);
	atomic_store(&m->start, (uintptr_t)p);
	pthread_mutex_unlock(&guard.lock);

	*ret = m;
	return 0;
}

void guarded_map_free(struct guarded_map *m)
{
	uintptr_t start;
	size_t size;

	if (!m)
		return;
	pthread_mutex_lock(&guard.lock);
	start = atomic_load(&m->start);
	size = m->size;
	slot_give_back(m);
	pthread_mutex_unlock(&guard.lock);
	munmap((void *)start, size);
}

const uint8_t *guarded_map_bytes(const struct guarded_map *m)
{
	return (const uint8_t *)atomic_load(&m->start);
}

bool guarded_map_shrank(const struct guarded_map *m)
{
	return atomic_load(&m->shrank);
}

void guarded_map_release(struct guarded_map *m, uint64_t offset)
{
	uint64_t end = offset / RELEASE_STEP * RELEASE_STEP;

	if (end > m->released && offset <= m->size)
		madvise((char *)guarded_map_bytes(m) + m->released, end - m->released,
			MADV_DONTNEED);
	m->released = end;
}

void guarded_map_drop(const struct guarded_map *m, uint64_t offset, uint64_t size)
{
	uint64_t start = offset > FOLIO_MAX ? (offset - FOLIO_MAX) / FAULT_WINDOW * FAULT_WINDOW
					    : 0;
	uint64_t end = (offset + size + FAULT_WINDOW - 1) / FAULT_WINDOW * FAULT_WINDOW;

	end = end < m->size ? end : m->size;
	if (start < end)
		madvise((char *)guarded_map_bytes(m) + start, end - start, MADV_DONTNEED);
}
