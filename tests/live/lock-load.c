/* SPDX-License-Identifier: MIT */
/*
 * Two threads, one of which waits twice for a lock of the kernel, 60 ms each time.
 *
 * write(2) holds the lock of the file (i_rwsem) while it copies. The holder's buffer is memory that
 * userfaultfd(2) fills only after that time. Meanwhile the waiter writes to the same file. Prints
 * the thread id of the waiter. Exits with 77 if the kernel has no userfaultfd.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define HOLD_NS 60000000
#define ROUNDS  2

static int file;
static size_t page;

static void nap(long ns)
{
	const struct timespec t = { 0, ns };

	nanosleep(&t, NULL);
}

/* Returns a page that is absent until the caller fills it. */
static char *absent_page(int *ret_fd)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	char *memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	range.range.start = (uintptr_t)memory;
	range.range.len = page;
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) < 0 || ioctl(fd, UFFDIO_REGISTER, &range) < 0)
		exit(77);
	*ret_fd = fd;
	return memory;
}

static void *hold(void *memory)
{
	return pwrite(file, memory, page, 0) == (ssize_t)page ? memory : NULL;
}

static void *want(void *begun)
{
	*(volatile int *)begun = (int)syscall(SYS_gettid);
	return pwrite(file, "x", 1, 0) == 1 ? begun : NULL;
}

/* True if the thread @tid sleeps until a lock of the kernel is free. */
static int waits_for_lock(int tid)
{
	char path[64], text[128];
	const char *end;
	FILE *stat;
	size_t n;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	stat = fopen(path, "re");
	if (!stat)
		return 0;
	n = fread(text, 1, sizeof(text) - 1, stat);
	fclose(stat);
	text[n] = '\0';
	end = strrchr(text, ')');
	return end && end[1] == ' ' && end[2] == 'D';
}

int main(int argc, char **argv)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	file = open(argv[argc - 1], O_RDWR | O_CREAT | O_TRUNC, 0600);
	for (int i = 0; i < ROUNDS; i++) {
		char *filled = calloc(1, page);
		volatile int waiter = 0;
		pthread_t holder, other;
		struct pollfd fault = { .events = POLLIN };
		struct uffd_msg message;
		char *memory = absent_page(&fault.fd);
		struct uffdio_copy copy = { .dst = (uintptr_t)memory,
					    .src = (uintptr_t)filled,
					    .len = page };

		pthread_create(&holder, NULL, hold, memory);
		if (poll(&fault, 1, 10000) != 1 || read(fault.fd, &message, sizeof(message)) < 0)
			return 1;
		/* The holder has the lock, and waits in a page fault. */
		pthread_create(&other, NULL, want, (void *)&waiter);
		while (!waiter || !waits_for_lock(waiter))
			nap(1000);
		nap(HOLD_NS);
		if (ioctl(fault.fd, UFFDIO_COPY, &copy) < 0)
			return 1;
		pthread_join(holder, NULL);
		pthread_join(other, NULL);
		printf("%d\n", waiter);
		close(fault.fd);
	}
	return 0;
}
