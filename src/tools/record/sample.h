/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * What each sample carries besides its address, and the clock of its time.
 */
#include "capture/sampling-request.h"
#include "cli/option.h"

/* Rows over a struct sample_request, with a heading. "?" for registers asks for a list of them. */
extern const struct option sample_options[];
