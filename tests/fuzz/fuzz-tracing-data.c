/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the tracing data of a file: texts lie within it, and parsed data is encoded to bytes that
 * parse to the same formats.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "datafile/tracing-data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_within(const uint8_t *data, size_t size, const char *text, size_t length)
{
	const char *start = (const char *)data;

	if (length && (text < start || length > size || text > start + (size - length)))
		abort();
}

static void compare(const struct tracing_data *a, const struct tracing_data *b)
{
	if (a->n_formats != b->n_formats)
		abort();
	for (size_t i = 0; i < a->n_formats; i++)
		if (strcmp(a->formats[i].system, b->formats[i].system) ||
		    a->formats[i].length != b->formats[i].length ||
		    memcmp(a->formats[i].text, b->formats[i].text, a->formats[i].length))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag diag = { 0 };
	struct tracing_data t = { 0 }, again = { 0 };
	struct bytes b = { 0 };

	if (tracing_data_parse(data, size, &t, &diag) < 0) {
		if (!diag.message)
			abort();
		diag_done(&diag);
		return 0;
	}
	for (size_t i = 0; i < t.n_formats; i++)
		check_within(data, size, t.formats[i].text, t.formats[i].length);
	check_within(data, size, t.printk, t.printk_length);
	check_within(data, size, t.cmdlines, t.cmdlines_length);
	tracing_data_encode(&t, &b);
	if (tracing_data_parse(b.data, b.n, &again, &diag) < 0)
		abort();
	compare(&t, &again);
	tracing_data_done(&t);
	tracing_data_done(&again);
	bytes_done(&b);
	diag_done(&diag);
	return 0;
}
