/* SPDX-License-Identifier: MIT */
#include "tools/kwork/kwork-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "session/consumer.h"

void kwork_init(struct kwork_model *m, const struct kwork_options *o)
{
	*m = (struct kwork_model){ .o = *o };
	kwork_items_init(&m->items);
}

void kwork_done(struct kwork_model *m)
{
	kwork_events_done(&m->events);
	kwork_items_done(&m->items);
}

void kwork_bind(struct kwork_model *m, const struct session *s)
{
	kwork_events_done(&m->events);
	kwork_events_bind(&m->events, s);
}

static bool kwork_has_role(enum kwork_mode mode, enum kwork_role role)
{
	return (role == KWORK_RAISE && mode != KWORK_RUNTIME) || role == KWORK_BEGIN ||
	       (role == KWORK_END && mode != KWORK_DELAY);
}

bool kwork_wants(const struct kwork_model *m, const struct session_event *e)
{
	enum kwork_class class;
	enum kwork_role role = kwork_event_role(&m->events, e, &class);

	return kwork_has_role(m->o.mode, role) && kwork_classes_have(&m->o.classes, class);
}

/* Returns the name for a new item, from @e. */
static char *kwork_name_of(const struct kwork_model *m, const struct kwork_event *e)
{
	const char *function;

	if (e->name)
		return xstrndup(e->name, e->name_length);
	if (!e->function || !m->o.function)
		return NULL;
	function = m->o.function(m->o.arg, e->function, e->time);
	return function ? xstrdup(function) : NULL;
}

/* Returns the item of @e, or NULL if it is filtered out. */
static struct kwork_item *item_of(struct kwork_model *m, const struct kwork_event *e)
{
	struct kwork_item *item = kwork_items_get(&m->items, e->class, e->cpu, e->id);

	/* The event at the end of an interrupt does not contain its name. */
	if (!item->name && !item->has_no_name) {
		item->name = kwork_name_of(m, e);
		item->has_no_name = !item->name && e->class != KWORK_IRQ;
	}
	if (m->o.name && item->name && strcmp(m->o.name, item->name) != 0)
		return NULL;
	return item;
}

static void kwork_model_begin(struct kwork_model *m, struct kwork_item *item,
			      const struct kwork_event *e, const struct session_sample *s)
{
	struct kwork_begin raise = { 0 };
	bool was_raised = m->o.mode != KWORK_RUNTIME && kwork_begins_pop(&item->raised, &raise);

	if (m->o.mode != KWORK_DELAY) {
		kwork_begins_push(&item->begun,
				  (struct kwork_begin){
					  .time = e->time,
					  .raised = was_raised ? raise.time : 0,
					  .stack = m->o.stack ? m->o.stack(m->o.arg, s) : NULL,
				  });
	} else if (was_raised) {
		kwork_item_add(item, raise.time, e->time);
	} else {
		m->skipped.begins++;
	}
}

static void kwork_end(struct kwork_model *m, struct kwork_item *item, const struct kwork_event *e)
{
	struct kwork_begin b;

	if (!kwork_begins_pop(&item->begun, &b)) {
		m->skipped.ends++;
		return;
	}
	kwork_item_add(item, b.time, e->time);
	if (m->o.ran)
		m->o.ran(m->o.arg, &(struct kwork_run){ .item = item,
							.raised = b.raised,
							.begin = b.time,
							.end = e->time,
							.stack = b.stack });
	free(b.stack);
}

static void kwork_note_time(struct kwork_model *m, uint64_t time)
{
	if (!m->is_begun)
		m->first_time = time;
	m->is_begun = true;
	m->last_time = time;
}

void kwork_take_event(struct kwork_model *m, const struct kwork_event *e,
		      const struct session_sample *s)
{
	struct kwork_item *item = item_of(m, e);

	if (!item)
		return;
	kwork_note_time(m, e->time);
	if (e->role == KWORK_RAISE)
		kwork_begins_push(&item->raised, (struct kwork_begin){ .time = e->time });
	else if (e->role == KWORK_BEGIN)
		kwork_model_begin(m, item, e, s);
	else
		kwork_end(m, item, e);
}

void kwork_take(struct kwork_model *m, const struct session_sample *s)
{
	struct kwork_event e;

	if (kwork_event_read(&m->events, s, &e))
		kwork_take_event(m, &e, s);
}

void kwork_finish(struct kwork_model *m)
{
	for (size_t i = 0; i < m->items.n; i++) {
		m->skipped.raises += kwork_begins_unmatched(&m->items.items[i]->raised);
		m->skipped.begins += kwork_begins_unmatched(&m->items.items[i]->begun);
	}
}
