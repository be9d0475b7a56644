/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Children for tests to count. Each waits at a pipe until it is told to end, so that no test has to
 * sleep. A child that is not told to end dies with the test.
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct child {
	pid_t pid;
	int end_fd;   /* closing it ends the child */
	int ready_fd; /* receives a byte when the child has done its work */
};

static inline void touch_pages(size_t n)
{
	size_t size = n * (size_t)sysconf(_SC_PAGESIZE);
	volatile char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				    -1, 0);

	/* Makes one fault for each page, whatever the system's huge pages are. */
	madvise((void *)pages, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < n; i++)
		pages[i * (size_t)sysconf(_SC_PAGESIZE)] = 1;
	munmap((void *)pages, size);
}

/* The work that a child does each time. */
static inline void some_work(void)
{
	touch_pages(64);
	for (volatile int i = 0; i < 1000000; i++)
		;
}

static inline void *wait_in_thread(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* Starts a child with @threads more threads, which works once and then waits. */
static inline struct child child_new(int threads)
{
	int end[2], ready[2];
	struct child c;

	assert_int_equal(pipe2(end, O_CLOEXEC), 0);
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	c.pid = fork();
	assert_true(c.pid >= 0);
	if (c.pid == 0) {
		pthread_t id;
		char byte;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(end[1]);
		for (int i = 0; i < threads; i++)
			pthread_create(&id, NULL, wait_in_thread, NULL);
		if (write(ready[1], "", 1) != 1)
			_exit(1);
		while (read(end[0], &byte, 1) == 1) {
			some_work();
			if (write(ready[1], "", 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	close(end[0]);
	close(ready[1]);
	c.end_fd = end[1];
	c.ready_fd = ready[0];

	char byte;

	assert_int_equal(read(c.ready_fd, &byte, 1), 1);
	return c;
}

/* Makes the child work once more, and waits until the work is done. */
static inline void child_work(struct child *c)
{
	char byte;

	assert_int_equal(write(c->end_fd, "", 1), 1);
	assert_int_equal(read(c->ready_fd, &byte, 1), 1);
}

/* Ends the child, which stays a zombie until child_reap(). */
static inline void child_end(struct child *c)
{
	siginfo_t info;

	close(c->end_fd);
	close(c->ready_fd);
	assert_int_equal(waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT), 0);
}

static inline void child_reap(struct child *c)
{
	assert_int_equal(waitpid(c->pid, NULL, 0), c->pid);
}

static inline void child_done(struct child *c)
{
	child_end(c);
	child_reap(c);
}
