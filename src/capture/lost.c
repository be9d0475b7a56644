/* SPDX-License-Identifier: MIT */
#include "capture/lost.h"

#include <unistd.h>

#include "capture/opened-events.h"
#include "capture/record-drain.h"

/*
 * nr, enabled, running, and value, id, lost of each event; larger groups do not fit the counters.
 */
#define READ_WORDS_MAX (3 + 3 * 128)

uint64_t lost_at(const struct opened_event *e, size_t place)
{
	uint64_t format = e->event->attr.read_format, words[READ_WORDS_MAX];
	size_t at = !!(format & PERF_FORMAT_GROUP) + !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	ssize_t size;

	if (!(format & PERF_FORMAT_LOST) || !(format & PERF_FORMAT_ID))
		return 0;
	size = read(e->fds[place], words, sizeof(words));
	for (; size > 0 && (at + 3) * sizeof(words[0]) <= (size_t)size; at += 3)
		if (words[at + 1] == e->ids[place])
			return words[at + 2];
	return 0;
}

static void lost_add(void *arg, const struct opened_event *e, size_t place)
{
	uint64_t *sum = arg;

	*sum += lost_at(e, place);
}

uint64_t lost_untold(const struct opened_events *es, const struct record_tally *told)
{
	uint64_t sum = 0, known = told->lost + told->missed;

	opened_events_for_each(es, lost_add, &sum);
	return sum > known ? sum - known : 0;
}
