/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Perfetto's trace format, for ui.perfetto.dev and trace_processor: samples with stacks, the tasks
 * on each CPU, tracepoints as instants of their threads.
 */
#include "tools/data/format.h"

extern const struct export_format export_perfetto;
