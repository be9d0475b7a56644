/* SPDX-License-Identifier: MIT */
#include "tools/top/buffer-work.h"

#include "capture/synth.h"
#include "wire/record.h"

static void half_done(struct top_half *h)
{
	bytes_done(&h->state);
	bytes_done(&h->records);
	*h = (struct top_half){ 0 };
}

void top_buffer_done(struct top_buffer *b)
{
	half_done(&b->old);
	half_done(&b->now);
}

void top_buffer_begin(struct top_buffer *b, const struct synth_plan *synth)
{
	if (b->half_bytes)
		synth_state(synth, &b->now.state);
}

void top_buffer_add(struct top_buffer *b, const struct iovec pieces[2])
{
	for (size_t i = 0; i < 2 && b->half_bytes && pieces[i].iov_len; i++)
		bytes_add(&b->now.records, pieces[i].iov_base, pieces[i].iov_len);
}

/* Adds a round record. Readers sort the records between two of these. */
static void add_round(struct bytes *to)
{
	const struct record_header round = { .type = PERF_RECORD_FINISHED_ROUND,
					     .size = RECORD_HEADER_SIZE };

	bytes_add(to, &round, sizeof(round));
}

bool top_buffer_end_pass(struct top_buffer *b, const struct synth_plan *synth)
{
	if (!b->half_bytes || !b->now.records.n)
		return false;
	add_round(&b->now.records);
	if (b->now.records.n < b->half_bytes)
		return false;
	half_done(&b->old);
	b->old = b->now;
	b->now = (struct top_half){ 0 };
	synth_state(synth, &b->now.state);
	return true;
}

static struct iovec top_buffer_whole(const struct bytes *b)
{
	return (struct iovec){ .iov_base = b->data, .iov_len = b->n };
}

void top_buffer_pieces(const struct top_buffer *b, struct iovec ret[3])
{
	const struct top_half *first = b->old.records.n ? &b->old : &b->now;

	ret[0] = top_buffer_whole(&first->state);
	ret[1] = top_buffer_whole(&first->records);
	ret[2] = first == &b->old ? top_buffer_whole(&b->now.records) : (struct iovec){ 0 };
}
