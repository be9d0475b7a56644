/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Stacks with their weights for pprof and programs that read its files: `go tool pprof`, Pyroscope,
 * Parca.
 */
#include "tools/data/format.h"

extern const struct export_format export_pprof;
