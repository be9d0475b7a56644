/* SPDX-License-Identifier: MIT */
#include "tools/kwork/usage-model.h"

#include "base/memory.h"
#include "session/consumer.h"

void kwork_usage_init(struct kwork_usage *u, const struct kwork_classes *classes)
{
	*u = (struct kwork_usage){ .classes = *classes };
	kwork_items_init(&u->items);
}

void kwork_usage_done(struct kwork_usage *u)
{
	kwork_events_done(&u->events);
	sched_events_done(&u->sched);
	kwork_items_done(&u->items);
}

void kwork_usage_bind(struct kwork_usage *u, const struct session *s)
{
	kwork_events_bind(&u->events, s);
	sched_events_bind(&u->sched, s, 0);
}

bool kwork_usage_wants(const struct kwork_usage *u, const struct session_event *e)
{
	enum kwork_class class = KWORK_SCHED;
	bool is_meant = sched_event_kind(&u->sched, e) == SCHED_SWITCH;

	if (!is_meant)
		is_meant = kwork_event_role(&u->events, e, &class) > KWORK_RAISE &&
			   class != KWORK_WORKQUEUE;
	return is_meant && kwork_classes_have(&u->classes, class);
}

/* Begins a run. A previous begin whose end was not recorded is replaced. */
static void kwork_usage_model_begin(struct kwork_usage *u, struct kwork_item *item, uint64_t time)
{
	u->unmatched += item->begun.n;
	item->begun.n = 0;
	kwork_begins_push(&item->begun, (struct kwork_begin){ .time = time });
}

static void kwork_usage_end(struct kwork_usage *u, struct kwork_item *item, uint64_t time)
{
	struct kwork_begin b;

	if (kwork_begins_pop(&item->begun, &b))
		kwork_item_add(item, b.time, time);
	else
		u->unmatched++;
}

static struct kwork_item *kwork_usage_task(struct kwork_usage *u, uint32_t cpu, uint32_t tid,
					   const struct sched_comm *comm)
{
	struct kwork_item *item = kwork_items_get(&u->items, KWORK_SCHED, cpu, tid);

	if (!item->name)
		item->name = xstrndup(comm->chars, sched_comm_length(*comm));
	return item;
}

void kwork_usage_switch(struct kwork_usage *u, const struct sched_event *e)
{
	kwork_usage_end(u, kwork_usage_task(u, e->cpu, e->tid, &e->comm), e->time);
	kwork_usage_model_begin(u, kwork_usage_task(u, e->cpu, e->next_tid, &e->next_comm),
				e->time);
}

void kwork_usage_interrupt(struct kwork_usage *u, const struct kwork_event *e, uint32_t tid)
{
	struct kwork_item *item = kwork_items_get(&u->items, e->class, e->cpu, tid);

	if (e->role == KWORK_BEGIN)
		kwork_usage_model_begin(u, item, e->time);
	else
		kwork_usage_end(u, item, e->time);
}

void kwork_usage_take(struct kwork_usage *u, const struct session_sample *s)
{
	struct sched_event switched;
	struct kwork_event e;

	if (sched_event_read(&u->sched, s, &switched))
		kwork_usage_switch(u, &switched);
	else if (kwork_event_read(&u->events, s, &e))
		kwork_usage_interrupt(u, &e, s->sample->tid);
}
