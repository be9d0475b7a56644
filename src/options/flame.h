/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Which stacks of a recording become boxes, and what these stand on: for every command that draws
 * or folds stacks.
 */
#include "cli/option.h"
#include "profile/flamegraph.h"

/* Rows over a struct flame_choice. */
extern const struct option flame_options[];
