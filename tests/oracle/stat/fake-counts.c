/* SPDX-License-Identifier: MIT */
/*
 * An LD_PRELOAD library that makes a perf, an installed one or ours, count the values of a text
 * file.
 *
 * perf_event_open(2) is answered with a descriptor of /dev/null (or the errno that the file asks
 * for), read(2) of it with the value, the times and the ids in the layout of the read_format that
 * was asked for. The clock stands still, except that poll(2) without descriptors, ppoll(2) with one
 * of signalfd(2), nanosleep(2) and the wait for the workload advance it by a known amount, so that
 * the whole output is the same in every run. Each such step is an epoch; a value that is a list
 * gives one item for each.
 *
 * Environment: FAKE_COUNTS the file (see README.md), FAKE_ELAPSED and FAKE_UTIME, FAKE_STIME lists
 * of ns and us, an item for each wait for the workload; FAKE_INTERVALS the number of times that a
 * wait with WNOHANG reports "still running"; FAKE_SIGINT the number of sleeps after which SIGINT
 * arrives; FAKE_JITTER ns that each sleep is too long; FAKE_WAIT: wait until the programs that the
 * shell started run; FAKE_LOG a file for the calls seen.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FDS_MAX   4096
#define LINES_MAX 1024
#define PIDS_MAX  64
#define NSEC      1000000000ull
#define ANY       -2

struct counter {
	bool used;
	struct perf_event_attr attr;
	int cpu, pid, cgroup, leader, nth;
	int opened; /* epoch */
};

struct rule {
	char name[64];
	int cpu, pid, cgroup, nth;
	char mods[8];
	char value[256], enabled[256], running[256];
};

static struct counter counters[FDS_MAX];
static struct rule rules[LINES_MAX];
static int rule_count = -1;
static int pids[PIDS_MAX], pid_count, cgroups[PIDS_MAX], cgroup_count;
static uint64_t now_ns = 1000 * NSEC;
static int epoch = -1, wait_count, nohang_count, sleep_count;
static int signal_fd = -1; /* the signalfd, if perf uses one */
static bool awaited;       /* perf waited for the end of the workload and nothing else */

static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
} names[] = {
	{ "cycles", 0, 0 },
	{ "instructions", 0, 1 },
	{ "cache-references", 0, 2 },
	{ "cache-misses", 0, 3 },
	{ "branches", 0, 4 },
	{ "branch-misses", 0, 5 },
	{ "bus-cycles", 0, 6 },
	{ "stalled-cycles-frontend", 0, 7 },
	{ "stalled-cycles-backend", 0, 8 },
	{ "ref-cycles", 0, 9 },
	{ "cpu-clock", 1, 0 },
	{ "task-clock", 1, 1 },
	{ "page-faults", 1, 2 },
	{ "context-switches", 1, 3 },
	{ "cpu-migrations", 1, 4 },
	{ "minor-faults", 1, 5 },
	{ "major-faults", 1, 6 },
	{ "dummy", 1, 9 },
	{ "L1-dcache-loads", 3, 0x0 },
	{ "L1-dcache-load-misses", 3, 0x10000 },
	{ "L1-dcache-prefetches", 3, 0x200 },
	{ "L1-dcache-prefetch-misses", 3, 0x10200 },
	{ "L1-icache-loads", 3, 0x1 },
	{ "L1-icache-load-misses", 3, 0x10001 },
	{ "LLC-loads", 3, 0x2 },
	{ "LLC-load-misses", 3, 0x10002 },
	{ "dTLB-loads", 3, 0x3 },
	{ "dTLB-load-misses", 3, 0x10003 },
	{ "iTLB-loads", 3, 0x4 },
	{ "iTLB-load-misses", 3, 0x10004 },
};

/* True if a shell, other than the one that started us, has not yet executed another program. */
static bool others_start(void)
{
	char path[32], comm[32];
	bool found = false;

	for (int pid = 1; pid < PIDS_MAX && !found; pid++) {
		FILE *f;

		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		if (pid == getppid() || !(f = fopen(path, "r")))
			continue;
		found = fgets(comm, sizeof(comm), f) && !strcmp(comm, "sh\n");
		fclose(f);
	}
	return found;
}

