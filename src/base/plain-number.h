/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Fractions with a point, whatever the user's locale says: for JSON, for what is read back, and for
 * figures that must not differ between machines.
 */
#include <locale.h>

struct text;

/* From here to the end of the scope this thread's numbers have a point. */
#define PLAIN_NUMBERS_IN_SCOPE                                                                     \
	__attribute__((cleanup(plain_numbers_end), unused)) locale_t usual_ = plain_numbers()

/* What the macro does: the locale that was in force, and back to it. */
locale_t plain_numbers(void);
void plain_numbers_end(locale_t *usual);

/* Appends the shortest decimal that reads back as @x, which is finite. */
void plain_number_add(struct text *t, double x);
