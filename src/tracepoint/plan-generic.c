/* SPDX-License-Identifier: MIT */
/* Prints a record whose print fmt cannot be parsed: its fields, in the layout of Linux's perf. */
#include <ctype.h>
#include <string.h>

#include "tracepoint/format.h"
#include "tracepoint/plan-print.h"
#include "tracepoint/plan.h"

/* True for bytes of text, whatever their sign: u8 mac[6] may contain a name. */
static bool is_chars(const struct tracepoint_field *f)
{
	static const char *const types[] = { "char[", "u8[", "s8[" };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strstr(f->type, types[i]))
			return true;
	return false;
}

static bool plan_generic_is_printable(const uint8_t *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] >= 0x7f || (!isprint(s[i]) && !isspace(s[i])))
			return false;
	return true;
}

static void put_bytes_field(struct plan_run *run, const struct tracepoint_field *f,
			    struct raw_span s)
{
	size_t length = strnlen((const char *)s.bytes, s.size);

	if (is_chars(f) && plan_generic_is_printable(s.bytes, length)) {
		text_add_bytes(run->out, (const char *)s.bytes, length);
		return;
	}
	text_add(run->out, "ARRAY[");
	for (size_t i = 0; i < s.size; i++) {
		if (i)
			text_add(run->out, ", ");
		put_hex(run->out, s.bytes[i], 2);
	}
	text_add_char(run->out, ']');
}

static bool plan_generic_is_integer_size(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/*
 * Prints an integer. Addresses, and integers of the same width, are hexadecimal; a byte has no
 * sign.
 */
static void put_integer_field(struct plan_run *run, const struct tracepoint_field *f)
{
	uint64_t value = plan_generic_is_integer_size(f->size)
				 ? record_load(run, f->offset, f->size)
				 : 0;

	if (f->is_pointer || (!f->is_signed && strstr(f->type, "long"))) {
		text_add(run->out, "0x");
		put_hex(run->out, value, 1);
	} else if (f->is_signed && f->size > 1 && plan_generic_is_integer_size(f->size)) {
		put_signed(run->out, (int64_t)number_extend(value, f->size, true));
	} else {
		put_decimal(run->out, value);
	}
}

static void put_field(struct plan_run *run, const struct tracepoint_field *f)
{
	if (f->is_array)
		put_bytes_field(run, f, field_locate(run, f));
	else
		put_integer_field(run, f);
}

void put_fields(struct plan_run *run)
{
	const struct tracepoint_format *format = run->plan->format;

	for (size_t i = 0; i < format->n_fields; i++) {
		const struct tracepoint_field *f = &format->fields[i];

		if (f->is_common)
			continue;
		text_add_char(run->out, ' ');
		text_add(run->out, f->name);
		text_add_char(run->out, '=');
		put_field(run, f);
	}
}

static struct plan_run plan_generic_run_of(const struct tracepoint_plan *p,
					   const struct tracepoint_machine *m, const void *raw,
					   size_t size, struct text *out)
{
	static const uint8_t nothing[1];

	return (struct plan_run){
		.plan = p, .machine = m, .raw = size ? raw : nothing, .size = size, .out = out
	};
}

void tracepoint_plan_print_fields(const struct tracepoint_plan *p,
				  const struct tracepoint_machine *m, const void *raw, size_t size,
				  struct text *out)
{
	struct plan_run run = plan_generic_run_of(p, m, raw, size, out);

	put_fields(&run);
}

void tracepoint_plan_print_field(const struct tracepoint_plan *p,
				 const struct tracepoint_machine *m,
				 const struct tracepoint_field *f, const void *raw, size_t size,
				 struct text *out)
{
	struct plan_run run = plan_generic_run_of(p, m, raw, size, out);

	put_field(&run, f);
}
