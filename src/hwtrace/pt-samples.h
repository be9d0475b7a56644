/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Converts the steps of an Intel PT flow to samples of events, and errors, as --itrace requests
 * them.
 *
 * A step becomes none, one or a few of them, which wait in a queue until they are taken. Times are
 * the CPU's time stamp counter. Nothing here uses tasks or names.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hwtrace/itrace.h"
#include "hwtrace/pt-flow.h"

/* The events in the order in which they are added to a session. */
enum pt_event {
	PT_EVENT_BRANCHES,
	PT_EVENT_INSTRUCTIONS,
	PT_EVENT_TRANSACTIONS,
	PT_EVENT_PTWRITE,
	PT_EVENT_CBR,
	PT_EVENT_PSB,
	PT_EVENT_MWAIT,
	PT_EVENT_PWRE,
	PT_EVENT_EXSTOP,
	PT_EVENT_PWRX,
	PT_EVENTS,
	PT_EVENT_ERROR = PT_EVENTS, /* not an event: an AUXTRACE_ERROR record */
};

#define PT_RAW_MAX 16

struct pt_sample {
	enum pt_event event;
	uint64_t time;
	uint64_t ip, to;
	uint64_t period;
	uint32_t flags; /* AUX_FLAG_* */
	uint8_t length; /* length of the instruction at ip; 0: not known */
	uint8_t insn[16];
	uint8_t raw[PT_RAW_MAX];
	uint8_t raw_size;
	uint32_t code; /* code of an error */
};

struct pt_sampler_setup {
	bool wanted[PT_EVENTS];
	bool calls_only, returns_only; /* of branches, only these */
	bool errors, overflow_errors;
	uint64_t period; /* for instructions: their number */
	bool in_ticks;   /* the period is in ticks */
	uint64_t skip;
	uint32_t max_ratio, tsc_khz;
};

#define PT_SAMPLES_MAX 4

struct pt_sampler {
	struct pt_sampler_setup setup;
	struct pt_sample items[PT_SAMPLES_MAX];
	size_t at, n;
	struct pt_step last; /* the previous instruction; length 0: there is none */
	uint64_t count;      /* instructions since the last instruction sample */
	uint64_t tick;       /* tick of the last sample, rounded down to a period */
	uint64_t since;      /* instructions since the time last changed */
	uint64_t time;       /* the last time in the trace */
	uint64_t shown;      /* the time that samples get */
	uint64_t events;     /* made so far, including skipped ones */
	uint64_t ratio;
	uint64_t ip; /* current address of the program */
	struct {
		uint64_t from, to;
		size_t length; /* length of the instruction */
		uint32_t flags;
	} branch;        /* the branch of the last step; has_branch */
	bool has_branch; /* also if branches are not wanted */
	bool lost;       /* the last step was an error or an overflow */
};

void pt_sampler_init(struct pt_sampler *s, const struct pt_sampler_setup *setup);

/* Makes samples of @step. Those of the previous step must have been taken. */
void pt_sampler_take(struct pt_sampler *s, const struct pt_step *step);

/* Returns the next sample, or NULL. It stays valid until the next step. */
const struct pt_sample *pt_sampler_next(struct pt_sampler *s);

/* Returns the text of an error's code. */
const char *pt_error_text(uint32_t code);
