/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options that say how stacks are recorded: -g and --call-graph, for every command that
 * samples.
 *
 * The old spelling `-g dwarf CMD` is understood: the word after -g is a mode, unless a program of
 * that name is in PATH. The options for how stacks are shown are in opt-calltree.h.
 */
#include "capture/sampling-request.h"
#include "cli/option.h"

struct diag;

/* Options over a struct callgraph_request, with a heading. */
extern const struct option callgraph_options[];

/*
 * Options over a struct callgraph_request for commands with other spellings of -g and --call-graph:
 * --interpreters, and the variables that callgraph_settle() reads.
 */
extern const struct option callgraph_common_options[];

/* --interpreters alone, over a struct callgraph_request. */
extern const struct option callgraph_interpreters_options[];

/* --call-graph alone, for a `struct callgraph_choice`. */
option_set_fn callgraph_set;

/* The same for commands that make no file, without what is only for recordings. */
option_set_fn callgraph_set_live;

/* Settles the mode once all words are parsed: -g alone records what perfconfig says. */
void callgraph_settle(struct callgraph_request *r);

/*
 * Parses "fp[,depth]", "dwarf[,bytes]", "lbr" or "bpf[,bytes]". -EINVAL with @diag set, as for the
 * option @o.
 */
int callgraph_parse(const char *text, const struct option *o, struct callgraph_choice *ret,
		    struct diag *diag);
