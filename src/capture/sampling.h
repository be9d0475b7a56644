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

struct arch;
struct diag;
struct event;
struct event_env;
struct event_list;

enum sampling_stack {
	SAMPLING_STACK_NONE,
	SAMPLING_STACK_FP,
	SAMPLING_STACK_DWARF,
	SAMPLING_STACK_LBR,
};

enum sampling_say {
	SAMPLING_AS_USUAL,
	SAMPLING_NO,
	SAMPLING_YES,
};

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
	bool no_samples;
	/* What samples carry: */
	uint64_t fields; /* PERF_SAMPLE_* that every event gets */
	enum sampling_say time, period_field;
	bool identifier;
	bool thread_counts, running_time;
	uint64_t user_regs, intr_regs; /* masks of those asked for */
	uint64_t all_user_regs;        /* what DWARF stacks need */
	enum sampling_stack stack;
	uint32_t stack_bytes; /* of DWARF */
	uint16_t stack_depth; /* of FP; 0: the system's limit */
	bool kernel_only_stacks, user_only_stacks;
	uint64_t branch_filter; /* PERF_SAMPLE_BRANCH_*; 0: no branches */
	bool use_clock;
	int32_t clock;
	/* Where: */
	bool all_user, all_kernel;
	/* Side-band: */
	bool data_maps, namespaces, cgroups, switches, no_bpf_event, build_ids;
	/* The ring buffer: */
	bool no_buffering; /* wake up for every record */
	bool overwrite;
};

#define SAMPLING_FREQ_DEFAULT  4000
#define SAMPLING_STACK_DEFAULT 8192

/* Appends what is recorded if nothing is named: cycles, as precisely as the machine can. */
int sampling_add_default(struct event_list *l, struct event_env *env, struct diag *diag);

/* Completes the attrs of all events of @l, and appends the dummy where one is needed. */
int sampling_apply(const struct sampling *s, struct event_list *l, struct event_env *env,
		   struct diag *diag);

/* Calls @e by its kernel event and the modifiers that its attr has: "cpu-clock:pppH". */
void sampling_name(struct event *e);
