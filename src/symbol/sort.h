/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Sorts symbols by their start.
 */
#include <stddef.h>

struct symbol;

/* Sorts stably by start. O(n); symbols that are in order are not moved. */
void symbol_sort(struct symbol *items, size_t n);
