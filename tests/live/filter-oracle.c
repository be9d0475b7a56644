/* SPDX-License-Identifier: MIT */
/*
 * Reads tests/live/filter.tsv on stdin and checks each filter with filter_check() and with the
 * running kernel (through PERF_EVENT_IOC_SET_FILTER, as perf itself does). Prints the lines whose
 * verdicts are not in the relation that the line expects. Status 77: the kernel cannot be asked
 * here.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>

#include "base/diag.h"
#include "event/filter.h"
#include "kernel/perf-event.h"
#include "kernel/tracefs.h"
#include "tracepoint/format.h"
#include "wire/attr.h"

#define PERF_EVENT_IOC_SET_FILTER _IOW('$', 6, char *)

enum {
	SKIP = 77,
	LINE_MAX_BYTES = 8192
};

struct question {
	char *relation, *system, *event, *filter;
};

static bool split(char *line, struct question *ret)
{
	line[strcspn(line, "\n")] = '\0';
	ret->relation = strsep(&line, "\t");
	ret->system = line ? strsep(&line, ":") : NULL;
	ret->event = line ? strsep(&line, "\t") : NULL;
	ret->filter = line;
	return ret->relation[0] != '#' && line;
}

static bool ask_us(const struct tracefs *t, const struct question *q)
{
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(freep) char *text = NULL;

	return tracefs_event_format(t, q->system, q->event, &text) >= 0 &&
	       tracepoint_format_parse(text, &format, &diag) >= 0 &&
	       filter_check(q->filter, format, &diag) >= 0;
}

/* The descriptors stay open until the end: closing an event's last one waits for all CPUs. */
static int ask_kernel(uint64_t id, const char *filter)
{
	const struct attr attr = { .type = PERF_TYPE_TRACEPOINT, .config = id, .disabled = 1 };
	int fd = perf_event_open(&attr, 0, -1, -1, 0);

	if (fd < 0)
		return fd;
	return ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) == 0;
}

static bool is_as_expected(const char *relation, bool ours, bool kernel, bool new_kernel)
{
	if (strcmp(relation, "later") == 0)
		return ours && (kernel || !new_kernel);
	if (strcmp(relation, "asks") == 0)
		return ours;
	if (strcmp(relation, "stricter") == 0)
		return !ours;
	return ours == kernel;
}

static bool kernel_is_new(void)
{
	unsigned major = 0, minor = 0;
	struct utsname u;

	uname(&u);
	sscanf(u.release, "%u.%u", &major, &minor);
	return major > 6 || (major == 6 && minor >= 6);
}

int main(void)
{
	_cleanup_(tracefs_freep) struct tracefs *t = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	unsigned asked = 0, wrong = 0, absent = 0;
	static char line[LINE_MAX_BYTES];
	struct question q;
	uint64_t id;

	if (tracefs_open(NULL, &t, &diag) < 0) {
		puts(diag.message);
		return SKIP;
	}
	while (fgets(line, sizeof(line), stdin)) {
		if (!split(line, &q))
			continue;
		if (tracefs_event_id(t, q.system, q.event, &id) < 0) {
			absent++;
			continue;
		}

		int kernel = ask_kernel(id, q.filter);
		bool ours = ask_us(t, &q);

		if (kernel < 0) {
			printf("cannot open %s:%s: %s\n", q.system, q.event, strerror(-kernel));
			return SKIP;
		}
		asked++;
		if (is_as_expected(q.relation, ours, kernel, kernel_is_new()))
			continue;
		wrong++;
		printf("%s:%s\t%s\twe %s it, the kernel %s it, expected: %s\n", q.system, q.event,
		       q.filter, ours ? "take" : "refuse", kernel ? "takes" : "refuses",
		       q.relation);
	}
	printf("%u filters asked, %u verdicts wrong, %u of events that are not here\n", asked,
	       wrong, absent);
	return wrong || !asked;
}
