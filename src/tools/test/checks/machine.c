/* SPDX-License-Identifier: MIT */
/* Properties of the machine, and the permissions of this user. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/number.h"
#include "capture/ring.h"
#include "kernel/cgroup.h"
#include "kernel/explain.h"
#include "kernel/perf-event.h"
#include "kernel/topology.h"
#include "kernel/tracefs.h"
#include "symbol/kallsyms.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"
#include "wire/record.h"
#include "wire/sample.h"

static enum selftest_outcome test_paranoid(struct selftest_run *t)
{
	struct perf_event_facts facts = perf_event_facts_gather();

	fprintf(t->out, "kernel.perf_event_paranoid = %d, privileged: %d, seccomp: %d\n",
		facts.paranoid, facts.privileged, facts.seccomp);
	NEED(kit_need_events(t));
	if (!facts.privileged && facts.paranoid > -1)
		return selftest_skip(
			t,
			"own programs only: kernel.perf_event_paranoid is %d; "
			"'sysctl kernel.perf_event_paranoid=-1' lets all users measure "
			"everything, CAP_PERFMON those who have it",
			facts.paranoid);
	NEED(kit_need_whole_machine(t));
	return SELFTEST_OK;
}

static enum selftest_outcome test_kptr(struct selftest_run *t)
{
	_cleanup_(freep) char *value = NULL;
	uint64_t addr = 0;
	size_t n;
	int fd;

	file_read_line(AT_FDCWD, "/proc/sys/kernel/kptr_restrict", &value);
	fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		char head[18] = "";
		ssize_t got = read(fd, head, 16);

		close(fd);
		n = got > 0 ? (size_t)got : 0;
		head[n] = '\0';
		number_parse_hex(head, &addr);
	}
	fprintf(t->out, "kernel.kptr_restrict = %s, first address %#llx\n", value ? value : "?",
		(unsigned long long)addr);
	if (fd < 0)
		return selftest_skip(t, "this kernel has no /proc/kallsyms: it was built without "
					"CONFIG_KALLSYMS");
	/* The address 0 means that the kernel hides it from users who may not profile it. */
	if (!addr)
		return selftest_skip(t,
				     "the kernel's functions have no names for this user; run as "
				     "root, or '" KALLSYMS_SHOW "'");
	return SELFTEST_OK;
}

static enum selftest_outcome test_mlock(struct selftest_run *t)
{
	struct attr attr = { .type = PERF_TYPE_SOFTWARE,
			     .config = PERF_COUNT_SW_DUMMY,
			     .sample_period = 1,
			     .exclude_kernel = 1,
			     .exclude_hv = 1 };
	_cleanup_(ring_unmap) struct ring ring = { 0 };
	_cleanup_(closep) int fd = -1;
	size_t size = 512 << 10;
	struct rlimit limit;

	getrlimit(RLIMIT_MEMLOCK, &limit);
	fprintf(t->out, "RLIMIT_MEMLOCK %llu\n", (unsigned long long)limit.rlim_cur);
	NEED(kit_open(t, &attr, "dummy:u", 0, -1, &fd));
	if (ring_map(fd, size, false, &ring) < 0)
		return selftest_skip(t, "ring buffers of 512 KiB are too large for this user, so "
					"samples may be lost; 'ulimit -l' or 'sysctl "
					"kernel.perf_event_mlock_kb=2048' allows more");
	return SELFTEST_OK;
}

static enum selftest_outcome test_files(struct selftest_run *t)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	fprintf(t->out, "RLIMIT_NOFILE %llu, at most %llu\n", (unsigned long long)limit.rlim_cur,
		(unsigned long long)limit.rlim_max);
	if (limit.rlim_max < (rlim_t)cpus * 16)
		return selftest_skip(t,
				     "only %llu files may be open, too few for 16 events on %ld "
				     "CPUs; 'ulimit -n' allows more",
				     (unsigned long long)limit.rlim_max, cpus);
	return SELFTEST_OK;
}

static enum selftest_outcome test_tracing(struct selftest_run *t)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;

	return kit_need_tracefs(t, &tracefs);
}

static const struct selftest_case permission_cases[] = {
	{ "Who may be measured (perf_event_paranoid)", test_paranoid },
	{ "Names of the kernel's functions (kptr_restrict)", test_kptr },
	{ "Memory for ring buffers (mlock)", test_mlock },
	{ "Open files", test_files },
	{ "Tracepoints", test_tracing },
	{ NULL, NULL },
};

const struct selftest check_permissions = {
	.name = "Permissions",
	.why = "the kernel refuses what its settings allow",
	.cases = permission_cases,
};

#define JUMPS 50

/*
 * Finds the time of a page fault, which should be that of perf's clock on the CPU where it occurs.
 */
static bool fault_time(struct ring *ring, const struct attr *attr, uint8_t *page, uint64_t *ret)
{
	struct iovec pieces[2];
	struct record_header h;
	struct sample s;

	*(volatile uint8_t *)page = 1;
	if (!ring_read(ring, pieces) || pieces[1].iov_len)
		return false;
	memcpy(&h, pieces[0].iov_base, sizeof(h));
	if (h.type != PERF_RECORD_SAMPLE ||
	    sample_decode(pieces[0].iov_base, h.size, false, attr, &s) < 0)
		return false;
	*ret = s.time;
	ring_release(ring);
	return true;
}

static bool check_machine_move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) == 0;
}

