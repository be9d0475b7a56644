/* SPDX-License-Identifier: MIT */
/*
 * I/O calls of threads. A thread makes one call at a time, so one lane contains them all. A call
 * becomes a piece when the next one shows that they are not merged.
 */
#include <errno.h>

#include "base/memory.h"
#include "tools/timechart/internal-model.h"

static const struct lane_mark nothing = { .by = LANE_NONE, .stack = LANE_NONE };

/* True for kinds whose result is a number of bytes. */
static bool moves_bytes(enum chart_io kind)
{
	return kind != CHART_IO_SYNC && kind != CHART_IO_POLL;
}

/* Draws the call that was kept, cut at @next, the beginning of the next call. */
static void timechart_calls_flush(struct chart *c, struct chart_task *t, uint64_t next)
{
	struct chart_call *call = &t->call;
	uint64_t end = call->end, least = call->start + c->options.io_min_ns;

	if (!call->mark.state)
		return;
	if (end < least && least > call->start)
		end = least;
	if (end > next)
		end = next;
	if (t->io_lane == LANE_NONE)
		t->io_lane = lanes_add(&c->lanes);
	lanes_set(&c->lanes, t->io_lane, call->start, &call->mark);
	lanes_set(&c->lanes, t->io_lane, end, &nothing);
	call->mark.state = CHART_IO_NOTHING;
}

void chart_call(struct chart *c, uint64_t time, uint32_t tid, enum chart_io kind, uint32_t fd)
{
	struct chart_task *t = chart_task_at(c, tid);
	struct chart_call *call = &t->call;

	time = chart_event(c, time);
	if (call->is_open) {
		c->unreturned++;
		call->end = time;
		call->is_open = false;
	}
	if (call->mark.state && (call->mark.state != kind || call->mark.by != fd ||
				 time - call->end > c->options.io_merge_ns))
		timechart_calls_flush(c, t, time);
	if (!call->mark.state) {
		call->start = time;
		call->mark =
			(struct lane_mark){ .state = (uint8_t)kind, .by = fd, .stack = LANE_NONE };
	}
	call->end = time;
	call->is_open = true;
}

/* Adds a call that has returned to the sums of its thread. */
static void timechart_calls_count(struct chart_task *t, enum chart_io kind, uint64_t ns,
				  int64_t result)
{
	if (!t->io)
		t->io = xcalloc(1, sizeof(*t->io));
	t->io->calls[kind]++;
	t->io->ns[kind] += ns;
	t->io->errors += result < 0;
	if (result > 0 && moves_bytes(kind))
		t->io->bytes[kind] += (uint64_t)result;
}

/* Removes a call that is not drawn. A call with which it was merged remains. */
static void leave_out(struct chart_call *call)
{
	if (!call->mark.count)
		call->mark.state = CHART_IO_NOTHING;
}

void chart_return(struct chart *c, uint64_t time, uint32_t tid, enum chart_io kind, int64_t result)
{
	struct chart_task *t = chart_task_at(c, tid);
	struct chart_call *call = &t->call;
	uint64_t begin = call->end;

	time = chart_event(c, time);
	if (!call->is_open || call->mark.state != kind) {
		c->unbegun++;
		return;
	}
	call->is_open = false;
	timechart_calls_count(t, kind, time - begin, result);
	if (result == -EAGAIN && c->options.skip_eagain) {
		leave_out(call);
		return;
	}
	call->end = time;
	call->mark.count++;
	if (result < 0) {
		call->mark.flags |= CHART_FAILED;
		call->mark.cpu = (uint32_t)-result;
	} else if (moves_bytes(kind)) {
		call->mark.bytes += (uint64_t)result;
	}
}

/* Ends the calls that have not returned at the end of the chart. */
void chart_finish_calls(struct chart *c)
{
	for (size_t i = 0; i < c->tasks.n; i++) {
		struct chart_task *t = &c->tasks.items[i];

		if (t->call.is_open) {
			c->unreturned++;
			t->call.end = c->last;
			t->call.mark.count++;
		}
		timechart_calls_flush(c, t, c->last);
	}
}

uint64_t chart_task_bytes(const struct chart_task *t)
{
	uint64_t sum = 0;

	for (size_t k = 0; t->io && k < CHART_IO_KINDS; k++)
		sum += t->io->bytes[k];
	return sum;
}
