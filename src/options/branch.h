/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Taken-branch stacks: -b and -j, for every command that samples.
 */
#include "capture/sampling-request.h"
#include "cli/option.h"

/* Options over a struct sampling_request, with a heading. */
extern const struct option branch_options[];
