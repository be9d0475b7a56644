/* SPDX-License-Identifier: MIT */
#pragma once
/* Leaves only native frames, or only interpreted ones, in the stack of a sample. */
#include <stdint.h>

#include "profile/frame-choice.h"

struct path_step;
struct stack_path;

/*
 * Removes the frames that @choice leaves out. If the sampled frame *@sampled is one of these, it
 * becomes the innermost frame that stays, whose step is returned, valid as long as the path; or the
 * only one of the stack, frame_choice_rest(), if none does, and NULL is returned.
 */
const struct path_step *stack_choose(struct stack_path *p, enum frame_choice choice,
				     uint32_t *sampled);
