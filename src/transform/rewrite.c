/* SPDX-License-Identifier: MIT */
#include "transform/rewrite.h"

#include "base/bytes.h"
#include "base/cleanup.h"
#include "session/consumer.h"
#include "transform/transform.h"

struct rewrite_reading {
	struct transform *first;
	bool swap;
	struct bytes swapped; /* the current record in our byte order */
	uint64_t left_out;
};

static int swap_record(const struct delivered *d, struct bytes *out)
{
	const struct raw_record *raw = &d->raw;
	const struct attr *attr = d->event ? &d->event->attr : NULL;
	struct sample s;
	struct record rec;
	int r;

	if (raw->header.type == PERF_RECORD_SAMPLE) {
		r = attr ? sample_decode(raw->bytes, raw->header.size, true, attr, &s) : -1;
		return r < 0 ? r : sample_encode(&s, attr, out);
	}
	r = record_decode(raw->bytes, raw->header.size, true, attr, &rec);
	return r < 0 ? r : record_encode(&rec, attr, out);
}

static int rewrite_hand_on(struct rewrite_reading *rd, const struct delivered *d)
{
	struct delivered native = *d;

	if (!rd->swap)
		return rd->first->kind->take(rd->first, d);
	rd->swapped.n = 0;
	if (swap_record(d, &rd->swapped) < 0) {
		rd->left_out++;
		return 0;
	}
	native.raw.bytes = rd->swapped.data;
	native.raw.header = record_header_at(rd->swapped.data, false);
	return rd->first->kind->take(rd->first, &native);
}

static int rewrite_take_records(void *arg, const struct record_batch *b)
{
	int r = 0;

	for (size_t i = 0; i < b->n && r >= 0; i++)
		r = rewrite_hand_on(arg, &b->items[i]);
	return r < 0 ? r : 0;
}

static int rewrite_take_user(void *arg, const struct delivered *d)
{
	int r = rewrite_hand_on(arg, d);

	return r < 0 ? r : 0;
}

int rewrite(struct session *s, struct transform *first, uint64_t *ret_left_out, struct diag *diag)
{
	struct rewrite_reading rd = { .first = first, .swap = session_is_swapped(s) };
	const struct consumer consumer = {
		.order = CONSUMER_IN_ORDER,
		.types = RECORD_TYPES_ALL,
		.records = rewrite_take_records,
		.user = rewrite_take_user,
		.arg = &rd,
	};
	int r = session_feed(s, NULL, &consumer, diag);

	if (r >= 0)
		r = transform_end(first);
	bytes_done(&rd.swapped);
	if (r >= 0)
		*ret_left_out = rd.left_out;
	return r;
}
