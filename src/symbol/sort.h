/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Symbols in the order of their start.
 */
#include <stddef.h>

struct symbol;

/*
 * Sorts @items by start; equal ones stay in the order they came in. O(n), and nothing is moved that
 * is in order.
 */
void symbol_sort(struct symbol *items, size_t n);
