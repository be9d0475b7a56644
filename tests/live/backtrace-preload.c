/* SPDX-License-Identifier: MIT */
/*
 * Preloaded: at every BACKTRACE_EVERY-th malloc() of a thread, appends the stack that libgcc's
 * unwinder finds to BACKTRACE_DIR/TID (a count, then return addresses as offsets in their files,
 * the one of place() here first), and then calls getppid(), so that a profiler that samples that
 * system call sees the same stack.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FRAMES_MAX 200
#define PLACES_MAX 200

static void *(*real_malloc)(size_t);
static const char *directory;
static unsigned every = 100;
static __thread int is_busy;
static __thread unsigned calls, places;

static __attribute__((constructor)) void begin(void)
{
	void *warm_up[2]; /* backtrace() loads libgcc when it is first used */

	is_busy = 1;
	real_malloc = dlsym(RTLD_NEXT, "malloc");
	backtrace(warm_up, 2);
	if (getenv("BACKTRACE_EVERY"))
		every = atoi(getenv("BACKTRACE_EVERY"));
	directory = getenv("BACKTRACE_DIR");
	is_busy = 0;
}

/* Turns the address at @arg into an offset if it lies in this image. */
static int to_offset(struct dl_phdr_info *image, size_t size, void *arg)
{
	uint64_t *addr = arg, at = *addr - image->dlpi_addr;

	(void)size;
	for (int i = 0; i < image->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &image->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && at >= p->p_vaddr && at - p->p_vaddr < p->p_memsz) {
			*addr = at - p->p_vaddr + p->p_offset;
			return 1;
		}
	}
	return 0;
}

static __attribute__((noinline)) void place(void)
{
	uint64_t record[1 + FRAMES_MAX];
	char path[4096];
	int fd;

	record[0] = backtrace((void **)(record + 1), FRAMES_MAX);
	for (uint64_t i = 1; i <= record[0]; i++)
		dl_iterate_phdr(to_offset, &record[i]);
	snprintf(path, sizeof(path), "%s/%ld", directory, syscall(SYS_gettid));
	fd = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
	if (fd >= 0 && write(fd, record, 8 * (1 + record[0])) > 0)
		syscall(SYS_getppid);
	close(fd);
}

void *malloc(size_t size)
{
	if (directory && !is_busy && ++calls % every == 0 && places++ < PLACES_MAX) {
		is_busy = 1;
		place();
		is_busy = 0;
	}
	return real_malloc ? real_malloc(size) : NULL;
}
