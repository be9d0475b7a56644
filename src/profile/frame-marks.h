/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which frames are functions whose name matches a regular expression: asked once for each frame.
 */
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frames;

struct frame_marks {
	const regex_t *regex; /* NULL: none matches */
	uint8_t *known;       /* by frame: 0 not asked yet, 1 no, 2 yes */
	size_t room;
};

void frame_marks_done(struct frame_marks *m);

/* Whether @frame has a name that matches. */
bool frame_marks_has(struct frame_marks *m, const struct frames *frames, uint32_t frame);
