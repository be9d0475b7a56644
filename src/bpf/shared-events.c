/* SPDX-License-Identifier: MIT */
#include "bpf/shared-events.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cpu-list.h"
#include "base/diag.h"
#include "base/memory.h"
#include "bpf/module.h"
#include "kernel/bpf-object.h"
#include "kernel/perf-event.h"
#include "wire/attr.h"

/* The number of different events that can be shared at the same time. */
#define ATTRS_MAX 128

/*
 * The number and interval of checks by the cleanup process whether the dead process's files are
 * closed.
 */
#define TRIES  50
#define TRY_MS 20

struct shared_events {
	char *path;           /* NULL: nothing is shared */
	int lock_fd;          /* the directory, on which users hold a shared lock */
	int map_fd, guard_fd; /* the cleanup process ends when guard_fd is closed */
	struct {
		int *items;
		size_t n, room;
	} arrays;
};

/* Opens the directory with the lock: a process that holds it alone is the last user. */
static int open_dir(const char *path)
{
	_cleanup_(freep) char *copy = xstrdup(path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Removes the map at @path. True: no process used it any more, and it has been removed. */
static bool remove_unused(const char *path, int dir_fd)
{
	if (flock(dir_fd, LOCK_EX | LOCK_NB) < 0)
		return false;
	unlink(path);
	flock(dir_fd, LOCK_UN);
	return true;
}

static void shared_events_wait_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

/* Waits until perf has ended, in any way. Its locks are then released one after the other. */
static void shared_events_guard(const char *path, int pipe_fd)
{
	char byte;
	int fd;

	setsid();
	if (pipe_fd > 0) {
		dup2(pipe_fd, 0);
		close_range(1, UINT_MAX, 0);
	}
	while (read(0, &byte, 1) > 0)
		;
	fd = open_dir(path);
	for (int i = 0; fd >= 0 && i < TRIES && access(path, F_OK) == 0; i++) {
		if (remove_unused(path, fd))
			break;
		shared_events_wait_ms(TRY_MS);
	}
	_exit(0);
}

/* Starts the cleanup process as a grandchild, which init reaps, so no process here waits for it. */
static int start_guard(const char *path)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		if (fork() == 0)
			shared_events_guard(path, ends[0]);
		_exit(0);
	}
	close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return ends[1];
}

static int check_map(int fd)
{
	struct bpf_map_facts facts = { 0 };
	int r = bpf_map_facts(fd, &facts);

	if (r < 0)
		return r;
	return facts.key_size == sizeof(struct attr) && facts.value_size == sizeof(uint32_t)
		       ? fd
		       : -EOPNOTSUPP;
}

/* Opens the map, or makes it; another process may do the same at this moment. */
static int shared_events_open_map(const char *path)
{
	for (int i = 0; i < 2; i++) {
		int r = 0, fd = bpf_object_open(path, false);

		if (fd != -ENOENT)
			return fd < 0 ? fd : check_map(fd);
		fd = bpf_hash_new("perf_attr_map", sizeof(struct attr), sizeof(uint32_t),
				  ATTRS_MAX);
		if (fd >= 0)
			r = bpf_object_pin(fd, path);
		if (fd < 0 || r >= 0)
			return fd;
		close(fd);
		if (r != -EEXIST)
			return r;
	}
	return -EAGAIN;
}

static int shared_events_explain_map(const char *path, int error, struct diag *diag)
{
	if (error == -EOPNOTSUPP) {
		diag_set(diag, error, "counters are not shared: %s is of another program", path);
		diag_hint(diag, "Name another place: --bpf-attr-map=/sys/fs/bpf/NAME");
		return error;
	}
	if (error == -EPERM || error == -EACCES) {
		diag_set(diag, error, "counters are not shared: %s: %s", path, strerror(-error));
		return error;
	}
	diag_set(diag, -EOPNOTSUPP, "counters are not shared: %s: %s", path, strerror(-error));
	diag_hint(diag, "It has to be in a BPF file system: sudo mount -t bpf bpf /sys/fs/bpf");
	return -EOPNOTSUPP;
}

