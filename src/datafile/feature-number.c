/* SPDX-License-Identifier: MIT */
/*
 * Features of a few numbers: NRCPUS, TOTAL_MEM, SAMPLE_TIME, CLOCKID, DIR_FORMAT, COMPRESSED,
 * CLOCK_DATA; and those without numbers, which are flags: BRANCH_STACK, STAT.
 */
#include <string.h>

#include "datafile/feature.h"

_Static_assert(offsetof(struct features, cpus_online) ==
		       offsetof(struct features, cpus_available) + sizeof(uint32_t),
	       "NRCPUS is two numbers side by side");

static void cpu_count_decode(void *member, struct cursor *c, const struct features *known)
{
	uint32_t counts[2];

	(void)known;
	counts[0] = cursor_u32(c);
	counts[1] = cursor_u32(c);
	memcpy(member, counts, sizeof(counts));
}

static void cpu_count_encode(const void *member, struct bytes *out)
{
	bytes_add(out, member, 2 * sizeof(uint32_t));
}

const struct feature_codec feature_cpu_count = {
	.offset = offsetof(struct features, cpus_available),
	.size = 2 * sizeof(uint32_t),
	.decode = cpu_count_decode,
	.encode = cpu_count_encode,
};

static void u64_decode(void *member, struct cursor *c, const struct features *known)
{
	uint64_t *number = member;

	(void)known;
	*number = cursor_u64(c);
}

static void u64_encode(const void *member, struct bytes *out)
{
	const uint64_t *number = member;

	bytes_u64(out, *number);
}

#define U64(member)                                                                                \
	{                                                                                          \
		FEATURE_AT(member), .decode = u64_decode, .encode = u64_encode                     \
	}

const struct feature_codec feature_total_mem = U64(total_mem_kb);
const struct feature_codec feature_clockid = U64(clockid_res_ns);
const struct feature_codec feature_dir_format = U64(dir_format);

static void sample_time_decode(void *member, struct cursor *c, const struct features *known)
{
	FEATURE_TYPE(sample_time) *times = member;

	(void)known;
	times->first = cursor_u64(c);
	times->last = cursor_u64(c);
}

static void sample_time_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(sample_time) *times = member;

	bytes_u64(out, times->first);
	bytes_u64(out, times->last);
}

const struct feature_codec feature_sample_time = {
	FEATURE_AT(sample_time),
	.decode = sample_time_decode,
	.encode = sample_time_encode,
};

static void compressed_decode(void *member, struct cursor *c, const struct features *known)
{
	FEATURE_TYPE(compressed) *z = member;

	(void)known;
	z->version = cursor_u32(c);
	z->type = cursor_u32(c);
	z->level = cursor_u32(c);
	z->ratio = cursor_u32(c);
	z->mmap_len = cursor_u32(c);
}

static void compressed_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(compressed) *z = member;

	bytes_u32(out, z->version);
	bytes_u32(out, z->type);
	bytes_u32(out, z->level);
	bytes_u32(out, z->ratio);
	bytes_u32(out, z->mmap_len);
}

const struct feature_codec feature_compressed = {
	FEATURE_AT(compressed),
	.decode = compressed_decode,
	.encode = compressed_encode,
};

static void clock_data_decode(void *member, struct cursor *c, const struct features *known)
{
	FEATURE_TYPE(clock_data) *clock = member;

	(void)known;
	clock->version = cursor_u32(c);
	clock->clockid = cursor_u32(c);
	clock->wall_clock_ns = cursor_u64(c);
	clock->clockid_ns = cursor_u64(c);
}

static void clock_data_encode(const void *member, struct bytes *out)
{
	const FEATURE_TYPE(clock_data) *clock = member;

	bytes_u32(out, clock->version);
	bytes_u32(out, clock->clockid);
	bytes_u64(out, clock->wall_clock_ns);
	bytes_u64(out, clock->clockid_ns);
}

const struct feature_codec feature_clock_data = {
	FEATURE_AT(clock_data),
	.decode = clock_data_decode,
	.encode = clock_data_encode,
};

static void flag_decode(void *member, struct cursor *c, const struct features *known)
{
	(void)member;
	(void)c;
	(void)known;
}

static void flag_encode(const void *member, struct bytes *out)
{
	(void)member;
	(void)out;
}

const struct feature_codec feature_flag = { .decode = flag_decode, .encode = flag_encode };
