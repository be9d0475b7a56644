/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which words on accesses to memory the rows of a report have
 * (tools/report/data-source-words-model.h).
 */
#include <stdbool.h>
#include <stddef.h>

struct collector;
struct keys;

/*
 * A flag for each of data_source_words(): whether a sample of one of the first @n_events events has
 * it in a column of @keys. The caller frees them.
 */
bool *memory_words_used(const struct collector *c, size_t n_events, const struct keys *keys);
