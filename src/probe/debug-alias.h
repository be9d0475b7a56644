/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds functions that debug information knows by another name than users do: malloc is
 * __libc_malloc, and ns::get is get, or _ZN2ns3getEv.
 */
#include "base/name-list.h"

struct debug_info;
struct probe_target;

/*
 * Appends the names under which @info has the functions that the symbols of @t call @name, each
 * once. Appends none for the kernel, because both names are the same there.
 */
void debug_alias_find(struct probe_target *t, struct debug_info *info, const char *name,
		      struct name_list *ret);
