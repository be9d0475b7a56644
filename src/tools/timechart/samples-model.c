/* SPDX-License-Identifier: MIT */
#include "tools/timechart/samples-model.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "session/session.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"

enum role {
	ROLE_NONE,
	ROLE_SCHED,
	ROLE_IDLE,
	ROLE_FREQUENCY,
	ROLE_CALL,
	ROLE_RETURN,
};

struct chart_source {
	enum role role;
	enum chart_io kind;          /* the kind of call */
	struct field_ref state, cpu; /* for power states */
	struct field_ref tid, value; /* for a call: its thread, and its descriptor or result */
};

/* clang-format off */
static const struct chart_call_name calls[] = {
	{ "read", CHART_IO_READ, "fd" }, { "pread64", CHART_IO_READ, "fd" },
	{ "readv", CHART_IO_READ, "fd" }, { "preadv", CHART_IO_READ, "fd" },
	{ "write", CHART_IO_WRITE, "fd" }, { "pwrite64", CHART_IO_WRITE, "fd" },
	{ "writev", CHART_IO_WRITE, "fd" }, { "pwritev", CHART_IO_WRITE, "fd" },
	{ "sync", CHART_IO_SYNC, NULL }, { "sync_file_range", CHART_IO_SYNC, "fd" },
	{ "fsync", CHART_IO_SYNC, "fd" }, { "msync", CHART_IO_SYNC, NULL },
	{ "recvfrom", CHART_IO_RECEIVE, "fd" }, { "recvmmsg", CHART_IO_RECEIVE, "fd" },
	{ "recvmsg", CHART_IO_RECEIVE, "fd" },
	{ "sendto", CHART_IO_SEND, "fd" }, { "sendmsg", CHART_IO_SEND, "fd" },
	{ "sendmmsg", CHART_IO_SEND, "fd" },
	{ "epoll_pwait", CHART_IO_POLL, "epfd" }, { "epoll_wait", CHART_IO_POLL, "epfd" },
	{ "poll", CHART_IO_POLL, NULL }, { "ppoll", CHART_IO_POLL, NULL },
	{ "pselect6", CHART_IO_POLL, NULL }, { "select", CHART_IO_POLL, NULL },
};
/* clang-format on */

const struct chart_call_name *chart_call_names(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(calls);
	return calls;
}

static const struct chart_call_name *chart_samples_call_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		if (!strcmp(calls[i].name, name))
			return &calls[i];
	return NULL;
}

static bool chart_samples_begins_with(const char *s, const char *start)
{
	return !strncmp(s, start, strlen(start));
}

static struct chart_source power_source(const struct session_event *e, bool swap)
{
	enum role role = !strcmp(e->tracepoint, "cpu_idle")        ? ROLE_IDLE
			 : !strcmp(e->tracepoint, "cpu_frequency") ? ROLE_FREQUENCY
								   : ROLE_NONE;

	return (struct chart_source){
		.role = role,
		.state = tracepoint_field_bind(e->format, "state", swap),
		.cpu = tracepoint_field_bind(e->format, "cpu_id", swap),
	};
}

#define ENTER "sys_enter_"
#define EXIT  "sys_exit_"

static struct chart_source call_source(const struct session_event *e, bool swap)
{
	bool enters = chart_samples_begins_with(e->tracepoint, ENTER);
	const struct chart_call_name *call = NULL;

	if (enters)
		call = chart_samples_call_of(e->tracepoint + strlen(ENTER));
	else if (chart_samples_begins_with(e->tracepoint, EXIT))
		call = chart_samples_call_of(e->tracepoint + strlen(EXIT));
	if (!call)
		return (struct chart_source){ 0 };
	return (struct chart_source){
		.role = enters ? ROLE_CALL : ROLE_RETURN,
		.kind = call->kind,
		.tid = tracepoint_field_bind(e->format, "common_pid", swap),
		.value = tracepoint_field_bind(e->format,
					       !enters    ? "ret"
					       : call->fd ? call->fd
							  : "",
					       swap),
	};
}

/* True if the event is drawn. Other events of the scheduler do not affect the picture. */
static bool chart_samples_is_drawn(enum sched_kind kind)
{
	return kind == SCHED_SWITCH || kind == SCHED_WAKEUP || kind == SCHED_WAKEUP_NEW ||
	       kind == SCHED_WAKING || kind == SCHED_MIGRATE || kind == SCHED_STAT_IOWAIT;
}

