/* SPDX-License-Identifier: MIT */
#include "capture/seen-maps.h"

#include <string.h>

#include "kernel/kept-files.h"
#include "kernel/mapped-file.h"

#define BPF_EVENT_PROG_LOAD 1

/* A name has at most PATH_MAX characters. */
#define RECORD_MAX 8192

/* Returns the record in one piece: one that the end of the ring splits is copied to @room. */
static const void *in_one_piece(const struct iovec pieces[2], size_t at, size_t size, uint8_t *room)
{
	const uint8_t *first = pieces[0].iov_base, *second = pieces[1].iov_base;
	size_t left = at < pieces[0].iov_len ? pieces[0].iov_len - at : 0;

	if (!left)
		return second + (at - pieces[0].iov_len);
	if (size <= left)
		return first + at;
	memcpy(room, first + at, left);
	memcpy(room + left, second, size - left);
	return room;
}

/* Keeps the file of a mapping. Only code is ever looked up by name. */
static void see_mmap(struct kept_files *kept, const struct record *r)
{
	const struct record_mmap *m = &r->mmap;
	const struct mapping mapping = {
		.pid = (int)m->pid,
		.path = m->filename,
		.start = m->addr,
		.end = m->addr + m->len,
		.file = { m->maj, m->min, m->ino, m->ino_generation },
		.build_id = m->build_id,
	};

	if (!(r->header.misc & PERF_RECORD_MISC_MMAP_DATA))
		kept_files_see(kept, &mapping);
}

void seen_map(struct kept_files *kept, const struct iovec pieces[2], size_t at,
	      const struct record_header *h)
{
	uint8_t room[RECORD_MAX];
	struct record r;

	/* The trailer after the name is not needed. */
	if (h->size > sizeof(room) ||
	    record_decode(in_one_piece(pieces, at, h->size, room), h->size, false, NULL, &r) < 0)
		return;
	if (h->type == PERF_RECORD_FORK)
		kept_files_forked(kept, (int)r.task.pid, (int)r.task.ppid);
	else if (h->type == PERF_RECORD_EXIT && r.task.pid == r.task.tid)
		kept_files_exited(kept, (int)r.task.pid);
	else if (h->type == PERF_RECORD_BPF_EVENT && r.bpf_event.type == BPF_EVENT_PROG_LOAD)
		kept_files_see_program(kept, r.bpf_event.id);
	else if (h->type == PERF_RECORD_MMAP2)
		see_mmap(kept, &r);
}
