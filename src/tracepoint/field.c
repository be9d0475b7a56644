/* SPDX-License-Identifier: MIT */
#include "tracepoint/field.h"

#include "tracepoint/format.h"

static enum field_kind tracepoint_field_kind_of(const struct tracepoint_field *f)
{
	if (f->is_dynamic)
		return FIELD_DATA_LOC;
	if (f->is_rel_dynamic)
		return FIELD_REL_LOC;
	if (!f->size)
		return FIELD_REST;
	return !f->is_array && (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8)
		       ? FIELD_NUMBER
		       : FIELD_BYTES;
}

struct field_ref field_ref_of(const struct tracepoint_field *f, bool swap)
{
	enum field_kind kind = tracepoint_field_kind_of(f);

	return (struct field_ref){
		.offset = f->offset,
		.size = f->size,
		.kind = (uint8_t)kind,
		.is_signed = f->is_signed,
		.swap = swap,
		.is_low_end = kind == FIELD_NUMBER && !swap &&
			      __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	};
}

struct field_ref tracepoint_field_bind(const struct tracepoint_format *format, const char *name,
				       bool swap)
{
	const struct tracepoint_field *f = format ? tracepoint_field_find(format, name) : NULL;

	return f ? field_ref_of(f, swap) : (struct field_ref){ 0 };
}

bool field_ref_number_by_size(const struct field_ref *f, const void *raw, size_t size,
			      uint64_t *ret)
{
	if ((size_t)f->offset + f->size > size)
		return false;
	*ret = number_extend(raw_number((const uint8_t *)raw + f->offset, f->size, f->swap),
			     f->size, f->is_signed);
	return true;
}
