/* SPDX-License-Identifier: MIT */
#include "session/time-window.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "wire/sample.h"

#define NS_PER_S 1000000000ULL

/*
 * Used for more seconds than fit into 64 bits of nanoseconds: later than everything with a time,
 * but before sums of waits, which have none (wire/sample.h).
 */
#define BEYOND_NS (SAMPLE_TIME_SUM - 1)

void time_window_done(struct time_window *w)
{
	free(w->items);
	*w = (struct time_window){ 0 };
}

static int time_window_take_integer(const char **s, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(*s, &end, 10);
	*s = end;
	return errno ? -EINVAL : 0;
}

/*
 * Takes seconds with up to nine decimals, using only integers, so that no nanosecond is lost by
 * rounding.
 */
static int time_window_take_seconds(const char **s, uint64_t *ret_ns)
{
	uint64_t seconds, ns = 0;

	if (time_window_take_integer(s, &seconds) < 0)
		return -EINVAL;
	if (**s == '.') {
		(*s)++;
		for (uint64_t place = NS_PER_S / 10; isdigit((unsigned char)**s);
		     place /= 10, (*s)++) {
			if (!place)
				return -EINVAL;
			ns += (uint64_t)(**s - '0') * place;
		}
	}
	*ret_ns = seconds >= UINT64_MAX / NS_PER_S ? BEYOND_NS : seconds * NS_PER_S + ns;
	return 0;
}

/*
 * Skips blanks after the comma of "from, to". Those of "from, from,to" separate two spans, the
 * first of which has no end.
 */
static void skip_blanks_before_end(const char **s)
{
	const char *end = *s + strspn(*s, " ");
	size_t digits = strspn(end, "0123456789.");

	if (digits && end[digits] != ',')
		*s = end;
}

/* Takes "from,to", where either may be missing. */
static int take_absolute(const char **s, struct time_range *ret)
{
	struct time_range t = { .to_ns = TIME_OPEN };

	if (**s != ',' && time_window_take_seconds(s, &t.from_ns) < 0)
		return -EINVAL;
	if (**s != ',')
		return -EINVAL;
	(*s)++;
	skip_blanks_before_end(s);
	if (**s && **s != ' ' && time_window_take_seconds(s, &t.to_ns) < 0)
		return -EINVAL;
	if (t.to_ns < t.from_ns)
		return -EINVAL;
	*ret = t;
	return 0;
}

static int take_percent(const char **s, double *ret)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return -EINVAL;
	*ret = strtod(*s, &end);
	if (*end != '%' || *ret > 100)
		return -EINVAL;
	*s = end + 1;
	return 0;
}

/* Takes "a%-b%", a range; "a%/n", the n-th slice of a percent; or "a%", the first slice. */
static int time_window_take_relative(const char **s, struct time_range *ret)
{
	struct time_range t = { 0 };
	double percent;
	uint64_t slice = 1;

	if (take_percent(s, &percent) < 0)
		return -EINVAL;
	if (**s == '-') {
		(*s)++;
		t.from_percent = percent;
		if (take_percent(s, &t.to_percent) < 0 || t.to_percent < t.from_percent)
			return -EINVAL;
	} else {
		if (**s == '/') {
			(*s)++;
			if (time_window_take_integer(s, &slice) < 0 || !slice)
				return -EINVAL;
		}
		t.from_percent = percent * (double)(slice - 1);
		t.to_percent = percent * (double)slice;
		if (!(t.to_percent <= 100))
			return -EINVAL;
	}
	*ret = t;
	return 0;
}

int time_window_parse(const char *text, struct time_window *ret_window, size_t *ret_offset)
{
	_cleanup_(time_window_done) struct time_window w = { .relative = strchr(text, '%'),
							     .text = text };
	const char *s = text;
	char between = w.relative ? ',' : ' ';
	int r;

	do {
		struct time_range t;

		if (s > text)
			s++;
		while (*s == ' ' && between == ' ')
			s++;
		r = w.relative ? time_window_take_relative(&s, &t) : take_absolute(&s, &t);
		if (r >= 0)
			*ARRAY_ADD(&w) = t;
	} while (r >= 0 && *s == between);

	if (r < 0 || *s) {
		*ret_offset = (size_t)(s - text);
		return -EINVAL;
	}
	*ret_window = w;
	w = (struct time_window){ 0 };
	return 0;
}
