/* SPDX-License-Identifier: MIT */
#include "kernel/explain.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernel/capabilities.h"
#include "kernel/perf-event.h"
#include "kernel/pmu.h"
#include "wire/attr.h"

/* One failed attempt. */
struct kernel_explain_failure {
	const struct perf_event_facts *facts;
	const struct attr *attr;
	const char *name;
	int error;
	struct diag *diag;
};

#define say(f, ...)  diag_set((f)->diag, -(f)->error, __VA_ARGS__)
#define hint(f, ...) diag_hint((f)->diag, __VA_ARGS__)

/*
 * From linux/capability.h: before 5.8, CAP_SYS_ADMIN had the meaning of CAP_PERFMON, and it still
 * includes it.
 */
#define CAPABILITIES_OF_PERF (1ULL << 21 | 1ULL << 38)

/* Returns the number after "KEY:\t" of /proc/self/status, written in base @base. */
static uint64_t status_value(const char *status, const char *key, int base)
{
	const char *line = strstr(status, key);

	return line ? strtoull(line + strlen(key), NULL, base) : 0;
}

static uint64_t sysctl_value(const char *name, uint64_t otherwise)
{
	_cleanup_(freep) char *path = xasprintf("/proc/sys/kernel/%s", name);
	_cleanup_(freep) char *line = NULL;
	uint64_t value;

	if (file_read_line(AT_FDCWD, path, &line) < 0 || number_parse(line, &value) < 0)
		return otherwise;
	return value;
}

unsigned perf_event_max_stack(void)
{
	return (unsigned)sysctl_value("perf_event_max_stack", 127);
}

struct perf_event_facts perf_event_facts_gather(void)
{
	_cleanup_(pmu_list_freep) struct pmu_list *pmus = pmu_list_open(PMU_DEVICES);
	_cleanup_(freep) char *status = NULL;
	struct rlimit files = { 0 };
	size_t at = 0;
	struct perf_event_facts facts = {
		.has_perf_events = access("/proc/sys/kernel/perf_event_paranoid", F_OK) == 0,
		.paranoid = perf_event_paranoid(),
		.root = geteuid() == 0,
		.core_pmu = pmu_list_next_core(pmus, &at) != NULL,
		.nmi_watchdog = sysctl_value("nmi_watchdog", 0) != 0,
		.max_stack = perf_event_max_stack(),
	};

	if (file_read(AT_FDCWD, "/proc/self/status", 1 << 20, &status, NULL) >= 0) {
		facts.privileged = status_value(status, "\nCapEff:", 16) & CAPABILITIES_OF_PERF;
		facts.seccomp = status_value(status, "\nSeccomp:", 10) == 2;
	}
	getrlimit(RLIMIT_NOFILE, &files);
	facts.files_soft = files.rlim_cur;
	facts.files_hard = files.rlim_max;
	return facts;
}

static bool kernel_explain_is_hardware(const struct attr *a)
{
	return a->type == PERF_TYPE_HARDWARE || a->type == PERF_TYPE_HW_CACHE ||
	       a->type == PERF_TYPE_RAW;
}

static bool is_sampling(const struct attr *a)
{
	return a->sample_period != 0; /* or .sample_freq, which is the same word */
}

/*
 * Returns the highest level that permits an unprivileged user to open this:
 * perf_allow_tracepoint(), perf_allow_kernel() and perf_allow_cpu() of the kernel. Level 3 and
 * above are patches of distributions and forbid everything.
 */
static int paranoid_needed(const struct kernel_explain_failure *f)
{
	if (f->attr->type == PERF_TYPE_TRACEPOINT && f->attr->sample_type & PERF_SAMPLE_RAW)
		return -1;
	if (!f->attr->exclude_kernel)
		return 1;
	return f->facts->paranoid > 2 ? 2 : 0;
}

