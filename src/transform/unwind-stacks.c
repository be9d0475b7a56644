/* SPDX-License-Identifier: MIT */
#include "transform/unwind-stacks.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "session/stack-unwind.h"
#include "transform/transform.h"
#include "transform/unwound-sample.h"

/* More real frames than the copy of a stack, at most 64 KiB, can contain. */
#define FRAMES_MAX 4096

struct unwind_stacks {
	struct transform transform;
	const struct session *session;
	struct stack_unwinder *unwinder;
	struct u64_map events; /* the new events, by index plus one */
	struct bytes room, made;
};

static struct unwind_stacks *unwind_stacks_of(struct transform *t)
{
	return (struct unwind_stacks *)((char *)t - offsetof(struct unwind_stacks, transform));
}

static void unwind_stacks_change_attr(const struct transform *t, struct attr *attr)
{
	(void)t;
	if (attr_has_stacks(attr))
		*attr = unwound_attr(attr, false);
}

/* Returns @e with the new attr of its samples. */
static const struct session_event *unwind_stacks_event_afterwards(struct unwind_stacks *u,
								  const struct session_event *e)
{
	struct session_event *changed = u64_map_find(&u->events, e->index + 1);

	if (changed)
		return changed;
	changed = xmalloc(sizeof(*changed));
	*changed = *e;
	unwind_stacks_change_attr(&u->transform, &changed->attr);
	u64_map_put(&u->events, e->index + 1, changed);
	return changed;
}

static int unwind_stacks_take(struct transform *t, const struct delivered *d)
{
	struct unwind_stacks *u = unwind_stacks_of(t);
	const struct session_event *changed;
	struct unwound stack;
	struct sample s;

	if (d->raw.header.type != PERF_RECORD_SAMPLE || !d->event ||
	    !attr_has_stacks(&d->event->attr))
		return transform_pass(t, d);
	/* A malformed sample does not have the layout of the new event. */
	if (!transform_sample(d, &s))
		return 0;
	changed = unwind_stacks_event_afterwards(u, d->event);
	stack = stack_unwind(u->unwinder, u->session, &s, d->time, FRAMES_MAX);
	u->made.n = 0;
	if (unwound_sample_encode(&s, stack.ips, stack.n, &changed->attr, &u->room, &u->made) < 0)
		return 0;
	return transform_pass(t, &(struct delivered){
					 .raw = { .bytes = u->made.data,
						  .header = record_header_at(u->made.data, false) },
					 .time = d->time,
					 .event = changed,
				 });
}

static const struct transform_kind kind = { .take = unwind_stacks_take,
					    .attr = unwind_stacks_change_attr };

struct unwind_stacks *unwind_stacks_new(const struct session *s)
{
	struct unwind_stacks *u = xcalloc(1, sizeof(*u));

	u->transform.kind = &kind;
	u->session = s;
	u->unwinder = stack_unwinder_new();
	return u;
}

static void free_event(void *arg, uint64_t index, void *event)
{
	(void)arg, (void)index;
	free(event);
}

void unwind_stacks_free(struct unwind_stacks *u)
{
	if (!u)
		return;
	u64_map_for_each(&u->events, free_event, NULL);
	u64_map_done(&u->events);
	stack_unwinder_free(u->unwinder);
	bytes_done(&u->room);
	bytes_done(&u->made);
	free(u);
}

struct transform *unwind_stacks_transform(struct unwind_stacks *u)
{
	return &u->transform;
}
