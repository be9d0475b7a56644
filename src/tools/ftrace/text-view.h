/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The kernel's own text of a trace.
 */
#include <stddef.h>
#include <stdio.h>

/* Prints @n bytes of it. Names of tasks may have characters that a terminal would act upon. */
void trace_text_print(FILE *out, const char *bytes, size_t n);
