/* SPDX-License-Identifier: MIT */
#include "tools/record/output.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "options/value.h"

/*
 * Sets the level, a `uint64_t`. Levels above the highest are reduced to it, because scripts expect
 * that.
 */
static int compression_set(void *field, const struct option *o, const char *value, bool negated,
			   struct diag *diag)
{
	uint64_t level = 1;

	if (negated)
		level = 0;
	else if (value && number_parse(value, &level) < 0) {
		value_refuse(diag, o, value, 0, strlen(value), "'%s' is not a level of compression",
			     value);
		diag_hint(diag, "From 1, the fastest, to %d, the smallest; 0 is none.",
			  COMPRESSION_LEVEL_MAX);
		return -EINVAL;
	}
	*(uint64_t *)field = level > COMPRESSION_LEVEL_MAX ? COMPRESSION_LEVEL_MAX : level;
	return 0;
}

static int seconds_parse(const char *value, uint64_t *ret)
{
	static const struct {
		char unit;
		uint64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 60 * 60 }, { 'd', 24 * 60 * 60 } };
	size_t n = strspn(value, "0123456789");
	_cleanup_(freep) char *digits = xstrndup(value, n);
	uint64_t number;

	if (number_parse(digits, &number) < 0 || !value[n] || value[n + 1])
		return -EINVAL;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (units[i].unit == value[n] && number <= UINT64_MAX / units[i].seconds) {
			*ret = number * units[i].seconds;
			return 0;
		}
	return -EINVAL;
}

/*
 * Parses the argument. "5m" is five minutes and "5M" is five megabytes, so times are tried first.
 */
static int switch_parse(const char *value, struct output_switch *ret)
{
	struct output_switch s = { 0 };

	if (!*value)
		return -EINVAL;
	if (value_abbreviates(value, "signal") && strlen(value) >= strlen("sig"))
		s.kind = SWITCH_ON_SIGNAL;
	else if (seconds_parse(value, &s.seconds) >= 0)
		s.kind = SWITCH_ON_TIME;
	else if (strchr("BKMG", value[strlen(value) - 1]) && value_parse_size(value, &s.bytes) >= 0)
		s.kind = SWITCH_ON_SIZE;
	else
		return -EINVAL;
	*ret = s;
	return 0;
}

static int switch_set(void *field, const struct option *o, const char *value, bool negated,
		      struct diag *diag)
{
	struct output_switch s = { 0 };
	const char *when = value ? value : "signal";

	if (!negated && switch_parse(when, &s) < 0) {
		value_refuse(diag, o, when, 0, strlen(when),
			     "'%s' does not say when to begin another file", when);
		diag_hint(diag,
			  "signal (on SIGUSR2), a size (B, K, M, G: 100M) or a time (s, m, h, d: "
			  "30m).");
		return -EINVAL;
	}
	*(struct output_switch *)field = s;
	return 0;
}

static const char *const usual_buildids[] = {
	[BUILDIDS_CACHED] = "cache",        [BUILDIDS_NOT_CACHED] = "no-cache",
	[BUILDIDS_SKIPPED] = "skip",        [BUILDIDS_IN_MAPS] = "mmap",
	[BUILDIDS_NOT_IN_MAPS] = "no-mmap",
};

static int buildid_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	(void)negated;
	for (unsigned i = BUILDIDS_CACHED; i < ARRAY_SIZE(usual_buildids); i++)
		if (!strcmp(value, usual_buildids[i])) {
			*(unsigned *)field = i;
			return 0;
		}
	value_refuse(diag, o, value, 0, strlen(value), "'%s' is nothing to do with build-ids",
		     value);
	diag_hint(diag, "It is one of: cache, no-cache, skip, mmap, no-mmap.");
	return -EINVAL;
}

static void output_choose(enum choice *c, enum choice usual)
{
	if (*c == CHOICE_UNSAID)
		*c = usual;
}

