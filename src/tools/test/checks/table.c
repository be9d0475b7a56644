/* SPDX-License-Identifier: MIT */
#include <stddef.h>

#include "tools/test/checks/checks.h"

const struct selftest *const all_checks[] = {
#define CHECK(name) &check_##name,
#include "tools/test/checks/checks.def"
#undef CHECK
	NULL,
};
