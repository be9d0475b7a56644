/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The stack of a call whose user part was unwound where the call was made, as a sample that has it.
 * Views then need to know only samples.
 */
#include <stddef.h>
#include <stdint.h>

#include "session/consumer.h"
#include "wire/sample.h"

struct trace_call;

/* A stack. All zero: there is none yet. The memory is reused for the next one. */
struct made_stack {
	struct session_sample outer;
	struct sample sample;
	uint64_t *words;
	size_t n, room;
};

void made_stack_done(struct made_stack *k);

/*
 * Returns a sample of the event @e with the frames of @c, which lives until the next call. Frames
 * of the kernel are those of @s, the kernel's own sample of the call's end; NULL: it was lost.
 */
const struct session_sample *made_stack_make(struct made_stack *k, const struct trace_call *c,
					     const struct session_sample *s,
					     const struct session_event *e);
