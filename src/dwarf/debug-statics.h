/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where the global variables of units are kept, once they are read, for dwarf/debug-info.c.
 * debug_static_type() (dwarf/debug-function.h) asks for them.
 */
struct debug_info;
struct debug_statics;

/* The store of @d: NULL until it is needed. */
struct debug_statics **debug_info_statics(struct debug_info *d);
void debug_statics_free(struct debug_statics *s);
