/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Recordings made by hand: records in memory, and a session that reads them as a file.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "session/consumer.h"
#include "wire/record.h"
#include "wire/sample.h"

#define RECORDING_EVENTS 2

/* The ids of the events are 1 and 2. Both events have the layout of @attr. */
struct recording {
	struct attr attr;
	struct bytes records;
	struct symbolizer *symbolizer; /* for opened(); borrowed, or NULL */
	bool guest_code;               /* likewise */
	struct progress *progress;     /* the same */
	const atomic_bool *stop;       /* and this */
	uint64_t first_bytes;
	const struct itrace *traces;
	int fd;
};

__attribute__((unused)) static struct recording recording_of(uint64_t sample_type)
{
	return (struct recording){
		.attr = { .type = PERF_TYPE_SOFTWARE,
			  .size = 128,
			  .sample_type = sample_type,
			  .exclude_guest = 1,
			  .sample_id_all = 1 },
		.fd = -1,
	};
}

__attribute__((unused)) static struct recording recording_new(void)
{
	return recording_of(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			    PERF_SAMPLE_TIME);
}

__attribute__((unused)) static void recording_done(struct recording *r)
{
	bytes_done(&r->records);
	if (r->fd >= 0)
		close(r->fd);
}

__attribute__((unused)) static void add(struct recording *rec, struct record r, uint64_t time)
{
	r.id.time = time;
	assert_int_equal(record_encode(&r, &rec->attr, &rec->records), 0);
}

__attribute__((unused)) static void comm(struct recording *rec, uint32_t pid, uint32_t tid,
					 const char *name, uint64_t time)
{
	add(rec,
	    (struct record){ .header.type = PERF_RECORD_COMM,
			     .comm = { .pid = pid, .tid = tid, .comm = name } },
	    time);
}

__attribute__((unused)) static void forks(struct recording *rec, uint32_t ppid, uint32_t ptid,
					  uint32_t pid, uint32_t tid, uint64_t time)
{
	add(rec,
	    (struct record){ .header.type = PERF_RECORD_FORK,
			     .task = { .pid = pid, .ppid = ppid, .tid = tid, .ptid = ptid } },
	    time);
}

__attribute__((unused)) static void mmaps(struct recording *rec, uint32_t pid, uint64_t addr,
					  uint64_t len, const char *name, uint64_t time)
{
	add(rec,
	    (struct record){ .header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
			     .mmap = { .pid = pid,
				       .tid = pid,
				       .addr = addr,
				       .len = len,
				       .filename = name,
				       .prot = 5 } },
	    time);
}

__attribute__((unused)) static void kernel_mmaps(struct recording *rec, uint64_t addr, uint64_t len,
						 const char *name)
{
	add(rec,
	    (struct record){
		    .header = { .type = PERF_RECORD_MMAP, .misc = PERF_RECORD_MISC_KERNEL },
		    .mmap = { .pid = UINT32_MAX, .addr = addr, .len = len, .filename = name } },
	    0);
}

__attribute__((unused)) static void ksymbol(struct recording *rec, uint64_t addr, uint32_t len,
					    const char *name, uint16_t flags, uint64_t time)
{
	add(rec,
	    (struct record){ .header.type = PERF_RECORD_KSYMBOL,
			     .ksymbol = { .addr = addr,
					  .len = len,
					  .ksym_type = 1,
					  .flags = flags,
					  .name = name } },
	    time);
}

__attribute__((unused)) static void sampled(struct recording *rec, uint64_t id, uint32_t tid,
					    uint64_t time)
{
	struct sample s = {
		.misc = PERF_RECORD_MISC_USER, .id = id, .pid = tid, .tid = tid, .time = time
	};

	assert_int_equal(sample_encode(&s, &rec->attr, &rec->records), 0);
}

__attribute__((unused)) static void round_ends(struct recording *rec)
{
	bytes_u32(&rec->records, PERF_RECORD_FINISHED_ROUND);
	bytes_u16(&rec->records, 0);
	bytes_u16(&rec->records, RECORD_HEADER_SIZE);
}

/*
 * Writes a file: header, ids, attrs, then the records. It was never finished, so it has no
 * features.
 */
__attribute__((unused)) static void write_file(struct recording *rec, struct bytes *file)
{
	const size_t entry = 128 + 16, attrs = 104 + 8 * RECORDING_EVENTS;

	bytes_add(file, "PERFILE2", 8);
	bytes_u64(file, 104);
	bytes_u64(file, entry);
	bytes_u64(file, attrs);
	bytes_u64(file, RECORDING_EVENTS * entry);
	bytes_u64(file, attrs + RECORDING_EVENTS * entry);
	bytes_u64(file, rec->records.n);
	bytes_zero(file, 16 + 32);
	for (uint64_t id = 1; id <= RECORDING_EVENTS; id++)
		bytes_u64(file, id);
	for (size_t i = 0; i < RECORDING_EVENTS; i++) {
		rec->attr.config = i;
		bytes_add(file, &rec->attr, 128);
		bytes_u64(file, 104 + 8 * i);
		bytes_u64(file, 8);
	}
	bytes_add(file, rec->records.data, rec->records.n);
}

/* Makes the file. It has @path as long as @rec exists. */
__attribute__((unused)) static void stored(struct recording *rec, char path[32])
{
	_cleanup_(bytes_done) struct bytes file = { 0 };

	write_file(rec, &file);
	rec->fd = memfd_create("recording", MFD_CLOEXEC);
	assert_true(rec->fd >= 0);
	assert_int_equal(write(rec->fd, file.data, file.n), file.n);
	snprintf(path, 32, "/proc/self/fd/%d", rec->fd);
}

__attribute__((unused)) static struct session *opened(struct recording *rec, bool in_file_order)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s;
	char path[32];

	stored(rec, path);
	assert_int_equal(session_open(&(struct session_options){ .path = path,
								 .symbolizer = rec->symbolizer,
								 .guest_code = rec->guest_code,
								 .progress = rec->progress,
								 .stop = rec->stop,
								 .first_bytes = rec->first_bytes,
								 .traces = rec->traces,
								 .in_file_order = in_file_order },
				      &s, &diag),
			 0);
	return s;
}
