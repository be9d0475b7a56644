/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Exits of guests, and what the hypervisor does for them: how often and how long, by reason.
 *
 * The time of an exit is that between kvm_exit and the next kvm_entry of the same virtual CPU: how
 * long the hypervisor had it. On arm64 it is that before, from kvm_entry to kvm_exit: how long the
 * guest ran until it stopped for this reason. Both are what Linux's perf counts.
 *
 * Events come in order of time. A virtual CPU is a thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/kvm-exits.h"
#include "base/id-list.h"
#include "base/student.h"
#include "base/u64-map.h"

/*
 * What the tracepoints of KVM tell: a virtual CPU enters its guest, leaves it and why, and what the
 * hypervisor does for it in between. Fields are bound once for a recording; a sample is then read
 * without names.
 */

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

/* What is counted. */
enum kvm_stat_kind {
	KVM_STAT_EXITS,
	KVM_STAT_MMIO,
	KVM_STAT_IOPORT,
	KVM_STAT_MSR,
};

struct kvm_stat_row {
	uint64_t code; /* as in struct kvm_event */
	uint32_t info;
	uint64_t sum_ns, min_ns, max_ns;
	struct moments times; /* in ns; its n is the number of samples */
};

/* One event that has ended. */
struct kvm_stat_span {
	uint64_t time, ns; /* of its end; how long it took */
	uint32_t pid;
	uint64_t vcpu, code;
	uint32_t info;
};

#define KVM_ALL_VCPUS UINT64_MAX

struct kvm_stat;

struct kvm_stat_options {
	enum kvm_stat_kind kind;
	uint64_t vcpu;       /* only this one; or KVM_ALL_VCPUS */
	struct id_list pids; /* only of these processes; none: of all */
	/* Called for each event that has ended; or NULL. */
	void (*ended)(void *arg, const struct kvm_stat *m, const struct kvm_stat_span *span);
	void *arg;
};

struct kvm_stat {
	struct kvm_stat_options o;
	struct kvm_events events;
	struct kvm_stat_row **rows; /* in the order of their first begin; some have no samples */
	size_t n, room;
	uint32_t *slots; /* a hash table of positions in rows, plus 1; 0: free */
	size_t n_slots;  /* a power of two */
	uint64_t seed;
	struct u64_map vcpus; /* by thread: struct kvm_vcpu, owned */
	uint64_t n_samples, sum_ns;
};

/* @m is all zero. The options are copied, what they point at is borrowed. */
void kvm_stat_init(struct kvm_stat *m, const struct kvm_stat_options *o);
void kvm_stat_done(struct kvm_stat *m);

/* Binds the events of @s. To be called before the first sample. */
void kvm_stat_bind(struct kvm_stat *m, const struct session *s);

/* Are samples of @e of interest? */
bool kvm_stat_wants(const struct kvm_stat *m, const struct session_event *e);

void kvm_stat_take(struct kvm_stat *m, const struct session_sample *s);

/* The same for an event that was read. */
void kvm_stat_take_event(struct kvm_stat *m, const struct kvm_event *e);

/* Sets all counts to 0, for a table of the time that follows. */
void kvm_stat_clear(struct kvm_stat *m);

enum kvm_stat_key {
	KVM_BY_SAMPLES,
	KVM_BY_MEAN,
	KVM_BY_SUM,
	KVM_BY_MAX,
	KVM_BY_MIN,
};

/*
 * The rows that have samples, the largest first, in *@ret, which the caller frees. Returns their
 * number. Rows that are equal have the order that Linux's perf gives them.
 */
size_t kvm_stat_rows(const struct kvm_stat *m, enum kvm_stat_key key, struct kvm_stat_row ***ret);
