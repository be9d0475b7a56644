/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reading a recording of accesses to memory into the model of cache lines
 * (tools/c2c/lines-model.h), with the names of code and data.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/recorded.h"
#include "tools/c2c/lines-model.h"
#include "tools/c2c/trees-work.h"

struct diag;
struct notes;

struct c2c_request {
	struct recorded_request recorded;
	struct c2c_keys keys;
	enum c2c_display display;
	bool display_is_default; /* then Arm's machines have the snoops of peers */
	bool double_lines, show_all;
	bool no_source; /* lines of the source are not looked for */
	struct c2c_trees_request trees;
};

struct c2c {
	struct recorded recorded;
	struct c2c_lines lines;
	struct c2c_trees trees; /* of its entries; where it is, it stays */
	const char **events;
	size_t n_events;
	int32_t *node_of_cpu;
	size_t n_cpus, n_nodes;
};

/* A negative errno with @diag. c2c_done() is called in any case. */
int c2c_read(const struct c2c_request *rq, struct c2c *ret, struct notes *notes, struct diag *diag);
void c2c_done(struct c2c *c);
