/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A copy of a call with everything that its data points to: of a call that goes on, or that waits
 * for its stack.
 *
 * `struct kept_call k = { 0 };` is empty. The memory of a copy is used again for the next one.
 */
#include "tools/trace/call-model.h"

struct kept_call {
	struct trace_call call; /* its data points into the members below */
	struct call_data pieces[CALL_DATA_MAX];
	uint8_t *bytes;
	size_t n_bytes, room;
};

/* Copies @c. Its stack is not copied and is NULL in the copy. */
void kept_call_set(struct kept_call *k, const struct trace_call *c);

/* Adds the pieces at @data, as far as there is room for them. */
void kept_call_add(struct kept_call *k, const struct call_data *data, size_t n);

void kept_call_done(struct kept_call *k);
