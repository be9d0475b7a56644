/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The call trees of an event's rows: the stacks of a row merged by function, outward from what was
 * sampled (callees first) or inward from the outermost caller (callers first).
 *
 * Where a row is a caller (--children) its stacks begin with it: callers first, at the outermost of
 * a recursion; callees first, at the innermost. Samples that are its own have their whole stack.
 *
 * A tree is made when it is asked for, and only where branches pass the threshold: time goes with
 * what is shown. A node is a run of frames without a branch between them and without a stack that
 * ends before the last. A model: no text, no percentages.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "profile/weight.h"

struct branch_note;
struct branch_notes;
struct frame_order;
struct report_row;
struct report_rows;

struct call_node {
	const uint32_t *frames; /* in the order of printing */
	size_t n_frames;
	const struct branch_note *notes;  /* of the frames; NULL: none are wanted */
	struct weight self;               /* of stacks that end here */
	struct weight total;              /* and of all below, shown or not */
	const struct call_node *children; /* those that pass the threshold, sorted */
	size_t n_children;
};

struct call_tree_options {
	const struct frame_order *order; /* of all frames */
	bool callers_first;
	/*
	 * The part, of 1, that a branch must weigh at least: of @whole, a period; or with
	 * @relative, of what all branches of its parent do.
	 */
	double threshold;
	uint64_t whole;
	bool relative;
	/* Siblings are sorted by their frames' ranks, lowest first; else the heaviest first. */
	bool by_rank;
	const struct branch_notes *notes; /* of the stacks' nodes; or NULL */
};

/* The smallest period of a branch of a parent whose branches weigh @parent together. */
uint64_t call_tree_least(const struct call_tree_options *o, uint64_t parent);

/* Makes trees; has the scratch memory for that. Belongs to one thread. */
struct call_tree_builder;

/* For the trees of @rows, which outlive it. */
struct call_tree_builder *call_tree_builder_new(const struct call_tree_options *o,
						const struct report_rows *rows);
void call_tree_builder_free(struct call_tree_builder *b);
DEFINE_FREEP(call_tree_builder)

/* From now on trees are made with @whole in the place of the option. */
void call_tree_builder_set_whole(struct call_tree_builder *b, uint64_t whole);

/* A tree. It belongs to its maker, and outlives the builder, but not the rows. */
struct call_tree {
	struct call_node root; /* without frames; its children are the tree */
	struct arena arena;    /* private: of the nodes below */
};

/* Makes @ret the tree of @row. Samples without a stack are not in it. */
void call_tree_init(struct call_tree *ret, struct call_tree_builder *b,
		    const struct report_row *row);
void call_tree_done(struct call_tree *t);
