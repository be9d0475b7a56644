/* SPDX-License-Identifier: MIT */
#pragma once
/* Prints the kernel's own text of a trace. */
#include <stddef.h>
#include <stdio.h>

/*
 * Prints @n bytes of the text. Names of tasks may contain characters on which a terminal would act,
 * so these are escaped.
 */
void trace_text_print(FILE *out, const char *bytes, size_t n);
