/* SPDX-License-Identifier: MIT */
#pragma once
/* The appearance of a frame in pictures. */
#include <stdbool.h>

#include "profile/flame.h"

struct frame;
struct sample_filter;
struct text;

/*
 * Appends the name of a frame. A frame without a function is named after its image, `[libc.so.6]`.
 */
void flame_frame_name(const struct frame *f, struct text *out);

/* Returns the name of the frame's image; "": no image is known there. */
const char *flame_frame_object(const struct frame *f);

enum flame_kind flame_frame_kind(const struct frame *f);
bool flame_frame_is_of_kernel(const struct frame *f);

/*
 * True if samples in @f count: @filter (or NULL) passes its function and image, and @part is
 * contained in the function's name, unless it is NULL.
 */
bool flame_frame_passes(const struct frame *f, const struct sample_filter *filter,
			const char *part);
