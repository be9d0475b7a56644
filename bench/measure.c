/* SPDX-License-Identifier: MIT */
/*
 * measure PROGRAM ARGUMENT...: runs it with its files on /dev/null and prints the wall time in
 * nanoseconds, the largest memory in KiB and the exit status.
 *
 * Small, because the kernel counts what a process had before exec() as its own: a large parent
 * would hide how little memory the program takes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;

	if (argc < 2)
		return 2;

	long long start = now_ns();
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_RDWR);

		for (int fd = 0; fd <= 2; fd++)
			dup2(null, fd);
		execv(argv[1], argv + 1);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &usage) != pid)
		return 1;
	printf("%lld %ld %d\n", now_ns() - start, usage.ru_maxrss,
	       WIFEXITED(status) ? WEXITSTATUS(status) : 128);
	return 0;
}
