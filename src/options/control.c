/* SPDX-License-Identifier: MIT */
#include "options/control.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "options/value.h"

static int parse_fd(const char *s, int *ret)
{
	uint64_t fd;

	if (number_parse(s, &fd) < 0 || fd > INT_MAX)
		return -EINVAL;
	*ret = (int)fd;
	return 0;
}

/* Parses "fd:ctl[,ack]" or "fifo:ctl[,ack]". */
static int channel_parse(const char *value, struct control_channel *ret)
{
	_cleanup_(control_channel_done) struct control_channel c = { .fd = -1, .ack_fd = -1 };
	const char *colon = strchr(value, ':');

	if (!colon)
		return -EINVAL;

	size_t n = value_word(colon + 1);
	_cleanup_(freep) char *ctl = xstrndup(colon + 1, n);
	const char *ack = colon[1 + n] ? colon + 1 + n + 1 : NULL;

	if (!n || (ack && (!*ack || strchr(ack, ','))))
		return -EINVAL;
	if (!strncmp(value, "fd:", 3)) {
		c.kind = CONTROL_FD;
		if (parse_fd(ctl, &c.fd) < 0 || (ack && parse_fd(ack, &c.ack_fd) < 0))
			return -EINVAL;
	} else if (!strncmp(value, "fifo:", 5)) {
		c.kind = CONTROL_FIFO;
		c.fifo = TAKE(ctl);
		c.ack_fifo = ack ? xstrdup(ack) : NULL;
	} else {
		return -EINVAL;
	}
	*ret = c;
	c = (struct control_channel){ 0 };
	return 0;
}

static int channel_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	struct control_channel c = { 0 };

	if (!negated && channel_parse(value, &c) < 0) {
		value_refuse(diag, o, value, 0, strlen(value), "'%s' names no channel", value);
		diag_hint(diag,
			  "Descriptors that are open: fd:9 or fd:9,10 (the second for answers).");
		diag_hint(diag, "Or named pipes: fifo:ctl.fifo or fifo:ctl.fifo,ack.fifo.");
		return -EINVAL;
	}
	control_channel_done(field);
	*(struct control_channel *)field = c;
	return 0;
}

static int take_ms(const char **s, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return -EINVAL;
	errno = 0;
	*ret = strtoull(*s, &end, 10);
	*s = end;
	return errno ? -EINVAL : 0;
}

/* Parses "10-20,30-40": each range begins after the one before it has ended. */
static int ranges_parse(const char *s, struct delay *d)
{
	for (;; s++) {
		uint64_t after = d->n ? d->items[d->n - 1].to_ms : 0;
		struct delay_range range;

		if (take_ms(&s, &range.from_ms) < 0 || *s++ != '-' || take_ms(&s, &range.to_ms) < 0)
			return -EINVAL;
		if (range.to_ms <= range.from_ms || (d->n && range.from_ms <= after))
			return -EINVAL;
		*ARRAY_ADD(d) = range;
		if (*s != ',')
			return *s ? -EINVAL : 0;
	}
}

static int delay_parse(const char *value, bool ranges, struct delay *ret)
{
	_cleanup_(delay_done) struct delay d = { 0 };
	uint64_t ms;

	if (!strcmp(value, "-1"))
		d.disabled = true;
	else if (number_parse(value, &ms) >= 0 && ms < DELAY_OPEN) {
		if (ms)
			*ARRAY_ADD(&d) = (struct delay_range){ ms, DELAY_OPEN };
	} else if (!ranges || ranges_parse(value, &d) < 0)
		return -EINVAL;
	*ret = d;
	d = (struct delay){ 0 };
	return 0;
}

static int options_control_set_delay(struct delay *field, const struct option *o, const char *value,
				     bool negated, bool ranges, struct diag *diag)
{
	struct delay d = { 0 };

	if (!negated && delay_parse(value, ranges, &d) < 0) {
		value_refuse(diag, o, value, 0, strlen(value), "'%s' is not a delay", value);
		diag_hint(diag,
			  "Give milliseconds to wait first: 500; or -1 to wait for --control.");
		if (ranges)
			diag_hint(diag, "Or the times between which to record: 10-20,30-40.");
		return -EINVAL;
	}
	delay_done(field);
	*field = d;
	return 0;
}

int delay_set(void *field, const struct option *o, const char *value, bool negated,
	      struct diag *diag)
{
	return options_control_set_delay(field, o, value, negated, false, diag);
}

static int delay_ranges_set(void *field, const struct option *o, const char *value, bool negated,
			    struct diag *diag)
{
	return options_control_set_delay(field, o, value, negated, true, diag);
}

#define CONTROL_ROW                                                                                \
	OPT_CALL(0, "control", struct control_request, channel,                                    \
		 "fd:ctl-fd[,ack-fd] or fifo:ctl-fifo[,ack-fifo]",                                 \
		 "let another program enable and disable the events", .set = channel_set)

const struct option control_options[] = {
	OPT_HEADING("When:"),
	OPT_CALL('D', "delay", struct control_request, delay, "ms",
		 "wait so long before measuring; -1 waits for --control", .set = delay_set),
	CONTROL_ROW, OPT_END
};

const struct option control_options_with_ranges[] = {
	OPT_HEADING("When:"),
	OPT_CALL('D', "delay", struct control_request, delay, "ms",
		 "wait so long; -1 waits for --control; 10-20,30-40 are ranges",
		 .set = delay_ranges_set),
	CONTROL_ROW, OPT_END
};
