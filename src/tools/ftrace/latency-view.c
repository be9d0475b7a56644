/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/latency-view.h"

#include <inttypes.h>
#include <stddef.h>

#include "tools/ftrace/latency-model.h"

#define BAR_WIDTH 46

/*
 * From this number on the next unit is used: 1024 for powers of two, 1000 for multiples of a range.
 */
#define STEP_BITS 10
#define STEP      1000

static const char *const units[] = { "ns", "us", "ms", "s" };

static const char *latency_unit(const struct latency *l, size_t above)
{
	return units[(l->scale.uses_nsec ? 0 : 1) + above];
}

/* Prints a row of powers of two. Row @i begins at 2^(i - 1). */
static void latency_print_power(FILE *out, const struct latency *l, size_t i, bool is_new)
{
	size_t exponent = i ? i - 1 : 0, above = exponent / STEP_BITS;
	unsigned start = i ? 1U << exponent % STEP_BITS : 0, stop = i ? start * 2 : 1;

	if (i == l->rows.n_bounds)
		fprintf(out, is_new ? "  %4u - ...  %-2s" : "  %4u - ...  %2s", start,
			latency_unit(l, above));
	else
		fprintf(out, is_new ? "  %4u - %4u %2s" : "  %4u - %-4u %2s", start, stop,
			latency_unit(l, above));
}

static void latency_print_range(FILE *out, const struct latency *l, size_t i)
{
	uint64_t start = i ? (uint64_t)l->rows.bounds[i - 1] : 0;
	bool is_last = i == l->rows.n_bounds, is_large = start >= STEP;
	uint64_t stop = is_last ? 0 : (uint64_t)l->rows.bounds[i];
	double first = (double)start / STEP, last = (double)stop / STEP;

	if (is_last && is_large)
		fprintf(out, "  %4.2f - ...  %s", first, latency_unit(l, 1));
	else if (is_last)
		fprintf(out, "  %4" PRIu64 " -  ... %s", start, latency_unit(l, 0));
	else if (is_large)
		fprintf(out, "  %4.2f - %4.2f %s", first, last, latency_unit(l, 1));
	else
		fprintf(out, "  %4" PRIu64 " - %4" PRIu64 " %s", start, stop, latency_unit(l, 0));
}

static void latency_print_row(FILE *out, const struct latency *l, size_t i, bool is_new)
{
	static const char bar[] = "##############################################";
	int length = (int)((double)l->rows.counts[i] * BAR_WIDTH / (double)l->sums.count);

	if (l->scale.range)
		latency_print_range(out, l, i);
	else
		latency_print_power(out, l, i, is_new);
	fprintf(out, " | %10" PRIu64 " | %.*s%*s |\n", l->rows.counts[i], length, bar,
		BAR_WIDTH - length, "");
}

static void latency_print_statistics(FILE *out, const struct latency *l)
{
	uint64_t unit_ns = latency_unit_ns(&l->scale);
	const struct {
		const char *name;
		uint64_t value;
	} rows[] = {
		{ "total time", l->sums.total_ns / unit_ns },
		{ "avg time", l->sums.total_ns / l->sums.count / unit_ns },
		{ "max time", l->sums.max_ns / unit_ns },
		{ "min time", l->sums.min_ns / unit_ns },
		{ "count", l->sums.count },
	};

	fprintf(out, "\n# statistics  (in %s)\n", l->scale.uses_nsec ? "nsec" : "usec");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		fprintf(out, "%12s: %20" PRIu64 "\n", rows[i].name, rows[i].value);
}

void latency_print(FILE *out, const struct latency *l, const struct latency_layout *layout)
{
	if (!l->sums.count) {
		fputs("No data found\n", out);
		return;
	}
	fprintf(out, "# %14s | %10s | %-*s |\n", "DURATION    ", "COUNT", BAR_WIDTH, "GRAPH");
	for (size_t i = 0; i < histogram_rows(&l->rows); i++)
		if (l->rows.counts[i] || !layout->hides_empty)
			latency_print_row(out, l, i, layout->is_new);
	if (layout->has_statistics)
		latency_print_statistics(out, l);
}
