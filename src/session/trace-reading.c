/* SPDX-License-Identifier: MIT */
#include "session/trace-reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/internal.h"
#include "session/traces.h"

static const struct aux_class *trace_reading_class_of(const struct trace_reading *r)
{
	return r->traces->decoder->class;
}

/* Compares by time; equal times in the order of queues. */
static bool trace_reading_comes_before(const struct trace_turn *a, const struct trace_turn *b)
{
	return a->time != b->time ? a->time < b->time : a->queue < b->queue;
}

static void swap_turns(struct trace_turn *a, struct trace_turn *b)
{
	struct trace_turn t = *a;

	*a = *b;
	*b = t;
}

static void sink_top(struct trace_reading *r)
{
	struct trace_turn *heap = r->turns.items;

	for (size_t i = 0, child; (child = 2 * i + 1) < r->turns.n; i = child) {
		if (child + 1 < r->turns.n &&
		    trace_reading_comes_before(&heap[child + 1], &heap[child]))
			child++;
		if (!trace_reading_comes_before(&heap[child], &heap[i]))
			break;
		swap_turns(&heap[i], &heap[child]);
	}
}

static void trace_reading_push(struct trace_reading *r, struct trace_turn turn)
{
	*ARRAY_ADD(&r->turns) = turn;
	for (size_t i = r->turns.n - 1; i; i = (i - 1) / 2) {
		struct trace_turn *up = &r->turns.items[(i - 1) / 2];

		if (!trace_reading_comes_before(&r->turns.items[i], up))
			break;
		swap_turns(&r->turns.items[i], up);
	}
}

/* Finds the time of the next item of @queue. false: there is none. */
static bool trace_reading_peek(const struct trace_reading *r, size_t queue, struct trace_turn *ret)
{
	uint64_t time = 0;

	if (!trace_reading_class_of(r)->peek(r->streams.items[queue], &time))
		return false;
	*ret = (struct trace_turn){ .time = time ? time : UINT64_MAX, .queue = queue };
	return true;
}

static void add_stream(struct trace_reading *r, size_t queue)
{
	const struct traces *t = r->traces;

	*ARRAY_ADD(&r->streams) = trace_reading_class_of(r)->stream(t->decoder,
								    t->queues.items[queue]);
	*ARRAY_ADD(&r->dry) = r->streams.n - 1;
}

void trace_reading_init(struct trace_reading *r, struct traces *t)
{
	*r = (struct trace_reading){ .traces = t };
	running_settle(&t->running);
}

void trace_reading_init_one(struct trace_reading *r, struct traces *t, size_t queue)
{
	*r = (struct trace_reading){ .traces = t, .one = true };
	add_stream(r, queue);
}

void trace_reading_done(struct trace_reading *r)
{
	for (size_t i = 0; i < r->streams.n; i++)
		trace_reading_class_of(r)->stream_free(r->streams.items[i]);
	free(r->streams.items);
	free(r->turns.items);
	free(r->dry.items);
	bytes_done(&r->scratch);
	arena_done(&r->arena);
}

void trace_reading_refill(struct trace_reading *r)
{
	struct trace_turn turn;
	size_t kept = 0;

	while (!r->one && r->streams.n < r->traces->queues.n)
		add_stream(r, r->streams.n);
	for (size_t i = 0; i < r->dry.n; i++)
		if (trace_reading_peek(r, r->dry.items[i], &turn))
			trace_reading_push(r, turn);
		else
			r->dry.items[kept++] = r->dry.items[i];
	r->dry.n = kept;
}

static void *trace_reading_keep(struct trace_reading *r, const void *bytes, size_t n)
{
	return memcpy(arena_alloc(&r->arena, n), bytes, n);
}

static bool sample_record(struct trace_reading *r, const struct aux_item *item,
			  struct delivered *ret)
{
	const struct traces *t = r->traces;
	struct session_event *e;

	if (item->event >= t->decoder->events.n)
		return false;
	e = t->session->events.items[t->first_event + item->event];
	r->scratch.n = 0;
	if (sample_encode(&item->sample, &e->attr, &r->scratch) < 0)
		return false;
	ret->event = e;
	ret->time = item->moment;
	ret->raw.payload = trace_reading_keep(r, &item->facts, sizeof(item->facts));
	ret->raw.payload_size = sizeof(item->facts);
	return true;
}

static bool error_record(struct trace_reading *r, const struct aux_item *item,
			 struct delivered *ret)
{
	const struct record rec = { .header.type = PERF_RECORD_AUXTRACE_ERROR,
				    .auxtrace_error = item->error };

	ret->time = item->error.time;
	r->scratch.n = 0;
	return record_encode(&rec, NULL, &r->scratch) >= 0;
}

static bool to_record(struct trace_reading *r, const struct aux_item *item, struct delivered *ret)
{
	*ret = (struct delivered){ .raw.position = r->traces->session->position };
	if (!(item->kind == AUX_SAMPLE ? sample_record(r, item, ret) : error_record(r, item, ret)))
		return false;
	ret->raw.bytes = trace_reading_keep(r, r->scratch.data, r->scratch.n);
	ret->raw.header = record_header_at(ret->raw.bytes, false);
	return true;
}

bool trace_reading_next(struct trace_reading *r, uint64_t time, struct delivered *ret)
{
	struct trace_turn *top;
	struct aux_item item;
	bool found = false;

	while (!found) {
		if (!r->turns.n)
			return false;
		top = &r->turns.items[0];
		if (top->time > time)
			return false;
		trace_reading_class_of(r)->take(r->streams.items[top->queue], &item);
		found = to_record(r, &item, ret);
		if (!trace_reading_peek(r, top->queue, top)) {
			*ARRAY_ADD(&r->dry) = top->queue;
			*top = r->turns.items[--r->turns.n];
		}
		sink_top(r);
	}
	return true;
}

void trace_reading_forget(struct trace_reading *r)
{
	arena_done(&r->arena);
	r->arena = (struct arena){ 0 };
}
