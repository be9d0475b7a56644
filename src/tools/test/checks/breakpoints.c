/* SPDX-License-Identifier: MIT */
/* Breakpoints and watchpoints of the CPU: counted, sampled, and as signals. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "capture/ring.h"
#include "kernel/perf-event.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"

#define CALLS 100

/* Returns the attr of a breakpoint for executed code. The kernel requires the size of a long. */
static struct attr code_attr(const void *function)
{
	return (struct attr){ .type = PERF_TYPE_BREAKPOINT,
			      .bp_type = HW_BREAKPOINT_X,
			      .bp_addr = (uintptr_t)function,
			      .bp_len = sizeof(long),
			      .exclude_kernel = 1,
			      .exclude_hv = 1 };
}

static volatile int called;

static void __attribute__((noinline)) watched_function(void)
{
	called++;
}

/* Opens a breakpoint. If the CPU or the hypervisor has none, the result is a skip. */
static enum selftest_outcome open_breakpoint(struct selftest_run *t, const struct attr *attr,
					     int *ret)
{
	int fd = perf_event_open(attr, 0, -1, -1, 0);

	if (fd == -EINVAL || fd == -EOPNOTSUPP || fd == -ENOENT || fd == -ENODEV)
		return selftest_skip(t, "this CPU, or its hypervisor, offers no such breakpoint");
	if (fd == -ENOSPC)
		return selftest_skip(t, "all breakpoints of the CPU are in use: by a debugger?");
	if (fd >= 0) {
		*ret = fd;
		return SELFTEST_OK;
	}
	return kit_open(t, attr, "mem:ADDR:x", 0, -1, ret);
}

static volatile sig_atomic_t signals_seen;
static volatile int signal_fd;

/*
 * Counts hits. On some CPUs the breakpoint is hit again each time the handler returns; this stops
 * the endless loop.
 */
static void check_breakpoints_on_signal(int number)
{
	(void)number;
	if (++signals_seen > 2 * CALLS)
		ioctl(signal_fd, PERF_EVENT_IOC_DISABLE, 0);
}

static enum selftest_outcome skip_repeated(struct selftest_run *t)
{
	return selftest_skip(t, "on this CPU a breakpoint hits again when a signal's handler "
				"returns: kernels do not step over it");
}

/* Requests SIGIO for each overflow, as described in fcntl(2). */
static int check_breakpoints_send_signals(int fd)
{
	struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = gettid() };
	struct sigaction action = { .sa_handler = check_breakpoints_on_signal };

	sigemptyset(&action.sa_mask);
	if (sigaction(SIGIO, &action, NULL) < 0 || fcntl(fd, F_SETFL, O_ASYNC) < 0 ||
	    fcntl(fd, F_SETSIG, SIGIO) < 0 || fcntl(fd, F_SETOWN_EX, &owner) < 0)
		return -errno;
	return 0;
}

static enum selftest_outcome test_signal(struct selftest_run *t)
{
	struct attr attr = code_attr((const void *)watched_function);
	_cleanup_(closep) int fd = -1;
	uint64_t n;

	attr.sample_period = 1;
	attr.disabled = 1;
	NEED(open_breakpoint(t, &attr, &fd));
	signals_seen = 0;
	signal_fd = fd;
	EXPECT(t, check_breakpoints_send_signals(fd) >= 0, "signals cannot be had from an event");
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < CALLS; i++)
		watched_function();
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	signal(SIGIO, SIG_IGN);
	n = kit_read_count(fd);
	fprintf(t->out, "%llu hits, %d signals\n", (unsigned long long)n, (int)signals_seen);
	if (signals_seen > 2 * CALLS)
		return skip_repeated(t);
	EXPECT(t, n == CALLS, "%d calls were counted as %llu", CALLS, (unsigned long long)n);
	EXPECT(t, signals_seen > 0, "no signal came");
	return SELFTEST_OK;
}

const struct selftest check_bp_signal = {
	.name = "Breakpoint overflow signal handler",
	.why = "programs that want a signal for an event do not get it",
	.run = test_signal,
};

static enum selftest_outcome test_sampling(struct selftest_run *t)
{
	struct attr attr = code_attr((const void *)watched_function);
	_cleanup_(ring_unmap) struct ring ring = { 0 };
	_cleanup_(closep) int fd = -1;
	struct iovec pieces[2];
	size_t n;

	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP;
	NEED(open_breakpoint(t, &attr, &fd));
	if (ring_map(fd, 16 * (size_t)sysconf(_SC_PAGESIZE), false, &ring) < 0)
		return selftest_skip(t, "no memory may be locked for a ring buffer");
	for (int i = 0; i < CALLS; i++)
		watched_function();
	/* A record is a header and the address. */
	n = ring_read(&ring, pieces) / 16;
	EXPECT(t, n == CALLS, "%d calls gave %zu samples", CALLS, n);
	return SELFTEST_OK;
}

const struct selftest check_bp_sampling = {
	.name = "Breakpoint overflow sampling",
	.why = "perf record -e mem:ADDR:x misses calls",
	.run = test_sampling,
};

#define WATCHPOINTS_MAX 64

