/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Finds the words about accesses to memory that occur in the rows of a report
 * (tools/report/data-source-words-model.h).
 */
#include <stdbool.h>
#include <stddef.h>

struct collector;
struct keys;

/*
 * Returns a flag for each of data_source_words(): true if a sample of one of the first @n_events
 * events shows it in a column of @keys. The caller frees them.
 */
bool *memory_words_used(const struct collector *c, size_t n_events, const struct keys *keys);
