/* SPDX-License-Identifier: MIT */
/* Verifies reports of a recording whose every sample is known. */
#include <string.h>

#include "tools/test/checks/checks.h"
#include "tools/test/checks/fake-recording.h"
#include "tools/test/checks/kit.h"

#define AT(program) (FAKE_PROGRAM + (program))
#define LIBC(at)    (FAKE_LIBC + (at))

/* 70 % perf, 10 % perf in libc, 15 % bash, 5 % worker in libc. */
static const struct fake_samples known[] = {
	{ 100, 100, AT(0x1000), { AT(0x2001), AT(0x3001), 0 }, 7, 1000000 },
	{ 100, 100, LIBC(0x500), { AT(0x2001), AT(0x3001), 0 }, 1, 1000000 },
	{ 200, 200, AT(0x700), { AT(0x801), 0, 0 }, 3, 500000 },
	{ 200, 201, LIBC(0x500), { 0, 0, 0 }, 1, 500000 },
};

/* The same program at a later time: 20 % perf, 80 % bash. */
static const struct fake_samples later[] = {
	{ 100, 100, AT(0x1000), { 0, 0, 0 }, 2, 1000000 },
	{ 200, 200, AT(0x700), { 0, 0, 0 }, 8, 1000000 },
};

static enum selftest_outcome write_fake(struct selftest_run *t, const char *path,
					struct fake_recording f)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	int r = fake_recording_write(path, &f, &d);

	EXPECT(t, r >= 0, "a recording cannot be written: %s",
	       d.message ? d.message : strerror(-r));
	return SELFTEST_OK;
}

static enum selftest_outcome check_profiles_write_known(struct selftest_run *t)
{
	return write_fake(t, "perf.data",
			  (struct fake_recording){ .samples = known, .n = ARRAY_SIZE(known) });
}

/* True if @parts occur in @text in this order. */
static bool check_profiles_in_order(const struct text *text, const char *const *parts)
{
	const char *at = text->chars;

	for (; *parts; parts++) {
		at = strstr(at, *parts);
		if (!at)
			return false;
		at += strlen(*parts);
	}
	return true;
}

static enum selftest_outcome test_diff(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	static const char *const rows[] = { "bash", "perf", NULL };

	NEED(check_profiles_write_known(t));
	NEED(write_fake(t, "later.data",
			(struct fake_recording){ .samples = later, .n = ARRAY_SIZE(later) }));
	EXPECT(t, PERF(t, &out, "diff", "-s", "comm", "perf.data", "later.data") == 0,
	       "perf diff fails");
	EXPECT(t, strstr(out.chars, "+65.00%") && strstr(out.chars, "-60.00%"),
	       "bash grew from 15 to 80 %%, perf shrank from 80 to 20 %%: that is not shown");
	EXPECT(t, check_profiles_in_order(&out, rows), "the largest change does not stand first");
	return SELFTEST_OK;
}

const struct selftest check_match = {
	.name = "Match and link multiple hists",
	.why = "perf diff compares the wrong rows of two recordings",
	.run = test_diff,
};

static enum selftest_outcome check_profiles_report(struct selftest_run *t, struct text *out,
						   const char *option, const char *value)
{
	NEED(check_profiles_write_known(t));
	EXPECT(t,
	       PERF(t, out, "report", "--stdio", "-i", "perf.data", "-g", "none", "--no-children",
		    "-s", "comm,dso", option, value) == 0,
	       "perf report %s %s fails", option, value);
	return SELFTEST_OK;
}

static enum selftest_outcome test_filters(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	NEED(check_profiles_report(t, &out, "--comms", "bash"));
	EXPECT(t, strstr(out.chars, "bash") && !strstr(out.chars, "worker"),
	       "--comms bash shows other commands");
	NEED(check_profiles_report(t, &out, "--dsos", "libc"));
	EXPECT(t, strstr(out.chars, "worker") && !strstr(out.chars, "70.00%"),
	       "--dsos libc shows other files");
	NEED(check_profiles_report(t, &out, "--percent-limit", "20"));
	EXPECT(t, strstr(out.chars, "70.00%") && !strstr(out.chars, "15.00%"),
	       "--percent-limit 20 shows rows below");
	return SELFTEST_OK;
}

