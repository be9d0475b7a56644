/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Converts the elements of a CoreSight trace to branches and instructions.
 *
 * Elements wait in a queue until the samples of those before them are taken. Each trace unit has a
 * history of its own: a branch is known when the range after it is.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hwtrace/cs-tree.h"

#define CS_UNITS_MAX 128 /* ids have 7 bits */

struct cs_flow_setup {
	bool branches, instructions;
	bool thread_is_vmid;  /* for a kernel that runs at EL2 */
	uint64_t period;      /* number of instructions; not 0 */
	unsigned last_branch; /* this many branches before an instruction are given; 0: none */
	/* Copies up to @n bytes of the code of thread @tid at @addr. */
	size_t (*code)(void *arg, uint32_t tid, uint64_t addr, uint8_t *bytes, size_t n);
	void *arg;
};

struct cs_sample {
	bool is_branch;
	uint8_t id;
	uint32_t tid;  /* or AUX_NONE */
	uint64_t time; /* the last timestamp before it; 0: none */
	uint64_t ip, to, period;
	uint32_t flags;
	uint16_t length; /* length of the instruction at ip; 0: not known */
	uint8_t insn[4];
	const uint64_t *branches; /* from, to, flags: newest first */
	size_t n_branches;
};

struct cs_range {
	bool is_range; /* else a gap, or nothing yet */
	bool is_gap;
	bool thumb, taken;
	bool is_first; /* it follows a gap */
	uint64_t start, end;
	uint8_t last_size;
	uint32_t flags;
};

struct cs_channel {
	uint32_t tid; /* thread of the following elements */
	uint64_t time;
	struct cs_range before;
	uint64_t instructions; /* since the last instruction sample */
	uint64_t *branches;    /* a ring of words: from, to, flags */
	size_t n_branches, newest;
};

struct cs_step {
	struct cs_element element;
	bool is_end; /* ends a piece of the trace */
	uint32_t tid;
	uint64_t time;
};

struct cs_flow {
	struct cs_flow_setup setup;
	struct cs_channel channels[CS_UNITS_MAX];
	struct {
		struct cs_step *items;
		size_t n, room;
	} steps;
	size_t at;              /* index of the current step */
	int stage;              /* stage of the current step */
	uint64_t offset;        /* number of the next instruction to be sampled in its range */
	uint64_t *stack;        /* buffer for cs_sample.branches */
	uint64_t no_code;       /* number of addresses without code */
	uint64_t first_no_code; /* the first of them */
};

/* Prepares @f. @tid: the thread of the trace, if the trace does not contain it; or AUX_NONE. */
void cs_flow_init(struct cs_flow *f, const struct cs_flow_setup *setup, uint32_t tid);
void cs_flow_done(struct cs_flow *f);

/* Add the next element; or the end of a piece, which separates it from what follows. */
void cs_flow_add(struct cs_flow *f, const struct cs_element *e);
void cs_flow_end(struct cs_flow *f);

/* Returns the thread whose code unit @id runs, as far as elements have been added. */
uint32_t cs_flow_thread(const struct cs_flow *f, uint8_t id);

/* Gives the next sample. False: there is none until elements are added. */
bool cs_flow_next(struct cs_flow *f, struct cs_sample *ret);
