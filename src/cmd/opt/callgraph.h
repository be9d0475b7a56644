/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How stacks are recorded: -g and --call-graph, for every command that samples.
 *
 * The old spelling `-g dwarf CMD` is understood: the word after -g is a mode, unless a
 * program of that name is in PATH. How stacks are shown is opt-calltree.h.
 */
#include <stdbool.h>
#include <stdint.h>

#include "cli/option.h"

enum callgraph_mode {
	CALLGRAPH_NONE,
	CALLGRAPH_FP,    /* the kernel follows frame pointers */
	CALLGRAPH_DWARF, /* registers and a copy of the stack, to be unwound */
	CALLGRAPH_LBR,   /* the CPU's own record of calls */
};

/* perf_event_attr.sample_stack_user is at most this (the kernel's perf_sample_ustack_size()). */
#define CALLGRAPH_STACK_MAX     65528
#define CALLGRAPH_STACK_DEFAULT 8192

struct callgraph_choice {
	enum callgraph_mode mode;
	uint32_t stack_bytes; /* DWARF only; a multiple of 8 */
	bool stack_given;     /* the user said so */
	uint32_t depth;       /* FP only; 0: the system's limit */
};

struct callgraph_opts {
	struct callgraph_choice choice;
	bool kernel_only;
	bool user_only;
};

/* Rows over a struct callgraph_opts, with a heading. */
extern const struct option callgraph_options[];

/* Parses "fp[,depth]", "dwarf[,bytes]" or "lbr". -EINVAL with @diag set, as for the option @o. */
int callgraph_parse(const char *text, const struct option *o, struct callgraph_choice *ret,
		    struct diag *diag);
