/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options for the output of a recording: the file, its compression, when to begin another, and
 * build-ids.
 */
#include "cli/option.h"
#include "measure/record-request.h"

/* The options over a struct output_request, with a heading. */
extern const struct option output_options[];

/* Applies the consequences of --switch-output: names with times, and no work on build-ids. */
void output_options_settle(struct output_request *o);
