/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Setup and teardown of a test that works in an empty folder of its own, which is the working
 * directory meanwhile.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"

static inline int enter_scratch_folder(void **state)
{
	char *dir = xstrdup("/tmp/perf-test-XXXXXX");

	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	*state = dir;
	return 0;
}

static inline int leave_scratch_folder(void **state)
{
	_cleanup_(freep) char *command = xasprintf("rm -rf '%s'", (char *)*state);

	assert_int_equal(chdir("/"), 0);
	free(*state);
	return system(command);
}
