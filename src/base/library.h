/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The functions of a library that is loaded at run time.
 *
 * The caller has a struct of function pointers and a table that says which name goes where. It
 * opens the library itself, because names, flags and messages differ, and closes it or not.
 */
#include <stddef.h>

struct library_function {
	const char *name;
	size_t at; /* the offset of the pointer in the caller's struct */
};

/*
 * Looks up the @n functions @fs in @library, which dlopen() returned, and stores their addresses in
 * the struct @into. Returns NULL, or the first name that is missing; the pointers from there on are
 * not stored. If @library is NULL, all names are missing.
 */
const char *library_find(void *library, const struct library_function *fs, size_t n, void *into);
