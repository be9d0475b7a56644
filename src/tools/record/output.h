/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Where recorded data goes: the file, its compression, when to begin another, and build-ids.
 */
#include "cli/option.h"
#include "measure/record-request.h"

/* Rows over a struct output_request, with a heading. */
extern const struct option output_options[];

/* Draws the consequences of --switch-output: names with times, and no work on build-ids. */
void output_options_settle(struct output_request *o);
