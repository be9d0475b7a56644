/* SPDX-License-Identifier: MIT */
#include "view/tips.h"

#include <string.h>

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

const char *tip_choose_within(uint64_t seed, size_t columns)
{
	const char *shortest = table[0];

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		const char *tip = tip_choose(seed + i);

		if (strlen(tip) <= columns)
			return tip;
		if (strlen(tip) < strlen(shortest))
			shortest = tip;
	}
	return shortest;
}

const char *const *tips(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(table);
	return table;
}
