/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * From events as they were typed to events as they are opened for sampling.
 *
 * A struct sampling is what the options of record and its kin ask of all events alike; what single
 * events say for themselves (event->settings, modifiers) wins over it. The result is attr for attr
 * that of Linux's perf 6.1. One event carries the side-band (tasks, maps, names): the first, or
 * where CPUs are recorded or events begin late a dummy that sees everything from the start.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/aux-plan.h"
#include "capture/sampling-request.h"

struct arch;
struct diag;
struct event;
struct event_env;
struct event_list;

struct sampling {
	const struct arch *arch;
	/* Whom: */
	bool system;     /* CPUs, not tasks */
	bool per_thread; /* a ring buffer for each thread, wherever it runs */
	bool command;    /* the task is a child that starts the events by its exec */
	bool delayed;    /* they are started later: -D */
	bool inherit;
	/* How often: */
	uint64_t freq;   /* samples per second, */
	bool freq_given; /* for tracepoints too; they are all taken otherwise */
	uint64_t period; /* one in so many, instead; 0: by frequency */
	/* What samples carry, and the side-band; its rate is not looked at: it is the one above. */
	struct sampling_request rq;
	uint64_t user_regs, intr_regs; /* masks of those asked for */
	uint64_t all_user_regs;        /* what DWARF stacks need */
	bool build_ids;                /* with the maps, instead of inodes */
	/* The ring buffer: */
	bool no_buffering; /* wake up for every record */
	bool overwrite;
	/* A hardware trace, of which the first event is; or NULL. */
	const struct aux_plan *aux;
	struct aux_target aux_target;
};

#define SAMPLING_FREQ_DEFAULT 4000

/* Appends what is recorded if nothing is named: cycles, as precisely as the machine can. */
int sampling_add_default(struct event_list *l, struct event_env *env, struct diag *diag);

/* Completes the attrs of all events of @l, and appends the dummy where one is needed. */
int sampling_apply(const struct sampling *s, struct event_list *l, struct event_env *env,
		   struct diag *diag);

/* Calls @e by its kernel event and the modifiers that its attr has: "cpu-clock:pppH". */
void sampling_name(struct event *e);
