/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of `perf bench --compare`, whose input comes from another machine. Whatever the
 * text holds, the rows that were read are written as text that reads back the same, and can be
 * compared with themselves.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/notes.h"
#include "base/compare.h"
#include "tools/bench/compare-work.h"
#include "tools/bench/compare-view.h"
#include "tools/bench/json-view.h"
#include "tools/bench/programs/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(const struct bench_report *r)
{
	struct bench_report again = { 0 };
	struct diag diag = { 0 };
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	bench_report_print_json(out, r);
	fclose(out);
	if (bench_report_parse(text, n, "it", &again, &diag) < 0 || again.n != r->n)
		abort();
	for (size_t i = 0; i < r->n; i++)
		if (again.items[i].n != r->items[i].n)
			abort();
	bench_report_done(&again);
	diag_done(&diag);
	free(text);
}

static void check_compare(const struct bench_report *r)
{
	struct notes notes = { 0 };
	struct compare *c = bench_compare(r, r, &notes);
	FILE *out = fopen("/dev/null", "w");

	for (size_t i = 0; i < c->n_rows; i++)
		if (compare_is_shown(&c->rows[i]->differences[1]))
			abort();
	bench_compare_print(out, r, r, c);
	fclose(out);
	compare_free(c);
	notes_done(&notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bench_report r = { 0 };
	struct diag diag = { 0 };

	if (bench_report_parse((const char *)data, size, "it", &r, &diag) >= 0) {
		check_again(&r);
		check_compare(&r);
		bench_report_done(&r);
	}
	diag_done(&diag);
	return 0;
}
