/* SPDX-License-Identifier: MIT */
#include "profile/stack-choice.h"

#include "base/memory.h"
#include "profile/frames.h"
#include "profile/stack-path.h"
#include "session/machine.h"

/* Makes the stack that of the one frame that stands for what is left out. */
static uint32_t stack_choice_take_rest(struct stack_path *p, enum frame_choice choice)
{
	const struct location loc = { .sym = frame_choice_rest(choice) };

	p->steps = array_reserve(p->steps, &p->room, 1, sizeof(*p->steps));
	p->steps[0] = (struct path_step){
		.frame = frames_add(p->resolver->frames, &loc, ADDRESS_USER, FRAME_SAMPLED),
		.mode = ADDRESS_UNKNOWN,
	};
	p->n = 1;
	return p->steps[0].frame;
}

const struct path_step *stack_choose(struct stack_path *p, enum frame_choice choice,
				     uint32_t *sampled)
{
	const struct frames *frames = p->resolver->frames;
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		if (!frame_choice_leaves_out(choice, frames_get(frames, p->steps[i].frame)))
			p->steps[n++] = p->steps[i];
	stack_path_cut(p, n);
	p->n_keys = 0;
	if (!frame_choice_leaves_out(choice, frames_get(frames, *sampled)))
		return NULL;
	*sampled = n ? p->steps[n - 1].frame : stack_choice_take_rest(p, choice);
	return n ? &p->steps[n - 1] : NULL;
}
