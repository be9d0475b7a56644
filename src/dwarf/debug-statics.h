/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Keeps the global variables of units, once they are read, for dwarf/debug-info.c.
 * debug_static_type() (dwarf/debug-function.h) uses them.
 */
struct debug_info;
struct debug_statics;

/* Returns the store of @d: NULL until it is needed. */
struct debug_statics **debug_info_statics(struct debug_info *d);
void debug_statics_free(struct debug_statics *s);
