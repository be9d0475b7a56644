/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples by thread and event, in order of time, for speedscope (https://www.speedscope.app).
 */
#include "tools/data/format.h"

extern const struct export_format export_speedscope;