/* Keeps the library out of the workload. */
static void __attribute__((constructor)) start(void)
{
	const struct timespec moment = { .tv_nsec = 1000000 };

	unsetenv("LD_PRELOAD");
	while (getenv("FAKE_WAIT") && others_start())
		syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &moment, NULL);
}

static void trace(const char *format, ...)
{
	const char *path = getenv("FAKE_LOG");
	va_list ap;
	FILE *f;

	if (!path || !(f = fopen(path, "a")))
		return;
	va_start(ap, format);
	vfprintf(f, format, ap);
	va_end(ap);
	fclose(f);
}

static void rule_parse(char *line, struct rule *r)
{
	char *fields[3] = { r->value, r->enabled, r->running };
	char *save, *word = strtok_r(line, " \t\n", &save);
	int n = 0;

	*r = (struct rule){ .cpu = ANY, .pid = ANY, .cgroup = ANY, .nth = ANY };
	snprintf(r->name, sizeof(r->name), "%s", word);
	while ((word = strtok_r(NULL, " \t\n", &save))) {
		if (!strncmp(word, "cpu=", 4))
			r->cpu = atoi(word + 4);
		else if (!strncmp(word, "pid=", 4))
			r->pid = atoi(word + 4);
		else if (!strncmp(word, "cgroup=", 7))
			r->cgroup = atoi(word + 7);
		else if (!strncmp(word, "nth=", 4))
			r->nth = atoi(word + 4);
		else if (!strncmp(word, "mods=", 5))
			snprintf(r->mods, sizeof(r->mods), "%s", word + 5);
		else if (n < 3)
			snprintf(fields[n++], sizeof(r->value), "%s", word);
	}
}

static void rules_load(void)
{
	const char *path = getenv("FAKE_COUNTS");
	char line[1024];
	FILE *f;

	rule_count = 0;
	if (!path || !(f = fopen(path, "r")))
		return;
	while (rule_count < LINES_MAX && fgets(line, sizeof(line), f))
		if (line[0] != '#' && line[0] != '\n')
			rule_parse(line, &rules[rule_count++]);
	fclose(f);
}

static bool name_matches(const char *name, const struct perf_event_attr *attr)
{
	unsigned int type;
	unsigned long long config;

	if (!strcmp(name, "*"))
		return true;
	if (sscanf(name, "%u:%lli", &type, (long long *)&config) == 2)
		return attr->type == type && attr->config == config;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i].name, name))
			return attr->type == names[i].type && attr->config == names[i].config;
	return false;
}

static bool mods_match(const char *mods, const struct perf_event_attr *attr)
{
	char want[8] = "";

	if (!mods[0])
		return true;
	if (!attr->exclude_user)
		strcat(want, "u");
	if (!attr->exclude_kernel)
		strcat(want, "k");
	return !strcmp(mods, want);
}

static const struct rule *rule_find(const struct counter *c)
{
	static const struct rule zero = { .value = "0" };

	if (rule_count < 0)
		rules_load();
	for (int i = 0; i < rule_count; i++) {
		const struct rule *r = &rules[i];

		if (name_matches(r->name, &c->attr) && mods_match(r->mods, &c->attr) &&
		    (r->cpu == ANY || r->cpu == c->cpu) && (r->pid == ANY || r->pid == c->pid) &&
		    (r->cgroup == ANY || r->cgroup == c->cgroup) &&
		    (r->nth == ANY || r->nth == c->nth))
			return r;
	}
	return &zero;
}

/* Returns the item of a comma list for this epoch; the last item is repeated. */
static uint64_t item(const char *list, int at, uint64_t otherwise)
{
	if (!list || !*list)
		return otherwise;
	for (const char *next; at > 0 && (next = strchr(list, ',')); at--)
		list = next + 1;
	return strtoull(list, NULL, 0);
}

/*
 * Returns the value of a rule, with the addition of `@N` for each CPU, or the text after the `:` of
 * an error.
 */
