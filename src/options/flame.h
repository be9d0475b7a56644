/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options that choose which stacks of a recording become boxes, and what the boxes stand on.
 * They are for every command that draws or folds stacks.
 */
#include "cli/option.h"
#include "profile/flamegraph.h"

/* Options over a struct flame_choice. */
extern const struct option flame_options[];
