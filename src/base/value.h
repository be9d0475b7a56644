/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A typed value: the contents of a table's cell, independent of its presentation.
 *
 * Models give values: sort keys, figures of a row. Views align them, round them and give them units
 * (view/table.h), or write them as JSON (view/json.h). Texts and lists are borrowed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

enum value_type {
	VALUE_NONE, /* not known, or absent */
	VALUE_TEXT,
	VALUE_UNSIGNED,
	VALUE_SIGNED,
	VALUE_ADDRESS,
	VALUE_BYTES,   /* a size */
	VALUE_TIME,    /* in nanoseconds */
	VALUE_PERCENT, /* 100 is the whole */
	VALUE_MEAN,    /* a mean of numbers */
	VALUE_FLAG,
	VALUE_LIST, /* a list of values, all of one type or none */
};

struct value {
	enum value_type type;
	union {
		const char *text;
		uint64_t number; /* unsigned, address, bytes, time */
		int64_t signed_number;
		double percent;
		double mean;
		bool flag;
		struct {
			const struct value *items;
			size_t n;
		} list;
	};
};

#define VALUE_UNKNOWN                                                                              \
	(struct value)                                                                             \
	{                                                                                          \
		.type = VALUE_NONE                                                                 \
	}

/* Returns a text value, or none if @s is NULL. */
static inline struct value value_text(const char *s)
{
	return (struct value){ .type = s ? VALUE_TEXT : VALUE_NONE, .text = s };
}

/* Returns a value of one of the types that have a number. */
static inline struct value value_number(enum value_type type, uint64_t n)
{
	return (struct value){ .type = type, .number = n };
}

static inline struct value value_unsigned(uint64_t n)
{
	return value_number(VALUE_UNSIGNED, n);
}

static inline struct value value_signed(int64_t n)
{
	return (struct value){ .type = VALUE_SIGNED, .signed_number = n };
}

static inline struct value value_percent(double percent)
{
	return (struct value){ .type = VALUE_PERCENT, .percent = percent };
}

static inline struct value value_mean(double mean)
{
	return (struct value){ .type = VALUE_MEAN, .mean = mean };
}

static inline struct value value_flag(bool flag)
{
	return (struct value){ .type = VALUE_FLAG, .flag = flag };
}

/*
 * Appends @v as plain text: "main", "42", "0x1f", "64K", "1.500000000", "12.34%", "1.5", "yes"; the
 * values of a list with blanks between them, and nothing for none.
 */
void value_add(struct text *t, const struct value *v);
