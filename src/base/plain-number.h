/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Fractions with a point, whatever the user's locale is: for JSON, for text that is read back, and
 * for figures that must not differ between machines.
 */
#include <locale.h>

struct text;

/* Makes this thread print numbers with a point, from here to the end of the scope. */
#define PLAIN_NUMBERS_IN_SCOPE                                                                     \
	__attribute__((cleanup(plain_numbers_end), unused)) locale_t usual_ = plain_numbers()

/*
 * The functions of the macro: plain_numbers() returns the locale that was in force, and
 * plain_numbers_end() restores it.
 */
locale_t plain_numbers(void);
void plain_numbers_end(locale_t *usual);

/* Appends the shortest decimal number that reads back as @x, which is finite. */
void plain_number_add(struct text *t, double x);
