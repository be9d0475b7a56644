/* SPDX-License-Identifier: MIT */
#include "view/tips.h"

#include "base/cleanup.h"

static const char *const table[] = {
#define TIP(sentence) sentence,
#include "view/tips.def"
#undef TIP
};

const char *tip_choose(uint64_t seed)
{
	return table[seed % ARRAY_SIZE(table)];
}

const char *const *tips(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(table);
	return table;
}
