/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/graph-calls-model.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "tracepoint/format.h"

/* An id that no event has. */
#define NO_ID UINT64_MAX

int graph_layout_parse(const char *entry, const char *exit, struct graph_layout *ret,
		       struct diag *diag)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *in = NULL, *out = NULL;
	struct graph_layout l = { .entry_id = NO_ID };
	int r = tracepoint_format_parse(exit, &out, diag);

	if (r >= 0 && entry)
		r = tracepoint_format_parse(entry, &in, diag);
	if (r < 0)
		return r;
	if (in)
		l.entry_id = in->id;
	l.exit_id = out->id;
	l.type = tracepoint_field_bind(out, "common_type", false);
	l.func = tracepoint_field_bind(out, "func", false);
	l.calltime = tracepoint_field_bind(out, "calltime", false);
	l.rettime = tracepoint_field_bind(out, "rettime", false);
	if (l.type.kind != FIELD_NUMBER || l.func.kind != FIELD_NUMBER ||
	    l.calltime.kind != FIELD_NUMBER || l.rettime.kind != FIELD_NUMBER)
		return diag_set(diag, -EBADMSG,
				"this kernel does not record when a function was called and when "
				"it returned (ftrace:funcgraph_exit)");
	*ret = l;
	return 0;
}

static void ftrace_graph_calls_take_record(const struct graph_layout *l,
					   const struct ring_record *r,
					   const struct graph_listener *listener,
					   struct graph_counts *counts)
{
	uint64_t type, func, calltime, rettime;

	if (!field_ref_number(&l->type, r->bytes, r->size, &type))
		return;
	if (type == l->entry_id)
		counts->entries++;
	if (type != l->exit_id || !field_ref_number(&l->func, r->bytes, r->size, &func) ||
	    !field_ref_number(&l->calltime, r->bytes, r->size, &calltime) ||
	    !field_ref_number(&l->rettime, r->bytes, r->size, &rettime))
		return;
	counts->calls++;
	/* The clocks of CPUs may differ a little. */
	listener->call(listener->arg, func, rettime > calltime ? rettime - calltime : 0);
}

void graph_page_take(const struct graph_layout *l, const void *page, size_t size,
		     const struct graph_listener *listener, struct graph_counts *counts)
{
	struct ring_record record;
	struct ring_page p;

	if (ring_page_open(page, size, &p) < 0) {
		counts->damaged++;
		return;
	}
	counts->lost += p.lost;
	counts->lost_gaps += p.lost_some;
	while (ring_page_next(&p, &record))
		ftrace_graph_calls_take_record(l, &record, listener, counts);
}

#define HEADER_SIZE 16

/* Bits in the number of bytes used: RB_MISSED_EVENTS and RB_MISSED_STORED of ring_buffer.c. */
#define LOST_BEFORE  (1ULL << 31)
#define LOST_COUNTED (1ULL << 30)
#define LENGTH_MASK  0xfffffff

/* enum ring_buffer_type; smaller ones are lengths in words. */
enum {
	KIND_LONG = 0, /* the length in bytes, itself included, follows */
	KIND_PADDING = 29,
	KIND_TIME_EXTEND = 30,
	KIND_TIME_STAMP = 31,
};

static uint64_t ring_page_word_at(const uint8_t *p, size_t size)
{
	uint64_t v = 0;

	memcpy(&v, p, size);
	return v;
}

int ring_page_open(const void *bytes, size_t size, struct ring_page *ret)
{
	const uint8_t *page = bytes;
	struct ring_page p = { 0 };
	uint64_t used, length;

	if (size < HEADER_SIZE)
		return -EBADMSG;
	used = ring_page_word_at(page + 8, 8);
	length = used & LENGTH_MASK;
	if (length > size - HEADER_SIZE)
		return -EBADMSG;
	p.at = page + HEADER_SIZE;
	p.end = p.at + length;
	if (used & LOST_BEFORE && used & LOST_COUNTED && size - HEADER_SIZE - length >= 8)
		p.lost = ring_page_word_at(p.end, 8);
	else
		p.lost_some = used & LOST_BEFORE;
	*ret = p;
	return 0;
}

/*
 * Computes the size of the record's head, and of what follows it. Returns false if it is not a
 * record, but takes that space.
 */
static bool ring_page_measure(const struct ring_page *p, size_t left, size_t *head, uint64_t *size)
{
	uint32_t word = (uint32_t)ring_page_word_at(p->at, 4), kind = word & 31;

	*head = 4;
	*size = (uint64_t)kind * 4;
	if (kind == KIND_TIME_EXTEND || kind == KIND_TIME_STAMP) {
		*size = 4;
		return false;
	}
	if (kind != KIND_LONG && kind != KIND_PADDING)
		return true;
	/* Padding without time fills the rest of the page. */
	if (left < 8 || (kind == KIND_PADDING && !(word >> 5))) {
		*size = left - 4;
		return false;
	}
	*size = ring_page_word_at(p->at + 4, 4);
	if (kind == KIND_PADDING)
		return false;
	*head = 8;
	*size = *size >= 4 ? *size - 4 : UINT64_MAX;
	return true;
}

bool ring_page_next(struct ring_page *p, struct ring_record *ret)
{
	while (p->end - p->at >= 4) {
		size_t left = (size_t)(p->end - p->at), head;
		uint64_t size;
		bool is_record = ring_page_measure(p, left, &head, &size);
		const uint8_t *bytes = p->at + head;

		if (size > left - head)
			break;
		/* Records begin at words. */
		size_t step = head + (((size_t)size + 3) & ~(size_t)3);

		p->at += step < left ? step : left;
		if (is_record) {
			*ret = (struct ring_record){ bytes, (size_t)size };
			return true;
		}
	}
	p->at = p->end;
	return false;
}
