/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Follows code until it returns, to find the frame of a function without CFI: what aarch64-walk and
 * x86-walk have in common.
 *
 * Both sides of conditional branches are tried until one leads to a return. A machine says what an
 * instruction does to a path. Private to arch/.
 */
#include "arch/code-frame.h"

/* A path. Offsets are counted from sp (or, with sp_from_fp, the frame pointer) at its start. */
struct code_path {
	uint64_t addr;
	int64_t sp, fp;
	int64_t fp_at;      /* from where fp was loaded; on x86_64 also where it was pushed */
	int64_t lr_at;      /* from where the link register was loaded */
	bool sp_from_fp;    /* offsets are from the frame pointer */
	bool sp_is_unknown; /* sp was aligned, or computed in another way */
	bool fp_is_set;     /* the frame pointer was set to @fp on the path */
	bool fp_is_lost;    /* the frame pointer was set to something else */
	bool has_fp;        /* the frame pointer was loaded: it is the caller's */
	bool has_lr;        /* the link register was loaded */
	/* The values from the start were stored; on aarch64 they are still in their registers. */
	bool stores_fp, stores_lr;
	bool has_called;     /* the link register is lost */
	bool has_freed;      /* sp has grown */
	uint8_t constant_in; /* the register that was last set to @constant */
	int32_t constant;    /* 0: none */
};

enum code_path_state {
	PATH_GOES_ON,
	PATH_ENDS, /* the function returns */
	PATH_IS_LOST,
};

/* The number of paths that may wait to be tried; more are dropped. */
#define CODE_PATHS_MAX 16

/* The number of targets of branches and jumps that are noted; more are ignored. */
#define CODE_TARGETS_MAX 64

struct code_walk {
	code_read_fn *read;
	void *arg;
	unsigned length_max; /* the most instructions on one path */
	unsigned left;       /* instructions that may still be read, on all paths */
	/* Reads an instruction of @p, moves p->addr past it, and follows it. */
	enum code_path_state (*step)(struct code_walk *k, struct code_path *p);
	/*
	 * Computes the frame at the start of @p, which was followed to its end. False: such a frame
	 * is impossible.
	 */
	bool (*frame)(const struct code_path *p, struct code_frame *ret);
	/* Private: */
	struct code_path paths[CODE_PATHS_MAX]; /* paths still to be tried */
	size_t n;
	uint64_t targets[CODE_TARGETS_MAX]; /* already followed, or waiting in @paths */
	size_t n_targets;
};

/* Finds the frame at @addr. @k has the first five members. False: no path leads to a return. */
bool code_walk(struct code_walk *k, uint64_t addr, struct code_frame *ret);

/* Continues @p at @target; it is lost if another path was there, where the frame is the same. */
enum code_path_state code_walk_jump(struct code_walk *k, struct code_path *p, uint64_t target);

/* Continues @p, and tries later what is at @target. */
enum code_path_state code_walk_branch(struct code_walk *k, const struct code_path *p,
				      uint64_t target);
