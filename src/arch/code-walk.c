/* SPDX-License-Identifier: MIT */
#include "arch/code-walk.h"

/* No frame is larger than this. */
#define FRAME_MAX (1 << 28)

/* True if @target is reached for the first time. The frame there is the same on every path. */
static bool code_walk_is_new(struct code_walk *k, uint64_t target)
{
	for (size_t i = 0; i < k->n_targets; i++)
		if (k->targets[i] == target)
			return false;
	if (k->n_targets == CODE_TARGETS_MAX)
		return false;
	k->targets[k->n_targets++] = target;
	return true;
}

enum code_path_state code_walk_jump(struct code_walk *k, struct code_path *p, uint64_t target)
{
	p->addr = target;
	return code_walk_is_new(k, target) ? PATH_GOES_ON : PATH_IS_LOST;
}

enum code_path_state code_walk_branch(struct code_walk *k, const struct code_path *p,
				      uint64_t target)
{
	if (k->n < CODE_PATHS_MAX && code_walk_is_new(k, target)) {
		k->paths[k->n] = *p;
		k->paths[k->n++].addr = target;
	}
	return PATH_GOES_ON;
}

/* Follows @p to the function's end. False: the path does not lead there. */
static bool code_walk_follow(struct code_walk *k, struct code_path *p)
{
	for (unsigned i = 0; i < k->length_max && k->left; i++, k->left--) {
		enum code_path_state state = k->step(k, p);

		if (state != PATH_GOES_ON)
			return state == PATH_ENDS;
		if (p->sp > FRAME_MAX || p->sp < -FRAME_MAX)
			return false;
	}
	return false;
}

bool code_walk(struct code_walk *k, uint64_t addr, struct code_frame *ret)
{
	k->paths[0] = (struct code_path){ .addr = addr };
	k->n = 1;
	while (k->n && k->left) {
		struct code_path p = k->paths[--k->n];

		if (code_walk_follow(k, &p) && k->frame(&p, ret))
			return true;
	}
	return false;
}
