/* SPDX-License-Identifier: MIT */
#pragma once
/* The options that say how often to sample: -F or -c, for every command that samples. */
#include "capture/sampling-request.h"
#include "cli/option.h"

struct diag;

/* Options over a struct sampling_request, with a heading. */
extern const struct option sampling_options[];

/* Checks the options: -EINVAL with @diag set if they contradict each other. */
int sampling_options_check(const struct sampling_request *s, struct diag *diag);
