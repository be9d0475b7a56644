/* SPDX-License-Identifier: MIT */
#pragma once
/* The option --itrace of commands that show samples: what is made of hardware traces. */
#include "cli/option.h"
#include "hwtrace/itrace.h"

option_set_fn itrace_set;

/* An option over a struct itrace_request. */
#define OPT_ITRACE(T, f)                                                                           \
	OPT_CALL(0, "itrace", T, f, "opts", "how to decode hardware traces into samples",          \
		 .set = itrace_set, .missing = "", .flags = OPTION_OPTIONAL)
