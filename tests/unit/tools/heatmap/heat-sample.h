/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A small heat map, for tests of views: in its first second 7 values between 0 and 1 ms and 1
 * between 1 ms and 2 ms, in its third second 1 between 1 ms and 2 ms; one more is above 2 ms.
 */
#include "base/diag.h"
#include "tools/heatmap/words-view.h"
#include "view/picture/palette.h"

#define MS UINT64_C(1000000)
#define S  (1000 * MS)

static inline void heat_sample(struct heat_map *m, struct heat_picture *p)
{
	struct heat *h = heat_new(
		&(struct heat_options){ .max = 2 * MS, .rows = 2, .columns = 10, .step_ns = S });
	struct diag diag = { 0 };

	heat_start(h, 5 * S + 250000);
	for (int i = 0; i < 7; i++)
		heat_add(h, 5 * S + 300000, MS / 2);
	heat_add(h, 5 * S + 300000, MS);
	heat_add(h, 7 * S + 300000, MS);
	heat_add(h, 7 * S + 300000, 3 * MS);
	assert_int_equal(heat_settle(h, m, &diag), 0);
	heat_free(h);
	*p = (struct heat_picture){ .map = m,
				    .title = "Latency of <x> & \"y\"",
				    .value_name = "latency",
				    .noun = "pairs",
				    .values_are_times = true,
				    .colours = sequence_find(NULL) };
}
