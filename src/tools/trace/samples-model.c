/* SPDX-License-Identifier: MIT */
#include "tools/trace/samples-model.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "arch/syscall/event.h"
#include "base/memory.h"
#include "datafile/features.h"
#include "tools/trace/trace-model.h"
#include "tracepoint/field.h"

enum sample_role {
	ROLE_NOT_BOUND,
	ROLE_OTHER,
	ROLE_ENTER,
	ROLE_EXIT,
	ROLE_STACK,
};

/* The role of an event's samples, and the places of their fields. */
struct trace_samples_bound_event {
	uint8_t role; /* enum sample_role */
	struct field_ref id, args, ret;
	unsigned arg_bytes;
};

struct trace_samples {
	struct trace_samples_options o;
	struct trace_model *model;
	struct session *session;
	enum syscall_abi abi, abi_32bit;
	bool is_swapped;
	struct {
		struct trace_samples_bound_event *items; /* indexed by the event's index */
		size_t n, room;
	} events;
};

struct trace_samples *trace_samples_new(const struct trace_samples_options *o,
					struct trace_model *model)
{
	struct trace_samples *t = xcalloc(1, sizeof(*t));

	t->o = *o;
	t->model = model;
	return t;
}

void trace_samples_free(struct trace_samples *t)
{
	if (!t)
		return;
	free(t->events.items);
	free(t);
}

static bool is_raw_syscall(const struct session_event *e, const char *name)
{
	return e->system && !strcmp(e->system, "raw_syscalls") && !strcmp(e->tracepoint, name);
}

bool trace_samples_has_calls(const struct trace_samples *t)
{
	for (size_t i = 0; t->session && i < session_event_count(t->session); i++)
		if (is_raw_syscall(session_event(t->session, i), "sys_exit"))
			return true;
	return false;
}

/* Returns the ABI. "i686" and "armv7l" are the names in uname on 32-bit machines. */
static enum syscall_abi abi_of_machine(const char *name)
{
	for (unsigned abi = SYSCALL_ABI_NONE + 1; abi < SYSCALL_N_ABIS; abi++)
		if (!strcmp(name, syscall_abi_name(abi)))
			return abi;
	if (name[0] == 'i' && !strcmp(name + 2, "86"))
		return SYSCALL_ABI_I386;
	return strncmp(name, "arm", 3) ? SYSCALL_ABI_NONE : SYSCALL_ABI_ARM;
}

static enum syscall_abi abi_of_32bit(enum syscall_abi abi)
{
	switch (abi) {
	case SYSCALL_ABI_X86_64:
		return SYSCALL_ABI_I386;
	case SYSCALL_ABI_AARCH64:
		return SYSCALL_ABI_ARM;
	default:
		return abi;
	}
}

void trace_samples_set_machine(struct trace_samples *t, const char *machine, bool is_swapped)
{
	t->abi = abi_of_machine(machine);
	t->abi_32bit = abi_of_32bit(t->abi);
	t->is_swapped = is_swapped;
}

static int trace_samples_begin(void *arg, struct consumer *c)
{
	struct trace_samples *t = arg;
	const char *machine = session_features(c->session)->arch;
	struct utsname host;

	if (!machine)
		machine = uname(&host) ? "" : host.machine;
	t->session = c->session;
	trace_samples_set_machine(t, machine, session_is_swapped(c->session));
	return 0;
}

static void trace_samples_bind(const struct trace_samples *t, struct trace_samples_bound_event *b,
			       const struct session_event *e)
{
	const struct tracepoint_format *f = e->format;
	bool is_enter = is_raw_syscall(e, "sys_enter"), is_exit = is_raw_syscall(e, "sys_exit");

	*b = (struct trace_samples_bound_event){ .role = ROLE_OTHER };
	if (t->o.takes_stacks && is_exit)
		b->role = ROLE_STACK;
	else if (t->o.takes_calls && is_enter)
		b->role = ROLE_ENTER;
	else if (t->o.takes_calls && is_exit)
		b->role = ROLE_EXIT;
	b->id = tracepoint_field_bind(f, "id", t->is_swapped);
	b->args = tracepoint_field_bind(f, "args", t->is_swapped);
	b->ret = tracepoint_field_bind(f, "ret", t->is_swapped);
	b->arg_bytes = b->args.size / SYSCALL_ARGS_MAX;
	if (b->arg_bytes != 4 && b->arg_bytes != 8)
		b->arg_bytes = 0;
}

/*
 * Returns the bound event. Events are bound at their first sample, because those of a stream become
 * known on its way.
 */
static const struct trace_samples_bound_event *trace_samples_bound(struct trace_samples *t,
								   const struct session_event *e)
{
	while (t->events.n <= e->index)
		ARRAY_ADD(&t->events);

	struct trace_samples_bound_event *b = &t->events.items[e->index];

	if (b->role == ROLE_NOT_BOUND)
		trace_samples_bind(t, b, e);
	return b;
}

static bool read_nr(const struct trace_samples_bound_event *b, const struct sample *s, int32_t *ret)
{
	uint64_t id;

	if (!field_ref_number(&b->id, s->raw, s->raw_size, &id))
		return false;
	*ret = (int64_t)id < 0 || id > INT32_MAX ? -1 : (int32_t)id;
	return true;
}

