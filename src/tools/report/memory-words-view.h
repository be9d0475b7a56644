/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What the words on accesses to memory mean, as comment lines above a table.
 */
#include <stdbool.h>
#include <stdio.h>

/* Prints those of data_source_words() that @used has a flag for; nothing if there are none. */
void memory_words_print(const bool *used, FILE *out);
