/* SPDX-License-Identifier: MIT */
#include "hwtrace/intel-bts.h"

#include "base/cursor.h"

#define BTS_PREDICTED 0x10

/* A trace is in the byte order of x86, whatever reads it. */
static bool is_swapped(void)
{
	return __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;
}

bool bts_branch_decode(const uint8_t *bytes, size_t n, struct bts_branch *ret)
{
	struct cursor c = cursor_over(bytes, n, is_swapped());
	struct bts_branch b = { .from = cursor_u64(&c), .to = cursor_u64(&c) };

	b.predicted = cursor_u64(&c) & BTS_PREDICTED;
	if (c.bad)
		return false;
	*ret = b;
	return true;
}
