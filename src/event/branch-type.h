/* SPDX-License-Identifier: MIT */
#pragma once
/* Names of branch filters, as accepted by `record -j` and the branch_type= term. */
#include <stdint.h>

struct diag;

/*
 * Parses names between commas ("any_call,u") into PERF_SAMPLE_BRANCH_* bits. Privileges alone mean
 * any branch at that privilege; "no" means none at all. -EINVAL with @diag marking the unknown name
 * in @text.
 */
int branch_type_parse(const char *text, uint64_t *ret, struct diag *diag);
