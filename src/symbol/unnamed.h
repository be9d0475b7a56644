/* SPDX-License-Identifier: MIT */
#pragma once
/* The reasons, in words, why an image names no functions, and what helps. */
#include <stdbool.h>

struct image;

struct unnamed_reason {
	const char *why;  /* a clause: "it is stripped"; NULL: it can have no names */
	const char *help; /* NULL: nothing helps, or it depends on the file */
};

/*
 * Returns the reason for an image in which something was looked up. NULL: no image is known at the
 * address.
 */
struct unnamed_reason image_unnamed_words(const struct image *im);

/* True if it is a file whose names are in a debug file, if anywhere. */
bool image_is_stripped(const struct image *im);
