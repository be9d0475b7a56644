/* SPDX-License-Identifier: MIT */
#include "tools/trace/kept-call-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* The maximum size of a copy, which is far more than a source of events reports for one call. */
#define BYTES_MAX (1 << 20)

/*
 * Updates the pointers, because the bytes may have moved. They lie one after the other, in the
 * order of the pieces.
 */
static void point_to_bytes(struct kept_call *k)
{
	size_t at = 0;

	for (size_t i = 0; i < k->call.n_data; i++) {
		struct call_data *d = &k->pieces[i];

		d->bytes = d->size ? k->bytes + at : (const uint8_t *)"";
		at += d->size;
	}
	k->call.data = k->pieces;
}

static bool kept_call_add_piece(struct kept_call *k, const struct call_data *d)
{
	if (k->call.n_data == CALL_DATA_MAX || d->size > BYTES_MAX - k->n_bytes)
		return false;
	k->bytes = array_reserve(k->bytes, &k->room, k->n_bytes + d->size, 1);
	if (d->size)
		memcpy(k->bytes + k->n_bytes, d->bytes, d->size);
	k->n_bytes += d->size;
	k->pieces[k->call.n_data++] = *d;
	return true;
}

void kept_call_add(struct kept_call *k, const struct call_data *data, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!kept_call_add_piece(k, &data[i]))
			break;
	point_to_bytes(k);
}

static void kept_call_copy_frames(struct kept_call *k, const struct trace_call *c)
{
	k->call.frames = NULL;
	if (!c->n_frames)
		return;
	k->frames = array_reserve(k->frames, &k->frames_room, c->n_frames, sizeof(*k->frames));
	memcpy(k->frames, c->frames, c->n_frames * sizeof(*k->frames));
	k->call.frames = k->frames;
}

void kept_call_set(struct kept_call *k, const struct trace_call *c)
{
	const struct call_data *data = c->data;
	size_t n = c->n_data;

	k->call = *c;
	k->call.stack = NULL;
	k->call.n_data = 0;
	k->n_bytes = 0;
	kept_call_add(k, data, n);
	kept_call_copy_frames(k, c);
}

size_t kept_call_size(const struct kept_call *k)
{
	return k->n_bytes + k->call.n_frames * sizeof(*k->frames);
}

void kept_call_done(struct kept_call *k)
{
	free(k->bytes);
	free(k->frames);
	*k = (struct kept_call){ 0 };
}

const struct call_data *trace_call_data(const struct trace_call *c, unsigned arg, unsigned part)
{
	for (size_t i = 0; i < c->n_data; i++)
		if (c->data[i].arg == arg && c->data[i].part == part)
			return &c->data[i];
	return NULL;
}
