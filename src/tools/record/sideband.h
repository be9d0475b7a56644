/* SPDX-License-Identifier: MIT */
#pragma once
/* The options for records in addition to samples, from the kernel and from /proc. */
#include "capture/sampling-request.h"
#include "cli/option.h"

/* The options over a struct sideband_request, with a heading. */
extern const struct option sideband_options[];
