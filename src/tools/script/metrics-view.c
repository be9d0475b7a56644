/* SPDX-License-Identifier: MIT */
/*
 * Metrics of group sampling (`{a,b}:S`): the counts of all events of a group since the previous
 * sample, as `-F metric` shows them below the lines of the group.
 */
#include "tools/script/writer-view.h"

#include <stdlib.h>

#include "base/memory.h"
#include "count/stat-metrics.h"
#include "event/event.h"
#include "session/session.h"
#include "view/stat/metric.h"

struct script_metrics {
	struct event *events; /* indexed by the session's event index */
	struct stat_operand *operands;
};

void script_metrics_free(struct script_metrics *m)
{
	if (!m)
		return;
	free(m->events);
	free(m->operands);
	free(m);
}

static struct script_metrics *metrics_new(const struct session *s)
{
	struct script_metrics *m = xcalloc(1, sizeof(*m));
	size_t n = session_event_count(s);

	m->events = xcalloc(n + 1, sizeof(*m->events));
	m->operands = xcalloc(n + 1, sizeof(*m->operands));
	for (size_t i = 0; i < n; i++) {
		const struct session_event *e = session_event(s, i);

		m->events[i] = (struct event){
			.attr = e->attr, .name = (char *)e->name, .unit = (char *)"", .scale = 1
		};
		m->operands[i] = (struct stat_operand){ .event = &m->events[i],
							.cgroup = "",
							.state = STAT_NOT_COUNTED };
	}
	return m;
}

static void write_metrics(struct script_writer *p, const struct script_head *h,
			  const struct session_event *leader)
{
	struct stat_operand *group = &p->metrics->operands[leader->index];
	struct stat_metric metrics[STAT_METRICS];

	for (size_t i = 0; i < leader->n_members; i++) {
		size_t n = stat_metrics_of(group, leader->n_members, i, 0, metrics);

		for (size_t k = 0; k < n; k++) {
			if (!stat_metric_is_known(&metrics[k]))
				continue;
			script_write_head(p, h);
			text_add(&p->out, "\tmetric: ");
			stat_metric_add_value(&p->out, &metrics[k]);
			text_addf(&p->out, " %s\n", metrics[k].unit);
		}
	}
	for (size_t i = 0; i < leader->n_members; i++)
		group[i].state = STAT_NOT_COUNTED;
}

void script_write_metrics(struct script_writer *p, const struct script_head *h, uint64_t period)
{
	const struct session *s = p->setup->session;
	const struct session_event *e = h->event->event;
	const struct session_event *leader = session_event(s, e->leader);

	if (leader->n_members < 2 || !(leader->attr.sample_type & PERF_SAMPLE_READ) ||
	    !(leader->attr.read_format & PERF_FORMAT_GROUP))
		return;
	if (!p->metrics)
		p->metrics = metrics_new(s);
	p->metrics->operands[e->index].count = (double)period;
	p->metrics->operands[e->index].state = STAT_COUNTED;
	/* The counts of one reading are consecutive. */
	if (e->index + 1 == leader->index + leader->n_members)
		write_metrics(p, h, leader);
}
