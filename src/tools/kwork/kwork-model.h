/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Computes the run times of the kernel's work, or the times it waited before it began. Begins and
 * ends of each work item are matched, in order of time.
 *
 *	KWORK_RUNTIME   from begin to end
 *	KWORK_DELAY     from raise to begin
 *	KWORK_HISTORY   both, reported run by run
 *
 * Memory grows with work items and with runs that have begun and not yet ended.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/kwork/event-model.h"
#include "tools/kwork/items-model.h"

struct session;
struct session_event;
struct session_sample;

enum kwork_mode {
	KWORK_RUNTIME,
	KWORK_DELAY,
	KWORK_HISTORY,
};

/* A run of a work item. */
struct kwork_run {
	const struct kwork_item *item;
	uint64_t raised; /* 0: not known */
	uint64_t begin, end;
	const char *stack; /* the result of options.stack; or NULL */
};

struct kwork_options {
	enum kwork_mode mode;
	struct kwork_classes classes;
	const char *name; /* only work with this name, or without a name; NULL: any */
	/* Returns the name of the kernel's function at @addr, or NULL. It is copied. */
	const char *(*function)(void *arg, uint64_t addr, uint64_t time);
	/* Called with KWORK_HISTORY when a run has ended. */
	void (*ran)(void *arg, const struct kwork_run *run);
	/* Returns the stack of a begin as text, which the model then owns; or NULL. */
	char *(*stack)(void *arg, const struct session_sample *s);
	void *arg;
};

/* Events without a partner, by role. */
struct kwork_skipped {
	uint64_t raises, begins, ends;
};

struct kwork_model {
	struct kwork_options o;
	struct kwork_events events;
	struct kwork_items items;
	struct kwork_skipped skipped; /* complete after kwork_finish() */
	uint64_t first_time, last_time;
	bool is_begun; /* an event was taken */
};

/*
 * Initializes @m. The texts and callbacks of @o are borrowed. kwork_done() also accepts a model
 * that is all zero.
 */
void kwork_init(struct kwork_model *m, const struct kwork_options *o);
void kwork_done(struct kwork_model *m);

/* Binds the events of a recording. It is called once, before the first sample. */
void kwork_bind(struct kwork_model *m, const struct session *s);

/* True if kwork_take() needs samples of @e. */
bool kwork_wants(const struct kwork_model *m, const struct session_event *e);

/* Takes a sample. Samples must come in order of time. */
void kwork_take(struct kwork_model *m, const struct session_sample *s);

/* Does the same for an event that was already read. Its sample @s is for options.stack. */
void kwork_take_event(struct kwork_model *m, const struct kwork_event *e,
		      const struct session_sample *s);

/* Ends the input: begins that still wait have no end. */
void kwork_finish(struct kwork_model *m);
