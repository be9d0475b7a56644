/* SPDX-License-Identifier: MIT */
#include "tools/kvm/stat-model.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/memory.h"
#include "datafile/features.h"
#include "session/consumer.h"
#include "session/session.h"
#include "tracepoint/field.h"

#define SLOTS_MIN 64

/*
 * The number of lists, by code, in which Linux's perf keeps rows. Each list has its newest row
 * first.
 */
#define ORDER_LISTS 4096

/* The current state of a virtual CPU. */
struct kvm_vcpu {
	uint64_t id;
	uint64_t begin; /* the time at which the counted event began; 0: none has */
	size_t row;     /* the index of its row, plus 1; 0: the end will tell */
};

void kvm_stat_init(struct kvm_stat *m, const struct kvm_stat_options *o)
{
	*m = (struct kvm_stat){ .o = *o, .n_slots = SLOTS_MIN, .seed = hash_seed() };
	m->slots = xcalloc(m->n_slots, sizeof(*m->slots));
}

static void free_vcpu(void *arg, uint64_t key, void *value)
{
	(void)arg, (void)key;
	free(value);
}

void kvm_stat_clear(struct kvm_stat *m)
{
	for (size_t i = 0; i < m->n; i++)
		*m->rows[i] = (struct kvm_stat_row){ .code = m->rows[i]->code,
						     .info = m->rows[i]->info,
						     .min_ns = UINT64_MAX };
	m->n_samples = m->sum_ns = 0;
}

void kvm_stat_done(struct kvm_stat *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->rows[i]);
	free(m->rows);
	free(m->slots);
	u64_map_for_each(&m->vcpus, free_vcpu, NULL);
	u64_map_done(&m->vcpus);
	kvm_events_done(&m->events);
}

void kvm_stat_bind(struct kvm_stat *m, const struct session *s)
{
	kvm_events_bind(&m->events, s);
}

bool kvm_stat_wants(const struct kvm_stat *m, const struct session_event *e)
{
	static const enum kvm_role more[] = {
		[KVM_STAT_EXITS] = KVM_EXIT,
		[KVM_STAT_MMIO] = KVM_MMIO,
		[KVM_STAT_IOPORT] = KVM_PIO,
		[KVM_STAT_MSR] = KVM_MSR,
	};
	enum kvm_role role = kvm_event_role(&m->events, e);

	return role == KVM_ENTRY || role == more[m->o.kind] ||
	       (role == KVM_EXIT && m->o.kind == KVM_STAT_MMIO);
}

/* Returns the slot of the row, or the free slot for it. */
static uint32_t *kvm_stat_find_slot(const struct kvm_stat *m, uint64_t code, uint32_t info)
{
	size_t at = hash_u64(m->seed, hash_u64(m->seed, code) ^ info) & (m->n_slots - 1);

	while (m->slots[at] &&
	       (m->rows[m->slots[at] - 1]->code != code || m->rows[m->slots[at] - 1]->info != info))
		at = (at + 1) & (m->n_slots - 1);
	return &m->slots[at];
}

static void kvm_stat_grow(struct kvm_stat *m)
{
	free(m->slots);
	m->n_slots *= 2;
	m->slots = xcalloc(m->n_slots, sizeof(*m->slots));
	for (size_t i = 0; i < m->n; i++)
		*kvm_stat_find_slot(m, m->rows[i]->code, m->rows[i]->info) = (uint32_t)i + 1;
}

/* Returns the position of the row, plus 1. A new row is added. */
static size_t kvm_stat_row_of(struct kvm_stat *m, const struct kvm_event *e)
{
	uint32_t *slot = kvm_stat_find_slot(m, e->code, e->info);
	struct kvm_stat_row *row;

	if (*slot)
		return *slot;
	row = xcalloc(1, sizeof(*row));
	*row = (struct kvm_stat_row){ .code = e->code, .info = e->info, .min_ns = UINT64_MAX };
	m->rows = array_reserve(m->rows, &m->room, m->n + 1, sizeof(row));
	m->rows[m->n++] = row;
	*slot = (uint32_t)m->n;
	if (2 * m->n > m->n_slots)
		kvm_stat_grow(m);
	return m->n;
}

