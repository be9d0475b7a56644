/* SPDX-License-Identifier: MIT */
/*
 * Arguments that the kernel does not look at, because of what the others are.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <string.h>

#include "view/trace/value-out.h"

#define MAP_ANONYMOUS_VALUE 0x20 /* of all ABIs */

static const struct syscall_arg *arg_of(const struct trace_call *c, unsigned arg)
{
	return &c->desc->args[arg];
}

/* open(), openat(): the mode is for files that are made. */
static bool open_unused(const struct trace_call *c, unsigned arg)
{
	uint64_t flags;

	if (arg == 0 || strcmp(arg_of(c, arg)->name, "mode"))
		return false;
	flags = c->args[arg - 1];
	return !(flags & O_CREAT) && (flags & __O_TMPFILE) != __O_TMPFILE;
}

/* mmap(): no file behind anonymous memory. */
static bool mmap_unused(const struct trace_call *c, unsigned arg)
{
	return arg >= 4 && (c->args[3] & MAP_ANONYMOUS_VALUE);
}

/* clone(): what CLONE_* do not ask for. */
static bool clone_unused(const struct trace_call *c, unsigned arg)
{
	const char *name = arg_of(c, arg)->name;
	uint64_t flags = c->args[0];

	if (!strcmp(name, "parent_tidptr"))
		return !(flags & (CLONE_PARENT_SETTID | CLONE_PIDFD));
	if (!strcmp(name, "child_tidptr"))
		return !(flags & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID));
	return !strcmp(name, "tls") && !(flags & CLONE_SETTLS);
}

/* futex(): which of utime, uaddr2 and val3 (bits 3 to 5) an operation looks at. */
static bool futex_unused(const struct trace_call *c, unsigned arg)
{
	enum {
		UTIME = 1 << 3,
		UADDR2 = 1 << 4,
		VAL3 = 1 << 5
	};
	static const uint8_t used[] = {
		[FUTEX_WAIT] = UTIME,
		[FUTEX_WAKE] = 0,
		[FUTEX_FD] = 0,
		[FUTEX_REQUEUE] = UTIME | UADDR2,
		[FUTEX_CMP_REQUEUE] = UTIME | UADDR2 | VAL3,
		[FUTEX_WAKE_OP] = UTIME | UADDR2 | VAL3,
		[FUTEX_LOCK_PI] = UTIME,
		[FUTEX_UNLOCK_PI] = 0,
		[FUTEX_TRYLOCK_PI] = 0,
		[FUTEX_WAIT_BITSET] = UTIME | VAL3,
		[FUTEX_WAKE_BITSET] = VAL3,
		[FUTEX_WAIT_REQUEUE_PI] = UTIME | UADDR2,
		[FUTEX_CMP_REQUEUE_PI] = UTIME | UADDR2 | VAL3,
		[FUTEX_LOCK_PI2] = UTIME,
	};
	uint64_t op = c->args[1] & FUTEX_CMD_MASK;

	return arg >= 3 && op < sizeof(used) && !(used[op] & 1u << arg);
}

static bool fcntl_unused(const struct trace_call *c, unsigned arg)
{
	static const uint16_t without[] = { F_GETFD,    F_GETFL,      F_GETOWN,   F_GETSIG,
					    F_GETLEASE, F_GETPIPE_SZ, F_GET_SEALS };

	if (arg != 2)
		return false;
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if ((uint32_t)c->args[1] == without[i])
			return true;
	return false;
}

bool value_is_unused(const struct trace_call *c, unsigned arg)
{
	const char *name = c->desc->name;

	switch (name[0]) {
	case 'o':
		return !strncmp(name, "open", 4) && open_unused(c, arg);
	case 'm':
		return (!strcmp(name, "mmap") || !strcmp(name, "mmap2")) && mmap_unused(c, arg);
	case 'c':
		return !strcmp(name, "clone") && clone_unused(c, arg);
	case 'f':
		if (!strncmp(name, "futex", 5))
			return (!name[5] || !strcmp(name + 5, "_time64")) && futex_unused(c, arg);
		return !strncmp(name, "fcntl", 5) && fcntl_unused(c, arg);
	}
	return false;
}
