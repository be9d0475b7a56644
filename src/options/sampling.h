/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How often to sample: -F or -c, for every command that samples.
 */
#include "capture/sampling-request.h"
#include "cli/option.h"

struct diag;

/* Rows over a struct sampling_request, with a heading. */
extern const struct option sampling_options[];

/* -EINVAL with @diag set if the options contradict each other. */
int sampling_options_check(const struct sampling_request *s, struct diag *diag);
