/* SPDX-License-Identifier: MIT */
/*
 * Functions that glibc got after 2.24, for a program that runs on 2.24: system calls, whose results
 * glibc would hand on, too. They are hidden, so that libraries that perf loads use glibc's own.
 */
/* Each function under its own name. */
#undef _FILE_OFFSET_BITS
#include <fcntl.h>
#include <locale.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HIDDEN(name) extern __typeof__(name) name __attribute__((visibility("hidden")))

HIDDEN(close_range);
HIDDEN(fcntl64);
HIDDEN(fstat);
HIDDEN(fstat64);
HIDDEN(fstatat);
HIDDEN(fstatat64);
HIDDEN(getrandom);
HIDDEN(gettid);
HIDDEN(lstat);
HIDDEN(lstat64);
HIDDEN(memfd_create);
HIDDEN(stat);
HIDDEN(stat64);
HIDDEN(strerrordesc_np);

int close_range(unsigned int first, unsigned int last, int flags)
{
	return (int)syscall(SYS_close_range, first, last, flags);
}

/* Of 64-bit systems, where it is fcntl(). Every third argument fits into a pointer. */
int fcntl64(int fd, int command, ...)
{
	va_list rest;
	void *value;

	va_start(rest, command);
	value = va_arg(rest, void *);
	va_end(rest);
	return fcntl(fd, command, value);
}

/* Before 2.33 these were inline functions of glibc's headers. On 64-bit systems both structs are
 * one. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "struct stat is struct stat64");

int fstat64(int fd, struct stat64 *ret)
{
	return (int)syscall(SYS_fstat, fd, ret);
}

int fstatat64(int fd, const char *path, struct stat64 *ret, int flags)
{
	return (int)syscall(SYS_newfstatat, fd, path, ret, flags);
}

int lstat64(const char *path, struct stat64 *ret)
{
	return fstatat64(AT_FDCWD, path, ret, AT_SYMLINK_NOFOLLOW);
}

int stat64(const char *path, struct stat64 *ret)
{
	return fstatat64(AT_FDCWD, path, ret, 0);
}

int fstat(int fd, struct stat *ret)
{
	return (int)syscall(SYS_fstat, fd, ret);
}

int fstatat(int fd, const char *path, struct stat *ret, int flags)
{
	return (int)syscall(SYS_newfstatat, fd, path, ret, flags);
}

int lstat(const char *path, struct stat *ret)
{
	return fstatat(AT_FDCWD, path, ret, AT_SYMLINK_NOFOLLOW);
}

int stat(const char *path, struct stat *ret)
{
	return fstatat(AT_FDCWD, path, ret, 0);
}

ssize_t getrandom(void *ret, size_t size, unsigned int flags)
{
	return syscall(SYS_getrandom, ret, size, flags);
}

pid_t gettid(void)
{
	return (pid_t)syscall(SYS_gettid);
}

int memfd_create(const char *name, unsigned int flags)
{
	return (int)syscall(SYS_memfd_create, name, flags);
}

const char *strerrordesc_np(int number)
{
	static const char unknown[] = "Unknown error";
	const char *text = strerror_l(number, newlocale(LC_ALL_MASK, "C", (locale_t)0));

	return strncmp(text, unknown, sizeof(unknown) - 1) == 0 ? NULL : text;
}