static uint64_t value_of(const struct rule *r, int cpu)
{
	const char *list = r->value, *per_cpu = strchr(list, '@');

	if (*list == '!')
		list = strchr(list, ':') ? strchr(list, ':') + 1 : "0";
	return item(list, epoch, 0) +
	       (per_cpu && cpu > 0 ? cpu * strtoull(per_cpu + 1, NULL, 0) : 0);
}

/* Returns the time enabled: without a time in the file, a ms for each epoch. */
static uint64_t enabled_of(const struct rule *r, const struct counter *c)
{
	return item(r->enabled, epoch,
		    epoch > c->opened ? (epoch - c->opened) * 1000000ull : 1000000);
}

static int error_of(const char *text)
{
	char name[16];

	static const struct {
		const char *name;
		int error;
	} table[] = {
		{ "ENOENT", ENOENT },       { "EOPNOTSUPP", EOPNOTSUPP }, { "EINVAL", EINVAL },
		{ "ENOSYS", ENOSYS },       { "ENODEV", ENODEV },         { "EACCES", EACCES },
		{ "EPERM", EPERM },         { "EMFILE", EMFILE },         { "EBUSY", EBUSY },
		{ "ESRCH", ESRCH },         { "ENXIO", ENXIO },           { "E2BIG", E2BIG },
		{ "EOVERFLOW", EOVERFLOW }, { "ENODATA", ENODATA },
	};

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, ":"), text);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!strcmp(table[i].name, name))
			return table[i].error;
	return EIO;
}

static int index_of(int *list, int *count, int value)
{
	for (int i = 0; i < *count; i++)
		if (list[i] == value)
			return i;
	if (*count < PIDS_MAX)
		list[(*count)++] = value;
	return *count - 1;
}

static int event_open(const struct perf_event_attr *attr, int pid, int cpu, int group,
		      unsigned long flags)
{
	struct counter c = {
		.used = true,
		.cpu = cpu,
		.leader = group,
		.cgroup = -1,
		.pid = -1,
		.opened = epoch,
	};
	const struct rule *r;
	int fd;

	memcpy(&c.attr, attr, attr->size < sizeof(c.attr) ? attr->size : sizeof(c.attr));
	if (flags & PERF_FLAG_PID_CGROUP)
		c.cgroup = index_of(cgroups, &cgroup_count, pid);
	else if (pid >= 0)
		c.pid = index_of(pids, &pid_count, pid);
	for (int i = 0; i < FDS_MAX; i++)
		c.nth += counters[i].used && counters[i].attr.type == c.attr.type &&
			 counters[i].attr.config == c.attr.config && counters[i].cpu == cpu &&
			 counters[i].pid == c.pid && counters[i].cgroup == c.cgroup;
	r = rule_find(&c);
	trace("open type %u config %#llx read_format %#llx sample_type %#llx%s%s%s%s%s%s%s%s%s "
	      "precise %u "
	      "pid %d cpu %d group %d flags %#lx: ",
	      attr->type, (unsigned long long)attr->config, (unsigned long long)attr->read_format,
	      (unsigned long long)attr->sample_type, attr->disabled ? " disabled" : "",
	      attr->inherit ? " inherit" : "", attr->enable_on_exec ? " enable_on_exec" : "",
	      attr->pinned ? " pinned" : "", attr->exclude_user ? " exclude_user" : "",
	      attr->exclude_kernel ? " exclude_kernel" : "", attr->exclude_hv ? " exclude_hv" : "",
	      attr->exclude_guest ? " exclude_guest" : "",
	      attr->exclude_host ? " exclude_host" : "", attr->precise_ip, pid, cpu, group, flags);
	if (r->value[0] == '!' && !(r->value[1] == 'g' && group < 0)) {
		trace("%s\n", r->value);
		errno = error_of(r->value + 1 + (r->value[1] == 'g'));
		return -1;
	}
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	trace("%d\n", fd);
	if (fd >= 0 && fd < FDS_MAX)
		counters[fd] = c;
	return fd;
}

