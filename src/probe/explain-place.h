/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Explains why debug information has no place for a point that a user wants to probe, and what is
 * near it.
 */
struct debug_info;
struct debug_point;
struct diag;

/* Explains why debug_places_find() has failed with @error. Returns the error for the user. */
int explain_place(struct debug_info *d, const struct debug_point *p, int error, struct diag *diag);

/* The same for debug_lines_find(). */
int explain_lines(struct debug_info *d, const char *function, const char *file, int error,
		  struct diag *diag);
