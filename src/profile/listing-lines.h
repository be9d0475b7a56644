/* SPDX-License-Identifier: MIT */
#pragma once
/* Listings of functions of interpreted languages, for profile/listing.c. */
#include "profile/listing.h"

/* True if the image of @f has no code, only lines of source. */
bool listing_has_lines_only(const struct annotated_function *f);

/* Does what listing_make() does, for such a function. -ENODATA: its lines are not known. */
int listing_lines_make(const struct listing_tools *t, const struct annotated_functions *all,
		       const struct annotated_function *f, struct listing *ret, struct diag *diag);

/* Sets the weights of its lines to those of its function. */
void listing_lines_weigh(struct listing *l);
