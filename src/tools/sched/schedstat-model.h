/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A line of /proc/schedstat, as a record of a perf.data file has it (PERF_RECORD_SCHEDSTAT_CPU and
 * PERF_RECORD_SCHEDSTAT_DOMAIN, of Linux's perf 7.0 and later) and as the kernel prints it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes;
struct cursor;

/* The versions of the file that are known, by what its lines have. */
#define SCHEDSTAT_VERSION_MIN 15
#define SCHEDSTAT_VERSION_MAX 17

#define SCHEDSTAT_CPU_VALUES    9
#define SCHEDSTAT_DOMAIN_VALUES 45 /* of version 17; 36 of those before */

struct schedstat_line {
	bool is_domain;
	uint64_t time; /* in jiffies */
	uint32_t cpu;
	uint16_t version, domain;
	uint64_t values[SCHEDSTAT_DOMAIN_VALUES];
};

/* How many values a line has. */
size_t schedstat_values(uint16_t version, bool is_domain);

/*
 * Takes the payload of a record of @type. -EBADMSG: it is too short; -EPROTO: its version is not
 * known. *@ret is untouched then.
 */
int schedstat_decode(uint32_t type, struct cursor payload, struct schedstat_line *ret);

/* Appends the whole record. */
void schedstat_encode(const struct schedstat_line *l, struct bytes *out);
