/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of perf.data: reading ends, every record that is returned lies within memory,
 * positions increase, and a second reading gives the same records.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "datafile/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sums {
	uint64_t records, bytes, position, contents;
};

static uint64_t touch(const uint8_t *p, uint64_t n)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		sum += p[i];
	return sum;
}

static struct sums read_all(struct datafile *df)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct raw_record rec;
	struct sums s = { 0 };

	while (datafile_next(df, &rec, &diag) > 0) {
		if (rec.header.size < RECORD_HEADER_SIZE ||
		    (s.records && rec.position < s.position))
			abort();
		s.contents += touch(rec.bytes, rec.header.size);
		if (rec.payload)
			s.contents += touch(rec.payload, rec.payload_size);
		s.records++;
		s.bytes += rec.header.size;
		s.position = rec.position;
		datafile_release(df, rec.position);
	}
	return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(datafile_freep) struct datafile *df = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	_cleanup_(closep) int fd = memfd_create("fuzz", MFD_CLOEXEC);
	_cleanup_(freep) char *path = xasprintf("/proc/self/fd/%d", fd);
	struct sums first, second;

	if (write(fd, data, size) != (ssize_t)size)
		return 0;
	if (datafile_open(path, true, &df, &diag) < 0) {
		if (!diag.message)
			abort();
		return 0;
	}
	first = read_all(df);
	if (datafile_rewind(df) < 0)
		abort();
	second = read_all(df);
	if (first.records != second.records || first.bytes != second.bytes ||
	    first.contents != second.contents)
		abort();
	for (size_t i = 0; i < datafile_note_count(df); i++)
		if (!*datafile_note(df, i))
			abort();
	return 0;
}
