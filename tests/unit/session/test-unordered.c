/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/workers.h"
#include "counted-progress.h"
#include "session/deliver.h"
#include "session/machine.h"

#define WORKERS 3

struct seen {
	struct session *s;
	atomic_size_t n;
	atomic_uint_fast64_t times; /* their sum */
	atomic_uint workers;        /* a bit for each worker */
	atomic_bool misnamed;
	int answer;
};

/*
 * Records errors instead of asserting, because cmocka's asserts work only in its own thread. At 500
 * both names are right: the name comes behind the sample of that time, which matters in a stream
 * and not in a file.
 */
static int see(void *arg, unsigned worker, const struct delivered *items, size_t n)
{
	struct seen *seen = arg;

	atomic_fetch_add(&seen->n, n);
	atomic_fetch_or(&seen->workers, 1u << worker);
	for (size_t i = 0; i < n; i++) {
		const char *name = machine_comm(seen->s, 7, 7, items[i].time);

		atomic_fetch_add(&seen->times, items[i].time);
		if (items[i].raw.header.type != PERF_RECORD_SAMPLE ||
		    (items[i].time != 500 &&
		     strcmp(name, items[i].time < 500 ? "early" : "late") != 0))
			atomic_store(&seen->misnamed, true);
	}
	return seen->answer;
}

static int deliver(struct seen *seen)
{
	_cleanup_(workers_freep) struct workers *w = workers_new(WORKERS, WORKERS);
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct unordered_sink sink = { .samples = see, .arg = seen };

	return session_deliver_unordered(seen->s, w, &sink, &diag);
}

/* Adds samples at 1 to @n, with the thread's names among them, the second one too late. */
static uint64_t fill(struct recording *rec, uint64_t n)
{
	uint64_t sum = 0;

	comm(rec, 7, 7, "early", 0);
	for (uint64_t i = 1; i <= n; i++) {
		sampled(rec, 1 + i % 2, 7, i);
		sum += i;
	}
	comm(rec, 7, 7, "late", 500);
	return sum;
}

static void samples_of_a_file_find_all_its_names(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	uint64_t sum = fill(&rec, 1000);
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	struct seen seen = { .s = s };

	(void)state;
	assert_int_equal(deliver(&seen), 0);
	assert_int_equal(seen.n, 1000);
	assert_int_equal(seen.times, sum);
	assert_false(seen.misnamed);
	assert_int_equal(session_counts(s)->samples, 1000);
	assert_int_equal(session_counts(s)->records[PERF_RECORD_SAMPLE], 1000);
	assert_int_equal(session_counts(s)->first_time, 1);
	assert_int_equal(session_counts(s)->last_time, 1000);
}

static void few_samples_stay_with_the_caller(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	uint64_t sum = fill(&rec, 100);
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	struct seen seen = { .s = s };

	(void)state;
	assert_int_equal(deliver(&seen), 0);
	assert_int_equal(seen.times, sum);
	assert_int_equal(seen.workers, 1);
}

static void a_large_file_is_shared_out(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	uint64_t sum = fill(&rec, 100000);
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	struct seen seen = { .s = s };

	(void)state;
	assert_int_equal(deliver(&seen), 0);
	assert_int_equal(seen.n, 100000);
	assert_int_equal(seen.times, sum);
	assert_false(seen.misnamed);
	assert_int_equal(session_counts(s)->samples, 100000);
}

static void pieces_that_are_done_are_told(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	struct counted_progress told = COUNTED_PROGRESS;
	struct seen seen = { 0 };

	(void)state;
	fill(&rec, 100);
	rec.progress = &told.progress;

	_cleanup_(session_freep) struct session *s = opened(&rec, false);

	seen.s = s;
	assert_int_equal(deliver(&seen), 0);
	assert_int_equal(told.updates, 1);
	assert_int_equal(told.done, 1);
	assert_int_equal(told.total, 1);
	assert_int_equal(told.finishes, 2); /* for the scan, and for the samples */
	assert_string_equal(told.title, "Reading samples");
}

static void it_may_be_asked_for_again_and_after_a_scan(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint64_t sum = fill(&rec, 1000);
	_cleanup_(session_freep) struct session *s = opened(&rec, false);

	(void)state;
	assert_int_equal(session_scan(s, &diag), 0);
	for (int i = 0; i < 2; i++) {
		struct seen seen = { .s = s };

		assert_int_equal(deliver(&seen), 0);
		assert_int_equal(seen.times, sum);
		assert_int_equal(session_counts(s)->samples, 1000);
	}
}

static void nobody_is_needed_to_share_with(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint64_t sum = fill(&rec, 1000);
	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	struct seen seen = { .s = s };
	const struct unordered_sink sink = { .samples = see, .arg = &seen };

	(void)state;
	assert_int_equal(session_deliver_unordered(s, NULL, &sink, &diag), 0);
	assert_int_equal(seen.times, sum);
}

static void the_sink_may_stop(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();

	(void)state;
	fill(&rec, 1000);

	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	struct seen seen = { .s = s, .answer = -EIO };

	assert_int_equal(deliver(&seen), -EIO);
	assert_true(seen.n < 1000);
	seen.answer = 1;
	assert_int_equal(deliver(&seen), 0);
}

