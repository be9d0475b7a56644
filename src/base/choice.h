/* SPDX-License-Identifier: MIT */
#pragma once
/* Yes, no or unset, for options whose default depends on other things. */
#include <stdbool.h>

enum choice {
	CHOICE_UNSAID,
	CHOICE_NO,
	CHOICE_YES,
};

/* Returns the choice, or @otherwise if it is unset. */
static inline bool choice_or(enum choice c, bool otherwise)
{
	return c == CHOICE_UNSAID ? otherwise : c == CHOICE_YES;
}
