/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How the process takes memory from the system.
 */

/*
 * For a program that is about to fill large tables: from now on memory comes from one heap, in huge
 * pages where the system has them, and what is freed is kept for later. Call it before threads are
 * started. It costs address space, and at most two huge pages of memory.
 */
void heap_expect_much(void);
