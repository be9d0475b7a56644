/* SPDX-License-Identifier: MIT */
#include "tools/trace/decode-bpf.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>

static const uint8_t event_kinds[] = {
	[TRACE_ENTER] = CALL_EVENT_ENTER, [TRACE_EXIT] = CALL_EVENT_EXIT,
	[TRACE_WHOLE] = CALL_EVENT_WHOLE, [TRACE_BLOCKED] = CALL_EVENT_BLOCKED,
	[TRACE_TASK] = CALL_EVENT_TASK,   [TRACE_FORK] = CALL_EVENT_FORK,
	[TRACE_END] = CALL_EVENT_END,     [TRACE_FILE] = CALL_EVENT_FILE,
	[TRACE_LOST] = CALL_EVENT_LOST,
};

/* Decodes the pieces of memory in the @size bytes at @at. */
static int decode_pieces(struct trace_decoder *d, const uint8_t *at, size_t size, size_t n,
			 struct call_event *e)
{
	if (n > CALL_DATA_MAX)
		return -EBADMSG;
	for (size_t i = 0; i < n; i++) {
		const struct trace_piece *piece = (const void *)at;
		size_t whole;

		if (size < sizeof(*piece) || piece->size > size - sizeof(*piece))
			return -EBADMSG;
		if (piece->arg >= TRACE_ARGS_MAX)
			return -EBADMSG;
		d->data[i] = (struct call_data){
			.arg = piece->arg,
			.part = piece->part,
			.flags = piece->flags,
			.size = piece->size,
			.bytes = at + sizeof(*piece),
		};
		whole = sizeof(*piece) + ((size_t)piece->size + 7) / 8 * 8;
		if (whole > size)
			return -EBADMSG;
		at += whole;
		size -= whole;
	}
	e->data = d->data;
	e->n_data = n;
	return 0;
}

static int decode_call(struct trace_decoder *d, const void *record, size_t size,
		       struct call_event *e)
{
	const struct trace_call_record *r = record;
	size_t frames_size;

	if (size < sizeof(*r))
		return -EBADMSG;
	frames_size = r->n_frames * sizeof(e->frames[0]);
	if (frames_size > size - sizeof(*r))
		return -EBADMSG;
	size -= frames_size;
	e->n_frames = r->n_frames;
	e->frames = (const void *)((const uint8_t *)record + size);
	e->nr = r->nr;
	e->enter_ns = r->enter_ns;
	e->result = r->result;
	memcpy(e->args, r->args, sizeof(e->args));
	if (!r->record.n_data)
		return 0;
	return decode_pieces(d, (const uint8_t *)(r + 1), size - sizeof(*r), r->record.n_data, e);
}

static int decode_task(const void *record, size_t size, struct call_event *e)
{
	const struct trace_task_record *r = record;

	if (size < sizeof(*r) || !memchr(r->comm, 0, sizeof(r->comm)))
		return -EBADMSG;
	e->parent_pid = r->parent_pid;
	e->parent_tid = r->parent_tid;
	e->cgroup = r->cgroup;
	e->comm = r->comm;
	return 0;
}

/* Joins the names of a path, from the last to the first, into a path. */
static int join_names(struct trace_decoder *d, const char *names, size_t size)
{
	char *to = d->path;

	if (size && names[size - 1])
		return -EBADMSG;
	while (size) {
		size_t begin = size - 1;

		while (begin && names[begin - 1])
			begin--;
		*to++ = '/';
		memcpy(to, names + begin, size - 1 - begin);
		to += size - 1 - begin;
		size = begin;
	}
	if (to == d->path)
		*to++ = '/';
	*to = 0;
	return 0;
}

static int decode_file(struct trace_decoder *d, const void *record, size_t size,
		       struct call_event *e)
{
	const struct trace_file_record *r = record;
	const char *names = (const char *)(r + 1);
	uint32_t names_size;
	int n = -1;

	if (size < sizeof(*r))
		return -EBADMSG;
	names_size = r->names_size;
	if (names_size > size - sizeof(*r) || names_size > TRACE_RECORD_MAX)
		return -EBADMSG;
	e->fd = r->fd;
	e->fd_path = d->path;
	if (r->magic == PIPEFS_MAGIC)
		n = snprintf(d->path, sizeof(d->path), "pipe:[%llu]", r->inode);
	else if (r->magic == SOCKFS_MAGIC)
		n = snprintf(d->path, sizeof(d->path), "socket:[%llu]", r->inode);
	else if (r->magic == ANON_INODE_FS_MAGIC)
		n = snprintf(d->path, sizeof(d->path), "anon_inode:%.*s",
			     (int)strnlen(names, names_size), names);
	return n >= 0 ? 0 : join_names(d, names, names_size);
}

static int decode_lost(const void *record, size_t size, struct call_event *e)
{
	const struct trace_lost_record *r = record;

	if (size < sizeof(*r))
		return -EBADMSG;
	e->count = r->count;
	return 0;
}

int trace_decode(struct trace_decoder *d, const void *record, size_t size, struct call_event *ret)
{
	const struct trace_record *r = record;

	if (size < sizeof(*r) || r->kind == TRACE_PAD || r->kind > TRACE_LOST ||
	    r->is_compat >= TRACE_N_ABIS)
		return -EBADMSG;
	*ret = (struct call_event){
		.kind = event_kinds[r->kind],
		.abi = d->abis[r->is_compat],
		.pid = r->pid,
		.tid = r->tid,
		.time_ns = r->time_ns,
		.nr = -1,
	};
	switch (r->kind) {
	case TRACE_TASK:
	case TRACE_FORK:
	case TRACE_END:
		return decode_task(record, size, ret);
	case TRACE_FILE:
		return decode_file(d, record, size, ret);
	case TRACE_LOST:
		return decode_lost(record, size, ret);
	default:
		return decode_call(d, record, size, ret);
	}
}