const struct selftest check_filter_hists = {
	.name = "Filter hist entries",
	.why = "perf report --comms, --dsos or --percent-limit shows the wrong rows",
	.run = test_filters,
};

static enum selftest_outcome test_sort(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	static const char *const by_share[] = { "70.00%", "15.00%", "10.00%", "5.00%", NULL };
	static const char *const by_name[] = { "bash", "perf", "worker", NULL };

	NEED(check_profiles_report(t, &out, "--percent-limit", "0"));
	EXPECT(t, check_profiles_in_order(&out, by_share),
	       "rows are not in the order of their shares");
	EXPECT(t,
	       PERF(t, &out, "report", "--stdio", "-i", "perf.data", "-g", "none", "--no-children",
		    "-F", "comm,overhead") == 0,
	       "perf report -F fails");
	EXPECT(t, check_profiles_in_order(&out, by_name),
	       "rows are not in the order of the first column");
	EXPECT(t, strstr(out.chars, "80.00%"), "samples of one command are not added up");
	return SELFTEST_OK;
}

const struct selftest check_sort_hists = {
	.name = "Sort output of hist entries",
	.why = "perf report does not show what takes most time first",
	.run = test_sort,
};

static enum selftest_outcome test_children(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	NEED(check_profiles_write_known(t));
	EXPECT(t,
	       PERF(t, &out, "report", "--stdio", "-i", "perf.data", "--children", "-g", "none",
		    "-s", "sym") == 0,
	       "perf report --children fails");
	/* 0x2000 and 0x3000 of perf have no samples of their own, but 70 % and 10 % below them. */
	EXPECT(t, kit_count(&out, "80.00%") == 2, "callers do not have the time of what they call");
	EXPECT(t,
	       PERF(t, &out, "report", "--stdio", "-i", "perf.data", "--no-children", "-g",
		    "caller", "-s", "comm") == 0,
	       "perf report -g caller fails");
	EXPECT(t, strstr(out.chars, "0x403"), "the outermost caller is not in the tree");
	return SELFTEST_OK;
}

const struct selftest check_cumulate = {
	.name = "Cumulate child hist entries",
	.why = "the time of a function does not contain that of the functions it calls",
	.run = test_children,
};

static enum selftest_outcome check_profiles_script(struct selftest_run *t, struct text *out)
{
	EXPECT(t,
	       PERF(t, out, "script", "-i", "perf.data", "-G", "-F", "comm,pid,tid,ip,sym,dso") ==
		       0,
	       "perf script fails");
	return SELFTEST_OK;
}

static enum selftest_outcome test_maps(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	NEED(check_profiles_write_known(t));
	NEED(check_profiles_script(t, &out));
	EXPECT(t,
	       kit_count(&out, "(/fake/perf)") == 7 && kit_count(&out, "(/fake/bash)") == 3 &&
		       kit_count(&out, "(/fake/libc)") == 2,
	       "samples are looked up in the maps of another process");
	return SELFTEST_OK;
}

const struct selftest check_mmap_thread = {
	.name = "Lookup mmap thread",
	.why = "samples are attributed to the wrong files, so their symbols are wrong",
	.run = test_maps,
};

static enum selftest_outcome test_shared_maps(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	const char *line;

	NEED(check_profiles_write_known(t));
	NEED(check_profiles_script(t, &out));
	line = strstr(out.chars, "worker");
	EXPECT(t, line && strstr(line, "(/fake/libc)"),
	       "a thread does not have the maps of its process");
	return SELFTEST_OK;
}

const struct selftest check_share_maps = {
	.name = "Share thread maps",
	.why = "threads of a program have no symbols",
	.run = test_shared_maps,
};

