/* SPDX-License-Identifier: MIT */
/* Compares counts and times of events with values that are known. */
#include <config.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "capture/ring.h"
#include "kernel/perf-event.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"
#include "wire/record.h"
#include "wire/sample.h"

static struct attr check_counters_software(uint64_t config)
{
	return (struct attr){
		.type = PERF_TYPE_SOFTWARE, .config = config, .exclude_kernel = 1, .exclude_hv = 1
	};
}

struct periods {
	size_t n;
	uint64_t sum;
};

static void add_periods(struct ring *ring, const struct attr *attr, struct periods *p)
{
	struct iovec pieces[2];
	struct record_header h;
	struct sample s;

	ring_read(ring, pieces);
	for (size_t at = 0; at + sizeof(h) <= pieces[0].iov_len; at += h.size) {
		const uint8_t *bytes = (const uint8_t *)pieces[0].iov_base + at;

		memcpy(&h, bytes, sizeof(h));
		if (h.size < sizeof(h) || at + h.size > pieces[0].iov_len)
			return;
		if (h.type != PERF_RECORD_SAMPLE ||
		    sample_decode(bytes, h.size, false, attr, &s) < 0)
			continue;
		p->n++;
		p->sum += s.period;
	}
}

/* Verifies that the periods of a clock match its frequency, however busy the machine is. */
static enum selftest_outcome clock_periods(struct selftest_run *t, uint64_t config,
					   const char *name)
{
	struct attr attr = check_counters_software(config);
	_cleanup_(ring_unmap) struct ring ring = { 0 };
	_cleanup_(closep) int fd = -1;
	struct periods p = { 0 };

	attr.freq = 1;
	attr.sample_freq = 1000;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	NEED(kit_open(t, &attr, name, 0, -1, &fd));
	if (ring_map(fd, 16 * (size_t)sysconf(_SC_PAGESIZE), false, &ring) < 0)
		return selftest_skip(t, "no memory may be locked for a ring buffer");
	kit_spin(100);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	add_periods(&ring, &attr, &p);
	fprintf(t->out, "%s: %zu samples, %llu ns\n", name, p.n, (unsigned long long)p.sum);
	EXPECT(t, p.n > 10, "100 ms at 1000 Hz gave %zu samples of %s", p.n, name);
	EXPECT(t, p.sum / p.n >= 990000 && p.sum / p.n < 20000000,
	       "a sample of %s stands for %llu ns, not for 1 ms", name,
	       (unsigned long long)(p.sum / p.n));
	return SELFTEST_OK;
}

static enum selftest_outcome test_clocks(struct selftest_run *t)
{
	NEED(clock_periods(t, PERF_COUNT_SW_CPU_CLOCK, "cpu-clock:u"));
	return clock_periods(t, PERF_COUNT_SW_TASK_CLOCK, "task-clock:u");
}

const struct selftest check_clocks = {
	.name = "Software clock events period values",
	.why = "shares of time in profiles are wrong on machines without hardware counters",
	.run = test_clocks,
	.flags = SELFTEST_ALONE,
};

/* Verifies that the kernel takes about as many samples in a second of CPU time as -F requests. */
static enum selftest_outcome test_rate(struct selftest_run *t)
{
	struct attr attr = check_counters_software(PERF_COUNT_SW_CPU_CLOCK);
	uint64_t most = perf_event_max_sample_rate();
	_cleanup_(ring_unmap) struct ring ring = { 0 };
	_cleanup_(closep) int fd = -1;
	struct periods p = { 0 };

	if (most && most < 4000)
		return selftest_skip(t,
				     "only %llu samples a second are allowed; 'sysctl "
				     "kernel.perf_event_max_sample_rate=100000' allows more",
				     (unsigned long long)most);
	attr.freq = 1;
	attr.sample_freq = 4000;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	NEED(kit_open(t, &attr, "cpu-clock:u", 0, -1, &fd));
	if (ring_map(fd, 16 * (size_t)sysconf(_SC_PAGESIZE), false, &ring) < 0)
		return selftest_skip(t, "no memory may be locked for a ring buffer");
	kit_spin(200);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	add_periods(&ring, &attr, &p);
	fprintf(t->out, "%zu samples\n", p.n);
	/* Timers of virtual and emulated machines are late, but none fires twice as often. */
	EXPECT(t, p.n >= 80 && p.n <= 1600, "200 ms at 4000 Hz gave %zu samples instead of 800",
	       p.n);
	return SELFTEST_OK;
}

