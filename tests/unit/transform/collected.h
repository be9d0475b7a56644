/* SPDX-License-Identifier: MIT */
#pragma once
/* The end of a chain under test: keeps all records that arrive. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "transform/transform.h"

#define COLLECTED_MAX 32

struct collected {
	struct transform transform;
	struct bytes bytes;
	size_t at[COLLECTED_MAX]; /* of each record in the bytes */
	const struct session_event *events[COLLECTED_MAX];
	size_t n;
	int error; /* returned for the next record */
	bool ended;
};

static int collected_take(struct transform *t, const struct delivered *d)
{
	struct collected *c = (struct collected *)t;

	if (c->error)
		return c->error;
	assert_true(c->n < COLLECTED_MAX);
	c->events[c->n] = d->event;
	c->at[c->n++] = c->bytes.n;
	bytes_add(&c->bytes, d->raw.bytes, d->raw.header.size);
	return 0;
}

static int collected_end(struct transform *t)
{
	((struct collected *)t)->ended = true;
	return 0;
}

static const struct transform_kind collected_kind = { .take = collected_take,
						      .end = collected_end };

__attribute__((unused)) static struct collected collected_new(void)
{
	return (struct collected){ .transform.kind = &collected_kind };
}

__attribute__((unused)) static void collected_done(struct collected *c)
{
	bytes_done(&c->bytes);
}

__attribute__((unused)) static struct record_header collected_header(const struct collected *c,
								     size_t i)
{
	assert_true(i < c->n);
	return record_header_at(c->bytes.data + c->at[i], false);
}

__attribute__((unused)) static struct record collected_record(const struct collected *c, size_t i,
							      const struct attr *attr)
{
	struct record_header h = collected_header(c, i);
	struct record r;

	assert_int_equal(record_decode(c->bytes.data + c->at[i], h.size, false, attr, &r), 0);
	return r;
}

__attribute__((unused)) static struct sample collected_sample(const struct collected *c, size_t i,
							      const struct attr *attr)
{
	struct record_header h = collected_header(c, i);
	struct sample s;

	assert_int_equal(h.type, PERF_RECORD_SAMPLE);
	assert_int_equal(sample_decode(c->bytes.data + c->at[i], h.size, false, attr, &s), 0);
	return s;
}
