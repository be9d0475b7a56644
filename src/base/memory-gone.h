/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A function that gives the terminal back before a process ends for want of memory.
 */

/*
 * From now on memory_gone() (base/memory.h) calls @fn with @arg first; NULL: nothing any more. Any
 * thread may come there, holding any lock: @fn makes system calls and nothing else. There is one
 * such function in a process, as it has one terminal.
 */
void memory_gone_first(void (*fn)(void *arg), void *arg);
