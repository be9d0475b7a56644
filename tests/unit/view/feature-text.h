/* SPDX-License-Identifier: MIT */
#pragma once
/* The output of view/header/header for features made by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "datafile/features.h"
#include "printed.h"
#include "view/header/header.h"

/* Checks the output of a feature. @f need not own its data, because nothing is released. */
static inline void assert_feature(struct features *f, unsigned id, const char *wanted)
{
	struct printed p;

	features_mark(f, id);
	printed_open(&p);
	header_print_feature(f, id, true, p.out);
	assert_printed(&p, wanted);
}

#define LIST(array)                                                                                \
	{                                                                                          \
		.items = (array), .n = ARRAY_SIZE(array)                                           \
	}
