/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Chrome's trace events in JSON, for chrome://tracing and what reads its files: samples with
 * stacks, tracepoints as instants, who ran on each CPU as slices.
 */
#include "tools/data/format.h"

extern const struct export_format export_chrome;
