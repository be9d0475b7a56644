/* SPDX-License-Identifier: MIT */
#include "tools/kvm/event-model.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "datafile/features.h"
#include "session/consumer.h"
#include "session/session.h"
#include "tracepoint/field.h"

/* Where an event has what it tells. */
struct kvm_source {
	enum kvm_role role;
	struct field_ref code, info, vcpu, isa, trap;
};

struct shape {
	const char *tracepoint;
	enum kvm_role role;
	const char *code, *info, *vcpu, *isa, *trap; /* of fields; or NULL */
};

/* kvm_exit of x86 has exit_reason, that of arm64 esr_ec and ret. */
static const struct shape shapes[] = {
	{ "kvm_entry", KVM_ENTRY, NULL, NULL, "vcpu_id", NULL, NULL },
	{ "kvm_exit", KVM_EXIT, "exit_reason", "ret", NULL, "isa", "esr_ec" },
	{ "kvm_mmio", KVM_MMIO, "gpa", "type", NULL, NULL, NULL },
	{ "kvm_pio", KVM_PIO, "port", "rw", NULL, NULL, NULL },
	{ "kvm_msr", KVM_MSR, "ecx", "write", NULL, NULL, NULL },
};

static const struct shape *kvm_event_shape_of(const struct session_event *e)
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
	const struct shape *shape = kvm_event_shape_of(e);

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

/* What a sample of x86 and of arm64 has for why the guest was left. */
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
