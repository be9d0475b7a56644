/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A copy of a call with all its data: of a call that has not ended, or that waits for its stack.
 *
 * `struct kept_call k = { 0 };` is empty. The memory of a copy is reused for the next one.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/syscall/event.h"

/* A system call as it is shown: the task, the call with its arguments, and the result. */

struct trace_task; /* tools/trace/tasks-model.h */

enum trace_call_part {
	TRACE_CALL_WHOLE,     /* name(args) = result */
	TRACE_CALL_BEGUN,     /* name(args) ...: other output comes before its end */
	TRACE_CALL_CONTINUED, /* ... [continued]: name() = result */
	TRACE_CALL_NO_RETURN, /* name(args) = ?: exit() */
};

struct trace_call {
	enum trace_call_part part;
	struct trace_task *task; /* the task that made the call */
	uint8_t abi;
	uint16_t cpu;
	int32_t nr;
	const struct syscall_desc *desc; /* NULL: not known */
	bool has_enter;                  /* false: it began before the trace */
	uint64_t enter_ns, exit_ns;      /* exit_ns 0: not yet */
	uint64_t args[SYSCALL_ARGS_MAX];
	int64_t result;
	const struct call_data *data;
	size_t n_data;
	const struct session_sample *stack; /* a sample with its stack; or NULL */
	/*
	 * The user's part of the stack, if it was unwound where the call was made; else n_frames is
	 * 0. `stack` is made of it before the call is passed on.
	 */
	const uint64_t *frames;
	size_t n_frames;
};

static inline bool trace_call_failed(const struct trace_call *c)
{
	return c->exit_ns && c->result < 0 && c->result >= -4095;
}

/* Returns the piece of memory to which argument @arg points. NULL: it was not copied. */
const struct call_data *trace_call_data(const struct trace_call *c, unsigned arg, unsigned part);

struct kept_call {
	struct trace_call call; /* its data points into the members below */
	struct call_data pieces[CALL_DATA_MAX];
	uint8_t *bytes;
	size_t n_bytes, room;
	uint64_t *frames;
	size_t frames_room;
};

/* Copies @c. Its stack is not copied and is NULL in the copy. */
void kept_call_set(struct kept_call *k, const struct trace_call *c);

/* Adds the pieces at @data, as far as there is space for them. */
void kept_call_add(struct kept_call *k, const struct call_data *data, size_t n);

void kept_call_done(struct kept_call *k);

/* Returns how many bytes were copied. */
size_t kept_call_size(const struct kept_call *k);
