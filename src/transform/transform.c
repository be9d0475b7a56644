/* SPDX-License-Identifier: MIT */
#include "transform/transform.h"

#include "base/bytes.h"
#include "base/cleanup.h"

bool transform_sample(const struct delivered *d, struct sample *ret)
{
	return d->raw.header.type == PERF_RECORD_SAMPLE && d->event &&
	       sample_decode(d->raw.bytes, d->raw.header.size, false, &d->event->attr, ret) >= 0;
}

int transform_pass_record(const struct transform *t, const struct record *r,
			  const struct session_event *e)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	int error = record_encode(r, e ? &e->attr : NULL, &b);

	if (error < 0)
		return error;
	return transform_pass(
		t, &(struct delivered){
			   .raw = { .bytes = b.data, .header = record_header_at(b.data, false) },
			   .time = r->id.time,
			   .event = e,
		   });
}

void transform_attr(const struct transform *first, struct attr *attr)
{
	for (const struct transform *t = first; t; t = t->next)
		if (t->kind->attr)
			t->kind->attr(t, attr);
}

int transform_end(struct transform *first)
{
	int r = 0;

	for (struct transform *t = first; t && r >= 0; t = t->next)
		if (t->kind->end)
			r = t->kind->end(t);
	return r;
}