/* Opens up to @max watchpoints, and closes them. Returns how many could be opened. */
static int check_breakpoints_open_all(struct attr *attr, int max)
{
	static volatile uint64_t words[WATCHPOINTS_MAX];
	int fds[WATCHPOINTS_MAX], n = 0;

	for (; n < max; n++) {
		attr->bp_addr = (uintptr_t)&words[n];
		fds[n] = perf_event_open(attr, 0, -1, -1, 0);
		if (fds[n] < 0)
			break;
	}
	for (int i = 0; i < n; i++)
		close(fds[i]);
	return n;
}

/* Verifies that all existing breakpoints can be opened, and opened again after they were closed. */
static enum selftest_outcome test_accounting(struct selftest_run *t)
{
	struct attr attr = { .type = PERF_TYPE_BREAKPOINT,
			     .bp_type = HW_BREAKPOINT_W,
			     .bp_len = 8,
			     .exclude_kernel = 1,
			     .exclude_hv = 1 };
	int n = check_breakpoints_open_all(&attr, WATCHPOINTS_MAX), again, fd;

	fprintf(t->out, "%d watchpoints\n", n);
	if (!n) {
		NEED(open_breakpoint(t, &attr, &fd));
		close(fd);
	}
	again = check_breakpoints_open_all(&attr, n);
	EXPECT(t, n == again, "%d watchpoints, but only %d once they were closed", n, again);
	return SELFTEST_OK;
}

const struct selftest check_bp_accounting = {
	.name = "Breakpoint accounting",
	.why = "breakpoints of the CPU leak, until none is left",
	.run = test_accounting,
	.flags = SELFTEST_ALONE,
};

static volatile uint64_t watched_word;

static enum selftest_outcome open_watch(struct selftest_run *t, uint32_t type, int *ret)
{
	struct attr attr = { .type = PERF_TYPE_BREAKPOINT,
			     .bp_type = type,
			     .bp_addr = (uintptr_t)&watched_word,
			     .bp_len = 8,
			     .exclude_kernel = 1,
			     .exclude_hv = 1 };

	return open_breakpoint(t, &attr, ret);
}

/* Makes 3 reads, then 2 writes. */
static void use_word(void)
{
	for (int i = 0; i < 3; i++)
		(void)watched_word;
	for (int i = 0; i < 2; i++)
		watched_word = (uint64_t)i;
}

static enum selftest_outcome check_breakpoints_watch(struct selftest_run *t, uint32_t type,
						     uint64_t expected)
{
	_cleanup_(closep) int fd = -1;
	uint64_t n;

	NEED(open_watch(t, type, &fd));
	use_word();
	n = kit_read_count(fd);
	EXPECT(t, n == expected, "%llu accesses were counted as %llu", (unsigned long long)expected,
	       (unsigned long long)n);
	return SELFTEST_OK;
}

static enum selftest_outcome test_watch_read(struct selftest_run *t)
{
	return check_breakpoints_watch(t, HW_BREAKPOINT_R, 3);
}

static enum selftest_outcome test_watch_write(struct selftest_run *t)
{
	return check_breakpoints_watch(t, HW_BREAKPOINT_W, 2);
}

static enum selftest_outcome test_watch_both(struct selftest_run *t)
{
	return check_breakpoints_watch(t, HW_BREAKPOINT_R | HW_BREAKPOINT_W, 5);
}

static const struct selftest_case watch_cases[] = {
	{ "Read Only Watchpoint", test_watch_read },
	{ "Write Only Watchpoint", test_watch_write },
	{ "Read / Write Watchpoint", test_watch_both },
	{ NULL, NULL },
};

const struct selftest check_watchpoint = {
	.name = "Watchpoint",
	.why = "perf record -e mem:ADDR:rw does not find who uses a variable",
	.cases = watch_cases,
};

static volatile sig_atomic_t traps;
static volatile uint64_t trap_data;

static void on_trap(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	/* si_perf_data follows si_addr in newer headers. This is its place in the ABI. */
	memcpy((void *)&trap_data, (char *)&info->si_addr + sizeof(void *), sizeof(trap_data));
	if (++traps > 2 * CALLS)
		ioctl(signal_fd, PERF_EVENT_IOC_DISABLE, 0);
}

static enum selftest_outcome test_sigtrap(struct selftest_run *t)
{
	struct attr attr = { .type = PERF_TYPE_BREAKPOINT,
			     .bp_type = HW_BREAKPOINT_W,
			     .bp_addr = (uintptr_t)&watched_word,
			     .bp_len = 8,
			     .sample_period = 1,
			     .exclude_kernel = 1,
			     .exclude_hv = 1,
			     .remove_on_exec = 1,
			     .sigtrap = 1,
			     .sig_data = 0x5e1f };
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER };
	_cleanup_(closep) int fd = -1;

	NEED(open_breakpoint(t, &attr, &fd));
	sigemptyset(&action.sa_mask);
	traps = 0;
	signal_fd = fd;
	sigaction(SIGTRAP, &action, NULL);
	watched_word = 7;
	watched_word = 8;
	signal(SIGTRAP, SIG_DFL);
	if (traps > 2 * CALLS)
		return skip_repeated(t);
	EXPECT(t, traps == 2, "2 writes gave %d signals", (int)traps);
	EXPECT(t, trap_data == attr.sig_data, "the signal carries %#llx",
	       (unsigned long long)trap_data);
	return SELFTEST_OK;
}

const struct selftest check_sigtrap = {
	.name = "Sigtrap",
	.why = "debuggers and race detectors that use perf events get no signals",
	.run = test_sigtrap,
};
