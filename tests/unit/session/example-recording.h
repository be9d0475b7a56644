/* SPDX-License-Identifier: MIT */
#pragma once
/* A small recording that a test writes, for jobs that read one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "datafile/features.h"
#include "datafile/writer.h"
#include "wire/sample.h"

static const struct attr example_attr = {
	.type = PERF_TYPE_SOFTWARE,
	.size = 128,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN,
	.sample_id_all = 1,
	.build_id = 1,
};

static inline void add_map(struct bytes *b, uint64_t addr, const char *name, uint8_t id)
{
	const struct record
		r = {
			.header = { .type = PERF_RECORD_MMAP2,
				    .misc = PERF_RECORD_MISC_USER |
					    PERF_RECORD_MISC_MMAP_BUILD_ID },
			.mmap = { .pid = 7,
				  .tid = 7,
				  .addr = addr,
				  .len = 0x1000,
				  .filename = name,
				  .build_id = { .bytes = { id,  0xa, 0xb, 0xc, 0xd, 0xe, 0xf,
							   0xa, 0xb, 0xc, 0xd, 0xe, 0xf, 0xa,
							   0xb, 0xc, 0xd, 0xe, 0xf, 0xa },
						.size = 20 },
				  .prot = 5,
				  .flags = 2 },
		};

	assert_int_equal(record_encode(&r, &example_attr, b), 0);
}

static inline void add_sample(struct bytes *b, uint64_t time, uint64_t ip, uint64_t caller)
{
	const uint64_t chain[] = { PERF_CONTEXT_USER, ip, caller };
	const struct sample s = {
		.misc = PERF_RECORD_MISC_USER,
		.ip = ip,
		.pid = 7,
		.tid = 7,
		.time = time,
		.chain = { .bytes = (const uint8_t *)chain, .n = caller ? 3 : 2 },
	};

	assert_int_equal(sample_encode(&s, &example_attr, b), 0);
}

/*
 * Writes a recording with three images; samples are in the first and, called from the second, again
 * in the first.
 */
static inline void example_recording(const char *path)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(features_done) struct features early = { 0 };
	_cleanup_(writer_freep) struct writer *w = NULL;
	_cleanup_(bytes_done) struct bytes b = { 0 };
	const struct writer_options o = { .form = WRITER_FILE };
	const struct file_event event = { .attr = example_attr };

	add_map(&b, 0x1000, "/nowhere/hit", 1);
	add_map(&b, 0x2000, "/nowhere/caller", 2);
	add_map(&b, 0x3000, "/nowhere/idle", 3);
	add_sample(&b, 500, 0x1010, 0);
	add_sample(&b, 400, 0x1020, 0x2010);
	assert_int_equal(writer_open(path, -1, &o, &w, &d), 0);
	assert_int_equal(writer_begin(w, &event, 1, &early, &d), 0);
	assert_int_equal(writer_write(w, 0, b.data, b.n), 0);
	assert_int_equal(writer_finish(w, &early, &d), 0);
}
