/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Samples of a recording by data type, event by event (`perf annotate --data-type`).
 */
#include <stddef.h>

#include "profile/type-weights.h"

struct annotate_job;

/*
 * Counts the instructions of all events, and with @with_names their names too. The result is
 * settled.
 */
void annotate_type_stats(struct annotate_job *j, struct type_stats *ret, bool with_names);

/*
 * Calls @each for the types of each event, or group of events, that has samples: the @n events from
 * @first on. A negative result ends it, and is returned.
 */
int annotate_types_each(struct annotate_job *j,
			int (*each)(void *arg, size_t first, size_t n,
				    const struct type_weights *t),
			void *arg);
