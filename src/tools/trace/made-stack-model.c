/* SPDX-License-Identifier: MIT */
#include "tools/trace/made-stack-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/tasks-model.h"

void made_stack_done(struct made_stack *k)
{
	free(k->words);
	*k = (struct made_stack){ 0 };
}

/* Returns how many words of @chain come before the user's part. */
static size_t made_stack_kernel_part(const struct words *chain)
{
	size_t n = 0;

	while (n < chain->n && words_get(chain, n) != PERF_CONTEXT_USER)
		n++;
	return n;
}

const struct session_sample *made_stack_make(struct made_stack *k, const struct trace_call *c,
					     const struct session_sample *s,
					     const struct session_event *e)
{
	size_t n_kernel = s ? made_stack_kernel_part(&s->sample->chain) : 0;

	k->words = array_reserve(k->words, &k->room, n_kernel + 1 + c->n_frames, sizeof(*k->words));
	for (k->n = 0; k->n < n_kernel; k->n++)
		k->words[k->n] = words_get(&s->sample->chain, k->n);
	k->words[k->n++] = PERF_CONTEXT_USER;
	memcpy(k->words + k->n, c->frames, c->n_frames * sizeof(*k->words));
	k->n += c->n_frames;
	k->sample = (struct sample){
		.misc = s ? s->sample->misc : PERF_RECORD_MISC_KERNEL,
		.pid = c->task->pid,
		.tid = c->task->tid,
		.time = c->exit_ns,
		.cpu = c->cpu,
		.chain = { .bytes = (const uint8_t *)k->words, .n = k->n },
	};
	k->outer = (struct session_sample){
		.record = s ? s->record : NULL,
		.event = e,
		.sample = &k->sample,
		.time = s ? s->time : c->exit_ns,
		.period = 1,
		.samples = 1,
	};
	return &k->outer;
}