const struct selftest check_rate = {
	.name = "Sampling rate",
	.why = "-F gives far more or fewer samples than it asks for",
	.run = test_rate,
	.flags = SELFTEST_ALONE,
};

struct test_counters_times {
	uint64_t value, enabled, running;
};

static enum selftest_outcome check_counters_test_times(struct selftest_run *t)
{
	struct attr attr = check_counters_software(PERF_COUNT_SW_TASK_CLOCK);
	_cleanup_(closep) int fd = -1;
	struct test_counters_times off, on;

	attr.disabled = 1;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	NEED(kit_open(t, &attr, "task-clock:u", 0, -1, &fd));
	kit_spin(5);
	EXPECT(t, read(fd, &off, sizeof(off)) == sizeof(off), "a count cannot be read");
	EXPECT(t, !off.enabled && !off.running, "time runs while the event is disabled");
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	kit_spin(5);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	EXPECT(t, read(fd, &on, sizeof(on)) == sizeof(on), "a count cannot be read");
	fprintf(t->out, "enabled %llu ns, running %llu ns\n", (unsigned long long)on.enabled,
		(unsigned long long)on.running);
	EXPECT(t, on.enabled && on.enabled == on.running,
	       "enabled for %llu ns, running for %llu: a software event never waits",
	       (unsigned long long)on.enabled, (unsigned long long)on.running);
	return SELFTEST_OK;
}

const struct selftest check_times = {
	.name = "Event times",
	.why = "perf stat scales counts wrongly when counters are shared",
	.run = check_counters_test_times,
};

static enum selftest_outcome test_groups(struct selftest_run *t)
{
	struct attr leader = check_counters_software(PERF_COUNT_SW_TASK_CLOCK);
	struct attr member = check_counters_software(PERF_COUNT_SW_PAGE_FAULTS);
	_cleanup_(closep) int fd = -1;
	_cleanup_(closep) int second = -1;
	uint64_t group[3] = { 0 };

	leader.read_format = member.read_format = PERF_FORMAT_GROUP;
	NEED(kit_open(t, &leader, "task-clock:u", 0, -1, &fd));
	second = perf_event_open(&member, 0, -1, fd, 0);
	EXPECT(t, second >= 0, "a second event does not fit into a group: %s", strerror(-second));
	kit_spin(2);
	EXPECT(t, read(fd, group, sizeof(group)) == sizeof(group), "a group cannot be read");
	fprintf(t->out, "%llu events: %llu, %llu\n", (unsigned long long)group[0],
		(unsigned long long)group[1], (unsigned long long)group[2]);
	EXPECT(t, group[0] == 2 && group[1] > 0, "a group of 2 has %llu counts",
	       (unsigned long long)group[0]);
	return SELFTEST_OK;
}

const struct selftest check_groups = {
	.name = "Event groups",
	.why = "ratios of events (IPC, miss rates) are of different moments",
	.run = test_groups,
};

#define FAULTS 500

/* Verifies that fresh memory causes exactly one fault for each page. */
static enum selftest_outcome test_faults(struct selftest_run *t)
{
	struct attr attr = check_counters_software(PERF_COUNT_SW_PAGE_FAULTS_MIN);
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = FAULTS * page;
	_cleanup_(closep) int fd = -1;
	uint64_t before, n;
	uint8_t *p;

	NEED(kit_open(t, &attr, "minor-faults:u", 0, -1, &fd));
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(t, p != MAP_FAILED, "no memory");
	madvise(p, size, MADV_NOHUGEPAGE);
	before = kit_read_count(fd);
	for (size_t i = 0; i < FAULTS; i++)
		*(volatile uint8_t *)(p + i * page) = 1;
	n = kit_read_count(fd) - before;
	munmap(p, size);
	EXPECT(t, n >= FAULTS && n < FAULTS * 3 / 2, "%d new pages were counted as %llu faults",
	       FAULTS, (unsigned long long)n);
	return SELFTEST_OK;
}

