/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Computes the use of the CPUs' time: tasks, interrupts, softirqs and idle time.
 *
 *	kwork_usage_init(&u, &classes);
 *	for each sample, in order of time:
 *		kwork_usage_take(&u, sample);
 *	kwork_usage_rows(&u.items, &choice, &rows);
 *
 * A task runs from the switch to it until the switch away from it. The time of interrupts and
 * softirqs is subtracted from that of the task that they interrupted. Runs that had begun before
 * the first switch, or that go on after the last one, do not count.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/sched-event.h"
#include "tools/kwork/event-model.h"
#include "tools/kwork/items-model.h"

struct cpu_list;
struct kwork_order;
struct session;
struct session_event;
struct session_sample;

struct kwork_usage {
	struct kwork_classes classes;
	struct kwork_events events;
	struct sched_events sched;
	/*
	 * Items by CPU and tid: the runs of a task (KWORK_SCHED), or the work that interrupted it.
	 */
	struct kwork_items items;
	uint64_t unmatched; /* ends without a begin, and begins without an end */
};

void kwork_usage_init(struct kwork_usage *u, const struct kwork_classes *classes);
void kwork_usage_done(struct kwork_usage *u);

/* Binds the events of a recording. It is called once, before the first sample. */
void kwork_usage_bind(struct kwork_usage *u, const struct session *s);

/* True if kwork_usage_take() needs samples of @e. */
bool kwork_usage_wants(const struct kwork_usage *u, const struct session_event *e);

/* Takes a sample. Samples must come in order of time. */
void kwork_usage_take(struct kwork_usage *u, const struct session_sample *s);

/* Do the same for events that were already read. @e happened while @tid ran. */
void kwork_usage_switch(struct kwork_usage *u, const struct sched_event *e);
void kwork_usage_interrupt(struct kwork_usage *u, const struct kwork_event *e, uint32_t tid);

/* Shares are hundredths of a percent. */
struct kwork_task_use {
	uint32_t tid;
	uint32_t cpu; /* the last CPU that it ran on, by number */
	const char *name;
	uint64_t runs;
	uint64_t run_ns; /* without interruptions */
	uint64_t share;  /* the sum over the CPUs that it ran on */
};

struct kwork_cpu_use {
	uint32_t cpu;
	uint64_t time_ns;
	uint64_t busy_ns, share; /* for the shown tasks */
};

struct kwork_usage_rows {
	uint64_t time_ns; /* the sum over all CPUs */
	uint64_t idle_ns, irq_ns, softirq_ns;
	struct kwork_cpu_use *cpus; /* in order of their numbers */
	size_t n_cpus;
	struct kwork_task_use *tasks; /* one idle task for each CPU */
	size_t n_tasks;
};

enum kwork_usage_key {
	KWORK_USE_BY_SHARE,
	KWORK_USE_BY_RUNTIME,
	KWORK_USE_BY_TID,
};

/* The names of the keys, NULL-terminated: rate, runtime, tid. */
extern const char *const kwork_usage_key_names[];

/* The choice of rows to show. */
struct kwork_usage_choice {
	const struct kwork_order *order; /* its keys are of enum kwork_usage_key */
	const char *name;                /* only tasks of this name; NULL: all */
	const struct cpu_list *cpus;     /* NULL or empty: all */
};

/* Sums up @items, which belong to a struct kwork_usage or were counted elsewhere. */
void kwork_usage_rows(const struct kwork_items *items, const struct kwork_usage_choice *choice,
		      struct kwork_usage_rows *ret);
void kwork_usage_rows_done(struct kwork_usage_rows *r);
