/* SPDX-License-Identifier: MIT */
#include "profile/wait-kind.h"

#include <stddef.h>
#include <string.h>

#include "base/cleanup.h"

enum space {
	IN_USER,
	IN_KERNEL,
};

static const struct wait_function {
	enum space space;
	const char *name;
	enum wait_hint hint;
} functions[] = {
#define WAIT_FUNCTION(space, name, hint) { IN_##space, name, WAIT_HINT_##hint },
#include "profile/wait-functions.def"
#undef WAIT_FUNCTION
};

/*
 * True if @name, without additions, matches @pattern. "mutex_lock.isra.0" and
 * "pthread_cond_wait@@GLIBC_2.17" have suffixes after the name; "__GI_" is a prefix of glibc for
 * internal functions.
 */
static bool wait_kind_is_called(const char *name, const char *pattern)
{
	size_t inside = !strncmp(name, "__GI_", 5) ? 5 : 0;
	size_t n = strcspn(name += inside, ".@"), length = strlen(pattern);

	if (pattern[length - 1] == '*')
		return !strncmp(name, pattern, length - 1);
	return n == length && !strncmp(name, pattern, n);
}

enum wait_hint wait_hint_of(const char *name, bool in_kernel)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if ((functions[i].space == IN_KERNEL) == in_kernel &&
		    wait_kind_is_called(name, functions[i].name))
			return functions[i].hint;
	return WAIT_HINT_NONE;
}

bool wait_hint_refine(enum wait_hint *hint, enum wait_hint outer)
{
	if (outer != WAIT_HINT_NONE && outer != WAIT_HINT_INTERRUPT)
		*hint = outer;
	return *hint == WAIT_HINT_NONE || *hint == WAIT_HINT_FUTEX;
}

static enum wait_kind kind_of_hint(enum wait_hint hint, enum wait_kind otherwise)
{
	switch (hint) {
	case WAIT_HINT_IO:
		return WAIT_KIND_IO;
	case WAIT_HINT_LOCK:
	case WAIT_HINT_FUTEX:
		return WAIT_KIND_LOCK;
	case WAIT_HINT_SLEEP:
		return WAIT_KIND_SLEEP;
	default:
		return otherwise;
	}
}

enum wait_kind wait_kind_of(enum wait_state state, enum wait_hint hint)
{
	switch (state) {
	case WAIT_SLEEPING:
		return kind_of_hint(hint, WAIT_KIND_SLEEP);
	case WAIT_BLOCKED:
		return kind_of_hint(hint, WAIT_KIND_BLOCKED);
	case WAIT_RUNNABLE:
	case WAIT_FIRST_CPU:
		return WAIT_KIND_RUNNABLE;
	case WAIT_STOPPED:
		return WAIT_KIND_STOPPED;
	case WAIT_FROM_BEFORE:
		return WAIT_KIND_BEFORE;
	case WAIT_RUNNING:
	case WAIT_RUNNING_UNSEEN:
		return WAIT_KIND_RUNNING;
	default:
		return WAIT_KIND_ANY;
	}
}

const char *wait_kind_name(enum wait_kind kind)
{
	static const char *const names[] = {
		[WAIT_KIND_SLEEP] = "sleep",     [WAIT_KIND_IO] = "I/O",
		[WAIT_KIND_LOCK] = "lock",       [WAIT_KIND_RUNNABLE] = "runnable",
		[WAIT_KIND_STOPPED] = "stopped", [WAIT_KIND_BLOCKED] = "uninterruptible",
		[WAIT_KIND_ANY] = "waiting",     [WAIT_KIND_BEFORE] = "already waiting",
		[WAIT_KIND_RUNNING] = "running",
	};

	return names[kind];
}
