/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes tracepoint formats, which may come from perf.data files. Parsing ends, and the result is
 * usable: fields lie within a record and every text is set.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "tracepoint/format.h"
#include "tools/data/number-format-model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct tracepoint_format *f)
{
	if (!f->name || !f->print_fmt)
		abort();
	for (size_t i = 0; i < f->n_fields; i++) {
		const struct tracepoint_field *field = &f->fields[i];
		const struct number_format format = number_format_find(f->print_fmt, field->name);
		_cleanup_(text_done) struct text t = TEXT_EMPTY;

		if (format.conversion)
			number_format_add(&t, &format, UINT64_MAX - i);
		if (!*field->name || !*field->type || field->offset + field->size > 1 << 16 ||
		    !strstr(field->declaration, field->name) ||
		    !tracepoint_field_find(f, field->name))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (tracepoint_format_parse(text, &f, &diag) >= 0)
		check(f);
	else if (f || !diag.message || diag.offset + diag.length > strlen(diag.excerpt))
		abort();
	return 0;
}
