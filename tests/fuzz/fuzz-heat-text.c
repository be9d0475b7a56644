/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes points of a heat map as text. Every point is counted once, whether the bytes come at once
 * or one by one, and the picture has all of them.
 */
#include <stdint.h>
#include <stdlib.h>

#include "tools/heatmap/text-model.h"
#include "tools/heatmap/heatmap-model.h"
#include "base/diag.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add(void *arg, uint64_t time, uint64_t value)
{
	heat_add(arg, time, value);
}

static void read_text(const uint8_t *data, size_t size, size_t piece, struct heat_map *m)
{
	struct heat *h = heat_new(&(struct heat_options){ .rows = 50, .columns = 100 });
	struct heat_text t = {
		.time_unit_ns = 1000, .value_unit_ns = 1000, .point = add, .arg = h
	};
	struct diag diag = { 0 };

	for (size_t at = 0; at < size; at += piece)
		heat_text_take(&t, (const char *)data + at, size - at < piece ? size - at : piece);
	heat_text_end(&t);
	if (heat_settle(h, m, &diag) < 0)
		*m = (struct heat_map){ 0 };
	diag_done(&diag);
	heat_free(h);
}

static uint64_t sum(const struct heat_map *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->n_columns * m->rows.n; i++)
		n += m->counts[i];
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct heat_map whole, single;

	read_text(data, size, size + 1, &whole);
	read_text(data, size, 1, &single);
	if (whole.total != single.total || sum(&whole) != whole.total)
		abort();
	heat_map_done(&whole);
	heat_map_done(&single);
	return 0;
}