static void kvm_stat_count(struct kvm_stat *m, struct kvm_stat_row *row,
			   const struct kvm_stat_span *s)
{
	row->sum_ns += s->ns;
	if (s->ns < row->min_ns)
		row->min_ns = s->ns;
	if (s->ns > row->max_ns)
		row->max_ns = s->ns;
	moments_add(&row->times, (double)s->ns);
	m->n_samples++;
	m->sum_ns += s->ns;
	if (m->o.ended)
		m->o.ended(m->o.arg, m, s);
}

static void kvm_stat_model_begin(struct kvm_vcpu *v, const struct kvm_event *e, size_t row)
{
	v->begin = e->time;
	v->row = row;
}

static void kvm_stat_end(struct kvm_stat *m, struct kvm_vcpu *v, const struct kvm_event *e)
{
	uint64_t began = v->begin;
	struct kvm_stat_row *row = v->row ? m->rows[v->row - 1] : NULL;

	/* An event whose row is not known yet goes on: a read may end after an entry. */
	if (!began || !row)
		return;
	v->begin = v->row = 0;
	if (e->time < began)
		return;
	kvm_stat_count(m, row,
		       &(struct kvm_stat_span){ .time = e->time,
						.ns = e->time - began,
						.pid = e->pid,
						.vcpu = v->id,
						.code = row->code,
						.info = row->info });
}

/* Ends the event of @v. If its begin did not determine the row, @e does. */
static void end_with(struct kvm_stat *m, struct kvm_vcpu *v, const struct kvm_event *e)
{
	if (v->begin && !v->row)
		v->row = kvm_stat_row_of(m, e);
	kvm_stat_end(m, v, e);
}

static void kvm_stat_take_exit(struct kvm_stat *m, struct kvm_vcpu *v, const struct kvm_event *e)
{
	if (m->events.isa == KVM_ISA_ARM64)
		end_with(m, v, e);
	else
		kvm_stat_model_begin(v, e, m->o.kind == KVM_STAT_EXITS ? kvm_stat_row_of(m, e) : 0);
}

static void kvm_stat_take_entry(struct kvm_stat *m, struct kvm_vcpu *v, const struct kvm_event *e)
{
	if (m->events.isa == KVM_ISA_ARM64)
		kvm_stat_model_begin(v, e, 0);
	else
		kvm_stat_end(m, v, e);
}

/*
 * Takes an MMIO access. A read has ended when its data is there; a write goes on until the guest
 * runs again.
 */
static void take_mmio(struct kvm_stat *m, struct kvm_vcpu *v, const struct kvm_event *e)
{
	if (e->info == KVM_MMIO_READ)
		end_with(m, v, e);
	else if (e->info == KVM_MMIO_WRITE)
		kvm_stat_model_begin(v, e, kvm_stat_row_of(m, e));
}

static bool kvm_stat_is_of_process(const struct kvm_stat *m, uint32_t pid)
{
	for (size_t i = 0; i < m->o.pids.n; i++)
		if ((uint32_t)m->o.pids.items[i] == pid)
			return true;
	return !m->o.pids.n;
}

/* Returns the virtual CPU of @e, which is known from its first entry on. */
static struct kvm_vcpu *vcpu_of(struct kvm_stat *m, const struct kvm_event *e)
{
	struct kvm_vcpu *v = u64_map_find(&m->vcpus, e->tid);

	if (v || e->role != KVM_ENTRY)
		return v;
	v = xcalloc(1, sizeof(*v));
	v->id = e->vcpu;
	u64_map_put(&m->vcpus, e->tid, v);
	return v;
}

