/* SPDX-License-Identifier: MIT */
#pragma once
/* Explains the words of PERF_SAMPLE_DATA_SRC in sentences. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The parts of it that have a column of their own. */
enum data_source_part {
	DATA_SOURCE_PART_LEVEL,
	DATA_SOURCE_PART_SNOOP,
	DATA_SOURCE_PART_TLB,
	DATA_SOURCE_PART_LOCK,
	DATA_SOURCE_PART_BLOCKED,
};
#define DATA_SOURCE_PARTS (DATA_SOURCE_PART_BLOCKED + 1)

/* A word as written by data_source_level() and similar functions. */
struct data_source_word {
	enum data_source_part part;
	const char *word;
	const char *means;
	/*
	 * The word is written if these bits (after a shift) equal this value, or contain it as a
	 * set.
	 */
	unsigned shift, width;
	unsigned value;
};

/* Returns all words, grouped by part; those of a part are in the order of their bits. */
const struct data_source_word *data_source_words(size_t *ret_n);

/* True if @w is written for @data_src. */
bool data_source_has_word(const struct data_source_word *w, uint64_t data_src);
