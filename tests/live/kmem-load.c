/* SPDX-License-Identifier: MIT */
/*
 * Makes the kernel allocate a known number of things:
 *	kmem-load files N	opens and closes a file N times
 *	kmem-load pages N	touches N pages
 *	kmem-load hold N FILE	opens N files, creates FILE, and waits to be killed
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static int open_files(long n, int keeps)
{
	for (long i = 0; i < n; i++) {
		int fd = open("/dev/null", O_RDONLY);

		if (fd < 0)
			return 1;
		if (!keeps)
			close(fd);
	}
	return 0;
}

static int touch_pages(long n)
{
	size_t size = (size_t)getpagesize();
	char *p = mmap(NULL, (size_t)n * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	if (p == MAP_FAILED)
		return 1;
	madvise(p, (size_t)n * size, MADV_NOHUGEPAGE);
	for (long i = 0; i < n; i++)
		p[(size_t)i * size] = 1;
	return 0;
}

static int hold(long n, const char *ready)
{
	struct rlimit limit = { .rlim_cur = (rlim_t)n + 100, .rlim_max = (rlim_t)n + 100 };

	setrlimit(RLIMIT_NOFILE, &limit);
	if (open_files(n, 1) || close(creat(ready, 0600)))
		return 1;
	pause();
	return 0;
}

int main(int argc, char **argv)
{
	long n = argc > 2 ? atol(argv[2]) : 0;

	if (argc == 3 && !strcmp(argv[1], "files"))
		return open_files(n, 0);
	if (argc == 3 && !strcmp(argv[1], "pages"))
		return touch_pages(n);
	if (argc == 4 && !strcmp(argv[1], "hold"))
		return hold(n, argv[3]);
	fprintf(stderr, "kmem-load: what?\n");
	return 1;
}
