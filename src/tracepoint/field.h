/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Fields of a tracepoint's records, bound once for an event and then read without names.
 *
 *	struct field_ref pid = tracepoint_field_bind(event->format, "pid", swap);
 *	uint64_t value;
 *
 *	if (field_ref_number(&pid, sample->raw, sample->raw_size, &value))
 *		...
 *
 * A record is the PERF_SAMPLE_RAW of a sample. Neither the record nor its format is trusted:
 * whatever they contain, nothing outside of the record is read. A field_ref is plain data; if it is
 * all zero, it stands for a field that a format does not have, and has no value.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tracepoint_field;
struct tracepoint_format;

enum field_kind {
	FIELD_ABSENT,
	FIELD_NUMBER,   /* 1, 2, 4 or 8 bytes */
	FIELD_BYTES,    /* an array of fixed length, or a number of another size */
	FIELD_REST,     /* an array up to the end of the record: "size:0" */
	FIELD_DATA_LOC, /* a word: length << 16 | offset of an array within the record */
	FIELD_REL_LOC,  /* the same, with the offset counted from the end of the word */
};

struct field_ref {
	uint32_t offset, size; /* within the record, in bytes */
	uint8_t kind;          /* enum field_kind */
	bool is_signed;
	bool swap; /* numbers are not in our byte order */
	/* A number that is at the low end of the word that begins with it; it may be read so. */
	bool is_low_end;
};

/* A range of bytes in a record. */
struct raw_span {
	const uint8_t *bytes; /* never NULL */
	uint32_t size;
	bool is_cut; /* the record ends before the end of the data */
};

struct field_ref field_ref_of(const struct tracepoint_field *f, bool swap);

/*
 * Binds the field @name of records of @format. @swap: the byte order of their machine is not ours.
 * FIELD_ABSENT: there is none, or @format is NULL.
 */
struct field_ref tracepoint_field_bind(const struct tracepoint_format *format, const char *name,
				       bool swap);

/* Returns the number of 1, 2, 4 or 8 bytes at @p. */
static inline uint64_t raw_number(const void *p, unsigned bytes, bool swap)
{
	union {
		uint8_t u8;
		uint16_t u16;
		uint32_t u32;
		uint64_t u64;
	} v;

	switch (bytes) {
	case 1:
		memcpy(&v, p, 1);
		return v.u8;
	case 2:
		memcpy(&v, p, 2);
		return swap ? __builtin_bswap16(v.u16) : v.u16;
	case 4:
		memcpy(&v, p, 4);
		return swap ? __builtin_bswap32(v.u32) : v.u32;
	default:
		memcpy(&v, p, 8);
		return swap ? __builtin_bswap64(v.u64) : v.u64;
	}
}

/* Returns @value as a C integer of that type: sign- or zero-extended from @bytes. */
static inline uint64_t number_extend(uint64_t value, unsigned bytes, bool is_signed)
{
	unsigned unused = 64 - 8 * bytes;

	if (is_signed)
		return (uint64_t)((int64_t)(value << unused) >> unused);
	return value << unused >> unused;
}

/* Returns @n bytes at @offset, limited to the record at @raw; SIZE_MAX means the rest of it. */
static inline struct raw_span raw_span_at(const void *raw, size_t size, size_t offset, size_t n)
{
	size_t left = offset < size ? size - offset : 0;

	if (!left)
		return (struct raw_span){ (const uint8_t *)"", 0, n && n < SIZE_MAX };
	if (n > left)
		return (struct raw_span){ (const uint8_t *)raw + offset, (uint32_t)left,
					  n < SIZE_MAX };
	return (struct raw_span){ (const uint8_t *)raw + offset, (uint32_t)n, false };
}

/*
 * Returns the array of the __data_loc or __rel_loc word at @offset. Its offset counts from @origin.
 */
static inline struct raw_span raw_dynamic(const void *raw, size_t size, bool swap, size_t offset,
					  size_t origin)
{
	uint64_t word;

	if (offset + sizeof(uint32_t) > size)
		return (struct raw_span){ (const uint8_t *)"", 0, true };
	word = raw_number((const uint8_t *)raw + offset, sizeof(uint32_t), swap);
	return raw_span_at(raw, size, origin + (word & 0xffff), word >> 16);
}

static inline bool field_ref_is_there(const struct field_ref *f)
{
	return f->kind != FIELD_ABSENT;
}

/* Does the same as field_ref_number() for a FIELD_NUMBER, whatever its size and order. */
bool field_ref_number_by_size(const struct field_ref *f, const void *raw, size_t size,
			      uint64_t *ret);

/*
 * Reads the number in field @f of the record of @size bytes at @raw. A negative number must be cast
 * to int64_t. False if there is none: the field is absent or not a number, or the record ends
 * before it.
 */
static inline bool field_ref_number(const struct field_ref *f, const void *raw, size_t size,
				    uint64_t *ret)
{
	/* Most numbers are read as a word, whatever their sizes: a large file has millions. */
	if (f->is_low_end && (size_t)f->offset + sizeof(uint64_t) <= size) {
		*ret = number_extend(raw_number((const uint8_t *)raw + f->offset, 8, false),
				     f->size, f->is_signed);
		return true;
	}
	return f->kind == FIELD_NUMBER && field_ref_number_by_size(f, raw, size, ret);
}

/*
 * Returns the bytes of @f, including those of an array of dynamic length. An absent field has none.
 */
static inline struct raw_span field_ref_bytes(const struct field_ref *f, const void *raw,
					      size_t size)
{
	switch (f->kind) {
	case FIELD_ABSENT:
		return raw_span_at(raw, size, 0, 0);
	case FIELD_REST:
		return raw_span_at(raw, size, f->offset, SIZE_MAX);
	case FIELD_DATA_LOC:
		return raw_dynamic(raw, size, f->swap, f->offset, 0);
	case FIELD_REL_LOC:
		return raw_dynamic(raw, size, f->swap, f->offset, (size_t)f->offset + f->size);
	default:
		return raw_span_at(raw, size, f->offset, f->size);
	}
}

/*
 * Returns the text of @f: its bytes up to the first NUL, which may be missing. The result is its
 * length.
 */
static inline size_t field_ref_text(const struct field_ref *f, const void *raw, size_t size,
				    const char **ret)
{
	struct raw_span s = field_ref_bytes(f, raw, size);

	*ret = (const char *)s.bytes;
	return strnlen(*ret, s.size);
}
