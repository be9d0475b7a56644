/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The self-tests of `perf test`: what an installation must be able to do on the machine it is on.
 * Their order is that of checks.def.
 */
#include "tools/test/selftest-work.h"

#define CHECK(name) extern const struct selftest check_##name;
#include "tools/test/checks/checks.def"
#undef CHECK

/* All of them; the last is NULL. */
extern const struct selftest *const all_checks[];
