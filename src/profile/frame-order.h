/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Frames in the form that call trees need: which of them are the same, and which of two stands
 * above the other if their branches weigh the same.
 *
 * A frame's rank is a number. Equal ranks are the same function of an image, or the same sampled
 * address if there is no function (or trees go by address). Of two ranks, the higher one is that of
 * the image which the recording reported later: in the build-ids of its header, and then by mapping
 * it. No image is lowest. Within one image, the higher address has the higher rank; inlined
 * functions have no address and go by name. So the order does not depend on that of the samples.
 *
 * If trees go by line, equal ranks are the same line, whichever functions it is inlined into, and
 * lines are ordered as text. A frame without a line is above and goes by function.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct frames;
struct session;

struct ranked_place;

/* The criterion by which two frames are the same. */
enum frame_order_by {
	FRAMES_BY_FUNCTION,
	FRAMES_BY_ADDRESS,
	FRAMES_BY_LINE,
};

struct frame_order {
	uint32_t *ranks;             /* indexed by frame */
	struct ranked_place *places; /* indexed by rank */
	size_t n;                    /* the number of frames */
	struct arena lines;          /* the text of source lines */
};

/*
 * Ranks everything that is in @frames now. @s has the order of images; NULL: images are ordered as
 * the frames name them. O(n log n).
 */
void frame_order_init(struct frame_order *o, const struct frames *frames, const struct session *s,
		      enum frame_order_by by);

/*
 * Compares ranks. Less than 0: rank @a is lower than @b. A function has one place in its image. An
 * address without a function has as many places as it was mapped to, and these are told apart. So
 * among places of several processes this need not be transitive.
 */
int frame_order_compare(const struct frame_order *o, uint32_t a, uint32_t b);
void frame_order_done(struct frame_order *o);
