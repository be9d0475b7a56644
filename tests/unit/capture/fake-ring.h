/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A ring buffer without a kernel: a file in memory with the same layout, into which the test writes
 * as the kernel would.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/ring.h"
#include "wire/record.h"

#define FAKE_HEAD 1024 /* offset of data_head in the control page */
#define FAKE_TAIL 1032

struct fake_ring {
	int fd;
	uint8_t *page; /* control page, then data */
	size_t page_size, size;
};

static inline void fake_ring_open(struct fake_ring *f, size_t size)
{
	f->page_size = (size_t)sysconf(_SC_PAGESIZE);
	f->size = size;
	f->fd = memfd_create("ring", MFD_CLOEXEC);
	assert_true(f->fd >= 0);
	assert_int_equal(ftruncate(f->fd, (off_t)(f->page_size + size)), 0);
	f->page = mmap(NULL, f->page_size + size, PROT_READ | PROT_WRITE, MAP_SHARED, f->fd, 0);
	assert_ptr_not_equal(f->page, MAP_FAILED);
}

static inline void fake_ring_close(struct fake_ring *f)
{
	munmap(f->page, f->page_size + f->size);
	close(f->fd);
}

static inline uint64_t fake_ring_word(const struct fake_ring *f, size_t at)
{
	uint64_t v;

	memcpy(&v, f->page + at, sizeof(v));
	return v;
}

static inline void fake_ring_set(struct fake_ring *f, size_t at, uint64_t v)
{
	memcpy(f->page + at, &v, sizeof(v));
}

/* Writes @n bytes at @at of the stream, and wraps at the end if necessary. */
static inline void fake_ring_put(struct fake_ring *f, uint64_t at, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		f->page[f->page_size + ((at + i) & (f->size - 1))] = ((const uint8_t *)bytes)[i];
}

/* Appends a record of @size bytes with the given first words, as the kernel does. */
static inline void fake_ring_add(struct fake_ring *f, uint32_t type, uint16_t size, uint64_t first,
				 uint64_t second)
{
	uint64_t head = fake_ring_word(f, FAKE_HEAD), words[3] = { 0, first, second };
	const struct record_header h = { .type = type, .size = size };

	memcpy(words, &h, sizeof(h));
	fake_ring_put(f, head, words, size < sizeof(words) ? size : sizeof(words));
	fake_ring_set(f, FAKE_HEAD, head + size);
}
