/* SPDX-License-Identifier: MIT */
#pragma once
/* The kernel's clocks, in nanoseconds. */
#include <stdint.h>
#include <time.h>

/* The time of clock @id; 0 if the kernel does not have it. */
uint64_t clock_ns(clockid_t id);

/* Milliseconds of CLOCK_MONOTONIC, for time limits. */
int64_t clock_ms(void);
