/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Reads a recording of accesses to memory into the model of cache lines (tools/c2c/lines-model.h),
 * with the names of code and data.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/frame-order.h"
#include "profile/key.h"
#include "profile/recorded.h"
#include "profile/report.h"
#include "tools/c2c/lines-model.h"

struct diag;
struct notes;

/*
 * The stacks of accesses to memory, by the entry of the model (tools/c2c/lines-model.h) to which
 * they belong. It is a collector whose only key is the number of the entry, with a row for each
 * entry.
 */

struct collector;
struct report_row;
struct report_rows;
struct session;
struct session_sample;
struct symbol_request;

struct c2c_trees_request {
	bool wanted; /* wanted if the recording has stacks */
	bool callers_first;
	enum frame_order_by same_frames;
	bool history;                         /* the last branches are part of stacks */
	const struct symbol_request *symbols; /* for inlined functions and --stitch-lbr */
};

/* The call trees. All zero: there are no trees. */
struct c2c_trees {
	struct report_rows *rows; /* set once settled */
	struct frame_order order; /* set once settled, for all frames */
	/* Private: */
	struct collector *collector;
	struct key_env env;
	struct key key;
	struct report_options options;
	const struct report_row **by_entry;
	size_t n_entries;
	uint64_t entry; /* entry of the current sample */
	enum frame_order_by same_frames;
};

/*
 * Begins, once the events are known. Does nothing if none of them has stacks. @t must not be moved.
 */
void c2c_trees_begin(struct c2c_trees *t, const struct c2c_trees_request *rq,
		     const struct session *s);

/* Takes a sample. Samples must come in order of time. */
void c2c_trees_take(struct c2c_trees *t, const struct session_sample *s, uint32_t entry);

/* Settles the trees after the last sample; entries are numbered below @n_entries. */
void c2c_trees_settle(struct c2c_trees *t, size_t n_entries);

/* Returns the row with the stacks of entry @number; NULL: it has none. */
const struct report_row *c2c_trees_row(const struct c2c_trees *t, uint32_t number);

void c2c_trees_done(struct c2c_trees *t);

struct c2c_request {
	struct recorded_request recorded;
	struct c2c_keys keys;
	enum c2c_display display;
	bool display_is_default; /* then snoops of peers are shown for Arm's machines */
	bool double_lines, show_all;
	bool no_source; /* source lines are not looked up */
	struct c2c_trees_request trees;
};

struct c2c {
	struct recorded recorded;
	struct c2c_lines lines;
	struct c2c_trees trees; /* for its entries; must not be moved */
	const char **events;
	size_t n_events;
	int32_t *node_of_cpu;
	size_t n_cpus, n_nodes;
};

/* Reads the recording. Returns a negative errno with @diag. c2c_done() is called in any case. */
int c2c_read(const struct c2c_request *rq, struct c2c *ret, struct notes *notes, struct diag *diag);
void c2c_done(struct c2c *c);