static const char *paranoid_meaning(int needed)
{
	switch (needed) {
	case -1:
		return "recording tracepoints needs -1";
	case 0:
		return "counting on all CPUs (-a, -C) needs 0";
	case 1:
		return "events of the kernel need 1 (0 for all CPUs)";
	default:
		return "level 3 and above forbid all use, and 2 allows a user's own programs";
	}
}

static void hint_rights(const struct kernel_explain_failure *f, int needed)
{
	_cleanup_(freep) char *advice =
		capabilities_advice("cap_perfmon,cap_sys_ptrace,cap_syslog");

	if (needed == 1)
		hint(f, "leave the kernel out: give the event the modifier u, as in cycles:u");
	hint(f,
	     "run as root, or allow it until the next boot: "
	     "sudo sysctl kernel.perf_event_paranoid=%d",
	     needed);
	hint(f, "or allow it for good to a group of users: %s", advice);
}

/* Explains an error for a user who has the right, by capability or by level. */
static int explain_refused_anyway(const struct kernel_explain_failure *f)
{
	if (f->facts->seccomp) {
		say(f, "%s: this container's seccomp profile does not allow perf_event_open()",
		    f->name);
		hint(f, "start the container with --cap-add PERFMON, or with "
			"--security-opt seccomp=unconfined");
		return -f->error;
	}
	say(f, "%s: the kernel does not permit it, though perf_event_paranoid is %d%s", f->name,
	    f->facts->paranoid, f->facts->root ? " and you are root" : "");
	if (!f->facts->privileged)
		hint(f, "a process of another user can be measured by root only");
	hint(f, "or a security module (SELinux, lockdown) forbids it: see dmesg");
	return -f->error;
}

static int kernel_explain_rights(const struct kernel_explain_failure *f)
{
	int needed = paranoid_needed(f);

	if (f->facts->privileged || f->facts->paranoid <= needed)
		return explain_refused_anyway(f);
	if (f->facts->root)
		say(f,
		    "%s: root has no CAP_PERFMON here (a container?), and "
		    "perf_event_paranoid is %d: %s",
		    f->name, f->facts->paranoid, paranoid_meaning(needed));
	else
		say(f, "%s: not allowed, as perf_event_paranoid is %d: %s", f->name,
		    f->facts->paranoid, paranoid_meaning(needed));
	hint_rights(f, needed);
	return -f->error;
}

static int explain_no_counters(const struct kernel_explain_failure *f)
{
	say(f, "%s: this machine has no hardware counters", f->name);
	hint(f, "most virtual machines have none: use cpu-clock or task-clock, or give the "
		"machine a PMU (QEMU: -cpu host,pmu=on)");
	return -f->error;
}

/* Explains ENOENT: no PMU knows the event. */
static int explain_unknown(const struct kernel_explain_failure *f)
{
	if (f->attr->type == PERF_TYPE_TRACEPOINT) {
		say(f, "%s: the kernel no longer has this tracepoint", f->name);
		hint(f, "its module may have been unloaded, or the probe removed: perf list '%s'",
		     f->name);
		return -f->error;
	}
	if (kernel_explain_is_hardware(f->attr) && !f->facts->core_pmu)
		return explain_no_counters(f);
	if (kernel_explain_is_hardware(f->attr))
		say(f, "%s: the counters of this CPU have no such event", f->name);
	else
		say(f, "%s: no PMU of this kernel has such an event (type %u, config 0x%llx)",
		    f->name, f->attr->type, (unsigned long long)f->attr->config);
	hint(f, "perf list shows what there is");
	return -f->error;
}

/*
 * Explains the features in @attr that a PMU may lack, the likeliest first. False: there are none.
 */
