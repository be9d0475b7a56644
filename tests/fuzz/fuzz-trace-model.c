/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the model of perf trace with events in any order, as a damaged or lossy source delivers
 * them: it does not crash and does not leak, and the calls that it delivers are consistent.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/trace/trace-model.h"
#include "session/consumer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each event is made of this many bytes. */
#define EVENT_BYTES 8
#define TASKS       16

/* Remembers the tasks for which the beginning of a call was shown, but not yet its end. */
struct seen {
	bool is_begun[TASKS];
	struct trace_tasks *tasks;
};

static int take_call(void *arg, const struct trace_call *c)
{
	struct seen *seen = arg;
	bool *is_begun = &seen->is_begun[c->task->tid % TASKS];

	if (c->part == TRACE_CALL_BEGUN)
		*is_begun = true;
	else if (c->part == TRACE_CALL_CONTINUED && c->has_enter && !*is_begun)
		abort();
	else
		*is_begun = false;
	for (size_t i = 0; i < c->n_data; i++)
		if (c->data[i].size && c->data[i].bytes[0] != 'x')
			abort();
	trace_task_file(seen->tasks, c->task, (int32_t)c->args[0]);
	return 0;
}

static int take_sample(void *arg, const struct session_sample *s, struct trace_task *task)
{
	(void)arg;
	(void)s;
	(void)task;
	return 0;
}

static bool wants_some(void *arg, const struct trace_call *c)
{
	(void)arg;
	return c->nr % 3 != 0 || c->exit_ns;
}

static void feed(struct trace_model *m, const uint8_t *b, uint64_t time_ns)
{
	static const char comms[][8] = { "", "sh", "cat", "a\x1b[31m" };
	struct call_data piece = { .arg = b[5] % 6, .size = b[6], .bytes = NULL };
	uint8_t bytes[256];
	struct call_event e = {
		.kind = b[0] % (CALL_EVENT_LOST + 1),
		.abi = b[1] % (SYSCALL_N_ABIS + 1),
		.pid = b[2] % 4,
		.tid = b[3] % TASKS,
		.time_ns = time_ns,
		.enter_ns = b[4] & 1 ? time_ns - b[4] : 0,
		.nr = (int32_t)(b[4] | (b[7] & 1) << 8) - 1,
		.result = (int8_t)b[5],
		.args = { b[6], b[7], b[5] },
		.data = &piece,
		.n_data = b[7] & 1,
		.comm = comms[b[4] & 3],
		.parent_tid = b[5] % TASKS,
		.fd = b[6],
		.fd_path = b[7] & 2 ? "/etc/passwd" : NULL,
	};
	struct session_event event = { .index = 0 };
	struct sample sample = { .pid = e.pid, .tid = e.tid };
	struct session_sample s = { .event = &event, .sample = &sample, .time = time_ns };

	memset(bytes, 'x', sizeof(bytes));
	piece.bytes = bytes;
	if (b[0] < 200)
		trace_model_event(m, &e);
	else if (b[0] < 220)
		trace_model_sample(m, &s);
	else if (b[0] < 250)
		trace_model_stack(m, &s, e.nr, e.result);
	else
		trace_model_stacks_until(m, time_ns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trace_choice choice = { 0 };
	struct seen seen = { .tasks = trace_tasks_new(false) };
	struct trace_sink sink = { .call = take_call, .sample = take_sample, .arg = &seen };
	struct trace_model *m;
	uint64_t time_ns = 1000000;

	if (size) {
		choice.tells_blocked = data[0] & 1;
		choice.only_failures = data[0] & 2;
		choice.min_duration_ns = data[0] & 4 ? 100 : 0;
		choice.wants = data[0] & 8 ? wants_some : NULL;
	}
	m = trace_model_new(&choice, seen.tasks, &sink);
	if (size && data[0] & 16)
		trace_model_expect_stacks(m);
	for (size_t i = 1; i + EVENT_BYTES <= size; i += EVENT_BYTES, time_ns += 50)
		feed(m, data + i, time_ns);
	trace_model_finish(m);
	trace_model_free(m);
	trace_tasks_free(seen.tasks);
	return 0;
}