static uint64_t *value_put(uint64_t *out, const struct counter *c, int fd, bool times)
{
	const struct rule *r = rule_find(c);
	uint64_t enabled = enabled_of(r, c), format = c->attr.read_format;

	*out++ = value_of(r, c->cpu);
	if (times && (format & PERF_FORMAT_TOTAL_TIME_ENABLED))
		*out++ = enabled;
	if (times && (format & PERF_FORMAT_TOTAL_TIME_RUNNING))
		*out++ = item(r->running, epoch, enabled);
	if (format & PERF_FORMAT_ID)
		*out++ = 100 + fd;
	return out;
}

static ssize_t counter_read(int fd, void *buffer, size_t size)
{
	const struct counter *c = &counters[fd];
	const struct rule *r = rule_find(c);
	uint64_t out[3 + 2 * FDS_MAX], *end = out, enabled = enabled_of(r, c);
	size_t length;

	if (c->attr.read_format & PERF_FORMAT_GROUP) {
		*end++ = 1;
		if (c->attr.read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
			*end++ = enabled;
		if (c->attr.read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
			*end++ = item(r->running, epoch, enabled);
		end = value_put(end, c, fd, false);
		for (int i = 0; i < FDS_MAX; i++)
			if (counters[i].used && counters[i].leader == fd) {
				end = value_put(end, &counters[i], i, false);
				out[0]++;
			}
	} else {
		end = value_put(end, c, fd, true);
	}
	length = (char *)end - (char *)out;
	trace("read %d size %zu of %zu\n", fd, size, length);
	if (size < length) {
		errno = ENOSPC;
		return -1;
	}
	memcpy(buffer, out, length);
	return length;
}

long syscall(long number, ...)
{
	static long (*real)(long, ...);
	long a[6];
	va_list ap;

	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_perf_event_open)
		return event_open((void *)a[0], a[1], a[2], a[3], a[4]);
	if (!real)
		real = dlsym(RTLD_NEXT, "syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int ioctl(int fd, unsigned long request, ...)
{
	static int (*real)(int, unsigned long, ...);
	va_list ap;
	void *argument;

	va_start(ap, request);
	argument = va_arg(ap, void *);
	va_end(ap);
	if (fd >= 0 && fd < FDS_MAX && counters[fd].used) {
		trace("ioctl %d %#lx %ld\n", fd, request, (long)argument);
		if (request == PERF_EVENT_IOC_ID)
			*(uint64_t *)argument = 100 + fd;
		return 0;
	}
	if (!real)
		real = dlsym(RTLD_NEXT, "ioctl");
	return real(fd, request, argument);
}

ssize_t read(int fd, void *buffer, size_t size)
{
	static ssize_t (*real)(int, void *, size_t);

	if (fd >= 0 && fd < FDS_MAX && counters[fd].used)
		return counter_read(fd, buffer, size);
	if (!real)
		real = dlsym(RTLD_NEXT, "read");
	return real(fd, buffer, size);
}

int close(int fd)
{
	static int (*real)(int);

	if (fd >= 0 && fd < FDS_MAX && counters[fd].used) {
		trace("close %d\n", fd);
		counters[fd].used = false;
	}
	if (!real)
		real = dlsym(RTLD_NEXT, "close");
	return real(fd);
}

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	ts->tv_sec = now_ns / NSEC + (clock == CLOCK_REALTIME ? 1700000000 : 0);
	ts->tv_nsec = now_ns % NSEC;
	return 0;
}

time_t time(time_t *t)
{
	time_t now = 1700000000 + now_ns / NSEC;

	if (t)
		*t = now;
	return now;
}

static void step(uint64_t ns)
{
	now_ns += ns;
	epoch++;
}

static int sleep_for(uint64_t ns)
{
	const char *stop = getenv("FAKE_SIGINT");

	step(ns + item(getenv("FAKE_JITTER"), sleep_count, 0));
	sleep_count++;
	trace("sleep %llu\n", (unsigned long long)ns);
	if (stop && sleep_count >= atoi(stop)) {
		raise(SIGINT);
		errno = EINTR;
		return -1;
	}
	return 0;
}

static int real_poll(struct pollfd *fds, nfds_t n, int timeout)
{
	static int (*real)(struct pollfd *, nfds_t, int);

	if (!real)
		real = dlsym(RTLD_NEXT, "poll");
	return real(fds, n, timeout);
}

static bool is_parent(void)
{
	siginfo_t info;

	return syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT, NULL) == 0;
}

/*
 * Answers a loop that waits for signals and timers in one call. A wait for signals alone lasts
 * until the workload ends. Without a workload a second passes, so that FAKE_SIGINT can come.
 */
static int poll_signals(struct pollfd *fds, nfds_t n, const struct timespec *left)
{
	siginfo_t info;
	int ready = 0;

	for (nfds_t i = 0; i < n; i++)
		fds[i].revents = 0;
	if (!left && is_parent()) {
		syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOWAIT, NULL);
		awaited = true;
		fds[0].revents = POLLIN;
		return 1;
	}
	do {
		sleep_for(left ? left->tv_sec * NSEC + left->tv_nsec : NSEC);
		if (getenv("FAKE_SIGINT"))
			ready = real_poll(fds, n, 0);
	} while (!left && !ready);
	return ready;
}

