/* SPDX-License-Identifier: MIT */
/*
 * The sort key `trace`: the text of a tracepoint's record.
 *
 * Formatting the text costs more than all other work for a sample, but records repeat. So the
 * record's bytes are looked up first, without the fields with which all tracepoints begin (type,
 * flags, pid), unless the text shows them.
 */
#include <string.h>

#include "base/text.h"
#include "profile/key-types.h"
#include "profile/keys.h"
#include "profile/shared-values.h"
#include "session/session.h"
#include "tracepoint/format.h"
#include "tracepoint/plan.h"

struct trace_arg {
	const struct tracepoint_machine *machine;
	size_t n;        /* the number of events */
	uint32_t skip[]; /* by event: number of bytes ignored at a record's beginning */
};

static uint32_t common_bytes(const struct session_event *ev)
{
	uint32_t first = UINT32_MAX;

	if (!ev->plan || strstr(ev->format->print_fmt, "common_"))
		return 0;
	for (size_t i = 0; i < ev->format->n_fields; i++) {
		const struct tracepoint_field *f = &ev->format->fields[i];

		if (!f->is_common && f->offset < first)
			first = f->offset;
	}
	return first == UINT32_MAX ? 0 : first;
}

static void trace_prepare(struct key *k, struct keys *owner, const struct key_env *env)
{
	size_t n = session_event_count(env->session);
	struct trace_arg *a = arena_alloc(&owner->arena, sizeof(*a) + n * sizeof(a->skip[0]));

	a->machine = keys_trace_machine(owner, env);
	a->n = n;
	for (size_t i = 0; i < n; i++)
		a->skip[i] = common_bytes(session_event(env->session, i));
	k->arg = a;
}

static uint64_t key_trace_make_text(const struct key *k, struct key_env *env,
				    const struct key_sample *s)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	const struct tracepoint_plan *plan = s->event->plan;
	const struct trace_arg *a = k->arg;

	if (env->raw_trace)
		tracepoint_plan_print_fields(plan, a->machine, s->sample->raw, s->sample->raw_size,
					     &t);
	else
		tracepoint_plan_print(plan, a->machine, s->sample->raw, s->sample->raw_size, &t);
	return shared_values_add(env->values, t.chars, t.length);
}

static uint64_t trace_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	const struct trace_arg *a = k->arg;
	const uint8_t *raw = s->sample->raw;
	size_t size = s->sample->raw_size, skip;
	uint64_t salt = (uintptr_t)s->event, value;

	if (!s->event->plan)
		return shared_values_add_text(env->values, "N/A");
	skip = s->event->index < a->n ? a->skip[s->event->index] : 0;
	if (skip > size)
		skip = 0;
	value = shared_values_noted(env->values, raw + skip, size - skip, salt);
	if (!value)
		value = shared_values_note(env->values, raw + skip, size - skip, salt,
					   key_trace_make_text(k, env, s));
	return value;
}

const struct key_type key_trace = {
	.name = "trace",
	.title = "Trace output",
	.parts = { { .name = "trace", .type = VALUE_TEXT } },
	.prepare = trace_prepare,
	.of_sample = trace_of,
	.compare = key_compare_texts,
};
