/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Frames as call trees see them: which ones are the same, and which of two stands above the other
 * where their branches weigh the same.
 *
 * A frame's rank is a number: equal ones are the same function of an image, or the same sampled
 * address where there is no function (or trees go by address). Of two ranks, that of the image
 * which the recording told of later is higher: in the build-ids of its header, and then by mapping
 * it. No image is lowest. Within one, it is that of the higher address; functions that are inlined
 * have none and go by name. So the order does not depend on that of the samples.
 *
 * Where trees go by line, equal ranks are the same line, whichever functions it is inlined into,
 * and lines are ordered as text; what has no line is above and goes by function.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct frames;
struct session;

struct ranked_place;

/* What makes two frames the same. */
enum frame_order_by {
	FRAMES_BY_FUNCTION,
	FRAMES_BY_ADDRESS,
	FRAMES_BY_LINE,
};

struct frame_order {
	uint32_t *ranks;             /* by frame */
	struct ranked_place *places; /* by rank */
	size_t n;                    /* frames */
	struct arena lines;          /* as text */
};

/*
 * Ranks all that is in @frames now. @s knows the order of images; NULL: they are taken as the
 * frames name them. O(n log n).
 */
void frame_order_init(struct frame_order *o, const struct frames *frames, const struct session *s,
		      enum frame_order_by by);

/*
 * Less than 0: rank @a is lower than @b. A function has one place in its image; an address without
 * one has as many as it was mapped to, and they are told apart by where. So among places of several
 * processes this need not be transitive.
 */
int frame_order_compare(const struct frame_order *o, uint32_t a, uint32_t b);
void frame_order_done(struct frame_order *o);
