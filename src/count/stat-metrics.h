/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The metrics that appear beside counts by default: instructions per cycle, miss rates, events per
 * second.
 *
 * A rule defines by what an event is divided. Operands are the events of the same unit that count
 * under the same conditions (user, kernel, guest, ...). A metric whose operand is missing, was not
 * counted or is zero is not known, so there is never a division by a missing value.
 */
#include <stddef.h>

#include "count/stat.h"

struct event;

/* One event's count in the current unit. */
struct stat_operand {
	const struct event *event;
	const char *cgroup;
	enum stat_state state;
	double count; /* raw: events, or nanoseconds of a clock */
};

/*
 * Derives the metrics of operands[@i] from the others. @seconds is the elapsed time (0: unknown).
 * Returns their number in @ret, at most STAT_METRICS; those of an event with a rule of its own that
 * cannot be computed are included, but not known.
 */
size_t stat_metrics_of(const struct stat_operand *operands, size_t n, size_t i, double seconds,
		       struct stat_metric *ret);
