/* SPDX-License-Identifier: MIT */
#include "session/example-recording.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "measure/record-finish.h"
#include "kernel/kept-files.h"

static int make_file(void **state)
{
	char *path = strdup("/tmp/perf-test-XXXXXX");

	close(mkstemp(path));
	*state = path;
	example_recording(path);
	return 0;
}

static int remove_file(void **state)
{
	unlink(*state);
	free(*state);
	return 0;
}

static void check_listed(const char *path, bool few_maps)
{
	const struct record_finish_options o = { .path = path,
						 .no_cache = true,
						 .few_maps = few_maps };
	_cleanup_(features_done) struct features f = { 0 };
	_cleanup_(record_findings_done) struct record_findings found = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(record_finish(&o, &f, &found, &d), 0);
	assert_true(features_have(&f, FEATURE_BUILD_ID));
	assert_int_equal(f.build_ids.n, 2);
	assert_string_equal(f.build_ids.items[0].filename, "/nowhere/hit");
	assert_int_equal(f.build_ids.items[0].build_id.bytes[0], 1);
	assert_int_equal(f.build_ids.items[0].pid, -1);
	assert_int_equal(f.build_ids.items[0].misc,
			 PERF_RECORD_MISC_USER | PERF_RECORD_MISC_BUILD_ID_SIZE);
	assert_string_equal(f.build_ids.items[1].filename, "/nowhere/caller");
}

static void images_with_samples_and_their_callers_are_listed(void **state)
{
	check_listed(*state, false);
	check_listed(*state, true);
}

static void all_images_are_listed_if_asked_for(void **state)
{
	const struct record_finish_options o = { .path = *state,
						 .no_cache = true,
						 .all_images = true };
	_cleanup_(features_done) struct features f = { 0 };
	_cleanup_(record_findings_done) struct record_findings found = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(record_finish(&o, &f, &found, &d), 0);
	assert_int_equal(f.build_ids.n, 3);
}

static void the_first_and_last_times_are_those_of_samples(void **state)
{
	const struct record_finish_options o = { .path = *state, .no_cache = true };
	_cleanup_(features_done) struct features f = { 0 };
	_cleanup_(record_findings_done) struct record_findings found = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(record_finish(&o, &f, &found, &d), 0);
	assert_true(features_have(&f, FEATURE_SAMPLE_TIME));
	assert_int_equal(f.sample_time.first, 400);
	assert_int_equal(f.sample_time.last, 500);
}

static void times_can_be_had_without_build_ids(void **state)
{
	const struct record_finish_options o = { .path = *state, .only_times = true };
	_cleanup_(features_done) struct features f = { 0 };
	_cleanup_(record_findings_done) struct record_findings found = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(record_finish(&o, &f, &found, &d), 0);
	assert_int_equal(f.sample_time.first, 400);
	assert_false(features_have(&f, FEATURE_BUILD_ID));
}

static void an_image_that_cannot_be_copied_is_still_listed(void **state)
{
	const struct record_finish_options o = { .path = *state,
						 .buildid_dir = "/proc/no/such/place" };
	_cleanup_(features_done) struct features f = { 0 };
	_cleanup_(record_findings_done) struct record_findings found = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	assert_int_equal(record_finish(&o, &f, &found, &d), 0);
	assert_int_equal(f.build_ids.n, 2);
}

static void a_file_that_is_not_there_is_an_error(void **state)
{
	const struct record_finish_options o = { .path = "/proc/no/such/file" };
	_cleanup_(features_done) struct features f = { 0 };
	_cleanup_(record_findings_done) struct record_findings found = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };

	(void)state;
	assert_true(record_finish(&o, &f, &found, &d) < 0);
	assert_non_null(d.message);
	assert_false(features_have(&f, FEATURE_SAMPLE_TIME));
}

/* The map has the inode of a file that is neither at its path nor cached. */
static void a_file_that_nobody_has_any_more_is_named(void **state)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(kept_files_freep) struct kept_files *kept = kept_files_new();
	_cleanup_(features_done) struct features f = { 0 }, early = { 0 };
	_cleanup_(record_findings_done) struct record_findings found = { 0 };
	_cleanup_(writer_freep) struct writer *w = NULL;
	_cleanup_(bytes_done) struct bytes b = { 0 };
	const struct writer_options form = { .form = WRITER_FILE };
	const struct file_event event = { .attr = example_attr };
	const struct record_finish_options o = { .path = *state, .no_cache = true, .kept = kept };
	const struct record map = {
		.header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
		.mmap = { .pid = INT32_MAX,
			  .addr = 0x1000,
			  .len = 0x1000,
			  .filename = "/proc/self/exe",
			  .ino = 1,
			  .prot = 5 },
	};
	struct sample s = { .misc = PERF_RECORD_MISC_USER, .ip = 0x1010, .pid = INT32_MAX };

	assert_int_equal(record_encode(&map, &example_attr, &b), 0);
	assert_int_equal(sample_encode(&s, &example_attr, &b), 0);
	assert_int_equal(sample_encode(&s, &example_attr, &b), 0);
	assert_int_equal(writer_open(*state, -1, &form, &w, &d), 0);
	assert_int_equal(writer_begin(w, &event, 1, &early, &d), 0);
	assert_int_equal(writer_write(w, 0, b.data, b.n), 0);
	assert_int_equal(writer_flush(w), 0);
	assert_int_equal(record_finish(&o, &f, &found, &d), 0);
	assert_int_equal(f.build_ids.n, 0);
	assert_int_equal(found.unnamed.n, 1);
	assert_string_equal(found.unnamed.items[0], "/proc/self/exe");
}

