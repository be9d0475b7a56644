/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The options for the contents of each sample besides its address, and for the clock of its time.
 */
#include "capture/sampling-request.h"
#include "cli/option.h"

/*
 * The options over a struct sample_request, with a heading. "?" for registers requests a list of
 * them.
 */
extern const struct option sample_options[];