int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	if (n == 0 && timeout > 0)
		return sleep_for(timeout * 1000000ull);
	return real_poll(fds, n, timeout);
}

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *left, const sigset_t *mask)
{
	static int (*real)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
	const struct pollfd *first = fds;

	if (n > 0 && first->fd == signal_fd)
		return poll_signals(fds, n, left);
	if (!real)
		real = dlsym(RTLD_NEXT, "ppoll");
	return real(fds, n, left, mask);
}

int signalfd(int fd, const sigset_t *mask, int flags)
{
	static int (*real)(int, const sigset_t *, int);

	if (!real)
		real = dlsym(RTLD_NEXT, "signalfd");
	return signal_fd = real(fd, mask, flags);
}

int nanosleep(const struct timespec *want, struct timespec *left)
{
	(void)left;
	return sleep_for(want->tv_sec * NSEC + want->tv_nsec);
}

int usleep(useconds_t us)
{
	return sleep_for(us * 1000ull);
}

/*
 * Ignores handlers of SIGCHLD. perf does not wait for a workload whose SIGCHLD came first, and then
 * knows neither its times nor its status; without a handler it always waits.
 */
sighandler_t signal(int number, sighandler_t handler)
{
	static sighandler_t (*real)(int, sighandler_t);

	if (number == SIGCHLD)
		return SIG_DFL;
	if (!real)
		real = dlsym(RTLD_NEXT, "signal");
	return real(number, handler);
}

pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	static pid_t (*real)(pid_t, int *, int, struct rusage *);
	const char *intervals = getenv("FAKE_INTERVALS");
	uint64_t user, system;
	pid_t r;

	if (!real)
		real = dlsym(RTLD_NEXT, "wait4");
	trace("wait4 options %d%s\n", options, usage ? " rusage" : "");
	if (options & WNOHANG) {
		if (!awaited && intervals && nohang_count++ < atoi(intervals))
			return 0;
		options &= ~WNOHANG;
	}
	r = real(pid, status, options, usage);
	if (r <= 0)
		return r;
	/*
	 * A perf that is notified of the end gets the notification at the end of the last interval,
	 * so no time passes.
	 */
	if (signal_fd < 0 || awaited || sleep_count == 0)
		step(item(getenv("FAKE_ELAPSED"), wait_count, NSEC));
	awaited = false;
	if (usage) {
		user = item(getenv("FAKE_UTIME"), wait_count, 700000);
		system = item(getenv("FAKE_STIME"), wait_count, 250000);
		usage->ru_utime = (struct timeval){ user / 1000000, user % 1000000 };
		usage->ru_stime = (struct timeval){ system / 1000000, system % 1000000 };
	}
	wait_count++;
	return r;
}

/* A wait with WNOWAIT finds the workload running. */
int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	static int (*real)(idtype_t, id_t, siginfo_t *, int);

	if (options & WNOWAIT)
		return 0;
	if (!real)
		real = dlsym(RTLD_NEXT, "waitid");
	return real(type, id, info, options);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	trace("waitpid -> ");
	return wait4(pid, status, options, NULL);
}