static struct call_event trace_samples_event_of(const struct trace_samples *t,
						const struct session_sample *s,
						enum call_event_kind kind, int32_t nr)
{
	const struct sample *sample = s->sample;

	return (struct call_event){
		.kind = kind,
		.abi = sample->user_regs.abi == 1 ? t->abi_32bit : t->abi,
		.cpu = (uint16_t)sample->cpu,
		.pid = sample->pid,
		.tid = sample->tid,
		.time_ns = s->time,
		.nr = nr,
		.cgroup = sample->cgroup,
	};
}

static int take_enter(struct trace_samples *t, const struct trace_samples_bound_event *b,
		      const struct session_sample *s, int32_t nr)
{
	struct call_event e = trace_samples_event_of(t, s, CALL_EVENT_ENTER, nr);
	struct raw_span args = field_ref_bytes(&b->args, s->sample->raw, s->sample->raw_size);

	if (nr < 0)
		return 0;
	for (unsigned i = 0; b->arg_bytes && i < SYSCALL_ARGS_MAX; i++)
		if ((i + 1) * b->arg_bytes <= args.size)
			e.args[i] = raw_number(args.bytes + i * b->arg_bytes, b->arg_bytes,
					       b->args.swap);
	return trace_model_event(t->model, &e);
}

static bool has_stack(const struct sample *s)
{
	return s->chain.n || s->stack_size;
}

static int trace_samples_take_exit(struct trace_samples *t,
				   const struct trace_samples_bound_event *b,
				   const struct session_sample *s, int32_t nr)
{
	struct call_event e = trace_samples_event_of(t, s, CALL_EVENT_EXIT, nr);
	uint64_t ret;

	if (!field_ref_number(&b->ret, s->sample->raw, s->sample->raw_size, &ret))
		return 0;
	e.result = (int64_t)ret;
	if (b->role == ROLE_STACK)
		return trace_model_stack(t->model, s, nr, e.result);
	return trace_model_event_of(t->model, &e, has_stack(s->sample) ? s : NULL);
}

static int trace_samples_take_sample(struct trace_samples *t, const struct session_sample *s)
{
	const struct trace_samples_bound_event *b = trace_samples_bound(t, s->event);
	int32_t nr;

	if (b->role == ROLE_OTHER)
		return trace_model_sample(t->model, s);
	if (s->sample->tid == SAMPLE_NOBODY || !read_nr(b, s->sample, &nr))
		return 0;
	return b->role == ROLE_ENTER ? take_enter(t, b, s, nr)
				     : trace_samples_take_exit(t, b, s, nr);
}

static int trace_samples_take(void *arg, const struct sample_batch *batch)
{
	int r = 0;

	for (size_t i = 0; i < batch->n && !r; i++)
		r = trace_samples_take_sample(arg, &batch->items[i]);
	return r;
}

static int trace_samples_take_comm(struct trace_samples *t, uint64_t time,
				   const struct record_comm *c)
{
	return trace_model_event(t->model, &(struct call_event){ .kind = CALL_EVENT_TASK,
								 .pid = c->pid,
								 .tid = c->tid,
								 .time_ns = time,
								 .comm = c->comm });
}

static int trace_samples_take_task(struct trace_samples *t, enum call_event_kind kind,
				   uint64_t time, const struct record_task *r)
{
	if (!t->o.takes_tasks)
		return 0;
	return trace_model_event(t->model, &(struct call_event){ .kind = kind,
								 .pid = r->pid,
								 .tid = r->tid,
								 .parent_pid = r->ppid,
								 .parent_tid = r->ptid,
								 .time_ns = time });
}

static int trace_samples_take_record(struct trace_samples *t, const struct delivered *d)
{
	struct record r;

	if (session_decode_record(t->session, d, &r) < 0)
		return 0;
	switch (r.header.type) {
	case PERF_RECORD_COMM:
		return trace_samples_take_comm(t, d->time, &r.comm);
	case PERF_RECORD_FORK:
		return trace_samples_take_task(t, CALL_EVENT_FORK, d->time, &r.task);
	case PERF_RECORD_EXIT:
		return trace_samples_take_task(t, CALL_EVENT_END, d->time, &r.task);
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return trace_model_event(t->model, &(struct call_event){ .kind = CALL_EVENT_LOST,
									 .time_ns = d->time,
									 .count = r.lost.lost });
	default:
		return 0;
	}
}

static int trace_samples_take_records(void *arg, const struct record_batch *batch)
{
	int r = 0;

	for (size_t i = 0; i < batch->n && !r; i++)
		r = trace_samples_take_record(arg, &batch->items[i]);
	return r;
}

struct consumer trace_samples_consumer(struct trace_samples *t)
{
	return (struct consumer){
		.order = CONSUMER_IN_ORDER,
		.types = RECORD_TYPE_BIT(PERF_RECORD_COMM) | RECORD_TYPE_BIT(PERF_RECORD_FORK) |
			 RECORD_TYPE_BIT(PERF_RECORD_EXIT) | RECORD_TYPE_BIT(PERF_RECORD_LOST) |
			 RECORD_TYPE_BIT(PERF_RECORD_LOST_SAMPLES),
		.begin = trace_samples_begin,
		.samples = trace_samples_take,
		.records = trace_samples_take_records,
		.arg = t,
	};
}
