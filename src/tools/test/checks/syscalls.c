/* SPDX-License-Identifier: MIT */
/* Tracepoints of system calls: the counts must match the calls, and fields must be readable. */
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "kernel/tracefs.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"
#include "tracepoint/format.h"

#define CALLS 111

static enum selftest_outcome tracepoint_attr(struct selftest_run *t, const char *system,
					     const char *name, struct attr *ret)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	uint64_t id;

	NEED(kit_need_tracefs(t, &tracefs));
	if (tracefs_event_id(tracefs, system, name, &id) < 0)
		return selftest_skip(t,
				     "this kernel has no tracepoint %s:%s: it was built without "
				     "CONFIG_FTRACE_SYSCALLS",
				     system, name);
	*ret = (struct attr){ .type = PERF_TYPE_TRACEPOINT, .config = id };
	return SELFTEST_OK;
}

static void open_often(int n)
{
	for (int i = 0; i < n; i++) {
		int fd = openat(AT_FDCWD, "/etc/passwd", O_RDONLY | O_CLOEXEC);

		if (fd >= 0)
			close(fd);
	}
}

static enum selftest_outcome test_openat(struct selftest_run *t)
{
	_cleanup_(closep) int fd = -1;
	struct attr attr;
	uint64_t n;

	NEED(tracepoint_attr(t, "syscalls", "sys_enter_openat", &attr));
	NEED(kit_open(t, &attr, "syscalls:sys_enter_openat", 0, -1, &fd));
	open_often(CALLS);
	n = kit_read_count(fd);
	EXPECT(t, n == CALLS, "%d calls of openat() were counted as %llu", CALLS,
	       (unsigned long long)n);
	return SELFTEST_OK;
}

const struct selftest check_openat = {
	.name = "Detect openat syscall event",
	.why = "counts of tracepoints are wrong",
	.run = test_openat,
};

/* Makes a different number of calls on each CPU. */
static enum selftest_outcome openat_on_cpu(struct selftest_run *t, const struct attr *attr, int cpu,
					   int calls)
{
	_cleanup_(closep) int fd = -1;
	cpu_set_t set;
	uint64_t n;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		return SELFTEST_OK;
	NEED(kit_open(t, attr, "syscalls:sys_enter_openat", 0, cpu, &fd));
	open_often(calls);
	n = kit_read_count(fd);
	fprintf(t->out, "CPU %d: %llu of %d\n", cpu, (unsigned long long)n, calls);
	EXPECT(t, n == (uint64_t)calls, "%d calls of openat() on CPU %d were counted as %llu",
	       calls, cpu, (unsigned long long)n);
	return SELFTEST_OK;
}

static enum selftest_outcome test_openat_cpus(struct selftest_run *t)
{
	enum selftest_outcome outcome = SELFTEST_OK;
	struct attr attr;
	cpu_set_t before;

	NEED(tracepoint_attr(t, "syscalls", "sys_enter_openat", &attr));
	if (sched_getaffinity(0, sizeof(before), &before) < 0)
		return selftest_skip(t, "this machine has more CPUs than this test knows");
	for (int cpu = 0; cpu < CPU_SETSIZE && outcome == SELFTEST_OK; cpu++)
		if (CPU_ISSET(cpu, &before))
			outcome = openat_on_cpu(t, &attr, cpu, CALLS + cpu % 50);
	sched_setaffinity(0, sizeof(before), &before);
	return outcome;
}

const struct selftest check_openat_cpus = {
	.name = "Detect openat syscall event on all cpus",
	.why = "counts per CPU are wrong",
	.run = test_openat_cpus,
};

struct wanted_field {
	const char *name;
	size_t size; /* 0: any size */
};

static enum selftest_outcome expect_fields(struct selftest_run *t, const char *system,
					   const char *name, const struct wanted_field *wanted)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	_cleanup_(tracepoint_format_freep) struct tracepoint_format *format = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *text = NULL;

	NEED(kit_need_tracefs(t, &tracefs));
	if (tracefs_event_format(tracefs, system, name, &text) < 0)
		return selftest_skip(t, "this kernel has no tracepoint %s:%s", system, name);
	fputs(text, t->out);
	EXPECT(t, tracepoint_format_parse(text, &format, &d) >= 0,
	       "the format of %s:%s cannot be read: %s", system, name, d.message);
	for (; wanted->name; wanted++) {
		const struct tracepoint_field *f = tracepoint_field_find(format, wanted->name);

		EXPECT(t, f, "%s:%s has no field %s", system, name, wanted->name);
		EXPECT(t, !wanted->size || f->size == wanted->size,
		       "field %s of %s:%s has %zu bytes", wanted->name, system, name,
		       (size_t)f->size);
	}
	return SELFTEST_OK;
}

