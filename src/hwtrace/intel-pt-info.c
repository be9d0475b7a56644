/* SPDX-License-Identifier: MIT */
#include "hwtrace/intel-pt-info.h"

#include <errno.h>
#include <string.h>

#include "wire/record.h"

#define OLDEST_WORDS (PT_INFO_PER_CPU + 1)
#define TIMED_WORDS  (PT_INFO_CYC_BIT + 1)

/*
 * Reads the filter text, which is terminated and padded to words; without a text there are no such
 * words at all.
 */
static int read_filter(const struct words *priv, struct pt_info *info)
{
	const char *text = (const char *)priv->bytes + PT_INFO_WORDS * sizeof(uint64_t);
	uint64_t length = info->word[PT_INFO_FILTER_LENGTH];
	size_t left = priv->n - PT_INFO_WORDS;
	uint64_t taken = length ? length / sizeof(uint64_t) + 1 : 0;

	if (taken > left || (length && strnlen(text, length + 1) != length))
		return -EBADMSG;
	info->filter = length ? text : "";
	info->has_event_trace = left > taken;
	if (info->has_event_trace)
		info->event_trace = words_get(priv, PT_INFO_WORDS + taken);
	return 0;
}

int pt_info_read(const struct words *priv, struct pt_info *ret)
{
	struct pt_info info = { 0 };
	size_t n = priv->n < PT_INFO_WORDS ? priv->n : PT_INFO_WORDS;
	int r = 0;

	if (n < OLDEST_WORDS)
		return -EBADMSG;
	if (n < TIMED_WORDS)
		n = OLDEST_WORDS;
	for (size_t i = 0; i < n; i++)
		info.word[i] = words_get(priv, i);
	info.n_words = n;
	if (n == PT_INFO_WORDS)
		r = read_filter(priv, &info);
	if (r >= 0)
		*ret = info;
	return r;
}
