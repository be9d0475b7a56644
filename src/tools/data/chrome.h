/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Chrome's trace events in JSON, for chrome://tracing and programs that read its files: samples
 * with stacks, tracepoints as instants, the tasks on each CPU as slices.
 */
#include "tools/data/format.h"

extern const struct export_format export_chrome;
