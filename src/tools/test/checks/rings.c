/* SPDX-License-Identifier: MIT */
/* Verifies ring buffers as filled by the kernel. */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "capture/ring.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"
#include "wire/record.h"
#include "wire/sample.h"

#define PAGES 32

/*
 * An event that happens exactly when we cause it, and that every user may open: our own page
 * faults.
 */
static const struct attr fault_attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_PAGE_FAULTS,
					.sample_period = 1,
					.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						       PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR,
					.exclude_kernel = 1,
					.exclude_hv = 1,
					.disabled = 1 };

/* Touches @n new pages. Returns their address, or NULL. */
static uint8_t *check_rings_touch(size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	uint8_t *p = mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			  0);

	if (p == MAP_FAILED)
		return NULL;
	/* A huge page would cause only one fault. */
	madvise(p, n * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < n; i++)
		*(volatile uint8_t *)(p + i * page) = 1;
	return p;
}

struct test_rings_found {
	size_t samples, ours, out_of_order;
	uint64_t last_time;
};

static void check_rings_take_sample(const void *bytes, size_t size, const struct attr *attr,
				    const uint8_t *pages, struct test_rings_found *f)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct sample s;

	if (sample_decode(bytes, size, false, attr, &s) < 0)
		return;
	f->samples++;
	f->out_of_order += s.time < f->last_time;
	f->last_time = s.time;
	f->ours += s.pid == (uint32_t)getpid() && s.addr >= (uintptr_t)pages &&
		   s.addr < (uintptr_t)pages + PAGES * page;
}

static void check_rings_take_ring(struct ring *ring, const struct attr *attr, const uint8_t *pages,
				  struct test_rings_found *f)
{
	_cleanup_(freep) uint8_t *all = NULL;
	struct iovec pieces[2];
	size_t n = ring_read(ring, pieces);
	struct record_header h;

	if (!n)
		return;
	all = malloc(n);
	if (!all)
		return;
	memcpy(all, pieces[0].iov_base, pieces[0].iov_len);
	if (pieces[1].iov_len)
		memcpy(all + pieces[0].iov_len, pieces[1].iov_base, pieces[1].iov_len);
	for (size_t at = 0; at + sizeof(h) <= n; at += h.size) {
		memcpy(&h, all + at, sizeof(h));
		if (h.size < sizeof(h) || at + h.size > n)
			break;
		if (h.type == PERF_RECORD_SAMPLE)
			check_rings_take_sample(all + at, h.size, attr, pages, f);
	}
}

static enum selftest_outcome map_ring(struct selftest_run *t, int fd, bool backward,
				      struct ring *ret)
{
	int r = ring_map(fd, 16 * (size_t)sysconf(_SC_PAGESIZE), backward, ret);

	if (r == -EPERM)
		return selftest_skip(t,
				     "no more memory may be locked for ring buffers; try 'sysctl "
				     "kernel.perf_event_mlock_kb=1024' or 'ulimit -l'");
	EXPECT(t, r >= 0, "a ring buffer cannot be mapped: %s", strerror(-r));
	return SELFTEST_OK;
}

static enum selftest_outcome test_read(struct selftest_run *t)
{
	_cleanup_(ring_unmap) struct ring ring = { 0 };
	_cleanup_(closep) int fd = -1;
	struct test_rings_found f = { 0 };
	uint8_t *pages;

	NEED(kit_open(t, &fault_attr, "page-faults:u", 0, -1, &fd));
	NEED(map_ring(t, fd, false, &ring));
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	pages = check_rings_touch(PAGES);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	check_rings_take_ring(&ring, &fault_attr, pages, &f);
	fprintf(t->out, "%zu samples, %zu of our pages\n", f.samples, f.ours);
	EXPECT(t, f.ours == PAGES, "%d page faults gave %zu samples", PAGES, f.ours);
	EXPECT(t, !f.out_of_order, "times run backwards in one ring buffer");
	return SELFTEST_OK;
}

