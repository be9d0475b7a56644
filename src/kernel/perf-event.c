/* SPDX-License-Identifier: MIT */
#include "kernel/perf-event.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/number.h"
#include "wire/attr.h"

/* PERF_ATTR_SIZE_VER7, in kernels 5.13 to 6.2: up to sig_data. */
#define ATTR_SIZE_COMMON 128

/*
 * A kernel accepts an attr longer than its own if the rest is zero (perf_copy_attr()); but users
 * see the size in strace, so it is the common one unless a later word is in use.
 */
uint32_t perf_event_attr_size(const struct attr *attr)
{
	return attr->config3 || attr->config4 ? sizeof(*attr) : ATTR_SIZE_COMMON;
}

int perf_event_open(const struct attr *attr, pid_t pid, int cpu, int group_fd, unsigned long flags)
{
	struct attr sized = *attr;

	if (!sized.size)
		sized.size = perf_event_attr_size(attr);

	long fd = syscall(SYS_perf_event_open, &sized, pid, cpu, group_fd,
			  flags | PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static int try_open(const struct attr *attr)
{
	int fd = perf_event_open(attr, 0, -1, -1, 0);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

bool perf_event_supported(const struct attr *attr)
{
	struct attr probe = *attr;

	probe.disabled = 1; /* a probe must not count, not even for a moment */

	int r = try_open(&probe);

	if (r != -EACCES && r != -EPERM)
		return r == 0;
	probe.exclude_kernel = 1;
	probe.exclude_hv = 1;
	return try_open(&probe) == 0;
}

int perf_event_paranoid(void)
{
	_cleanup_(freep) char *line = NULL;
	int64_t level;

	if (file_read_line(AT_FDCWD, "/proc/sys/kernel/perf_event_paranoid", &line) < 0 ||
	    number_parse_signed(line, &level) < 0 || level < INT_MIN || level > INT_MAX)
		return 2;
	return (int)level;
}

uint64_t perf_event_max_sample_rate(void)
{
	_cleanup_(freep) char *line = NULL;
	uint64_t rate;

	if (file_read_line(AT_FDCWD, "/proc/sys/kernel/perf_event_max_sample_rate", &line) < 0 ||
	    number_parse(line, &rate) < 0)
		return 0;
	return rate;
}

int perf_event_raise_file_limit(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) < 0 || l.rlim_cur >= l.rlim_max)
		return -EMFILE;
	l.rlim_cur = l.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &l) < 0 ? -errno : 0;
}

int perf_event_set_bpf(int fd, int program)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) < 0 ? -errno : 0;
}
