/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Counts exits of guests, and the hypervisor's work for them: their number and time, by reason.
 *
 * The time of an exit is that between kvm_exit and the next kvm_entry of the same virtual CPU: the
 * time that the hypervisor took. On arm64 it is the time before, from kvm_entry to kvm_exit: the
 * time for which the guest ran until it stopped for this reason. Linux's perf counts both in the
 * same way.
 *
 * Events must come in order of time. A virtual CPU is a thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/kvm-exits.h"
#include "base/id-list.h"
#include "base/student.h"
#include "base/u64-map.h"

/*
 * Reads the tracepoints of KVM: a virtual CPU enters its guest, leaves it for a reason, and the
 * hypervisor does work for it in between. Fields are bound once for a recording; a sample is then
 * read without names.
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

/*
 * Values of the field `type` of kvm_mmio. A read whose data is not there yet has type 0, which is
 * ignored.
 */
#define KVM_MMIO_READ  1
#define KVM_MMIO_WRITE 2

struct kvm_event {
	enum kvm_role role;
	uint64_t time;
	uint32_t pid, tid;
	uint64_t code; /* the reason of an exit; else the address, port or register */
	uint32_t info; /* KVM_MMIO_*, or whether a port or register is written; on arm64: `ret` */
	uint64_t vcpu; /* only in KVM_ENTRY; 0: not in the event */
};

struct kvm_events {
	struct kvm_source *sources; /* indexed by event of the recording */
	size_t n_sources;
	enum kvm_isa isa; /* KVM_ISA_NONE until an exit shows it */
};

/* Binds the events of @s. */
void kvm_events_bind(struct kvm_events *e, const struct session *s);
void kvm_events_done(struct kvm_events *e);

enum kvm_role kvm_event_role(const struct kvm_events *e, const struct session_event *event);

/*
 * Reads @s, and finds the kind of virtualization from it if that is not known yet. False: it is not
 * an event of KVM, or its record is too short.
 */
bool kvm_event_read(struct kvm_events *e, const struct session_sample *s, struct kvm_event *ret);

/* The kinds of events that are counted. */
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
	uint64_t time, ns; /* the time of its end; its duration */
	uint32_t pid;
	uint64_t vcpu, code;
	uint32_t info;
};

#define KVM_ALL_VCPUS UINT64_MAX

struct kvm_stat;

struct kvm_stat_options {
	enum kvm_stat_kind kind;
	uint64_t vcpu;       /* only this virtual CPU; or KVM_ALL_VCPUS */
	struct id_list pids; /* only these processes; empty: all */
	/* Called for each event that has ended; or NULL. */
	void (*ended)(void *arg, const struct kvm_stat *m, const struct kvm_stat_span *span);
	void *arg;
};

struct kvm_stat {
	struct kvm_stat_options o;
	struct kvm_events events;
	/* in the order in which they first began; some have no samples */
	struct kvm_stat_row **rows;
	size_t n, room;
	uint32_t *slots; /* a hash table of positions in rows, plus 1; 0: free */
	size_t n_slots;  /* a power of two */
	uint64_t seed;
	struct u64_map vcpus; /* by thread: struct kvm_vcpu, owned */
	uint64_t n_samples, sum_ns;
};

/* Initializes @m, which is all zero. The options are copied; what they point at is borrowed. */
void kvm_stat_init(struct kvm_stat *m, const struct kvm_stat_options *o);
void kvm_stat_done(struct kvm_stat *m);

/* Binds the events of @s. It must be called before the first sample. */
void kvm_stat_bind(struct kvm_stat *m, const struct session *s);

/* True if samples of @e are needed. */
bool kvm_stat_wants(const struct kvm_stat *m, const struct session_event *e);

void kvm_stat_take(struct kvm_stat *m, const struct session_sample *s);

/* Does the same for an event that was already read. */
void kvm_stat_take_event(struct kvm_stat *m, const struct kvm_event *e);

/* Sets all counts to 0, so that a table of the following interval can be made. */
void kvm_stat_clear(struct kvm_stat *m);

enum kvm_stat_key {
	KVM_BY_SAMPLES,
	KVM_BY_MEAN,
	KVM_BY_SUM,
	KVM_BY_MAX,
	KVM_BY_MIN,
};

/*
 * Sets *@ret to the rows that have samples, the largest first; the caller frees it. Returns their
 * number. Equal rows have the order that Linux's perf gives them.
 */
size_t kvm_stat_rows(const struct kvm_stat *m, enum kvm_stat_key key, struct kvm_stat_row ***ret);
