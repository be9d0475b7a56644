/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A frame as pictures show it.
 */
#include <stdbool.h>

#include "profile/flame.h"

struct frame;
struct sample_filter;
struct text;

/* Adds its name: a frame without a function is called after its image, `[libc.so.6]`. */
void flame_frame_name(const struct frame *f, struct text *out);

/* The name of its image; "": nothing is known to lie there. */
const char *flame_frame_object(const struct frame *f);

enum flame_kind flame_frame_kind(const struct frame *f);
bool flame_frame_is_of_kernel(const struct frame *f);

/*
 * Whether samples count that lie there: @filter (or NULL) goes by function and image, and @part is
 * in the names of functions, unless it is NULL.
 */
bool flame_frame_passes(const struct frame *f, const struct sample_filter *filter,
			const char *part);
