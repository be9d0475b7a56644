/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The processed profile format of the Firefox Profiler: samples of each thread, tracepoints and
 * times off the CPU as markers, CPUs as threads of their own. Symbols are included.
 */
#include "tools/data/format.h"

extern const struct export_format export_firefox;
