/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads tracepoints about work that the kernel does on its own: interrupts, softirqs and work items
 * of workqueues. Fields are bound once for a recording; a sample is then read without names.
 *
 * Names are those of the record or its format. They are not trusted, and have no terminating NUL.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;
struct session_event;
struct session_sample;
struct kwork_source;

enum kwork_class {
	KWORK_IRQ,
	KWORK_SOFTIRQ,
	KWORK_WORKQUEUE,
	KWORK_SCHED, /* tasks: only for `perf kwork top` */
};
#define KWORK_CLASSES (KWORK_SCHED + 1)

enum kwork_role {
	KWORK_NONE,
	KWORK_RAISE, /* the work is requested: a softirq is raised, a work item queued */
	KWORK_BEGIN,
	KWORK_END,
};

/* A class and its tracepoints. */
struct kwork_class_name {
	const char *name;               /* "irq", as given to -k */
	const char *prefix;             /* in front of the names in tables: "(s)" */
	const char *const *tracepoints; /* NULL-terminated: "irq:irq_handler_entry" */
};
extern const struct kwork_class_name kwork_class_names[KWORK_CLASSES];

/* The observed classes, in the order in which they were named. */
struct kwork_classes {
	enum kwork_class items[KWORK_CLASSES];
	size_t n;
};

bool kwork_classes_have(const struct kwork_classes *c, enum kwork_class class);

struct kwork_event {
	enum kwork_class class;
	enum kwork_role role;
	uint64_t time;
	uint32_t cpu;
	uint64_t id;       /* the interrupt, the softirq or the work item */
	uint64_t function; /* a work item's function; 0: not in the event */
	const char *name;  /* an interrupt's or softirq's name; NULL: not in the event */
	uint32_t name_length;
};

struct kwork_events {
	struct kwork_source *sources; /* indexed by event of the recording */
	size_t n_sources;
};

/* Binds the events of @s. */
void kwork_events_bind(struct kwork_events *e, const struct session *s);
void kwork_events_done(struct kwork_events *e);

/*
 * Returns the role of the samples of @event. KWORK_NONE: they are not needed; *@ret_class is then
 * untouched.
 */
enum kwork_role kwork_event_role(const struct kwork_events *e, const struct session_event *event,
				 enum kwork_class *ret_class);

/* Reads @s. False: it is not an event of these classes, or its record is too short. */
bool kwork_event_read(const struct kwork_events *e, const struct session_sample *s,
		      struct kwork_event *ret);