static bool explain_demand(const struct kernel_explain_failure *f)
{
	const struct attr *a = f->attr;

	if (a->sample_type & PERF_SAMPLE_BRANCH_STACK || a->branch_sample_type) {
		say(f, "%s: this PMU cannot record branches as asked", f->name);
		hint(f, "leave out -b, -j and --call-graph lbr");
	} else if (a->precise_ip) {
		say(f, "%s: this PMU cannot sample as precisely as asked (precise level %u)",
		    f->name, (unsigned)a->precise_ip);
		hint(f, "leave out p from the event's modifiers, or use P for the best there is");
	} else if (a->aux_output || a->aux_sample_size) {
		say(f, "%s: this PMU cannot send its samples into an AUX buffer", f->name);
	} else if (a->sample_type & (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR)) {
		say(f, "%s: the registers asked for are not to be had here", f->name);
		hint(f, "--user-regs=? and --intr-regs=? list them");
	} else {
		return false;
	}
	return true;
}

/*
 * Explains the restrictions of a PMU of the chip rather than of a CPU: it counts for all tasks, all
 * the time.
 */
static bool explain_uncore(const struct kernel_explain_failure *f)
{
	const struct attr *a = f->attr;

	if (a->type < PERF_TYPE_MAX)
		return false;
	if (a->exclude_user || a->exclude_kernel || a->exclude_hv || a->exclude_idle ||
	    a->exclude_host || a->exclude_guest) {
		say(f, "%s: this PMU cannot tell user, kernel and guest apart", f->name);
		hint(f, "leave out the modifiers u, k, h, G, H and I");
	} else if (is_sampling(a)) {
		say(f, "%s: this PMU counts, but cannot sample", f->name);
		hint(f, "count it: perf stat -a -e %s", f->name);
	} else {
		say(f,
		    "%s: this PMU refused the event (config 0x%llx), or counts for whole "
		    "CPUs only",
		    f->name, (unsigned long long)a->config);
		hint(f, "count on all CPUs: -a; its terms and their ranges: perf list -v");
	}
	return true;
}

static int explain_breakpoint(const struct kernel_explain_failure *f)
{
	say(f, "%s: the CPU cannot watch this address as asked", f->name);
	hint(f, "mem:ADDR[/LENGTH][:ACCESS]: the length is 1, 2, 4 or 8, the address a multiple of "
		"it; x86 cannot watch reads alone");
	return -f->error;
}

/* Explains EOPNOTSUPP and EINVAL: a PMU knows the event, but not in this form. */
static int kernel_explain_unsupported(const struct kernel_explain_failure *f)
{
	if (explain_demand(f) || explain_uncore(f))
		return -f->error;
	if (f->attr->type == PERF_TYPE_BREAKPOINT)
		return explain_breakpoint(f);
	if (kernel_explain_is_hardware(f->attr) && !f->facts->core_pmu)
		return explain_no_counters(f);
	if (kernel_explain_is_hardware(f->attr) && is_sampling(f->attr) && f->error == EOPNOTSUPP) {
		say(f, "%s: these counters cannot interrupt, so they cannot sample", f->name);
		hint(f, "count with perf stat, or sample by time: -e cpu-clock");
		return -f->error;
	}
	say(f, "%s: the kernel does not support the event with these settings", f->name);
	hint(f,
	     "type %u, config 0x%llx, sample_type 0x%llx; the CPU may not exist, or a modifier, "
	     "term or option be too "
	     "new for this kernel: try the plain event",
	     f->attr->type, (unsigned long long)f->attr->config,
	     (unsigned long long)f->attr->sample_type);
	return -f->error;
}

static int explain_no_device(const struct kernel_explain_failure *f)
{
	if (kernel_explain_is_hardware(f->attr) && !f->facts->core_pmu)
		return explain_no_counters(f);
	if (explain_demand(f))
		return -f->error;
	say(f, "%s: the CPU is offline, or has no counters for this event", f->name);
	hint(f, "CPUs that are online: /sys/devices/system/cpu/online");
	return -f->error;
}

static int explain_files(const struct kernel_explain_failure *f)
{
	unsigned long long soft = f->facts->files_soft, hard = f->facts->files_hard;

	say(f, "%s: too many open files (the limit is %llu)", f->name, soft);
	if (f->error == ENFILE)
		hint(f, "the whole system is at its limit: sudo sysctl fs.file-max=...");
	else if (soft < hard)
		hint(f, "each event takes one a CPU and thread; raise it: ulimit -n %llu", hard);
	else
		hint(f,
		     "each event takes one a CPU and thread; raise it as root: "
		     "ulimit -n %llu, or nofile in /etc/security/limits.conf",
		     4 * soft);
	return -f->error;
}

