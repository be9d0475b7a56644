/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Small perf.data files made by our writer, to be read back whole or damaged.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <config.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "datafile/reader.h"
#include "datafile/writer.h"
#include "skip.h"

#define SAMPLES     20
#define SAMPLE_SIZE 24

/* Appends sample @i: a header and two words. */
static inline void sample_put(struct bytes *b, uint64_t i)
{
	bytes_u32(b, PERF_RECORD_SAMPLE);
	bytes_u16(b, 2);
	bytes_u16(b, SAMPLE_SIZE);
	bytes_u64(b, 1000 + i);
	bytes_u64(b, 0xffff800000000000 + i);
}

static inline struct bytes samples(void)
{
	struct bytes b = { 0 };

	for (uint64_t i = 0; i < SAMPLES; i++)
		sample_put(&b, i);
	return b;
}

static inline char *temporary(void)
{
	char *path = xstrdup("/tmp/test-datafile-XXXXXX");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	return path;
}

static uint64_t example_ids[] = { 11, 12 };

static inline struct features example_features(void)
{
	struct features f = { .hostname = "vm", .os_release = "6.1", .arch = "aarch64" };
	static struct event_desc desc = { .attr = { .type = 1, .sample_type = 7 },
					  .name = "cpu-clock",
					  .n_ids = 2 };

	desc.ids = example_ids;
	f.event_descs.items = &desc;
	f.event_descs.n = 1;
	features_mark(&f, FEATURE_HOSTNAME);
	features_mark(&f, FEATURE_OSRELEASE);
	features_mark(&f, FEATURE_EVENT_DESC);
	return f;
}

struct making {
	enum writer_form form;
	size_t parts;
	int level;
	bool aligned; /* COMPRESSED2 */
	bool unfinished;
};

/* Writes SAMPLES samples to @path; ARCH is written at the end, the other features early. */
static inline void make_at(const char *path, struct making how)
{
	const struct writer_options o = {
		.form = how.form,
		.parts = how.parts,
		.compression_level = how.level,
		.compress_aligned = how.aligned,
	};
	const struct file_event event = {
		.attr = { .type = 1, .sample_type = 7 },
		.ids = example_ids,
		.n_ids = 2,
	};
	struct features f = example_features();
	struct bytes b = samples();
	struct diag diag = { 0 };
	struct writer *w = NULL;

	if (how.level && !HAVE_ZSTD)
		skip_because("built without zstd");
	assert_int_equal(writer_open(path, -1, &o, &w, &diag), 0);
	assert_int_equal(writer_begin(w, &event, 1, &f, &diag), 0);
	assert_int_equal(writer_compress(w, 0, b.data, b.n), 0);
	for (unsigned i = 1; i <= how.parts; i++)
		assert_int_equal(writer_compress(w, i, b.data, b.n), 0);
	assert_int_equal(writer_flush(w), 0);
	features_mark(&f, FEATURE_ARCH);
	if (!how.unfinished)
		assert_int_equal(writer_finish(w, &f, &diag), 0);
	writer_free(w);
	bytes_done(&b);
}

static inline char *make(struct making how)
{
	char *path = temporary();

	make_at(path, how);
	return path;
}

/* Returns the bytes of a file, to be damaged and written back. */
static inline struct bytes slurp(const char *path)
{
	struct bytes b = { 0 };
	char *text = NULL;
	size_t n = 0;

	assert_int_equal(file_read(AT_FDCWD, path, 1 << 24, &text, &n), 0);
	bytes_add(&b, text, n);
	free(text);
	return b;
}

static inline void spill(const char *path, const struct bytes *b)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CREAT, 0600);

	assert_int_equal(write(fd, b->data, b->n), b->n);
	close(fd);
}

static inline uint64_t word_at(const struct bytes *b, size_t at)
{
	uint64_t v;

	memcpy(&v, b->data + at, sizeof(v));
	return v;
}

static inline void word_set(struct bytes *b, size_t at, uint64_t v)
{
	memcpy(b->data + at, &v, sizeof(v));
}

/* The result of reading a file. */
struct reading {
	size_t samples, others, inflated;
	uint64_t words; /* sum of the first words of the samples */
	size_t notes;
	char note[256]; /* the first note, or "" */
};

static inline struct reading read_samples(struct datafile *df)
{
	struct diag diag = { 0 };
	struct raw_record rec;
	struct reading r = { 0 };
	uint64_t before = 0;

	while (datafile_next(df, &rec, &diag) > 0) {
		assert_true(rec.position >= before);
		before = rec.position;
		r.inflated += rec.decompressed;
		if (rec.header.type == PERF_RECORD_SAMPLE) {
			uint64_t v;

			memcpy(&v, rec.bytes + 8, sizeof(v));
			r.words += datafile_swapped(df) ? __builtin_bswap64(v) : v;
			r.samples++;
		} else {
			r.others++;
		}
		datafile_release(df, rec.position);
	}
	r.notes = datafile_note_count(df);
	snprintf(r.note, sizeof(r.note), "%s", r.notes ? datafile_note(df, 0) : "");
	return r;
}

static inline struct datafile *open_example(const char *path)
{
	struct diag diag = { 0 };
	struct datafile *df = NULL;

	if (datafile_open(path, true, &df, &diag) < 0)
		fail_msg("%s", diag.message);
	return df;
}

/* Returns the bytes of a file that make() writes. */
static inline struct bytes bytes_of_file(struct making how)
{
	char *path = make(how);
	struct bytes b = slurp(path);

	unlink(path);
	free(path);
	return b;
}

/* Reads @b as a file. */
static inline struct reading read_bytes(const struct bytes *b)
{
	char *path = temporary();
	struct datafile *df;
	struct reading r;

	spill(path, b);
	df = open_example(path);
	r = read_samples(df);
	datafile_free(df);
	unlink(path);
	free(path);
	return r;
}
