/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Yes, no, or nothing was said: for what has a default that depends on other things.
 */
#include <stdbool.h>

enum choice {
	CHOICE_UNSAID,
	CHOICE_NO,
	CHOICE_YES,
};

/* What was said, or @otherwise. */
static inline bool choice_or(enum choice c, bool otherwise)
{
	return c == CHOICE_UNSAID ? otherwise : c == CHOICE_YES;
}