static void reading_ends_when_nobody_waits_for_it(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(diag_done) struct diag diag = { 0 };
	atomic_bool stop = true;

	(void)state;
	fill(&rec, 1000);
	rec.stop = &stop;

	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	struct seen seen = { .s = s };

	assert_int_equal(deliver(&seen), -ECANCELED);
	assert_int_equal(seen.n, 0);
	/* The same holds between the passes. */
	atomic_store(&stop, false);
	assert_int_equal(session_scan(s, &diag), 0);
	atomic_store(&stop, true);
	assert_int_equal(deliver(&seen), -ECANCELED);
	assert_int_equal(seen.n, 0);
}

static void only_the_first_samples_come_on_request(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();

	(void)state;
	fill(&rec, 1000);
	rec.first_bytes = rec.records.n / 16;

	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	struct seen seen = { .s = s };

	assert_int_equal(deliver(&seen), 0);
	assert_true(seen.n > 0 && seen.n < 1000);
	assert_int_equal(session_counts(s)->samples, seen.n);
}

static void a_file_that_shrinks_is_no_reason_to_fail(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(diag_done) struct diag diag = { 0 };

	(void)state;
	fill(&rec, 10000);

	_cleanup_(session_freep) struct session *s = opened(&rec, false);
	struct seen seen = { .s = s };
	size_t notes;

	assert_int_equal(session_scan(s, &diag), 0);
	notes = datafile_note_count(session_datafile(s));
	assert_int_equal(ftruncate(rec.fd, 8192), 0);
	assert_int_equal(deliver(&seen), 0);
	assert_true(seen.n > 0 && seen.n < 10000);
	assert_int_equal(datafile_note_count(session_datafile(s)), notes + 1);
}

#define BIG_RECORD  65528
#define BIG_RECORDS 1024

/*
 * Writes samples that are mostly holes, so that the file is too large to be mapped but takes no
 * space.
 */
static void write_big_part(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0600);
	struct {
		struct record_header h;
		uint64_t id, ip, tids, time;
	} sample = { .h = { PERF_RECORD_SAMPLE, 2, BIG_RECORD }, .id = 1 };

	assert_true(fd >= 0);
	for (off_t i = 0; i < BIG_RECORDS; i++) {
		sample.time = 1000 + (uint64_t)i;
		assert_int_equal(pwrite(fd, &sample, sizeof(sample), i * BIG_RECORD),
				 sizeof(sample));
	}
	assert_int_equal(ftruncate(fd, (off_t)BIG_RECORDS * BIG_RECORD), 0);
	close(fd);
}

/* Opens @path with a limit that leaves no space for mappings of more than 32 MB. */
static struct session *opened_in_little_space(const char *path)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct session *s = NULL;
	struct rlimit before, little;
	FILE *f = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%lu", &pages), 1);
	fclose(f);
	assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
	little = before;
	little.rlim_cur = pages * (unsigned long)sysconf(_SC_PAGESIZE) + (32 << 20);
	assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
	session_open(&(struct session_options){ .path = path }, &s, &diag);
	assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
	assert_non_null(s);
	return s;
}

static void a_part_that_cannot_be_mapped_is_read(void **state)
{
	_cleanup_(recording_done) struct recording rec = recording_new();
	uint64_t sum = fill(&rec, 999);
	_cleanup_(bytes_done) struct bytes file = { 0 };
	char dir[] = "/tmp/test-unordered-XXXXXX", path[64];
	int fd;

	(void)state;
	write_file(&rec, &file);
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/data.0", dir);
	write_big_part(path);
	snprintf(path, sizeof(path), "%s/data", dir);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, file.data, file.n), file.n);
	close(fd);

	struct session *s = opened_in_little_space(dir);
	struct seen seen = { .s = s };

	unlink(path);
	snprintf(path, sizeof(path), "%s/data.0", dir);
	unlink(path);
	rmdir(dir);
	assert_non_null(datafile_mapped(session_datafile(s), 0, 0));
	assert_null(datafile_mapped(session_datafile(s), 1, 0));
	assert_int_equal(deliver(&seen), 0);
	assert_int_equal(seen.n, 999 + BIG_RECORDS);
	for (uint64_t i = 0; i < BIG_RECORDS; i++)
		sum += 1000 + i;
	assert_int_equal(seen.times, sum);
	session_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_of_a_file_find_all_its_names),
		cmocka_unit_test(few_samples_stay_with_the_caller),
		cmocka_unit_test(a_large_file_is_shared_out),
		cmocka_unit_test(pieces_that_are_done_are_told),
		cmocka_unit_test(it_may_be_asked_for_again_and_after_a_scan),
		cmocka_unit_test(nobody_is_needed_to_share_with),
		cmocka_unit_test(the_sink_may_stop),
		cmocka_unit_test(reading_ends_when_nobody_waits_for_it),
		cmocka_unit_test(only_the_first_samples_come_on_request),
		cmocka_unit_test(a_file_that_shrinks_is_no_reason_to_fail),
		cmocka_unit_test(a_part_that_cannot_be_mapped_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
