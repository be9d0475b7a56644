/* SPDX-License-Identifier: MIT */
#include "base/budget.h"

void budget_add(struct budget *b, uint64_t size, uint64_t per_byte)
{
	uint64_t more;

	if (__builtin_mul_overflow(size, per_byte, &more) ||
	    __builtin_add_overflow(b->left, more, &b->left))
		b->left = UINT64_MAX;
}

bool budget_take(struct budget *b, uint64_t cost)
{
	if (cost > b->left)
		return false;
	b->left -= cost;
	return true;
}
