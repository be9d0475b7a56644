/* SPDX-License-Identifier: MIT */
#pragma once
/* Options for the kernel's ring buffers and the threads that empty them. */
#include "cli/option.h"
#include "measure/record-request.h"

/* Options over a struct buffer_request, with a heading. */
extern const struct option buffer_options[];

/* -m alone, for a `struct buffer_size`. */
option_set_fn buffer_size_set;
