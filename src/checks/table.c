/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "checks/checks.h"

const struct selftest *const all_checks[] = {
#define CHECK(name) &check_##name,
#include "checks/checks.def"
#undef CHECK
	NULL,
};
