/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Records beside the samples, from the kernel and from /proc.
 */
#include "capture/sampling-request.h"
#include "cli/option.h"

/* Rows over a struct sideband_request, with a heading. */
extern const struct option sideband_options[];
