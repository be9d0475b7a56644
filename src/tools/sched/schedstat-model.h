/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A line of /proc/schedstat, as stored in a record of a perf.data file (PERF_RECORD_SCHEDSTAT_CPU
 * and PERF_RECORD_SCHEDSTAT_DOMAIN, of Linux's perf 7.0 and later) and as printed by the kernel.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes;
struct cursor;

/* The known versions of the file. They differ in the fields of a line. */
#define SCHEDSTAT_VERSION_MIN 15
#define SCHEDSTAT_VERSION_MAX 17

#define SCHEDSTAT_CPU_VALUES    9
#define SCHEDSTAT_DOMAIN_VALUES 45 /* in version 17; older versions have 36 */

struct schedstat_line {
	bool is_domain;
	uint64_t time; /* in jiffies */
	uint32_t cpu;
	uint16_t version, domain;
	uint64_t values[SCHEDSTAT_DOMAIN_VALUES];
};

/* Returns the number of values of a line. */
size_t schedstat_values(uint16_t version, bool is_domain);

/*
 * Decodes the payload of a record of @type. Returns -EBADMSG if it is too short, and -EPROTO if its
 * version is unknown. *@ret is then untouched.
 */
int schedstat_decode(uint32_t type, struct cursor payload, struct schedstat_line *ret);

/* Appends the whole record. */
void schedstat_encode(const struct schedstat_line *l, struct bytes *out);