static enum selftest_outcome test_no_ids(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	NEED(write_fake(t, "perf.data",
			(struct fake_recording){
				.samples = known, .n = ARRAY_SIZE(known), .no_sample_ids = true }));
	NEED(check_profiles_script(t, &out));
	EXPECT(t, kit_count(&out, "(/fake/perf)") == 7 && kit_count(&out, "worker") == 1,
	       "names or maps are lost without times in their records");
	return SELFTEST_OK;
}

const struct selftest check_no_ids = {
	.name = "Parse with no sample_id_all bit set",
	.why = "recordings of old kernels, or of some other tools, cannot be read",
	.run = test_no_ids,
};

static enum selftest_outcome test_compressed(struct selftest_run *t)
{
	_cleanup_(text_done) struct text plain = TEXT_EMPTY;
	_cleanup_(text_done) struct text packed = TEXT_EMPTY;

	NEED(kit_need_events(t));
	if (PERF(t, &packed, "record", "-z", "-q", "-o", "z.data", "-e", "cpu-clock:u", "-F",
		 "1000", "--", t->perf, "test", "-w", "noploop", "1") != 0) {
		PERF(t, &plain, "version", "--build-options");
		if (strstr(plain.chars, "zstd: [ OFF ]"))
			return selftest_skip(t, "this perf was built without libzstd");
		return selftest_fail(t, "perf record -z fails");
	}
	EXPECT(t, PERF(t, &packed, "script", "-i", "z.data", "-F", "comm,time") == 0,
	       "a compressed recording cannot be read");
	EXPECT(t, kit_count(&packed, "\n") > 20, "a compressed recording has %zu samples",
	       kit_count(&packed, "\n"));
	EXPECT(t, PERF(t, NULL, "inject", "-i", "z.data", "-o", "plain.data") == 0,
	       "perf inject cannot rewrite a compressed recording");
	EXPECT(t, PERF(t, &plain, "script", "-i", "plain.data", "-F", "comm,time") == 0,
	       "what perf inject wrote cannot be read");
	EXPECT(t, !strcmp(plain.chars, packed.chars), "the rewritten recording has other samples");
	return SELFTEST_OK;
}

const struct selftest check_zstd = {
	.name = "Zstd perf.data compression/decompression",
	.why = "recordings with -z are lost",
	.run = test_compressed,
};

/* Returns another perf of this machine, which is not a link to ours. NULL: there is none. */
static const char *other_perf(const struct selftest_run *t)
{
	static const char *const places[] = { "/usr/bin/perf", "/usr/local/bin/perf", "/bin/perf",
					      "/usr/sbin/perf" };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		_cleanup_(freep) char *real = realpath(places[i], NULL);

		if (real && strcmp(real, t->perf))
			return places[i];
	}
	return NULL;
}

static enum selftest_outcome test_other(struct selftest_run *t)
{
	_cleanup_(text_done) struct text ours = TEXT_EMPTY;
	_cleanup_(text_done) struct text theirs = TEXT_EMPTY;
	const char *other = other_perf(t);

	if (!other)
		return selftest_skip(t, "there is no other perf on this machine to compare with");
	NEED(check_profiles_write_known(t));
	if (RUN(t, &theirs, other, "--version") != 0)
		return selftest_skip(t, "%s does not run with this kernel", other);
	EXPECT(t,
	       RUN(t, &theirs, other, "script", "-i", "perf.data", "-F", "comm,tid,time,period") ==
		       0,
	       "%s cannot read our recording", other);
	EXPECT(t, PERF(t, &ours, "script", "-i", "perf.data", "-F", "comm,tid,time,period") == 0,
	       "perf script fails");
	EXPECT(t, !strcmp(ours.chars, theirs.chars), "%s reads other samples in our recording",
	       other);
	return SELFTEST_OK;
}

const struct selftest check_other_perf = {
	.name = "The other installed perf reads our recordings",
	.why = "recordings cannot be exchanged with people who use Linux's perf",
	.run = test_other,
};
