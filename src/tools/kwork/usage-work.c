/* SPDX-License-Identifier: MIT */
#include "tools/kwork/usage-work.h"

#include "base/diag.h"
#include "base/notes.h"
#include "profile/recorded.h"
#include "session/consumer.h"
#include "tools/kwork/usage-model.h"

static int kwork_usage_work_begin(void *arg, struct consumer *c)
{
	kwork_usage_bind(arg, c->session);
	return 0;
}

static bool kwork_usage_work_wants(void *arg, const struct session_event *e)
{
	return kwork_usage_wants(arg, e);
}

static int kwork_usage_work_take(void *arg, const struct sample_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		kwork_usage_take(arg, &b->items[i]);
	return 0;
}

static void kwork_usage_note_missing(const struct kwork_usage *u, const struct session *s,
				     struct notes *notes)
{
	if (!u->sched.has[SCHED_SWITCH])
		notes_add(notes, NOTE_WARNING,
			  "%s does not say which task runs; perf kwork -k irq,softirq,sched record "
			  "does",
			  session_path(s));
}

int kwork_usage_read(const struct recorded_request *rq, const struct kwork_classes *classes,
		     struct kwork_usage *u, struct notes *notes, struct diag *diag)
{
	const struct consumer c = { .order = CONSUMER_IN_ORDER,
				    .begin = kwork_usage_work_begin,
				    .wants = kwork_usage_work_wants,
				    .samples = kwork_usage_work_take,
				    .arg = u };
	struct recorded recorded;
	int r;

	kwork_usage_init(u, classes);
	r = recorded_open(rq, &recorded, diag);
	if (r >= 0)
		r = recorded_feed(&recorded, &c, notes, diag);
	if (r >= 0)
		kwork_usage_note_missing(u, recorded.session, notes);
	recorded_done(&recorded);
	return r;
}
