/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A stack of a known size for the first thread, whose stack is otherwise as large as `ulimit -s`
 * says: libraries that we call need more than a user's 64 KB. Other threads have theirs from
 * base/thread.h.
 */
#include <stddef.h>

/*
 * Calls @fn(@arg) and gives what it gives. If the limit is below @bytes, it is called on a stack of
 * that size which is made for it; without memory for one, on what there is.
 */
int stack_call(size_t bytes, int (*fn)(void *arg), void *arg);
