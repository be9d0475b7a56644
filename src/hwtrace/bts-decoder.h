/* SPDX-License-Identifier: MIT */
#pragma once
/* The decoder of Intel BTS; see hwtrace/decoder.h. */
#include "hwtrace/decoder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern const struct aux_class bts_class;

/*
 * The format of Intel Branch Trace Store: a sequence of branches, 24 bytes each, as the Software
 * Developer's Manual describes them (volume 3, "Debug Store Mechanism").
 */

#define BTS_BRANCH_SIZE 24

struct bts_branch {
	uint64_t from, to;
	bool predicted;
};

/* The words of AUXTRACE_INFO. The times are like those of Intel PT (hwtrace/intel-pt-info.h). */
enum bts_info_word {
	BTS_INFO_PMU_TYPE,
	BTS_INFO_TIME_SHIFT,
	BTS_INFO_TIME_MULT,
	BTS_INFO_TIME_ZERO,
	BTS_INFO_CAP_TIME_ZERO,
	BTS_INFO_SNAPSHOT,
	BTS_INFO_WORDS
};

/* Decodes a branch. False if there are fewer than BTS_BRANCH_SIZE bytes. */
bool bts_branch_decode(const uint8_t *bytes, size_t n, struct bts_branch *ret);
