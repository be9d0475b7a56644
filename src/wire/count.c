/* SPDX-License-Identifier: MIT */
#include "wire/count.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "wire/abi.h"

static size_t count_words_each(uint64_t read_format)
{
	return 1 + !!(read_format & PERF_FORMAT_ID) + !!(read_format & PERF_FORMAT_LOST);
}

static size_t words_of_times(uint64_t read_format)
{
	return !!(read_format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
	       !!(read_format & PERF_FORMAT_TOTAL_TIME_RUNNING);
}

size_t count_read_size(uint64_t read_format, size_t n)
{
	size_t group = !!(read_format & PERF_FORMAT_GROUP);

	return sizeof(uint64_t) *
	       (group + words_of_times(read_format) + n * count_words_each(read_format));
}

/* Takes a word, which may be misaligned. */
static uint64_t count_take(const char **at)
{
	uint64_t word;

	memcpy(&word, *at, sizeof(word));
	*at += sizeof(word);
	return word;
}

/*
 * A group:  { nr; [enabled]; [running]; { value; [id]; [lost] } nr times }
 * An event: { value; [enabled]; [running]; [id]; [lost] }
 */
int count_decode(const void *bytes, size_t size, uint64_t read_format, struct count *counts,
		 size_t n)
{
	const char *at = bytes;
	bool group = read_format & PERF_FORMAT_GROUP;
	uint64_t value = 0, enabled = 0, running = 0;

	if ((!group && n != 1) || size < count_read_size(read_format, n))
		return -EBADMSG;
	if (group && count_take(&at) != n)
		return -EBADMSG;
	if (!group)
		value = count_take(&at);
	if (read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		enabled = count_take(&at);
	if (read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		running = count_take(&at);
	for (size_t i = 0; i < n; i++) {
		if (group)
			value = count_take(&at);
		counts[i] = (struct count){ value, enabled, running };
		at += sizeof(uint64_t) * (count_words_each(read_format) - 1);
	}
	return 0;
}
