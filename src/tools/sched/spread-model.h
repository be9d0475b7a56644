/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * How durations spread: their number, sum, maximum and quantiles, in memory that does not grow with
 * their number.
 *
 * The first few are kept as they are, so that quantiles are exact; more go into buckets, of which
 * there are 16 for each power of two. A quantile is then off by 1/16 at most.
 */
#include <stddef.h>
#include <stdint.h>

#define SPREAD_FEW     8
#define SPREAD_BUCKETS 976

/* `struct spread s = { 0 };` is empty. */
struct spread {
	uint64_t n, sum_ns, max_ns;
	uint64_t few[SPREAD_FEW]; /* while n is not larger */
	uint32_t *buckets;        /* NULL: the few are all */
};

void spread_done(struct spread *s);
void spread_add(struct spread *s, uint64_t ns);

/* The smallest duration that @share (0 to 1) of all are not longer than; 0 if there are none. */
uint64_t spread_quantile(const struct spread *s, double share);

/* The bucket of @ns, and the first duration of a bucket. */
size_t spread_bucket(uint64_t ns);
uint64_t spread_bucket_first(size_t bucket);

/* How many durations are from @first_ns on and below @end_ns, which are powers of two or 0. */
uint64_t spread_count(const struct spread *s, uint64_t first_ns, uint64_t end_ns);
