/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The features that this binary was built with.
 *
 * A feature is on when the program really uses it, not merely when the library was present.
 */
#include <stdbool.h>
#include <stdio.h>

struct feature {
	const char *name;  /* "libtraceevent" */
	const char *macro; /* "HAVE_LIBTRACEEVENT", the other name that scripts look for */
	bool on;
};

/* The table of features. It ends with a NULL name. */
extern const struct feature features[];

/* Finds a feature by its name or its macro, without case, or NULL. */
const struct feature *feature_find(const char *name);

/* Prints "   libtraceevent: [ on  ]  # HAVE_LIBTRACEEVENT". */
void feature_print(const struct feature *f, FILE *out);
