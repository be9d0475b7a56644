/* SPDX-License-Identifier: MIT */
#include "tools/trace/open-calls-model.h"

#include <stdlib.h>

#include "base/memory.h"
#include "tools/trace/tasks-model.h"

/* A buffer that is larger than this is freed when its call ends. */
#define KEPT_ROOM_MAX 16384

#define LIST_APPEND(list, o, link)                                                                 \
	do {                                                                                       \
		(o)->link = (struct open_call_link){ .before = (list)->last };                     \
		*((list)->last ? &(list)->last->link.after : &(list)->first) = (o);                \
		(list)->last = (o);                                                                \
	} while (0)

#define LIST_REMOVE(list, o, link)                                                                 \
	do {                                                                                       \
		struct open_call_link at_ = (o)->link;                                             \
		*(at_.before ? &at_.before->link.after : &(list)->first) = at_.after;              \
		*(at_.after ? &at_.after->link.before : &(list)->last) = at_.before;               \
	} while (0)

static void open_calls_free_call(struct open_call *o)
{
	kept_call_done(&o->kept);
	free(o);
}

void open_calls_done(struct open_calls *l)
{
	struct open_call *o;

	while ((o = l->open.first))
		open_calls_remove(l, o);
	while ((o = l->unused)) {
		l->unused = o->open.after;
		open_calls_free_call(o);
	}
}

struct open_call *open_calls_add(struct open_calls *l, const struct trace_call *c)
{
	struct open_call *o = l->unused;

	if (o)
		l->unused = o->open.after;
	else
		o = xcalloc(1, sizeof(*o));
	kept_call_set(&o->kept, c);
	o->is_wanted = o->is_shown = o->is_waiting = false;
	LIST_APPEND(&l->open, o, open);
	c->task->open_call = o;
	return o;
}

void open_calls_remove(struct open_calls *l, struct open_call *o)
{
	open_calls_no_longer_waits(l, o);
	LIST_REMOVE(&l->open, o, open);
	o->kept.call.task->open_call = NULL;
	if (o->kept.room > KEPT_ROOM_MAX)
		kept_call_done(&o->kept);
	o->open.after = l->unused;
	l->unused = o;
}

void open_calls_waits(struct open_calls *l, struct open_call *o, uint64_t time_ns)
{
	if (o->is_waiting)
		return;
	o->is_waiting = true;
	o->waits_since_ns = time_ns;
	LIST_APPEND(&l->waiting, o, waiting);
}

void open_calls_no_longer_waits(struct open_calls *l, struct open_call *o)
{
	if (!o->is_waiting)
		return;
	o->is_waiting = false;
	LIST_REMOVE(&l->waiting, o, waiting);
}
