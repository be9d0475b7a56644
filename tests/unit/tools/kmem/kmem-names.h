/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names of call sites, for tests of perf kmem's tables: address 1 is start(), all others have none.
 */
#include "base/text.h"
#include "tools/kmem/slab-view.h"

static inline bool example_name(void *arg, uint64_t addr, bool with_offset, struct text *out)
{
	(void)arg;
	if (addr != 1)
		return false;
	text_add(out, with_offset ? "start+1f" : "start");
	return true;
}

static const struct kmem_symbols example_symbols = { example_name, NULL };
