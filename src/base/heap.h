/* SPDX-License-Identifier: MIT */
#pragma once
/* The way in which the process takes memory from the system. */

/*
 * Prepares the heap for a program that is about to fill large tables. From now on memory comes from
 * one heap, in huge pages where the system has them, and freed memory is kept for later. To be
 * called before threads are started. It costs address space, and at most two huge pages of memory.
 */
void heap_expect_much(void);

/* Returns freed memory to the system, for work that takes memory elsewhere: a large library. */
void heap_release(void);
