/* SPDX-License-Identifier: MIT */
#include "base/value.h"

#include "base/digits.h"
#include "base/size-text.h"
#include "base/text.h"

#define NS_PER_SECOND UINT64_C(1000000000)

static void value_add_size(struct text *t, uint64_t size)
{
	char room[SIZE_TEXT_MAX];

	text_add(t, size_text(size, room));
}

/* Appends @addr as %#lx does, which writes 0 as 0. */
static void value_add_address(struct text *t, uint64_t addr)
{
	text_add(t, addr ? "0x" : "");
	text_filled(t, digits_hex(text_room(t, DIGITS_MAX), addr));
}

static void value_add_time(struct text *t, uint64_t ns)
{
	char *at = digits_decimal(text_room(t, 2 * DIGITS_MAX), ns / NS_PER_SECOND);

	*at++ = '.';
	text_filled(t, digits_decimal_right(at, ns % NS_PER_SECOND, 9, '0'));
}

static void value_add_list(struct text *t, const struct value *v)
{
	for (size_t i = 0; i < v->list.n; i++) {
		text_add(t, i ? " " : "");
		value_add(t, &v->list.items[i]);
	}
}

void value_add(struct text *t, const struct value *v)
{
	switch (v->type) {
	case VALUE_NONE:
		break;
	case VALUE_TEXT:
		text_add(t, v->text);
		break;
	case VALUE_UNSIGNED:
		text_filled(t, digits_decimal(text_room(t, DIGITS_MAX), v->number));
		break;
	case VALUE_SIGNED:
		text_filled(t, digits_signed(text_room(t, DIGITS_MAX), v->signed_number));
		break;
	case VALUE_ADDRESS:
		value_add_address(t, v->number);
		break;
	case VALUE_BYTES:
		value_add_size(t, v->number);
		break;
	case VALUE_TIME:
		value_add_time(t, v->number);
		break;
	case VALUE_PERCENT:
		text_addf(t, "%.2f%%", v->percent);
		break;
	case VALUE_MEAN:
		text_addf(t, "%.1f", v->mean);
		break;
	case VALUE_FLAG:
		text_add(t, v->flag ? "yes" : "no");
		break;
	case VALUE_LIST:
		value_add_list(t, v);
		break;
	}
}
