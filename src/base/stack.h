/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A stack of a known size for the first thread, whose stack is otherwise limited by `ulimit -s`:
 * libraries that we call need more than a user's 64 KB. Other threads get theirs from
 * base/thread.h.
 */
#include <stddef.h>

/*
 * Calls @fn(@arg) and returns its result. If the limit is below @bytes, @fn runs on a new stack of
 * that size; if there is no memory for one, on the existing stack.
 */
int stack_call(size_t bytes, int (*fn)(void *arg), void *arg);
