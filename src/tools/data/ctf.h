/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The Common Trace Format, for babeltrace and Trace Compass: a folder with the text `metadata` and
 * a stream of events for each CPU. Samples contain the recorded data: addresses, not names.
 */
#include "tools/data/format.h"

extern const struct export_format export_ctf;