static int explain_no_call(const struct kernel_explain_failure *f)
{
	if (f->facts->has_perf_events) {
		say(f, "%s: perf_event_open() is blocked here, though the kernel has it", f->name);
		hint(f, "in a container: --security-opt seccomp=unconfined; in gVisor: not at all");
	} else {
		say(f, "%s: this kernel has no perf events", f->name);
		hint(f, "it was built without CONFIG_PERF_EVENTS");
	}
	return -f->error;
}

static int explain_busy(const struct kernel_explain_failure *f)
{
	say(f, "%s: the counters are taken", f->name);
	if (f->facts->nmi_watchdog)
		hint(f, "the NMI watchdog holds one: sudo sysctl kernel.nmi_watchdog=0");
	hint(f, "another profiler, a debugger or a hypervisor may hold them; "
		"events that are pinned or exclusive take them all");
	return -f->error;
}

static int explain_no_space(const struct kernel_explain_failure *f)
{
	if (f->attr->type != PERF_TYPE_BREAKPOINT) {
		say(f, "%s: no counter is left for it", f->name);
		return -f->error;
	}
	say(f, "%s: all breakpoint registers of the CPU are in use", f->name);
	hint(f, "x86 has four; debuggers take them as well");
	return -f->error;
}

static int explain_too_big(const struct kernel_explain_failure *f)
{
	say(f, "%s: this kernel is too old for a setting of the event", f->name);
	hint(f, "leave out terms and options that it does not know yet (config3=, for instance)");
	return -f->error;
}

static int explain_no_process(const struct kernel_explain_failure *f)
{
	say(f, "%s: no such process or thread, or it has ended", f->name);
	return -f->error;
}

static int explain_stack(const struct kernel_explain_failure *f)
{
	unsigned asked = f->attr->sample_max_stack;

	say(f, "%s: call chains of %u frames are more than the kernel records (%u)", f->name, asked,
	    f->facts->max_stack);
	hint(f, "/max-stack=%u/, or allow more: sudo sysctl kernel.perf_event_max_stack=%u",
	     f->facts->max_stack, asked);
	return -f->error;
}

static const struct {
	int error;
	int (*explain)(const struct kernel_explain_failure *f);
} explanations[] = {
	{ EACCES, kernel_explain_rights },
	{ EPERM, kernel_explain_rights },
	{ ENOENT, explain_unknown },
	{ EOPNOTSUPP, kernel_explain_unsupported },
	{ EINVAL, kernel_explain_unsupported },
	{ ENODEV, explain_no_device },
	{ ENXIO, explain_no_device },
	{ EMFILE, explain_files },
	{ ENFILE, explain_files },
	{ ENOSYS, explain_no_call },
	{ EBUSY, explain_busy },
	{ ENOSPC, explain_no_space },
	{ E2BIG, explain_too_big },
	{ ESRCH, explain_no_process },
	{ EOVERFLOW, explain_stack },
};

int perf_event_explain_with(const struct perf_event_facts *facts, const struct attr *attr,
			    const char *name, int error, struct diag *diag)
{
	const struct kernel_explain_failure f = { facts, attr, name, abs(error), diag };

	for (size_t i = 0; i < ARRAY_SIZE(explanations); i++)
		if (explanations[i].error == f.error)
			return explanations[i].explain(&f);
	return say(&f, "%s: cannot open the event: %s", name, strerror(f.error));
}

int perf_event_explain(const struct attr *attr, const char *name, int error, struct diag *diag)
{
	const struct perf_event_facts facts = perf_event_facts_gather();

	return perf_event_explain_with(&facts, attr, name, error, diag);
}