static struct chart_source chart_samples_source_of(const struct chart_samples *cs,
						   const struct session_event *e, bool swap)
{
	if (!e->format || !e->system)
		return (struct chart_source){ 0 };
	if (chart_samples_is_drawn(sched_event_kind(&cs->sched, e)))
		return (struct chart_source){ .role = ROLE_SCHED };
	if (!strcmp(e->system, "power"))
		return power_source(e, swap);
	if (!strcmp(e->system, "syscalls"))
		return call_source(e, swap);
	return (struct chart_source){ 0 };
}

void chart_samples_bind(struct chart_samples *cs, struct chart *chart, const struct session *s)
{
	cs->chart = chart;
	cs->session = s;
	sched_events_bind(&cs->sched, s, 0);
	cs->n_sources = session_event_count(s);
	cs->sources = xcalloc(cs->n_sources + 1, sizeof(*cs->sources));
	for (size_t i = 0; i < cs->n_sources; i++) {
		cs->sources[i] = chart_samples_source_of(cs, session_event(s, i),
							 session_is_swapped(s));
		cs->has_power |= cs->sources[i].role == ROLE_IDLE ||
				 cs->sources[i].role == ROLE_FREQUENCY;
		cs->has_calls |= cs->sources[i].role == ROLE_CALL;
	}
	cs->has_sched = cs->sched.has[SCHED_SWITCH] || cs->sched.has[SCHED_WAKEUP];
	chart->options.waking_is_wakeup = !cs->sched.has[SCHED_WAKEUP];
}

void chart_samples_done(struct chart_samples *cs)
{
	sched_events_done(&cs->sched);
	free(cs->sources);
}

bool chart_samples_want(const struct chart_samples *cs, const struct session_event *e)
{
	return e->index < cs->n_sources && cs->sources[e->index].role != ROLE_NONE;
}

static uint64_t chart_samples_number(const struct field_ref *f, const struct session_sample *s,
				     uint64_t absent)
{
	uint64_t value = absent;

	field_ref_number(f, s->sample->raw, s->sample->raw_size, &value);
	return value;
}

static void take_sched(struct chart_samples *cs, const struct session_sample *s)
{
	struct sched_event e;
	uint32_t stack = LANE_NONE;

	if (!sched_event_read(&cs->sched, s, &e))
		return;
	if (cs->place && e.kind != SCHED_MIGRATE && e.kind != SCHED_STAT_IOWAIT)
		stack = cs->place(cs->arg, s);
	chart_sched(cs->chart, &e, stack);
}

/* Names the calling thread, since events of calls do not contain its name. */
static void name_caller(struct chart_samples *cs, const struct session_sample *s, uint32_t tid)
{
	struct chart_task *t = chart_task_at(cs->chart, tid);
	const char *comm;

	if (t->comm[0])
		return;
	comm = machine_comm(cs->session, s->sample->pid, s->sample->tid, s->time);
	t->pid = s->sample->pid;
	chart_set_comm(t, comm, strlen(comm));
}

static void chart_samples_model_take(struct chart_samples *cs, const struct chart_source *from,
				     const struct session_sample *s)
{
	uint32_t cpu = (uint32_t)chart_samples_number(&from->cpu, s, s->sample->cpu);
	uint32_t tid = (uint32_t)chart_samples_number(&from->tid, s, s->sample->tid);

	switch (from->role) {
	case ROLE_SCHED:
		take_sched(cs, s);
		break;
	case ROLE_IDLE:
		chart_idle(cs->chart, s->time, cpu,
			   (uint32_t)chart_samples_number(&from->state, s, UINT32_MAX));
		break;
	case ROLE_FREQUENCY:
		chart_frequency(cs->chart, s->time, cpu,
				(uint32_t)chart_samples_number(&from->state, s, 0));
		break;
	case ROLE_CALL:
		name_caller(cs, s, tid);
		chart_call(cs->chart, s->time, tid, from->kind,
			   (uint32_t)chart_samples_number(&from->value, s, LANE_NONE));
		break;
	case ROLE_RETURN:
		chart_return(cs->chart, s->time, tid, from->kind,
			     (int64_t)chart_samples_number(&from->value, s, 0));
		break;
	case ROLE_NONE:
		break;
	}
}

void chart_samples_take(struct chart_samples *cs, const struct sample_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct session_sample *s = &b->items[i];

		if (s->event->index < cs->n_sources)
			chart_samples_model_take(cs, &cs->sources[s->event->index], s);
	}
}