static enum selftest_outcome test_task_clock(struct selftest_run *t)
{
	struct attr attr = check_counters_software(PERF_COUNT_SW_TASK_CLOCK);
	_cleanup_(closep) int fd = -1;
	double ms;

	NEED(kit_open(t, &attr, "task-clock:u", 0, -1, &fd));
	kit_spin(100);
	ms = (double)kit_read_count(fd) / 1e6;
	fprintf(t->out, "%.3f ms\n", ms);
	EXPECT(t, ms > 95 && ms < 200, "100 ms of CPU time are %.1f ms of task-clock", ms);
	return SELFTEST_OK;
}

/* Verifies that twice the work takes twice the instructions. */
static enum selftest_outcome test_hardware(struct selftest_run *t)
{
	struct attr attr = { .type = PERF_TYPE_HARDWARE,
			     .config = PERF_COUNT_HW_INSTRUCTIONS,
			     .exclude_kernel = 1,
			     .exclude_hv = 1 };
	_cleanup_(closep) int fd = -1;
	volatile unsigned sink __attribute__((unused)) = 0;
	uint64_t counts[3];
	double ratio;

	NEED(kit_need_pmu(t));
	NEED(kit_open(t, &attr, "instructions:u", 0, -1, &fd));
	for (int pass = 0; pass < 3; pass++) {
		counts[pass] = kit_read_count(fd);
		for (int i = 0; i < (pass + 1) * 1000000; i++)
			sink += (unsigned)i;
	}
	ratio = (double)(counts[2] - counts[1]) / (double)(counts[1] - counts[0]);
	fprintf(t->out, "%llu, then %llu instructions\n",
		(unsigned long long)(counts[1] - counts[0]),
		(unsigned long long)(counts[2] - counts[1]));
	EXPECT(t, ratio > 1.8 && ratio < 2.2, "twice the work took %.2f times the instructions",
	       ratio);
	return SELFTEST_OK;
}

static const struct selftest_case count_cases[] = {
	{ "Page faults of fresh memory", test_faults },
	{ "CPU time of a loop", test_task_clock },
	{ "Instructions of two loops", test_hardware },
	{ NULL, NULL },
};

const struct selftest check_counters = {
	.name = "Counters count a known workload",
	.why = "the numbers of perf stat are wrong",
	.cases = count_cases,
	.flags = SELFTEST_ALONE,
};

static enum selftest_outcome test_tool(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	NEED(kit_need_events(t));
	EXPECT(t,
	       PERF(t, &out, "stat", "-x;", "--log-fd", "1", "-e", "duration_time,user_time", "--",
		    "sleep", "0.02") == 0,
	       "perf stat -e duration_time fails");
	EXPECT(t, strtod(out.chars, NULL) >= 2e7, "20 ms are %g ns of duration_time",
	       strtod(out.chars, NULL));
	EXPECT(t, strstr(out.chars, "user_time"), "user_time is not counted");
	return SELFTEST_OK;
}

const struct selftest check_tool = {
	.name = "Tool PMU",
	.why = "duration_time and its like, which metrics need, are wrong",
	.run = test_tool,
};

static enum selftest_outcome test_pfm(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	if (!HAVE_LIBPFM)
		return selftest_skip(t, "this perf was built without libpfm4");
	NEED(kit_need_events(t));
	EXPECT(t,
	       PERF(t, &out, "stat", "-x;", "--log-fd", "1", "--pfm-events",
		    "perf::PERF_COUNT_SW_TASK_CLOCK:u", "--", "true") == 0,
	       "perf stat --pfm-events fails");
	EXPECT(t, strtod(out.chars, NULL) > 0, "an event of libpfm4 does not count");
	EXPECT(t, PERF(t, NULL, "stat", "--pfm-events", "nosuchevent", "--", "true") != 0,
	       "an event that there is not is accepted");
	return SELFTEST_OK;
}

const struct selftest check_pfm = {
	.name = "Test libpfm4 support",
	.why = "--pfm-events cannot be used",
	.run = test_pfm,
};
