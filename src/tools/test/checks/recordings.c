/* SPDX-License-Identifier: MIT */
/* Real recordings of known programs: the reports must match the programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/file.h"
#include "elf/symbols.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"

/* Skips if the functions of perf's own workloads have no symbols. */
static enum selftest_outcome need_own_symbols(struct selftest_run *t)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;

	if (elf_file_open(t->perf, &f) < 0)
		return selftest_skip(t, "this perf cannot be read");
	if (!elf_has_symtab(f))
		return selftest_skip(t,
				     "perf itself is stripped; install its debug symbols to find "
				     "the functions of its workloads");
	return SELFTEST_OK;
}

static enum selftest_outcome test_records(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	NEED(kit_need_events(t));
	EXPECT(t,
	       PERF(t, NULL, "record", "-q", "-o", "perf.data", "-e", "cpu-clock:u", "--", "sh",
		    "-c", "true; sleep 0.01; :") == 0,
	       "perf record fails");
	EXPECT(t,
	       PERF(t, &out, "script", "-i", "perf.data", "--show-task-events",
		    "--show-mmap-events") == 0,
	       "perf script fails");
	EXPECT(t, strstr(out.chars, "PERF_RECORD_COMM exec: sh:"), "the exec of sh is missing");
	EXPECT(t, strstr(out.chars, "PERF_RECORD_MMAP2") && strstr(out.chars, "r-xp"),
	       "what sh has mapped is missing");
	EXPECT(t, strstr(out.chars, "PERF_RECORD_FORK"), "the fork of sleep is missing");
	EXPECT(t, strstr(out.chars, "PERF_RECORD_COMM exec: sleep:"),
	       "the exec of sleep is missing");
	EXPECT(t, kit_count(&out, "PERF_RECORD_EXIT") >= 2, "exits are missing");
	return SELFTEST_OK;
}

const struct selftest check_records = {
	.name = "PERF_RECORD_* events & perf_sample fields",
	.why = "perf does not see programs start, map files and end, so samples have no names",
	.run = test_records,
};

static enum selftest_outcome test_exits(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	size_t n;

	NEED(kit_need_events(t));
	EXPECT(t,
	       PERF(t, NULL, "record", "-q", "-o", "perf.data", "-e", "cpu-clock:u", "--",
		    "true") == 0,
	       "perf record fails");
	EXPECT(t, PERF(t, &out, "script", "-i", "perf.data", "--show-task-events") == 0,
	       "perf script fails");
	n = kit_count(&out, "PERF_RECORD_EXIT");
	EXPECT(t, n == 1, "`true` has one exit; the recording has %zu", n);
	return SELFTEST_OK;
}

const struct selftest check_exits = {
	.name = "Number of exit events of a simple workload",
	.why = "perf does not notice that programs end",
	.run = test_exits,
};

static enum selftest_outcome test_switches(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	NEED(kit_need_events(t));
	EXPECT(t,
	       PERF(t, NULL, "record", "-q", "-o", "perf.data", "--switch-events", "-e",
		    "cpu-clock:u", "--", "sh", "-c", "sleep 0.01; sleep 0.01") == 0,
	       "perf record --switch-events fails");
	EXPECT(t, PERF(t, &out, "script", "-i", "perf.data", "--show-switch-events") == 0,
	       "perf script fails");
	EXPECT(t,
	       strstr(out.chars, "PERF_RECORD_SWITCH") && strstr(out.chars, "OUT") &&
		       strstr(out.chars, "IN"),
	       "programs slept, and no switch was recorded");
	return SELFTEST_OK;
}

const struct selftest check_switches = {
	.name = "Track with sched_switch",
	.why = "perf does not know which program was on a CPU",
	.run = test_switches,
};

/* Records a workload of perf's own. */
static enum selftest_outcome check_recordings_record(struct selftest_run *t, const char *call_graph,
						     const char *workload)
{
	NEED(kit_need_events(t));
	NEED(need_own_symbols(t));
	EXPECT(t,
	       PERF(t, NULL, "record", "-q", "-o", "perf.data", "-e", "cpu-clock:u", "-F", "500",
		    "--call-graph", call_graph, "--", t->perf, "test", "-w", workload, "1") == 0,
	       "perf record --call-graph %s fails", call_graph);
	return SELFTEST_OK;
}