void kvm_stat_take_event(struct kvm_stat *m, const struct kvm_event *e)
{
	struct kvm_vcpu *v = kvm_stat_is_of_process(m, e->pid) ? vcpu_of(m, e) : NULL;

	if (!v || (m->o.vcpu != KVM_ALL_VCPUS && m->o.vcpu != v->id))
		return;
	switch (e->role) {
	case KVM_NO_ROLE:
		break;
	case KVM_ENTRY:
		kvm_stat_take_entry(m, v, e);
		break;
	case KVM_EXIT:
		kvm_stat_take_exit(m, v, e);
		break;
	case KVM_MMIO:
		take_mmio(m, v, e);
		break;
	case KVM_PIO:
	case KVM_MSR:
		kvm_stat_model_begin(v, e, kvm_stat_row_of(m, e));
	}
}

void kvm_stat_take(struct kvm_stat *m, const struct session_sample *s)
{
	struct kvm_event e;

	if (kvm_event_read(&m->events, s, &e))
		kvm_stat_take_event(m, &e);
}

struct kvm_stat_ordered {
	struct kvm_stat_row *row;
	double value;
	size_t list, newest;
};

static double kvm_stat_value_of(const struct kvm_stat_row *r, enum kvm_stat_key key)
{
	switch (key) {
	case KVM_BY_MEAN:
		return r->times.mean;
	case KVM_BY_SUM:
		return (double)r->sum_ns;
	case KVM_BY_MAX:
		return (double)r->max_ns;
	case KVM_BY_MIN:
		return (double)r->min_ns;
	default:
		return r->times.n;
	}
}

static int kvm_stat_compare(const void *a, const void *b)
{
	const struct kvm_stat_ordered *x = a, *y = b;

	if (x->value != y->value)
		return x->value > y->value ? -1 : 1;
	if (x->list != y->list)
		return x->list < y->list ? -1 : 1;
	return x->newest > y->newest ? -1 : x->newest < y->newest;
}

size_t kvm_stat_rows(const struct kvm_stat *m, enum kvm_stat_key key, struct kvm_stat_row ***ret)
{
	_cleanup_(freep) struct kvm_stat_ordered *all = xcalloc(m->n + 1, sizeof(*all));
	struct kvm_stat_row **rows = xcalloc(m->n + 1, sizeof(struct kvm_stat_row *));

	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		if (m->rows[i]->times.n > 0)
			all[n++] = (struct kvm_stat_ordered){
				.row = m->rows[i],
				.value = kvm_stat_value_of(m->rows[i], key),
				.list = m->rows[i]->code % ORDER_LISTS,
				.newest = i
			};
	qsort(all, n, sizeof(*all), kvm_stat_compare);
	for (size_t i = 0; i < n; i++)
		rows[i] = all[i].row;
	*ret = rows;
	return n;
}

/* The places of an event's fields. */
struct kvm_source {
	enum kvm_role role;
	struct field_ref code, info, vcpu, isa, trap;
};

struct kvm_stat_shape {
	const char *tracepoint;
	enum kvm_role role;
	const char *code, *info, *vcpu, *isa, *trap; /* names of fields, or NULL */
};

/*
 * The tracepoints and their fields. kvm_exit of x86 has exit_reason, that of arm64 has esr_ec and
 * ret.
 */
static const struct kvm_stat_shape shapes[] = {
	{ "kvm_entry", KVM_ENTRY, NULL, NULL, "vcpu_id", NULL, NULL },
	{ "kvm_exit", KVM_EXIT, "exit_reason", "ret", NULL, "isa", "esr_ec" },
	{ "kvm_mmio", KVM_MMIO, "gpa", "type", NULL, NULL, NULL },
	{ "kvm_pio", KVM_PIO, "port", "rw", NULL, NULL, NULL },
	{ "kvm_msr", KVM_MSR, "ecx", "write", NULL, NULL, NULL },
};

static const struct kvm_stat_shape *kvm_event_shape_of(const struct session_event *e)
{
	if (!e->format || !e->system || strcmp(e->system, "kvm") != 0)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(shapes); i++)
		if (!strcmp(shapes[i].tracepoint, e->tracepoint))
			return &shapes[i];
	return NULL;
}

