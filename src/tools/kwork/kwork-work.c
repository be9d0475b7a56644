/* SPDX-License-Identifier: MIT */
#include "tools/kwork/kwork-work.h"

#include "base/diag.h"
#include "base/notes.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"

struct kwork_reader {
	const struct kwork_request *rq;
	struct kwork_model *model;
	const struct session *session;
	struct kwork_options options; /* the command's callbacks and their arg */
	bool has_events;
};

static const char *kwork_function_name(void *arg, uint64_t addr, uint64_t time)
{
	const struct kwork_reader *r = arg;
	struct location where;

	if (!machine_resolve(r->session, 0, ADDRESS_KERNEL, addr, time, &where) || !where.sym)
		return NULL;
	return where.sym->name;
}

static void kwork_ran(void *arg, const struct kwork_run *run)
{
	const struct kwork_reader *r = arg;

	r->options.ran(r->options.arg, run);
}

static char *kwork_stack(void *arg, const struct session_sample *s)
{
	const struct kwork_reader *r = arg;

	return r->options.stack(r->options.arg, s);
}

static int kwork_work_begin(void *arg, struct consumer *c)
{
	struct kwork_reader *r = arg;

	r->session = c->session;
	kwork_bind(r->model, c->session);
	if (r->rq->begin)
		r->rq->begin(r->options.arg, c->session);
	return 0;
}

static bool kwork_work_wants(void *arg, const struct session_event *e)
{
	struct kwork_reader *r = arg;
	bool is_wanted = kwork_wants(r->model, e);

	r->has_events |= is_wanted;
	return is_wanted;
}

static int kwork_work_take(void *arg, const struct sample_batch *b)
{
	struct kwork_reader *r = arg;

	for (size_t i = 0; i < b->n; i++)
		kwork_take(r->model, &b->items[i]);
	return 0;
}

static void kwork_sum_up(const struct kwork_reader *r, struct kwork_reading *ret,
			 struct notes *notes)
{
	const struct session_counts *c = session_counts(r->session);

	*ret = (struct kwork_reading){ .lost_events = c->lost_events,
				       .lost_records = c->lost_records };
	for (size_t i = 0; i < PERF_RECORD_USER_MAX; i++)
		ret->records += c->records[i];
	kwork_finish(r->model);
	if (!r->has_events)
		notes_add(notes, NOTE_WARNING,
			  "%s has no events of such work; perf kwork record captures them",
			  session_path(r->session));
}

int kwork_read(const struct kwork_request *rq, struct kwork_model *m, struct kwork_reading *ret,
	       struct notes *notes, struct diag *diag)
{
	struct kwork_reader r = { .rq = rq, .model = m, .options = rq->model };
	const struct consumer c = { .order = CONSUMER_IN_ORDER,
				    .begin = kwork_work_begin,
				    .wants = kwork_work_wants,
				    .samples = kwork_work_take,
				    .arg = &r };
	struct kwork_options o = rq->model;
	struct recorded recorded;
	int status;

	o.function = kwork_function_name;
	o.ran = o.ran ? kwork_ran : NULL;
	o.stack = o.stack ? kwork_stack : NULL;
	o.arg = &r;
	kwork_init(m, &o);
	status = recorded_open(&rq->recorded, &recorded, diag);
	if (status >= 0)
		status = recorded_feed(&recorded, &c, notes, diag);
	if (status >= 0)
		kwork_sum_up(&r, ret, notes);
	recorded_done(&recorded);
	return status;
}
