/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the tracepoints of KVM tell: a virtual CPU enters its guest, leaves it and why, and what the
 * hypervisor does for it in between. Fields are bound once for a recording; a sample is then read
 * without names.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/kvm-exits.h"

struct kvm_source;
struct session;
struct session_event;
struct session_sample;

enum kvm_role {
	KVM_NO_ROLE,
	KVM_ENTRY,
	KVM_EXIT,
	KVM_MMIO,
	KVM_PIO,
	KVM_MSR,
};

/* The field `type` of kvm_mmio. A read may still be without its data (0): that tells nothing. */
#define KVM_MMIO_READ  1
#define KVM_MMIO_WRITE 2

struct kvm_event {
	enum kvm_role role;
	uint64_t time;
	uint32_t pid, tid;
	uint64_t code; /* of an exit: the reason; else the address, port or register */
	uint32_t info; /* KVM_MMIO_*, whether a port or register is written; or of arm64: `ret` */
	uint64_t vcpu; /* of KVM_ENTRY; 0: the event does not say */
};

struct kvm_events {
	struct kvm_source *sources; /* by event of the recording */
	size_t n_sources;
	enum kvm_isa isa; /* KVM_ISA_NONE: not known before the first exit that tells */
};

/* Binds the events of @s. */
void kvm_events_bind(struct kvm_events *e, const struct session *s);
void kvm_events_done(struct kvm_events *e);

enum kvm_role kvm_event_role(const struct kvm_events *e, const struct session_event *event);

/*
 * Reads @s. Learns the kind of virtualization from it, if that is not known yet. False: it is no
 * event of KVM, or its record is too short.
 */
bool kvm_event_read(struct kvm_events *e, const struct session_sample *s, struct kvm_event *ret);