static enum selftest_outcome test_sched_fields(struct selftest_run *t)
{
	static const struct wanted_field on_switch[] = {
		{ "prev_comm", 16 }, { "prev_pid", 4 }, { "prev_prio", 4 }, { "prev_state", 0 },
		{ "next_comm", 16 }, { "next_pid", 4 }, { "next_prio", 4 }, { NULL, 0 },
	};
	static const struct wanted_field on_wakeup[] = {
		{ "comm", 16 }, { "pid", 4 }, { "prio", 4 }, { "target_cpu", 4 }, { NULL, 0 },
	};

	NEED(expect_fields(t, "sched", "sched_switch", on_switch));
	return expect_fields(t, "sched", "sched_wakeup", on_wakeup);
}

const struct selftest check_sched_fields = {
	.name = "Parse sched tracepoints fields",
	.why = "perf sched and scripts cannot read the events of the scheduler",
	.run = test_sched_fields,
};

static enum selftest_outcome test_openat_fields(struct selftest_run *t)
{
	static const struct wanted_field fields[] = {
		{ "filename", 0 }, { "flags", 0 }, { "mode", 0 }, { NULL, 0 }
	};
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct attr attr;
	_cleanup_(closep) int fd = -1;

	NEED(tracepoint_attr(t, "syscalls", "sys_enter_openat", &attr));
	NEED(expect_fields(t, "syscalls", "sys_enter_openat", fields));
	NEED(kit_open(t, &attr, "syscalls:sys_enter_openat", 0, -1, &fd));
	EXPECT(t,
	       PERF(t, NULL, "record", "-q", "-o", "perf.data", "-e", "syscalls:sys_enter_openat",
		    "--", "cat", "/dev/null") == 0,
	       "perf record of system calls fails");
	EXPECT(t, PERF(t, &out, "script", "-i", "perf.data", "-F", "comm,event,trace") == 0,
	       "perf script fails");
	EXPECT(t,
	       strstr(out.chars, "cat syscalls:sys_enter_openat:") ||
		       strstr(out.chars, "sys_enter_openat"),
	       "the calls of cat are not in the recording");
	EXPECT(t, strstr(out.chars, "flags: 0x"), "the fields of the calls are not shown");
	return SELFTEST_OK;
}

const struct selftest check_openat_fields = {
	.name = "syscalls:sys_enter_openat event fields",
	.why = "the arguments of recorded system calls are wrong",
	.run = test_openat_fields,
};

static enum selftest_outcome test_filter(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(closep) int fd = -1;
	struct attr attr;

	NEED(tracepoint_attr(t, "syscalls", "sys_enter_dup", &attr));
	NEED(kit_open(t, &attr, "syscalls:sys_enter_dup", 0, -1, &fd));
	EXPECT(t,
	       PERF(t, &out, "stat", "-x;", "-o", "/dev/stdout", "-e", "sched:sched_process_exec",
		    "--filter", "pid == 1", "--", "true") == 0,
	       "perf stat with a filter fails");
	EXPECT(t, strstr(out.chars, "\n0;;sched:sched_process_exec"),
	       "a filter lets pass what it should not");
	EXPECT(t,
	       PERF(t, &out, "stat", "-x;", "-o", "/dev/stdout", "-e", "sched:sched_process_exec",
		    "--filter", "pid != 1", "--", "true") == 0,
	       "perf stat with a filter fails");
	EXPECT(t, strstr(out.chars, "\n1;;sched:sched_process_exec"),
	       "a filter holds back what it should not");
	EXPECT(t,
	       PERF(t, &out, "stat", "-e", "sched:sched_process_exec", "--filter", "nosuch == 1",
		    "--", "true") != 0,
	       "a filter on a field that there is not is accepted");
	return SELFTEST_OK;
}

const struct selftest check_filter = {
	.name = "Filters of tracepoints",
	.why = "--filter records too much or too little",
	.run = test_filter,
};