static void settle_buildids(struct output_request *o)
{
	if (o->usual_buildids == BUILDIDS_NOT_CACHED)
		output_choose(&o->no_buildid_cache, CHOICE_YES);
	if (o->usual_buildids == BUILDIDS_SKIPPED)
		output_choose(&o->no_buildid, CHOICE_YES);
	if (o->usual_buildids == BUILDIDS_IN_MAPS)
		output_choose(&o->buildid_mmap, CHOICE_YES);
	if (o->usual_buildids == BUILDIDS_NOT_IN_MAPS)
		output_choose(&o->buildid_mmap, CHOICE_NO);
}

const struct option output_options[] = {
	OPT_HEADING("Output:"),
	OPT_STRING('o', "output", struct output_request, path, "file",
		   "file to write (default: perf.data; - is standard output)"),
	OPT_CALL('z', "compression-level", struct output_request, compression_level, "n",
		 "compress, from 1 (fastest) to 22 (smallest)", .set = compression_set,
		 .flags = OPTION_OPTIONAL),
	OPT_FLAG(0, "compress-aligned", struct output_request, compress_aligned,
		 "compress into records of perf 6.16 and later (COMPRESSED2); -z unless given"),
	OPT_CALL(0, "max-size", struct output_request, max_bytes, "size",
		 "stop when the file is as large as this: 500M", .set = size_set),
	OPT_CALL(0, "switch-output", struct output_request, rotate,
		 "signal or size[BKMG] or time[smhd]",
		 "begin another file on SIGUSR2, or by size or time: 100M, 30m", .set = switch_set,
		 .flags = OPTION_OPTIONAL),
	OPT_STRING(0, "switch-output-event", struct output_request, switch_event, "event",
		   "begin another file when this event happens"),
	OPT_UINT(0, "switch-max-files", struct output_request, switch_max_files, "n",
		 "keep only the last n files of --switch-output"),
	OPT_FLAG(0, "timestamp-filename", struct output_request, timestamp_filename,
		 "add the time to the file's name"),
	OPT_FLAG(0, "timestamp-boundary", struct output_request, timestamp_boundary,
		 "note the times of the first and the last sample"),
	OPT_CHOICE('B', "no-buildid", struct output_request, no_buildid,
		   "do not look for build-ids at the end"),
	OPT_CHOICE('N', "no-buildid-cache", struct output_request, no_buildid_cache,
		   "do not copy programs into the build-id cache"),
	OPT_FLAG(0, "buildid-all", struct output_request, buildid_all,
		 "build-ids of all files, not only of those with samples"),
	OPT_CHOICE(0, "buildid-mmap", struct output_request, buildid_mmap,
		   "build-ids with the mappings only, and no list of them"),
	OPT_CALL(0, NULL, struct output_request, usual_buildids, "cache|no-cache|skip|mmap|no-mmap",
		 "what is done with build-ids, as these options say it", .set = buildid_set,
		 .config = "record.build-id"),
	OPT_FLAG(0, "kcore", struct output_request, kcore,
		 "keep a copy of /proc/kcore with the data"),
	OPT_NOTHING(0, "debuginfod", "urls", "ask these servers for programs to cache",
		    "reports ask the servers in $DEBUGINFOD_URLS themselves",
		    .flags = OPTION_OPTIONAL),
	OPT_END
};

void output_options_settle(struct output_request *o)
{
	settle_buildids(o);
	if (o->compress_aligned && !o->compression_level)
		o->compression_level = 1;
	if (o->switch_event && o->rotate.kind == SWITCH_NEVER)
		o->rotate.kind = SWITCH_ON_SIGNAL;
	if (o->rotate.kind != SWITCH_NEVER) {
		o->timestamp_filename = true;
		/* Records may be lost in the time spent between two files. */
		if (o->no_buildid == CHOICE_UNSAID)
			o->no_buildid = CHOICE_YES;
		if (o->no_buildid_cache == CHOICE_UNSAID)
			o->no_buildid_cache = CHOICE_YES;
	}
	o->map_build_ids = o->buildid_mmap != CHOICE_NO;
	if (o->buildid_mmap == CHOICE_YES)
		o->no_buildid = CHOICE_YES;
}
