/* SPDX-License-Identifier: MIT */
/* Passes the samples of a recording to a heat map. */
#include <string.h>

#include "base/memory.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "tools/heatmap/internal-work.h"
#include "wire/sample.h"

bool heatmap_is_about(const struct heatmap_job *j, const struct session_event *e)
{
	return !j->rq->event || pair_rule_is_about(&(struct pair_rule){ .event = j->rq->event }, e);
}

static bool heatmap_take_passes(const struct heatmap_job *j, uint64_t time, uint32_t cpu,
				uint32_t pid, uint32_t tid)
{
	return sample_filter_passes_moment(j->filter, time, cpu) &&
	       sample_filter_passes_task(j->filter, pid, tid) &&
	       (!j->rq->filter.comms ||
		sample_filter_passes_comm(j->filter, machine_comm(j->session, pid, tid, time)));
}

static void heatmap_take_add(struct heatmap_job *j, uint64_t time, uint64_t value)
{
	if (j->window)
		heat_window_add(j->window, time, value);
	else
		heat_add(j->heat, time, value);
}

uint64_t heatmap_moment(const struct heatmap_job *j, uint64_t time)
{
	return time - (j->by_minute ? time % NS_PER_MIN : 0);
}

/* Adds @n samples that were counted elsewhere. A live map has no such samples. */
static void heatmap_take_add_many(struct heatmap_job *j, uint64_t time, uint64_t value, uint64_t n)
{
	if (j->window)
		heat_window_add(j->window, time, value);
	else
		heat_add_many(j->heat, time, value, n);
}

void heatmap_found(void *arg, const struct pair *p)
{
	struct heatmap_job *j = arg;
	uint32_t pid = p->pid, tid = p->tid;
	uintptr_t process;

	if (j->spec->key_is_task) {
		tid = (uint32_t)p->keys[0];
		process = (uintptr_t)u64_map_find(&j->processes, (uint64_t)tid + 1);
		pid = process ? (uint32_t)(process - 1) : SAMPLE_NOBODY;
	}
	if (heatmap_take_passes(j, p->end_ns, p->end->sample->cpu, pid, tid))
		heatmap_take_add(j, p->end_ns, p->end_ns - p->begin_ns);
}

static struct heatmap_source heatmap_take_bind_source(const struct heatmap_job *j,
						      const struct session_event *e)
{
	struct heatmap_source v = { .is_bound = true };

	if (!heatmap_is_about(j, e))
		return v;
	v.ref = tracepoint_field_bind(e->format, j->rq->field, session_is_swapped(j->session));
	if (v.ref.kind == FIELD_NUMBER)
		v.from = VALUE_FIELD;
	else if (!strcmp(j->rq->field, "period"))
		v.from = VALUE_PERIOD;
	else if (!strcmp(j->rq->field, "weight") &&
		 (e->attr.sample_type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)))
		v.from = VALUE_WEIGHT;
	return v;
}

const struct heatmap_source *heatmap_source_of(struct heatmap_job *j, const struct session_event *e)
{
	while (j->sources.n <= e->index)
		ARRAY_ADD(&j->sources);

	struct heatmap_source *v = &j->sources.items[e->index];

	if (!v->is_bound)
		*v = heatmap_take_bind_source(j, e);
	return v;
}

static void heatmap_take_field(struct heatmap_job *j, const struct session_sample *s)
{
	const struct heatmap_source *v = heatmap_source_of(j, s->event);
	uint64_t value;

	if (v->from == VALUE_ABSENT)
		return;
	j->n_samples++;
	if (s->time == SAMPLE_TIME_SUM)
		return;
	if (!heatmap_take_passes(j, s->time, s->sample->cpu, s->sample->pid, s->sample->tid))
		return;
	if (v->from == VALUE_FIELD) {
		if (!field_ref_number(&v->ref, s->sample->raw, s->sample->raw_size, &value))
			j->unreadable++;
		else if (v->ref.is_signed && (int64_t)value < 0)
			j->negative++;
		else
			heatmap_take_add(j, s->time, value);
	} else {
		heatmap_take_add(j, s->time,
				 v->from == VALUE_PERIOD ? s->period : s->sample->weight);
	}
}

static void take_at(struct heatmap_job *j, uint64_t time, uint64_t n)
{
	uint64_t value = time < j->first_ns ? 0 : (time - j->first_ns) % j->step_ns;

	if (n)
		heatmap_take_add_many(j, time, value, n);
}

static void heatmap_take_sample(struct heatmap_job *j, const struct session_sample *s)
{
	if (!heatmap_is_about(j, s->event) || !sample_time_is_known(s->time))
		return;
	j->n_samples++;
	if (heatmap_take_passes(j, heatmap_moment(j, s->time), s->sample->cpu, s->sample->pid,
				s->sample->tid))
		take_at(j, s->time, s->samples);
}

/* Begins the time axis with the first sample of the window. */
static void heatmap_take_start(struct heatmap_job *j, const struct session_sample *s)
{
	if (!sample_time_is_known(s->time) ||
	    !sample_filter_passes_moment(j->filter, heatmap_moment(j, s->time), s->sample->cpu))
		return;
	j->has_started = true;
	/* Or at the beginning of its hour. */
	j->first_ns = s->time - (j->by_minute ? s->time % NS_PER_H : 0);
	heat_start(j->heat, j->first_ns);
}

int heatmap_take(void *arg, const struct sample_batch *b)
{
	struct heatmap_job *j = arg;

	for (size_t i = 0; i < b->n; i++) {
		const struct session_sample *s = &b->items[i];

		if (!j->has_started)
			heatmap_take_start(j, s);
		if (j->kind == HEATMAP_PAIRS)
			pairs_take(j->pairs, s);
		else if (j->kind == HEATMAP_FIELD)
			heatmap_take_field(j, s);
		else
			heatmap_take_sample(j, s);
	}
	return 0;
}
