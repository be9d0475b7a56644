/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Converts events as the user gave them to events as they are opened for sampling.
 *
 * A struct sampling contains the options of record and similar commands that apply to all events
 * alike; options of single events (event->settings, modifiers) override them. The result equals
 * that of Linux's perf 6.1, attr for attr. One event carries the side-band (tasks, maps, names):
 * the first, or where CPUs are recorded or events begin late, a dummy that sees everything from the
 * start.
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
	/* The tasks or CPUs to sample: */
	bool system;     /* CPUs, not tasks */
	bool per_thread; /* a ring buffer for each thread, on all CPUs */
	bool command;    /* the task is a child that starts the events by its exec */
	bool delayed;    /* events are started later: -D */
	bool inherit;
	/* The rate: */
	uint64_t freq;   /* samples per second */
	bool freq_given; /* applies to tracepoints too; else every occurrence is sampled */
	uint64_t period; /* a sample every this many events; 0: by frequency */
	/*
	 * The contents of samples, and the side-band. Its rate is ignored: the one above is used.
	 */
	struct sampling_request rq;
	uint64_t user_regs, intr_regs; /* masks of the requested ones */
	uint64_t all_user_regs;        /* registers that DWARF stacks need */
	bool build_ids;                /* with the maps, instead of inodes */
	/* The ring buffer: */
	bool no_buffering; /* wake up for every record */
	bool overwrite;
	/* The hardware trace of the first event; or NULL. */
	const struct aux_plan *aux;
	struct aux_target aux_target;
};

#define SAMPLING_FREQ_DEFAULT 4000

/*
 * Appends the event that is recorded if none is named: cycles, as precise as the machine permits.
 */
int sampling_add_default(struct event_list *l, struct event_env *env, struct diag *diag);

/* Completes the attrs of all events of @l, and appends the dummy if one is needed. */
int sampling_apply(const struct sampling *s, struct event_list *l, struct event_env *env,
		   struct diag *diag);

/* Names @e by its kernel event and the modifiers of its attr: "cpu-clock:pppH". */
void sampling_name(struct event *e);
