/* SPDX-License-Identifier: MIT */
/* Finds arguments that the kernel does not use, because of the values of others. */
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <string.h>

#include "tools/trace/value-out-view.h"

#define MAP_ANONYMOUS_VALUE 0x20 /* the same value on all ABIs */

enum {
	ARG_0 = 1 << 0, /* a bit for each argument */
	ARG_1 = 1 << 1,
	ARG_2 = 1 << 2,
	ARG_3 = 1 << 3,
	ARG_4 = 1 << 4,
	ARG_5 = 1 << 5,
};

/* open(), openat(): the mode applies only to files that are created. */
static unsigned open_unused(uint64_t flags, unsigned mode)
{
	return flags & O_CREAT || (flags & __O_TMPFILE) == __O_TMPFILE ? 0 : mode;
}

/* mmap(): anonymous memory has no file. */
static unsigned mmap_unused(const struct trace_call *c)
{
	return c->args[3] & MAP_ANONYMOUS_VALUE ? ARG_4 | ARG_5 : 0;
}

/* clone(): arguments that CLONE_* do not request. On x86_64 the last two are in another order. */
static unsigned clone_unused(const struct trace_call *c)
{
	bool is_x86_64 = c->abi == SYSCALL_ABI_X86_64;
	unsigned tls = is_x86_64 ? ARG_4 : ARG_3, child = is_x86_64 ? ARG_3 : ARG_4;
	uint64_t flags = c->args[0];
	unsigned unused = 0;

	if (!(flags & (CLONE_PARENT_SETTID | CLONE_PIDFD)))
		unused |= ARG_2;
	if (!(flags & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)))
		unused |= child;
	if (!(flags & CLONE_SETTLS))
		unused |= tls;
	return unused;
}

/*
 * futex(): the arguments utime, uaddr2 and val3 that an operation does not use. If utime is a
 * number and not a time, it is omitted, as in Linux's perf.
 */
static unsigned futex_unused(const struct trace_call *c)
{
	enum {
		UTIME = ARG_3,
		UADDR2 = ARG_4,
		VAL3 = ARG_5,
		ALL = UTIME | UADDR2 | VAL3
	};
	static const uint8_t used[] = {
		[FUTEX_WAIT] = UTIME,         [FUTEX_REQUEUE] = UTIME | UADDR2,
		[FUTEX_CMP_REQUEUE] = ALL,    [FUTEX_WAKE_OP] = ALL,
		[FUTEX_LOCK_PI] = UTIME,      [FUTEX_WAIT_BITSET] = UTIME | VAL3,
		[FUTEX_WAKE_BITSET] = VAL3,   [FUTEX_WAIT_REQUEUE_PI] = UTIME | UADDR2,
		[FUTEX_CMP_REQUEUE_PI] = ALL, [FUTEX_LOCK_PI2] = UTIME,
	};
	uint64_t op = (uint32_t)c->args[1] & FUTEX_CMD_MASK;

	return op < sizeof(used) ? ALL & ~used[op] : 0;
}

static unsigned fcntl_unused(const struct trace_call *c)
{
	switch ((uint32_t)c->args[1]) {
	case F_GETFD:
	case F_GETFL:
	case F_GETOWN:
	case F_GETSIG:
	case F_GETLEASE:
	case F_GETPIPE_SZ:
	case F_GET_SEALS:
		return ARG_2;
	}
	return 0;
}

unsigned value_unused(const struct trace_call *c)
{
	const char *name = c->desc->name;

	switch (name[0]) {
	case 'o':
		if (!strcmp(name, "openat"))
			return open_unused(c->args[2], ARG_3);
		return strcmp(name, "open") ? 0 : open_unused(c->args[1], ARG_2);
	case 'm':
		return strcmp(name, "mmap") && strcmp(name, "mmap2") ? 0 : mmap_unused(c);
	case 'c':
		return strcmp(name, "clone") ? 0 : clone_unused(c);
	case 'f':
		if (!strcmp(name, "futex") || !strcmp(name, "futex_time64"))
			return futex_unused(c);
		return strncmp(name, "fcntl", 5) ? 0 : fcntl_unused(c);
	}
	return 0;
}
