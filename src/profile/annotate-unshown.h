/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Functions that have samples and cannot be shown: how many there are in which image, and why.
 */
#include <stddef.h>
#include <stdint.h>

struct annotated_function;
struct diag;
struct image;
struct notes;

/* Those of an image. */
struct unshown_functions {
	const struct image *image;
	size_t n;
	uint64_t samples;
	char *first; /* the name of the first that was added */
	char *why, *hint;
};

struct unshown {
	struct unshown_functions *items;
	size_t n, room;
};

void unshown_done(struct unshown *u);

/* Adds @f. The image's reason is that of its first function. */
void unshown_add(struct unshown *u, const struct annotated_function *f, const struct diag *why);

/* A warning for each of the few images with the most samples. Sorts @u. */
void unshown_note(struct unshown *u, struct notes *notes);
