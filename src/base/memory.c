/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory-gone.h"

/*
 * Global, because memory_gone() is called from everywhere, also by code that has no context to
 * pass.
 */
static void (*_Atomic first_step)(void *arg);
static void *_Atomic first_arg;

void memory_gone_first(void (*fn)(void *arg), void *arg)
{
	first_step = NULL;
	first_arg = arg;
	first_step = fn;
}

/*
 * Runs the first step once: several threads may run out of memory together, and one of them runs
 * it.
 */
static void memory_take_first_step(void)
{
	void (*fn)(void *arg) = atomic_exchange(&first_step, NULL);

	if (fn)
		fn(first_arg);
}

/* Writes @n so that it ends before @end, and returns its beginning. */
static char *memory_digits(size_t n, char *end)
{
	do
		*--end = (char)('0' + n % 10);
	while (n /= 10);
	return end;
}

/* Returns the size of our address space, in MB; 0: unknown. */
static size_t memory_mapped_mb(void)
{
	char text[32] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	size_t pages = 0;

	if (fd >= 0)
		close(fd);
	for (ssize_t i = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++)
		pages = pages * 10 + (size_t)(text[i] - '0');
	return pages / ((size_t)(1 << 20) / (size_t)sysconf(_SC_PAGESIZE));
}

/*
 * Reports and exits. Any thread may call this, holding any lock, so there are only system calls,
 * one write, and no exit().
 */
void memory_gone(size_t wanted)
{
	char number[2][24];
	const char *end[2] = { number[0] + sizeof(number[0]), number[1] + sizeof(number[1]) };
	const char *bytes = memory_digits(wanted, (char *)end[0]);
	const char *mapped = memory_digits(memory_mapped_mb(), (char *)end[1]);
	static const char *const words[] = {
		"perf: out of memory: ", " more bytes are needed, beside ",
		" MB that are mapped (ulimit -v, or memory.max of the cgroup, may limit them)\n"
	};
	const struct iovec line[] = {
		{ (char *)words[0], strlen(words[0]) },
		{ (char *)bytes, (size_t)(end[0] - bytes) },
		{ (char *)words[1], strlen(words[1]) },
		{ (char *)mapped, (size_t)(end[1] - mapped) },
		{ (char *)words[2], strlen(words[2]) },
	};

	memory_take_first_step();
	if (writev(STDERR_FILENO, line, ARRAY_SIZE(line)) < 0)
		_exit(MEMORY_GONE_STATUS);
	_exit(MEMORY_GONE_STATUS);
}

static void *memory_checked(void *p, size_t wanted)
{
	if (!p)
		memory_gone(wanted);
	return p;
}

void *xmalloc(size_t size)
{
	return memory_checked(malloc(size ? size : 1), size);
}

void *xcalloc(size_t n, size_t size)
{
	return memory_checked(calloc(n ? n : 1, size ? size : 1),
			      size && n > SIZE_MAX / size ? SIZE_MAX : n * size);
}

void *xrealloc(void *p, size_t size)
{
	return memory_checked(realloc(p, size ? size : 1), size);
}

char *xstrdup(const char *s)
{
	return memory_checked(strdup(s), strlen(s) + 1);
}

char *xstrndup(const char *s, size_t n)
{
	return memory_checked(strndup(s, n), n + 1);
}

char *xvasprintf(const char *format, va_list ap)
{
	char *s;

	if (vasprintf(&s, format, ap) < 0)
		memory_gone(0);
	return s;
}

char *xasprintf(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	char *s = xvasprintf(format, ap);
	va_end(ap);
	return s;
}

void *array_reserve(void *items, size_t *room, size_t n, size_t size)
{
	if (n <= *room)
		return items;

	size_t want = *room ? *room * 2 : 8;

	if (want < n)
		want = n;
	if (want > SIZE_MAX / size)
		memory_gone(SIZE_MAX);
	*room = want;
	return xrealloc(items, want * size);
}