static struct field_ref kvm_event_bind(const struct session_event *e, const char *name, bool swap)
{
	return name ? tracepoint_field_bind(e->format, name, swap) : (struct field_ref){ 0 };
}

static struct kvm_source kvm_event_source_of(const struct session_event *e, bool swap)
{
	const struct kvm_stat_shape *shape = kvm_event_shape_of(e);

	if (!shape)
		return (struct kvm_source){ .role = KVM_NO_ROLE };
	return (struct kvm_source){ .role = shape->role,
				    .code = kvm_event_bind(e, shape->code, swap),
				    .info = kvm_event_bind(e, shape->info, swap),
				    .vcpu = kvm_event_bind(e, shape->vcpu, swap),
				    .isa = kvm_event_bind(e, shape->isa, swap),
				    .trap = kvm_event_bind(e, shape->trap, swap) };
}

static enum kvm_isa isa_of(const struct session *s)
{
	const struct features *f = session_features(s);
	const struct arch *a = arch_find(f->arch);

	if (a)
		return a->kvm_isa ? a->kvm_isa(f->cpu_id) : KVM_ISA_NONE;
	return kvm_isa_of_vendor(f->cpu_id);
}

void kvm_events_bind(struct kvm_events *e, const struct session *s)
{
	*e = (struct kvm_events){ .n_sources = session_event_count(s), .isa = isa_of(s) };
	e->sources = xcalloc(e->n_sources + 1, sizeof(*e->sources));
	for (size_t i = 0; i < e->n_sources; i++)
		e->sources[i] = kvm_event_source_of(session_event(s, i), session_is_swapped(s));
}

void kvm_events_done(struct kvm_events *e)
{
	free(e->sources);
}

enum kvm_role kvm_event_role(const struct kvm_events *e, const struct session_event *event)
{
	return event->index < e->n_sources ? e->sources[event->index].role : KVM_NO_ROLE;
}

static bool kvm_event_number(const struct field_ref *f, const struct sample *s, uint64_t *ret)
{
	return field_ref_number(f, s->raw, s->raw_size, ret);
}

/* Reads the reason of an exit from a sample of x86 or of arm64. */
static bool read_exit(struct kvm_events *e, const struct kvm_source *source, const struct sample *s,
		      struct kvm_event *ret)
{
	uint64_t isa, info;

	if (kvm_event_number(&source->code, s, &ret->code)) {
		if (!e->isa && kvm_event_number(&source->isa, s, &isa))
			e->isa = kvm_isa_of_field(isa);
		return true;
	}
	if (!kvm_event_number(&source->trap, s, &ret->code) ||
	    !kvm_event_number(&source->info, s, &info))
		return false;
	if (!e->isa)
		e->isa = KVM_ISA_ARM64;
	ret->info = (uint32_t)info;
	if (ret->info != KVM_ARM64_TRAP)
		ret->code = ret->info;
	return true;
}

static bool read_access(const struct kvm_source *source, const struct sample *s,
			struct kvm_event *ret)
{
	uint64_t info;

	if (!kvm_event_number(&source->code, s, &ret->code) ||
	    !kvm_event_number(&source->info, s, &info))
		return false;
	ret->info = (uint32_t)info;
	return true;
}

bool kvm_event_read(struct kvm_events *e, const struct session_sample *s, struct kvm_event *ret)
{
	const struct sample *sample = s->sample;
	const struct kvm_source *source;

	if (s->event->index >= e->n_sources)
		return false;
	source = &e->sources[s->event->index];
	*ret = (struct kvm_event){
		.role = source->role, .time = s->time, .pid = sample->pid, .tid = sample->tid
	};
	switch (source->role) {
	case KVM_NO_ROLE:
		return false;
	case KVM_ENTRY:
		kvm_event_number(&source->vcpu, sample, &ret->vcpu);
		return true;
	case KVM_EXIT:
		return read_exit(e, source, sample, ret);
	default:
		return read_access(source, sample, ret);
	}
}
