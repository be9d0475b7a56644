/* SPDX-License-Identifier: MIT */
#pragma once
/* The kernel's clocks, in nanoseconds. */
#include <stdint.h>
#include <time.h>

/* Returns the time of clock @id; 0 if the kernel does not have it. */
uint64_t clock_ns(clockid_t id);

/* Returns the milliseconds of CLOCK_MONOTONIC, for timeouts. */
int64_t clock_ms(void);