#define file_test(f) cmocka_unit_test_setup_teardown(f, make_file, remove_file)

static void add_record(struct bytes *b, uint32_t pid, uint64_t time, struct record r)
{
	r.id.pid = r.id.tid = pid;
	r.id.time = time;
	assert_int_equal(record_encode(&r, &example_attr, b), 0);
}

static void add_task(struct bytes *b, uint32_t type, uint32_t pid, uint64_t time)
{
	add_record(
		b, pid, time,
		(struct record){
			.header.type = type,
			.task = { .pid = pid, .tid = pid, .ppid = 7, .ptid = 7, .time = time } });
}

static void add_own_map(struct bytes *b, uint32_t pid, uint64_t time, const char *name, uint8_t id)
{
	add_record(b, pid, time,
		   (struct record){
			   .header = { .type = PERF_RECORD_MMAP2,
				       .misc = PERF_RECORD_MISC_USER |
					       PERF_RECORD_MISC_MMAP_BUILD_ID },
			   .mmap = { .pid = pid,
				     .tid = pid,
				     .addr = 0x5000,
				     .len = 0x1000,
				     .filename = name,
				     .build_id = { .bytes = { id }, .size = 20 },
				     .prot = 5,
				     .flags = 2 },
		   });
}

static void add_hit(struct bytes *b, uint32_t pid, uint64_t time, uint64_t ip)
{
	const uint64_t chain[] = { PERF_CONTEXT_USER, ip };
	const struct sample s = { .misc = PERF_RECORD_MISC_USER,
				  .ip = ip,
				  .pid = pid,
				  .tid = pid,
				  .time = time,
				  .chain = { .bytes = (const uint8_t *)chain, .n = 2 } };

	assert_int_equal(sample_encode(&s, &example_attr, b), 0);
}

static void add_round(struct bytes *b)
{
	const struct record_header round = { .type = PERF_RECORD_FINISHED_ROUND,
					     .size = RECORD_HEADER_SIZE };

	bytes_add(b, &round, sizeof(round));
}

#define STORM 150000

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#else
#define SANITIZED false
#endif

static long most_kib(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

/*
 * There are enough short processes that earlier ones are forgotten several times. Images are hit in
 * the first process, in the last, and at the end in one that runs since the beginning.
 */
static void a_storm_of_processes_is_not_kept(void **state)
{
	const struct record_finish_options o = { .path = *state, .no_cache = true };
	_cleanup_(features_done) struct features f = { 0 }, early = { 0 };
	_cleanup_(record_findings_done) struct record_findings found = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(writer_freep) struct writer *w = NULL;
	_cleanup_(bytes_done) struct bytes b = { 0 };
	const struct writer_options how = { .form = WRITER_FILE };
	const struct file_event event = { .attr = example_attr };
	uint64_t time = 1000;

	add_map(&b, 0x1000, "/nowhere/parent", 1);
	add_task(&b, PERF_RECORD_FORK, 8, time++);
	for (uint32_t i = 0; i < STORM; i++) {
		uint32_t pid = 100 + i % 20000;
		const char *name = i == 0           ? "/nowhere/first"
				   : i == STORM - 1 ? "/nowhere/last"
						    : "/nowhere/short";

		add_task(&b, PERF_RECORD_FORK, pid, time++);
		add_own_map(&b, pid, time++, name, (uint8_t)(i == 0 ? 2 : i == STORM - 1 ? 3 : 4));
		if (i == 0 || i == STORM - 1)
			add_hit(&b, pid, time++, 0x5010);
		add_task(&b, PERF_RECORD_EXIT, pid, time++);
		if (i % 100 == 99)
			add_round(&b);
	}
	add_hit(&b, 8, time, 0x1010);
	assert_int_equal(writer_open(*state, -1, &how, &w, &d), 0);
	assert_int_equal(writer_begin(w, &event, 1, &early, &d), 0);
	assert_int_equal(writer_write(w, 0, b.data, b.n), 0);
	assert_int_equal(writer_flush(w), 0);

	long before = most_kib();

	assert_int_equal(record_finish(&o, &f, &found, &d), 0);
	/* All of them at once take about 90 MB; sanitizers multiply that. */
	if (!SANITIZED)
		assert_in_range(most_kib() - before, 0, 40 << 10);
	assert_int_equal(f.build_ids.n, 3);
	assert_string_equal(f.build_ids.items[0].filename, "/nowhere/parent");
	assert_string_equal(f.build_ids.items[1].filename, "/nowhere/first");
	assert_string_equal(f.build_ids.items[2].filename, "/nowhere/last");
	assert_int_equal(f.sample_time.last, time);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		file_test(images_with_samples_and_their_callers_are_listed),
		file_test(all_images_are_listed_if_asked_for),
		file_test(the_first_and_last_times_are_those_of_samples),
		file_test(times_can_be_had_without_build_ids),
		file_test(an_image_that_cannot_be_copied_is_still_listed),
		file_test(a_file_that_nobody_has_any_more_is_named),
		cmocka_unit_test(a_file_that_is_not_there_is_an_error),
		file_test(a_storm_of_processes_is_not_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
