/* SPDX-License-Identifier: MIT */
#include "options/sampling.h"

#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/number.h"
#include "options/value.h"

static bool is_freq(enum sampling_kind kind)
{
	return kind == SAMPLING_FREQ || kind == SAMPLING_FREQ_MAX;
}

static int freq_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	struct sampling_rate *rate = field;
	uint64_t freq = 0;

	if (negated) {
		if (is_freq(rate->kind))
			*rate = (struct sampling_rate){ 0 };
		return 0;
	}
	if (strcmp(value, "max") && (number_parse(value, &freq) < 0 || !freq)) {
		value_refuse(diag, o, value, 0, strlen(value), "'%s' is not a frequency", value);
		diag_hint(diag,
			  "Give samples per second, 99 or 999, or max for the kernel's limit.");
		return -EINVAL;
	}
	if (rate->kind == SAMPLING_PERIOD || rate->kind == SAMPLING_BOTH)
		rate->kind = SAMPLING_BOTH;
	else
		*rate = (struct sampling_rate){ freq ? SAMPLING_FREQ : SAMPLING_FREQ_MAX, freq };
	return 0;
}

static int sampling_period_set(void *field, const struct option *o, const char *value, bool negated,
			       struct diag *diag)
{
	struct sampling_rate *rate = field;
	uint64_t period;

	if (negated) {
		if (rate->kind == SAMPLING_PERIOD)
			*rate = (struct sampling_rate){ 0 };
		return 0;
	}
	if (number_parse(value, &period) < 0) {
		value_refuse(diag, o, value, 0, strlen(value), "'%s' is not a number", value);
		diag_hint(diag,
			  "One sample is taken in so many events: -c 1000 takes every 1000th.");
		return -EINVAL;
	}
	if (is_freq(rate->kind) || rate->kind == SAMPLING_BOTH)
		rate->kind = SAMPLING_BOTH;
	else
		*rate = (struct sampling_rate){ SAMPLING_PERIOD, period };
	return 0;
}

const struct option sampling_options[] = {
	OPT_HEADING("How often:"),
	OPT_CALL('F', "freq", struct sampling_request, rate, "freq or 'max'",
		 "samples per second of running time, or max (default: 4000)", .set = freq_set),
	OPT_CALL('c', "count", struct sampling_request, rate, "n", "one sample in n events",
		 .set = sampling_period_set),
	OPT_FLAG(0, "strict-freq", struct sampling_request, strict_freq,
		 "fail if the kernel does not allow that frequency"),
	OPT_END
};

int sampling_options_check(const struct sampling_request *s, struct diag *diag)
{
	if (s->rate.kind != SAMPLING_BOTH)
		return 0;
	diag_set(diag, -EINVAL, "cannot set frequency and period at the same time");
	diag_hint(diag, "Use -F for all events, and give single ones a period: -e cs/period=1/");
	return -EINVAL;
}