/* Verifies counters that the CPU permits programs to read without a system call. */
static enum selftest_outcome read_in_user_space(struct selftest_run *t, uint64_t config,
						const char *name)
{
	struct attr attr = {
		.type = PERF_TYPE_HARDWARE, .config = config, .exclude_kernel = 1, .exclude_hv = 1
	};
	_cleanup_(closep) int fd = -1;
	uint64_t before, after;

	NEED(kit_need_pmu(t));
	NEED(kit_open(t, &attr, name, 0, -1, &fd));
	before = kit_read_count(fd);
	kit_spin(2);
	after = kit_read_count(fd);
	fprintf(t->out, "%s: %llu, then %llu\n", name, (unsigned long long)before,
		(unsigned long long)after);
	EXPECT(t, after > before + 10000, "%s does not count: %llu, then %llu", name,
	       (unsigned long long)before, (unsigned long long)after);
	return SELFTEST_OK;
}

static enum selftest_outcome test_instructions(struct selftest_run *t)
{
	return read_in_user_space(t, PERF_COUNT_HW_INSTRUCTIONS, "instructions:u");
}

static enum selftest_outcome test_cycles(struct selftest_run *t)
{
	return read_in_user_space(t, PERF_COUNT_HW_CPU_CYCLES, "cycles:u");
}

static const struct selftest_case mmap_cases[] = {
	{ "Read samples using the mmap interface", test_read },
	{ "Counter reading of instructions", test_instructions },
	{ "Counter reading of cycles", test_cycles },
	{ NULL, NULL },
};

const struct selftest check_mmap = {
	.name = "mmap interface tests",
	.why = "perf record and perf top get no samples, or lose them",
	.cases = mmap_cases,
};

static enum selftest_outcome test_backward(struct selftest_run *t)
{
	_cleanup_(ring_unmap) struct ring ring = { 0 };
	_cleanup_(closep) int fd = -1;
	struct attr attr = fault_attr;
	struct test_rings_found f = { 0 };
	uint8_t *pages = NULL;

	attr.write_backward = 1;
	NEED(kit_open(t, &attr, "page-faults:u", 0, -1, &fd));
	NEED(map_ring(t, fd, true, &ring));
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	/* This is far more than fits. The rest in the buffer must be the newest records. */
	for (int i = 0; i < 200; i++)
		pages = check_rings_touch(PAGES);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	ring_pause(&ring, true);
	check_rings_take_ring(&ring, &attr, pages, &f);
	fprintf(t->out, "%zu samples, %zu of the last pages\n", f.samples, f.ours);
	EXPECT(t, f.ours == PAGES, "of the last %d page faults %zu are in the buffer", PAGES,
	       f.ours);
	return SELFTEST_OK;
}

const struct selftest check_backward = {
	.name = "Read backward ring buffer",
	.why = "perf record --overwrite does not keep the newest samples",
	.run = test_backward,
};

/*
 * Returns the number of COMM records in a ring. The dummy event produces them although it counts
 * nothing.
 */
static size_t check_rings_comms(struct ring *ring)
{
	struct iovec pieces[2];
	struct record_header h;
	size_t found = 0, n = ring_read(ring, pieces);

	for (size_t at = 0; n && at + sizeof(h) <= pieces[0].iov_len; at += h.size) {
		memcpy(&h, (uint8_t *)pieces[0].iov_base + at, sizeof(h));
		if (h.size < sizeof(h))
			break;
		found += h.type == PERF_RECORD_COMM;
	}
	return found;
}

static enum selftest_outcome test_dummy(struct selftest_run *t)
{
	struct attr attr = { .type = PERF_TYPE_SOFTWARE,
			     .config = PERF_COUNT_SW_DUMMY,
			     .comm = 1,
			     .sample_period = 1,
			     .exclude_kernel = 1,
			     .exclude_hv = 1 };
	_cleanup_(ring_unmap) struct ring ring = { 0 };
	_cleanup_(closep) int fd = -1;
	char before[16] = "";
	size_t n;

	NEED(kit_open(t, &attr, "dummy:u", 0, -1, &fd));
	NEED(map_ring(t, fd, false, &ring));
	prctl(PR_GET_NAME, before);
	prctl(PR_SET_NAME, "perf-test-name");
	n = check_rings_comms(&ring);
	prctl(PR_SET_NAME, before);
	EXPECT(t, n == 1, "a new name of a thread gave %zu COMM records", n);
	return SELFTEST_OK;
}

const struct selftest check_dummy = {
	.name = "Use a dummy software event to keep tracking",
	.why = "names and maps of programs are lost, so samples have no symbols",
	.run = test_dummy,
};
