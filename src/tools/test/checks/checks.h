/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The self-tests of `perf test`: the functions that an installation must provide on its machine.
 * Their order is that of checks.def.
 */
#include "tools/test/selftest-work.h"

#define CHECK(name) extern const struct selftest check_##name;
#include "tools/test/checks/checks.def"
#undef CHECK

/* All self-tests; the last is NULL. */
extern const struct selftest *const all_checks[];