static int next_cpu(const cpu_set_t *set, int cpu)
{
	do
		cpu = (cpu + 1) % CPU_SETSIZE;
	while (!CPU_ISSET(cpu, set));
	return cpu;
}

static enum selftest_outcome check_machine_jump(struct selftest_run *t, const cpu_set_t *cpus)
{
	struct attr attr = { .type = PERF_TYPE_SOFTWARE,
			     .config = PERF_COUNT_SW_PAGE_FAULTS,
			     .sample_period = 1,
			     .sample_type = PERF_SAMPLE_TIME,
			     .exclude_kernel = 1,
			     .exclude_hv = 1,
			     .disabled = 1 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	_cleanup_(ring_unmap) struct ring ring = { 0 };
	_cleanup_(closep) int fd = -1;
	uint64_t last = 0, now = 0;
	uint8_t *pages;
	int cpu = 0;

	NEED(kit_open(t, &attr, "page-faults:u", 0, -1, &fd));
	if (ring_map(fd, 4 * page, false, &ring) < 0)
		return selftest_skip(t, "no memory may be locked for a ring buffer");
	pages = mmap(NULL, JUMPS * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	EXPECT(t, pages != MAP_FAILED, "no memory");
	madvise(pages, JUMPS * page, MADV_NOHUGEPAGE);
	for (int i = 0; i < JUMPS; i++) {
		bool taken;

		cpu = next_cpu(cpus, cpu);
		if (!check_machine_move_to(cpu))
			continue;
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		taken = fault_time(&ring, &attr, pages + (size_t)i * page, &now);
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		ring_read(&ring, (struct iovec[2]){ { 0 } });
		ring_release(&ring);
		EXPECT(t, !taken || now >= last, "on CPU %d the clock is %llu ns behind", cpu,
		       (unsigned long long)(last - now));
		last = now;
	}
	return SELFTEST_OK;
}

static enum selftest_outcome test_clock(struct selftest_run *t)
{
	enum selftest_outcome outcome;
	cpu_set_t before;

	if (sched_getaffinity(0, sizeof(before), &before) < 0 || CPU_COUNT(&before) < 2)
		return selftest_skip(t, "there is one CPU");
	outcome = check_machine_jump(t, &before);
	sched_setaffinity(0, sizeof(before), &before);
	return outcome;
}

const struct selftest check_clock = {
	.name = "Clocks of the CPUs agree",
	.why = "events of different CPUs are shown in the wrong order",
	.run = test_clock,
};

static enum selftest_outcome test_places(struct selftest_run *t)
{
	_cleanup_(topology_done) struct topology places = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	if (topology_read(SYSTEM_DEVICES, &places, &d) < 0)
		return kit_skip_diag(t, &d);
	EXPECT(t, places.n == (size_t)sysconf(_SC_NPROCESSORS_ONLN),
	       "sysfs has %zu online CPUs, the C library %ld", places.n,
	       sysconf(_SC_NPROCESSORS_ONLN));
	for (size_t i = 0; i < places.n; i++)
		fprintf(t->out, "CPU %u: socket %d, core %d, node %d\n", places.items[i].cpu,
			places.items[i].socket, places.items[i].core, places.items[i].node);
	NEED(kit_need_whole_machine(t));
	EXPECT(t,
	       PERF(t, &out, "stat", "-a", "-A", "-x;", "--log-fd", "1", "-e", "cpu-clock", "--",
		    "true") == 0,
	       "perf stat -a -A fails");
	EXPECT(t, kit_count(&out, "cpu-clock") == places.n, "%zu of %zu CPUs are counted",
	       kit_count(&out, "cpu-clock"), places.n);
	return SELFTEST_OK;
}

const struct selftest check_places = {
	.name = "CPUs, sockets and NUMA nodes",
	.why = "perf stat -A, --per-socket or --per-node leaves CPUs out",
	.run = test_places,
};

static enum selftest_outcome test_cgroups(struct selftest_run *t)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(freep) char *root = NULL;

	if (cgroup_root(&root, &d) < 0)
		return kit_skip_diag(t, &d);
	NEED(kit_need_whole_machine(t));
	EXPECT(t,
	       PERF(t, &out, "stat", "-a", "-x;", "--log-fd", "1", "-e", "cpu-clock,page-faults",
		    "--for-each-cgroup", "/", "--", "true") == 0,
	       "perf stat --for-each-cgroup fails");
	EXPECT(t, strstr(out.chars, "cpu-clock") && strstr(out.chars, "page-faults"),
	       "events are not counted for a cgroup");
	return SELFTEST_OK;
}

const struct selftest check_cgroups = {
	.name = "Event expansion for cgroups",
	.why = "containers cannot be measured by their cgroup",
	.run = test_cgroups,
};

static enum selftest_outcome test_threads(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	char pid[16];

	NEED(kit_need_events(t));
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	EXPECT(t,
	       PERF(t, &out, "stat", "-x;", "--log-fd", "1", "--per-thread", "-p", pid, "-e",
		    "task-clock:u", "--", "sleep", "0.01") == 0,
	       "perf stat -p of a running process fails");
	EXPECT(t, strstr(out.chars, "task-clock"), "a running process is not counted");
	EXPECT(t, PERF(t, &out, "stat", "-p", "999999999", "--", "true") != 0,
	       "a process that there is not is accepted");
	return SELFTEST_OK;
}

const struct selftest check_thread_map = {
	.name = "Thread map",
	.why = "processes that already run (-p, -t) cannot be measured",
	.run = test_threads,
};
