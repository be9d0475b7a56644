/* SPDX-License-Identifier: MIT */
#include "tools/record/sample.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/number.h"
#include "options/value.h"

/* The clocks that perf_event_attr.clockid may select. */
static const struct {
	const char *name;
	int id;
} clocks[] = {
	{ "monotonic", CLOCK_MONOTONIC },
	{ "mono", CLOCK_MONOTONIC },
	{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
	{ "raw", CLOCK_MONOTONIC_RAW },
	{ "realtime", CLOCK_REALTIME },
	{ "real", CLOCK_REALTIME },
	{ "boottime", CLOCK_BOOTTIME },
	{ "boot", CLOCK_BOOTTIME },
	{ "tai", CLOCK_TAI },
};

static int clock_parse(const char *value, int *ret)
{
	const char *name = strncasecmp(value, "CLOCK_", 6) ? value : value + 6;
	uint64_t number;

	if (number_parse(value, &number) >= 0 && number <= INT_MAX) {
		*ret = (int)number;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++)
		if (!strcasecmp(clocks[i].name, name)) {
			*ret = clocks[i].id;
			return 0;
		}
	return -EINVAL;
}

static int clock_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	struct clock_choice clock = { .given = !negated };

	if (!negated && clock_parse(value, &clock.id) < 0) {
		value_refuse(diag, o, value, 0, strlen(value), "there is no clock '%s'", value);
		diag_hint(diag, "Clocks: monotonic (mono), monotonic_raw (raw), realtime (real), "
				"boottime (boot), tai, or a number of clock_gettime().");
		return -EINVAL;
	}
	*(struct clock_choice *)field = clock;
	return 0;
}

const struct option sample_options[] = {
	OPT_HEADING("What samples carry:"),
	OPT_FLAG('d', "data", struct sample_request, data_addr,
		 "the address of the data that was accessed"),
	OPT_CHOICE(0, "sample-mem-info", struct sample_request, memory_info,
		   "where the data of the access was found, if the CPU reports it (default: with "
		   "-d)"),
	OPT_CHOICE(0, "data-mmap", struct sample_request, data_maps,
		   "mappings of data too, not only of code (default: with -d)"),
	OPT_FLAG(0, "phys-data", struct sample_request, phys_addr,
		 "the physical address of that data"),
	OPT_FLAG(0, "data-page-size", struct sample_request, data_page_size,
		 "the size of the page that the data is on"),
	OPT_FLAG(0, "code-page-size", struct sample_request, code_page_size,
		 "the size of the page that the code is on"),
	OPT_FLAG('W', "weight", struct sample_request, weight,
		 "the cost that the CPU measured, as a weight"),
	OPT_FLAG(0, "transaction", struct sample_request, transaction,
		 "the flags of hardware transactions"),
	OPT_FLAG('R', "raw-samples", struct sample_request, raw,
		 "the raw data of the event (always so for tracepoints)"),
	OPT_CHOICE('T', "timestamp", struct sample_request, timestamp, "the time of the sample"),
	OPT_CHOICE('P', "period", struct sample_request, period,
		   "how many events the sample stands for"),
	OPT_FLAG(0, "sample-cpu", struct sample_request, cpu, "the number of the CPU"),
	OPT_FLAG(0, "sample-identifier", struct sample_request, identifier,
		 "the id of the event, in a fixed place"),
	OPT_STRING('I', "intr-regs", struct sample_request, intr_regs, "register,...",
		   "registers at the interrupt; -I? lists them", .missing = "",
		   .flags = OPTION_OPTIONAL),
	OPT_STRING(0, "user-regs", struct sample_request, user_regs, "register,...",
		   "registers of user space; --user-regs=? lists them", .missing = "",
		   .flags = OPTION_OPTIONAL),
	OPT_FLAG('s', "stat", struct sample_request, thread_counts,
		 "also counts for each thread, for report -T"),
	OPT_FLAG(0, "running-time", struct sample_request, running_time,
		 "how long events ran, with counts of :S groups"),
	OPT_FLAG('n', "no-samples", struct sample_request, no_samples, "count, take no samples"),
	OPT_CALL('k', "clockid", struct sample_request, clock, "clockid",
		 "clock of the times: mono, raw, real, boot or tai", .set = clock_set),
	OPT_END
};
