/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Folded stacks: lines of text as `perf script --folded` prints them, with the name of the event in
 * front where there are several.
 */
#include "tools/data/format.h"

extern const struct export_format export_folded;
