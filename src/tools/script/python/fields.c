/* SPDX-License-Identifier: MIT */
#include "tools/script/python/fields.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tools/script/python/text.h"
#include "tracepoint/format.h"
#include "wire/sample.h"

#if HAVE_LIBPYTHON

static bool is_of_bytes(const char *type)
{
	return strstr(type, "u8") || strstr(type, "s8") || strstr(type, "char");
}

void python_fields_bind(struct python_fields *f, const struct tracepoint_format *format, bool swap)
{
	*f = (struct python_fields){ 0 };
	if (!format)
		return;
	f->items = xcalloc(format->n_fields + 1, sizeof(*f->items));
	for (size_t i = 0; i < format->n_fields; i++) {
		const struct tracepoint_field *t = &format->fields[i];

		if (t->is_common)
			continue;
		f->items[f->n++] = (struct python_field){
			.ref = field_ref_of(t, swap),
			.name = python_string(t->name),
			.is_array = t->is_array || t->is_dynamic || t->is_rel_dynamic,
			.is_text = t->is_string,
			.is_bytes = is_of_bytes(t->type),
			.is_signed = t->is_signed && t->size == 8,
		};
	}
	f->pid = tracepoint_field_bind(format, "common_pid", swap);
	f->flags = tracepoint_field_bind(format, "common_flags", swap);
	f->preempt = tracepoint_field_bind(format, "common_preempt_count", swap);
	f->lock_depth = tracepoint_field_bind(format, "common_lock_depth", swap);
}

void python_fields_done(struct python_fields *f)
{
	for (size_t i = 0; i < f->n; i++)
		Py_XDECREF(f->items[i].name);
	free(f->items);
	*f = (struct python_fields){ 0 };
}

/* True if the bytes are a printable text that ends with a NUL, and nothing else. */
static bool python_fields_is_printable(struct raw_span s)
{
	if (!s.size || s.bytes[s.size - 1])
		return false;
	for (size_t i = 0; s.bytes[i]; i++)
		if (!isascii(s.bytes[i]) || (!isprint(s.bytes[i]) && !isspace(s.bytes[i])))
			return false;
	return true;
}

static PyObject *array_value(struct python_field *f, const struct sample *s)
{
	struct raw_span span = field_ref_bytes(&f->ref, s->raw, s->raw_size);
	const char *chars = (const char *)span.bytes;

	f->is_bytes = f->is_bytes && python_fields_is_printable(span);
	if (f->is_text || f->is_bytes)
		return python_text(chars, strnlen(chars, span.size));
	return PyByteArray_FromStringAndSize(chars, (Py_ssize_t)span.size);
}

PyObject *python_field_value(struct python_field *f, const struct sample *s)
{
	const uint8_t *at = s->raw + f->ref.offset;
	uint64_t v = 0;

	if (f->is_array)
		return array_value(f, s);
	if (f->ref.kind == FIELD_NUMBER && (size_t)f->ref.offset + f->ref.size <= s->raw_size)
		v = raw_number(at, f->ref.size, f->ref.swap);
	if (f->is_signed)
		return PyLong_FromLongLong((long long)v);
	return PyLong_FromUnsignedLongLong(v);
}

#endif
