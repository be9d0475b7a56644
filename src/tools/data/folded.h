/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Folded stacks: lines of text as `perf script --folded` prints them. If there are several events,
 * the event's name comes first.
 */
#include "tools/data/format.h"

extern const struct export_format export_folded;
