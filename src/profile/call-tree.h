/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The call trees of an event's rows: the stacks of a row merged by function, outward from the
 * sampled function (callees first) or inward from the outermost caller (callers first).
 *
 * If a row is a caller (--children) its stacks begin with it: callers first, at the outermost call
 * of a recursion; callees first, at the innermost. Samples of the row itself have their whole
 * stack.
 *
 * A tree is made when it is requested, and only where branches pass the threshold, so the time
 * depends on what is shown. A node is a run of frames without a branch between them and without a
 * stack that ends before the last frame. This is a model: it has no text and no percentages.
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
	const struct branch_note *notes;  /* one for each frame; NULL: none are wanted */
	struct weight self;               /* the weight of stacks that end here */
	struct weight total;              /* the same, with everything below, shown or not */
	const struct call_node *children; /* the children that pass the threshold, sorted */
	size_t n_children;
};

struct call_tree_options {
	const struct frame_order *order; /* the order of all frames */
	bool callers_first;
	/*
	 * The minimum weight of a branch, as a fraction of @whole, a period; or with @relative, of
	 * the weight of all branches of its parent.
	 */
	double threshold;
	uint64_t whole;
	bool relative;
	/*
	 * Siblings are sorted by their frames' ranks, lowest first; otherwise the heaviest first.
	 */
	bool by_rank;
	const struct branch_notes *notes; /* for the stacks' nodes; or NULL */
};

/*
 * Returns the least period that a branch must have if the branches of its parent weigh @parent
 * together.
 */
uint64_t call_tree_least(const struct call_tree_options *o, uint64_t parent);

/* Makes trees, and holds the scratch memory for that. Belongs to one thread. */
struct call_tree_builder;

/* Makes a builder for the trees of @rows, which must outlive it. */
struct call_tree_builder *call_tree_builder_new(const struct call_tree_options *o,
						const struct report_rows *rows);
void call_tree_builder_free(struct call_tree_builder *b);
DEFINE_FREEP(call_tree_builder)

/* Makes further trees use @whole instead of the option's value. */
void call_tree_builder_set_whole(struct call_tree_builder *b, uint64_t whole);

/* A tree. Its maker owns it; it may outlive the builder, but not the rows. */
struct call_tree {
	struct call_node root; /* has no frames; its children are the tree */
	struct arena arena;    /* private: holds the nodes below */
};

/* Makes @ret the tree of @row. It does not contain samples without a stack. */
void call_tree_init(struct call_tree *ret, struct call_tree_builder *b,
		    const struct report_row *row);
void call_tree_done(struct call_tree *t);
