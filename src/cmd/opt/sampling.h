/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How often to sample: -F or -c, for every command that samples.
 */
#include <stdbool.h>
#include <stdint.h>

#include "cli/option.h"

struct diag;

enum sampling_kind {
	SAMPLING_DEFAULT,  /* 4000 a second, but every occurrence of a tracepoint */
	SAMPLING_FREQ,     /* so many a second */
	SAMPLING_FREQ_MAX, /* as many a second as the kernel allows */
	SAMPLING_PERIOD,   /* one in so many */
	SAMPLING_BOTH,     /* -F and -c, which sampling_opts_check() refuses */
};

struct sampling_rate {
	enum sampling_kind kind;
	uint64_t number; /* the frequency, or the period */
};

struct sampling_opts {
	struct sampling_rate rate;
	bool strict_freq; /* fail, instead of sampling at the kernel's limit */
};

/* Rows over a struct sampling_opts, with a heading. */
extern const struct option sampling_options[];

/* -EINVAL with @diag set if the options contradict each other. */
int sampling_opts_check(const struct sampling_opts *s, struct diag *diag);
