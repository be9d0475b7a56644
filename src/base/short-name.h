/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names of C++ and Rust functions that fit a line, for users of a terminal.
 *
 *	void Catalogue<std::__cxx11::basic_string<char, std::char_traits<char>, ...> >::put
 *	Catalogue<std::string>::put		in the words of the source
 *	pthread_create				without @@GLIBC_2.34
 *	Catalogue<…>::put			without the inner arguments, then without all
 *	…::put					without what it belongs to
 *
 * The function's own name is never cut. This is pure text processing; code that shows whole names
 * does not call it.
 */
#include <stddef.h>

struct text;

/*
 * Appends @name in at most @columns columns, if it can be shortened to that. @dots replaces omitted
 * parts: "…", or "..." where there is no UTF-8. O(length).
 */
void name_shorten(struct text *out, const char *name, size_t columns, const char *dots);
