/* SPDX-License-Identifier: MIT */
#include "transform/process-memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

/* How much of the copy must be unchanged: return addresses and locals of some frames. */
#define PROOF_BYTES 1024

/* What is read at once, and in all for one sample; that is also the distance from the copy. */
#define WINDOW_BYTES ((size_t)16 << 10)
#define REACH_BYTES  ((size_t)1 << 20)

void process_memory_done(struct process_memory *m)
{
	free(m->window);
	*m = (struct process_memory){ 0 };
}

void process_memory_begin(struct process_memory *m, pid_t tid, uint64_t start, const uint8_t *copy,
			  size_t size)
{
	uint8_t *window = m->window;

	*m = (struct process_memory){
		.tid = tid,
		.copy = copy,
		.start = start,
		.end = start + size,
		.is_stale = !size || start + size < start,
		.left = REACH_BYTES,
		.window = window,
	};
}

static bool process_memory_is_in_window(const struct process_memory *m, uint64_t addr, size_t n)
{
	return addr >= m->window_start && addr - m->window_start <= m->window_size &&
	       n <= m->window_size - (addr - m->window_start);
}

/*
 * Whether the thread waits, with its stack in use below @proof: "NR ARGUMENTS... SP PC", where NR
 * may be -1, or "running".
 */
static bool is_below(const struct process_memory *m, uint64_t proof)
{
	char path[32], text[256], *sp;
	_cleanup_(closep) int fd = -1;
	uint64_t now;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/syscall", (int)m->tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	if (n <= 0)
		return false;
	text[n] = '\0';
	sp = strrchr(text, ' ');
	if (sp)
		*sp = '\0';
	sp = sp ? strrchr(text, ' ') : NULL;
	now = sp ? strtoull(sp, NULL, 16) : UINT64_MAX;
	return now <= proof && (now >= m->start || m->start - now <= REACH_BYTES);
}

/*
 * Reads into the window from @addr on, and behind that what the copy's uppermost part is now. The
 * window may be cut short where the stack ends, which ends the call before the comparison: only
 * then that takes a call of its own.
 */
static int read_window(struct process_memory *m, uint64_t addr)
{
	uint8_t now[PROOF_BYTES];
	size_t proof = m->end - m->start < PROOF_BYTES ? (size_t)(m->end - m->start) : PROOF_BYTES;
	size_t most = m->left < WINDOW_BYTES ? m->left : WINDOW_BYTES;
	struct iovec to[] = { { m->window, most }, { now, proof } };
	struct iovec from[] = { { (void *)(uintptr_t)addr, most },
				{ (void *)(uintptr_t)(m->end - proof), proof } };
	ssize_t got = process_vm_readv(m->tid, to, 2, from, 2, 0), proved;

	if (got <= 0)
		return got < 0 ? -errno : -EFAULT;
	m->window_start = addr;
	m->window_size = (size_t)got < most ? (size_t)got : most;
	m->left -= m->window_size;
	proved = got - (ssize_t)m->window_size;
	if (proved < (ssize_t)proof)
		proved = process_vm_readv(m->tid, &to[1], 1, &from[1], 1, 0);
	if (proved != (ssize_t)proof)
		return proved < 0 ? -errno : -EFAULT;
	if (memcmp(now, m->copy + (m->end - m->start) - proof, proof))
		return -ESTALE;
	return is_below(m, m->end - proof) ? 0 : -ESTALE;
}

int process_memory_read(void *arg, uint64_t addr, void *to, size_t n)
{
	struct process_memory *m = arg;
	int r;

	if (m->is_stale)
		return -ESTALE;
	if (addr < m->end || addr - m->end > REACH_BYTES)
		return -EFAULT;
	if (!process_memory_is_in_window(m, addr, n)) {
		if (!m->window)
			m->window = xmalloc(WINDOW_BYTES);
		r = read_window(m, addr);
		m->is_stale = r < 0;
		if (r < 0)
			m->window_size = 0;
		if (r >= 0 && !process_memory_is_in_window(m, addr, n))
			r = -EFAULT;
		if (r < 0)
			return r;
	}
	memcpy(to, m->window + (addr - m->window_start), n);
	m->was_used = true;
	return 0;
}