int shared_events_open(const char *path, struct shared_events **ret, struct diag *diag)
{
	_cleanup_(shared_events_freep) struct shared_events *s = xcalloc(1, sizeof(*s));

	s->lock_fd = s->map_fd = s->guard_fd = -1;
	if (path) {
		s->lock_fd = open_dir(path);
		if (s->lock_fd < 0)
			return shared_events_explain_map(path, s->lock_fd, diag);
		flock(s->lock_fd, LOCK_SH);
		s->map_fd = shared_events_open_map(path);
		if (s->map_fd < 0)
			return shared_events_explain_map(path, s->map_fd, diag);
		s->path = xstrdup(path);
		s->guard_fd = start_guard(path);
	}
	*ret = TAKE(s);
	return 0;
}

void shared_events_free(struct shared_events *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->arrays.n; i++)
		close(s->arrays.items[i]);
	free(s->arrays.items);
	if (s->path)
		remove_unused(s->path, s->lock_fd);
	if (s->map_fd >= 0)
		close(s->map_fd);
	if (s->guard_fd >= 0)
		close(s->guard_fd);
	if (s->lock_fd >= 0)
		close(s->lock_fd);
	free(s->path);
	free(s);
}

/* Returns only the members of @a that determine what is counted. */
static struct attr shared_events_counting(const struct attr *a)
{
	struct attr c = *a;

	c.sample_type = c.sample_period = 0;
	c.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	c.disabled = c.inherit = c.enable_on_exec = 0;
	return c;
}

/* Fills the array with events, which stay open in it when their descriptors are closed. */
static int fill_array(int array, const struct attr *attr, const struct cpu_list *cpus)
{
	int r = 0;

	for (size_t i = 0; i < cpus->n && r >= 0; i++) {
		uint32_t cpu = (uint32_t)cpus->items[i];
		int fd = perf_event_open(attr, -1, (int)cpu, -1, PERF_FLAG_FD_CLOEXEC);

		if (fd < 0)
			return fd;
		r = bpf_map_put(array, &cpu, &fd);
		close(fd);
	}
	return r;
}

static int shared_events_make_array(const struct attr *attr, const struct cpu_list *cpus)
{
	int n = bpf_module_cpus(), r;
	int array = n < 0 ? n : bpf_event_array_new("shared_events", (uint32_t)n);

	if (array < 0)
		return array;
	r = fill_array(array, attr, cpus);
	if (r < 0) {
		close(array);
		return r;
	}
	return array;
}

/*
 * Enters the array in the map. An array that an earlier user left behind is replaced. If another
 * process was faster just now, its counters are used.
 */
static int shared_events_share(const struct shared_events *s, const struct attr *key, int array)
{
	struct bpf_map_facts facts;
	uint32_t id;
	int other;

	if (bpf_map_facts(array, &facts) < 0)
		return array;
	if (bpf_map_put_new(s->map_fd, key, &facts.id) != -EEXIST ||
	    bpf_map_get(s->map_fd, key, &id) < 0)
		return array;
	other = bpf_map_open_id(id);
	if (other >= 0) {
		close(array);
		return other;
	}
	bpf_map_put(s->map_fd, key, &facts.id);
	return array;
}

static int bpf_shared_events_find(struct shared_events *s, const struct attr *key,
				  const struct cpu_list *cpus)
{
	uint32_t id;
	int array = -ENOENT;

	if (s->path && bpf_map_get(s->map_fd, key, &id) >= 0)
		array = bpf_map_open_id(id);
	if (array >= 0)
		return array;
	array = shared_events_make_array(key, cpus);
	return array < 0 || !s->path ? array : shared_events_share(s, key, array);
}

int shared_events_find(struct shared_events *s, const struct attr *attr,
		       const struct cpu_list *cpus)
{
	struct attr key = shared_events_counting(attr);
	int array = bpf_shared_events_find(s, &key, cpus);

	if (array >= 0)
		*ARRAY_ADD(&s->arrays) = array;
	return array;
}
