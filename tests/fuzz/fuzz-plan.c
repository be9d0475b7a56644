/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the plans that format a tracepoint's records; formats and records both come from perf.data
 * files. The plan ends, neither it nor a bound field reads outside of the record, and formatting
 * again gives the same text.
 *
 * The input is a format, a NUL, a byte of choices and a record.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"
#include "tools/script/plan-names-model.h"
#include "tracepoint/plan.h"

enum choice {
	CHOICE_SWAP = 1 << 0,
	CHOICE_SHORT_LONG = 1 << 1,
	CHOICE_NAMES = 1 << 2,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *any_symbol(void *arg, uint64_t addr, uint64_t *ret_offset)
{
	(void)arg;
	*ret_offset = addr & 0xff;
	return addr & 1 ? "symbol" : NULL;
}

static const char *any_string(void *arg, uint64_t addr)
{
	(void)arg;
	return addr & 1 ? "string" : NULL;
}

/* Checks that the names of values lie within the plan. */
static void walk_names(const struct tracepoint_plan *p)
{
	struct named_field f;
	size_t sum = 0;

	for (size_t i = 0; i < 8 && plan_named_field(p, i, &f); i++) {
		if (!plan_named_field_find(p, f.field->name, &f))
			abort();
		for (size_t k = 0; k < f.n; k++) {
			struct field_value_name n = plan_named_value(p, &f, k);

			sum += strnlen(n.name, n.length);
		}
	}
	if (sum == SIZE_MAX)
		abort();
}

static void print(const struct tracepoint_format *f, uint8_t choices, const uint8_t *record,
		  size_t size)
{
	const struct tracepoint_machine m = {
		.swap = choices & CHOICE_SWAP,
		.hz = choices & CHOICE_NAMES ? 250 : 0,
		.symbol = choices & CHOICE_NAMES ? any_symbol : NULL,
		.string = choices & CHOICE_NAMES ? any_string : NULL,
	};
	_cleanup_(tracepoint_plan_freep) struct tracepoint_plan *p =
		tracepoint_plan_new(f, choices & CHOICE_SHORT_LONG ? 4 : 8);
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	const char *problem = tracepoint_plan_problem(p);
	size_t once;

	walk_names(p);
	tracepoint_plan_print(p, &m, record, size, &out);
	once = out.length;
	tracepoint_plan_print(p, &m, record, size, &out);
	if (out.length != 2 * once || memcmp(out.chars, out.chars + once, once) != 0)
		abort();
	if (problem && (!*problem || strncmp(out.chars, "[FAILED TO PARSE]", 17) != 0))
		abort();
}

static void read_field(const struct field_ref *f, const uint8_t *record, size_t size)
{
	struct raw_span s = field_ref_bytes(f, record, size);
	unsigned sum = 0;
	const char *text;
	uint64_t v;

	if (s.size && (s.bytes < record || s.size > size - (size_t)(s.bytes - record)))
		abort();
	if (field_ref_text(f, record, size, &text) > s.size ||
	    (field_ref_number(f, record, size, &v) && s.size != f->size))
		abort();
	for (size_t i = 0; i < s.size; i++)
		sum += s.bytes[i];
	if (sum > s.size * UINT8_MAX)
		abort();
}

static void read_fields(const struct tracepoint_format *f, uint8_t choices, const uint8_t *record,
			size_t size)
{
	for (size_t i = 0; i < f->n_fields; i++) {
		struct field_ref ref = tracepoint_field_bind(f, f->fields[i].name,
							     choices & CHOICE_SWAP);

		if (!field_ref_is_there(&ref))
			abort();
		read_field(&ref, record, size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(freep) char *text = xstrndup((const char *)data, size);
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *f = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	size_t used = strlen(text) + 1;
	uint8_t choices = used < size ? data[used] : 0;
	size_t n = used + 1 < size ? size - used - 1 : 0;
	_cleanup_(freep) uint8_t *record = xmalloc(n ? n : 1);

	if (n)
		memcpy(record, data + used + 1, n);
	if (tracepoint_format_parse(text, &f, &diag) < 0)
		return 0;
	print(f, choices, record, n);
	read_fields(f, choices, record, n);
	return 0;
}
