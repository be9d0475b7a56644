/* SPDX-License-Identifier: MIT */
#pragma once
/* A function that restores the terminal before a process ends because memory is exhausted. */

/*
 * Makes memory_gone() (base/memory.h) call @fn with @arg first, from now on; NULL: no function. Any
 * thread may run it, holding any lock, so @fn may only make system calls. There is one such
 * function in a process, as it has one terminal.
 */
void memory_gone_first(void (*fn)(void *arg), void *arg);
