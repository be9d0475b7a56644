/* SPDX-License-Identifier: MIT */
#pragma once
/* The method by which recordings are compared: -c, or diff.compute of the configuration. */
#include <stdbool.h>
#include <stdint.h>

#include "tools/diff/diff-model.h"

struct diff_method {
	bool cycles; /* compare basic blocks; @compute is then not used */
	enum diff_compute compute;
	int64_t weight_base, weight_other;
};

/*
 * Parses "delta", "delta-abs", "ratio", "wdiff:BASE,OTHER" or "cycles". -EINVAL with the position
 * of the mistake in *@ret_offset: 0 if there is no such method, otherwise that of the weights.
 */
int diff_method_parse(const char *text, struct diff_method *ret, size_t *ret_offset);
