/* SPDX-License-Identifier: MIT */
#include "probe/line-pattern.h"

#include "base/glob.h"

bool line_pattern_matches(const char *pattern, const char *line)
{
	return glob_matches_loosely(pattern, line);
}