static enum selftest_outcome expect_stack(struct selftest_run *t, const char *call_graph)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	size_t leafs, whole = 0;

	NEED(check_recordings_record(t, call_graph, "leafloop"));
	EXPECT(t, PERF(t, &out, "script", "-i", "perf.data", "-F", "ip,sym") == 0,
	       "perf script fails");
	leafs = kit_count(&out, " leaf\n");
	for (const char *s = out.chars; (s = strstr(s, " leaf\n")); s++) {
		const char *end = strstr(s, "\n\n");
		const char *parent = strstr(s, " parent\n"), *top = strstr(s, " main\n");

		whole += parent && top && end && parent < end && top < end;
	}
	EXPECT(t, leafs > 20, "leafloop spends its time in leaf(), which has %zu samples", leafs);
	EXPECT(t, whole * 10 >= leafs * 9,
	       "of %zu stacks of leaf() only %zu lead over parent() to "
	       "main()",
	       leafs, whole);
	return SELFTEST_OK;
}

static enum selftest_outcome test_dwarf(struct selftest_run *t)
{
	return expect_stack(t, "dwarf");
}

const struct selftest check_dwarf = {
	.name = "Test dwarf unwind",
	.why = "call graphs of programs without frame pointers (--call-graph dwarf) are broken",
	.run = test_dwarf,
};

static enum selftest_outcome test_frame_pointers(struct selftest_run *t)
{
	return expect_stack(t, "fp");
}

const struct selftest check_frame_pointers = {
	.name = "Stacks by frame pointers",
	.why = "call graphs (-g) are broken",
	.run = test_frame_pointers,
};

static enum selftest_outcome test_known_function(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	double share;

	NEED(check_recordings_record(t, "fp", "noploop"));
	EXPECT(t,
	       PERF(t, &out, "report", "--stdio", "-i", "perf.data", "--no-children", "-g", "none",
		    "-s", "sym", "--percent-limit", "20") == 0,
	       "perf report fails");
	share = kit_number_before(&out, "[.] noploop");
	/* The rest is the start of the program, which takes long on a slow machine. */
	EXPECT(t, share > 50, "noploop() takes most of the time; the report says %.1f %%", share);
	return SELFTEST_OK;
}

const struct selftest check_known_function = {
	.name = "Symbols of a known workload",
	.why = "profiles show addresses, or wrong functions",
	.run = test_known_function,
};

static enum selftest_outcome test_pipe(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	NEED(kit_need_events(t));
	EXPECT(t,
	       RUN(t, &out, "sh", "-c",
		   "perf record -q -o - -e cpu-clock:u -F 500 -- perf test -w noploop 1 | "
		   "perf inject -b | perf report --stdio -i - -s comm") == 0,
	       "a pipe from perf record over perf inject to perf report fails");
	EXPECT(t, kit_number_before(&out, "perf-noploop") > 50, "the report of a pipe is empty");
	return SELFTEST_OK;
}

const struct selftest check_pipe = {
	.name = "Recordings through a pipe",
	.why = "perf record -o - cannot be sent to another machine or program",
	.run = test_pipe,
};

static enum selftest_outcome test_stat_record(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	double now, then;

	NEED(kit_need_events(t));
	EXPECT(t,
	       PERF(t, &out, "stat", "record", "-o", "stat.data", "--log-fd", "1", "-e",
		    "page-faults:u", "--", "true") == 0,
	       "perf stat record fails");
	now = kit_number_before(&out, "page-faults:u");
	EXPECT(t, RUN(t, &out, "sh", "-c", "perf stat report -i stat.data 2>&1") == 0,
	       "perf stat report fails");
	then = kit_number_before(&out, "page-faults:u");
	EXPECT(t, now > 0 && now == then, "%g page faults were counted, %g are in the file", now,
	       then);
	return SELFTEST_OK;
}

const struct selftest check_stat_record = {
	.name = "Synthesize stat",
	.why = "perf stat record and perf stat report show different counts",
	.run = test_stat_record,
};

static enum selftest_outcome test_topology(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	NEED(kit_need_events(t));
	EXPECT(t,
	       PERF(t, NULL, "record", "-q", "-o", "perf.data", "-e", "cpu-clock:u", "--",
		    "true") == 0,
	       "perf record fails");
	EXPECT(t, PERF(t, &out, "report", "--header-only", "-I", "-i", "perf.data") == 0,
	       "perf report --header-only fails");
	EXPECT(t, kit_number_before(&out, "\n# nrcpus avail") >= (double)cpus,
	       "the file does not name the %ld CPUs of this machine", cpus);
	EXPECT(t, strstr(out.chars, "# cmdline : "), "the file does not say how it was made");
	return SELFTEST_OK;
}

const struct selftest check_topology = {
	.name = "Session topology",
	.why = "recordings do not say on which machine they were made",
	.run = test_topology,
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
	NEED(kit_need_events(t));
	if (RUN(t, &theirs, other, "--version") != 0)
		return selftest_skip(t, "%s does not run with this kernel", other);
	EXPECT(t,
	       PERF(t, NULL, "record", "-q", "-e", "cpu-clock:u", "-F", "1000", "--", t->perf,
		    "test", "-w", "noploop", "1") == 0,
	       "perf record fails");
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
