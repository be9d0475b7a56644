/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "datafile/input.h"
#include "example-file.h"
#include <errno.h>
#include <sys/resource.h>

#define MANY_PARTS 300
#define ALL_WORDS  (SAMPLES * 1000 + SAMPLES * (SAMPLES - 1) / 2)

static void what_was_written_is_read(void **state)
{
	(void)state;
	char *path = make((struct making){ 0 });
	struct datafile *df = open_example(path);
	struct reading r = read_samples(df);

	assert_int_equal(r.samples, SAMPLES);
	assert_int_equal(r.words, ALL_WORDS);
	assert_int_equal(r.notes, 0);
	assert_int_equal(datafile_event_count(df), 1);
	assert_int_equal(datafile_event(df, 0)->ids[1], 12);
	assert_int_equal(datafile_event(df, 0)->attr.size, 128);
	assert_string_equal(datafile_features(df)->hostname, "vm");
	assert_string_equal(datafile_features(df)->arch, "aarch64");
	assert_false(datafile_is_pipe(df) || datafile_swapped(df));
	datafile_free(df);
	unlink(path);
	free(path);
}

static void check_read_twice(struct making how)
{
	char *path = make(how);
	struct datafile *df = open_example(path);
	struct reading first = read_samples(df), second;

	assert_int_equal(datafile_rewind(df), 0);
	second = read_samples(df);
	assert_int_equal(first.words, ALL_WORDS);
	assert_int_equal(second.words, ALL_WORDS);
	assert_int_equal(second.inflated, SAMPLES);
	datafile_free(df);
	unlink(path);
	free(path);
}

static void a_file_can_be_read_again(void **state)
{
	(void)state;
	check_read_twice((struct making){ .level = 1 });
	check_read_twice((struct making){ .level = 1, .aligned = true });
}

static void a_stream_in_a_file_tells_its_events_once(void **state)
{
	(void)state;
	char *path = make((struct making){ .form = WRITER_PIPE });
	struct datafile *df = open_example(path);

	assert_true(datafile_is_pipe(df));
	assert_int_equal(read_samples(df).words, ALL_WORDS);
	assert_int_equal(datafile_rewind(df), 0);
	assert_int_equal(read_samples(df).words, ALL_WORDS);
	assert_int_equal(datafile_event_count(df), 1);
	assert_string_equal(datafile_features(df)->hostname, "vm");
	datafile_free(df);
	unlink(path);
	free(path);
}

/* Opens the bytes of @from through a pipe. */
static struct datafile *open_piped(const char *from, int *ret_fd)
{
	struct bytes b = slurp(from);
	struct datafile *df;
	char path[64];
	int fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(write(fds[1], b.data, b.n), b.n);
	close(fds[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	df = open_example(path);
	*ret_fd = fds[0];
	bytes_done(&b);
	return df;
}

static void a_stream_is_read_from_a_pipe(void **state)
{
	(void)state;
	char *path = make((struct making){ .form = WRITER_PIPE, .level = 1 });
	int fd;
	struct datafile *df = open_piped(path, &fd);

	assert_int_equal(read_samples(df).words, ALL_WORDS);
	assert_int_equal(datafile_rewind(df), -ESPIPE);
	datafile_free(df);
	close(fd);
	unlink(path);
	free(path);
}

static void a_file_is_read_from_a_pipe_too(void **state)
{
	(void)state;
	char *path = make((struct making){ 0 });
	int fd;
	struct datafile *df = open_piped(path, &fd);

	assert_int_equal(read_samples(df).words, ALL_WORDS);
	assert_string_equal(datafile_features(df)->arch, "aarch64");
	datafile_free(df);
	close(fd);
	unlink(path);
	free(path);
}

static void forget_directory(char *path, unsigned parts)
{
	for (unsigned i = 0; i <= parts; i++) {
		char *file = i ? xasprintf("%s/data.%u", path, i - 1) : xasprintf("%s/data", path);

		assert_int_equal(unlink(file), 0);
		free(file);
	}
	assert_int_equal(rmdir(path), 0);
	free(path);
}

static void a_directory_is_its_files_one_after_the_other(void **state)
{
	(void)state;
	char *path = temporary();
	struct datafile *df;
	struct reading r;

	unlink(path);
	make_at(path, (struct making){ .form = WRITER_DIRECTORY, .parts = 2 });
	/*
	 * A file with another name is not a part of the recording: --per-event-dump writes such
	 * files.
	 */
	char *dump = xasprintf("%s/data.cpu-clock.dump", path);
	close(open(dump, O_WRONLY | O_CREAT, 0600));
	df = open_example(path);
	assert_int_equal(unlink(dump), 0);
	free(dump);
	r = read_samples(df);
	assert_int_equal(r.notes, 0);
	assert_int_equal(r.samples, 3 * SAMPLES);
	assert_int_equal(r.words, 3 * ALL_WORDS);
	datafile_free(df);
	if (geteuid() == 0) {
		char *part = xasprintf("%s/data.1", path);
		struct diag d = { 0 };

		/* Each part must belong to the reader or to root. */
		assert_int_equal(chown(part, 65534, 65534), 0);
		assert_int_equal(datafile_open(path, false, &df, &d), -EPERM);
		assert_int_equal(datafile_open(path, true, &df, &d), 0);
		datafile_free(df);
		diag_done(&d);
		free(part);
	}
	forget_directory(path, 2);
}

/* Returns the first run of samples, behind the records that the writer puts before them. */
static struct sample_run first_run(struct datafile *df, size_t most)
{
	struct diag diag = { 0 };
	struct sample_run run = { 0 };
	struct raw_record rec;

	while (!datafile_next_samples(df, most, &run))
		assert_int_equal(datafile_next(df, &rec, &diag), 1);
	return run;
}

static void a_directory_may_have_more_files_than_may_be_open(void **state)
{
	struct rlimit before, few;
	char *path = temporary();
	struct datafile *df;
	struct reading r;

	(void)state;
	unlink(path);
	make_at(path, (struct making){ .form = WRITER_DIRECTORY, .parts = MANY_PARTS });
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 32;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	df = open_example(path);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	r = read_samples(df);
	assert_int_equal(r.notes, 0);
	assert_int_equal(r.samples, (1 + MANY_PARTS) * SAMPLES);
	assert_non_null(datafile_mapped(df, MANY_PARTS, 0));
	datafile_free(df);
	forget_directory(path, MANY_PARTS);
}

static void samples_are_passed_over_in_runs(void **state)
{
	(void)state;
	char *path = make((struct making){ 0 });
	struct datafile *df = open_example(path);
	struct sample_run run = first_run(df, 3 * SAMPLE_SIZE), rest;
	struct raw_record rec;
	struct diag diag = { 0 };

	assert_int_equal(run.n, 3);
	assert_int_equal(run.size, 3 * SAMPLE_SIZE);
	assert_int_equal(datafile_next(df, &rec, &diag), 1);
	assert_int_equal(rec.offset, run.offset + run.size);
	assert_int_equal(rec.position, run.position + run.size);
	assert_true(datafile_next_samples(df, SIZE_MAX, &rest));
	assert_int_equal(rest.n, SAMPLES - 4);
	assert_false(datafile_next_samples(df, SIZE_MAX, &rest));
	assert_ptr_equal(datafile_mapped(df, run.part, run.offset), run.bytes);
	datafile_drop(df, run.part, run.offset, run.size);
	assert_int_equal(datafile_mapped(df, run.part, run.offset)[0], PERF_RECORD_SAMPLE);
	datafile_free(df);
	unlink(path);
	free(path);
}

static void what_is_compressed_or_streamed_has_no_runs(void **state)
{
	(void)state;
	char *path = make((struct making){ .level = 1 });
	struct datafile *df = open_example(path);
	struct sample_run run;

	assert_false(datafile_next_samples(df, SIZE_MAX, &run));
	assert_int_equal(read_samples(df).words, ALL_WORDS);
	datafile_free(df);
	unlink(path);
	free(path);
}

/* A size that reaches beyond the end is left to datafile_next(). */
static void a_sample_that_is_cut_ends_the_run(void **state)
{
	(void)state;
	char *path = make((struct making){ 0 });
	struct bytes whole = slurp(path);
	struct datafile *df;
	struct sample_run run;

	word_set(&whole, 48, 0);
	df = open_example(path);
	run = first_run(df, SIZE_MAX);
	datafile_free(df);
	whole.n = run.offset + run.size - 8;
	spill(path, &whole);
	df = open_example(path);
	run = first_run(df, SIZE_MAX);
	assert_int_equal(run.n, SAMPLES - 1);
	assert_false(datafile_next_samples(df, SIZE_MAX, &run));
	datafile_free(df);
	bytes_done(&whole);
	unlink(path);
	free(path);
}

static void a_file_that_shrinks_ends_where_it_is_gone(void **state)
{
	(void)state;
	struct bytes b = samples();
	struct diag diag = { 0 };
	char *path = make((struct making){ 0 });
	int fd = open(path, O_WRONLY | O_APPEND);
	struct datafile *df;
	struct reading r;

	/* Nothing is left behind the first page; the recording claims to be unfinished. */
	struct bytes whole = slurp(path);
	word_set(&whole, 48, 0);
	spill(path, &whole);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(write(fd, b.data, b.n), b.n);
	df = open_example(path);
	assert_int_equal(truncate(path, 4096), 0);
	r = read_samples(df);
	assert_true(r.samples < 1000 * SAMPLES);
	assert_true(r.notes > 0);
	datafile_free(df);
	diag_done(&diag);
	bytes_done(&b);
	bytes_done(&whole);
	close(fd);
	unlink(path);
	free(path);
}

static int open_error(const char *path, struct diag *diag)
{
	struct datafile *df = NULL;
	int r = datafile_open(path, true, &df, diag);

	assert_null(df);
	assert_non_null(diag->message);
	return r;
}

static void a_file_cut_within_its_header_is_told_so(void **state)
{
	(void)state;
	char *path = make((struct making){ 0 });
	struct diag diag = { 0 };

	assert_int_equal(truncate(path, 50), 0);
	assert_int_equal(open_error(path, &diag), -ENODATA);
	assert_non_null(strstr(diag.message, "is cut short: it ends at byte 50 of the 104"));
	assert_non_null(diag.hint);
	diag_done(&diag);
	unlink(path);
	free(path);
}

static void what_is_no_recording_is_refused(void **state)
{
	(void)state;
	char *path = temporary();
	struct bytes text = { 0 };
	struct diag diag = { 0 };

	assert_int_equal(open_error(path, &diag), -ENODATA);
	bytes_add(&text, "hello, this is text and no recording, whatever it is called", 59);
	spill(path, &text);
	assert_int_equal(open_error(path, &diag), -EBADMSG);
	unlink(path);
	assert_int_equal(open_error(path, &diag), -ENOENT);
	assert_non_null(diag.hint);
	bytes_done(&text);
	diag_done(&diag);
	free(path);
}

/* A pipe cannot be opened a second time to look for something else in it. */
static void a_pipe_without_a_recording_is_handed_on(void **state)
{
	(void)state;
	static const char text[] = "a;b 1\n";
	struct input rest = { .fd = -1 };
	struct datafile *df = NULL;
	struct diag diag = { 0 };
	const uint8_t *bytes;
	char path[32];
	int fds[2];

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], text, strlen(text)), strlen(text));
	close(fds[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	assert_int_equal(datafile_open_any(path, true, &df, &rest, &diag), -EBADMSG);
	assert_null(df);
	assert_true(rest.is_stream);
	assert_int_equal(input_peek(&rest, 100, &bytes), strlen(text));
	assert_memory_equal(bytes, text, strlen(text));
	input_done(&rest);
	close(fds[0]);
	diag_done(&diag);
}

static void a_file_without_a_recording_is_not(void **state)
{
	(void)state;
	struct input rest = { .fd = -1 };
	struct bytes text = { 0 };
	struct datafile *df = NULL;
	struct diag diag = { 0 };
	char *path = temporary();

	bytes_add(&text, "a;b 1\n", 6);
	spill(path, &text);
	assert_int_equal(datafile_open_any(path, true, &df, &rest, &diag), -EBADMSG);
	assert_false(rest.is_stream);
	input_done(&rest);
	bytes_done(&text);
	diag_done(&diag);
	unlink(path);
	free(path);
}

static void a_file_cut_before_its_data_is_refused(void **state)
{
	(void)state;
	char *path = make((struct making){ 0 });
	struct bytes b = slurp(path);
	size_t attrs_end = word_at(&b, 24) + word_at(&b, 32);

	for (size_t n = 104; n < attrs_end; n += 8) {
		struct diag diag = { 0 };
		struct datafile *df = NULL;

		assert_int_equal(truncate(path, (off_t)n), 0);
		assert_int_equal(datafile_open(path, true, &df, &diag), -ENODATA);
		assert_null(df);
		assert_non_null(strstr(diag.message, "cut short"));
		diag_done(&diag);
		spill(path, &b);
	}
	bytes_done(&b);
	unlink(path);
	free(path);
}

static void a_file_cut_in_its_data_is_known_to_be(void **state)
{
	(void)state;
	char *path = make((struct making){ 0 });
	struct bytes b = slurp(path);
	size_t data = word_at(&b, 40);
	struct datafile *df = open_example(path);

	assert_false(datafile_is_cut(df));
	datafile_free(df);
	assert_int_equal(truncate(path, (off_t)data), 0);
	df = open_example(path);
	assert_true(datafile_is_cut(df));
	assert_int_equal(datafile_event_count(df), 1);
	assert_int_equal(read_samples(df).samples, 0);
	datafile_free(df);
	bytes_done(&b);
	unlink(path);
	free(path);
}

static void features_that_are_cut_off_are_told(void **state)
{
	(void)state;
	char *path = make((struct making){ 0 });
	struct bytes b = slurp(path);
	size_t data_end = word_at(&b, 40) + word_at(&b, 48);
	struct datafile *df;
	struct reading r;

	assert_int_equal(truncate(path, (off_t)data_end + 8), 0);
	df = open_example(path);
	r = read_samples(df);
	assert_int_equal(r.samples, SAMPLES);
	assert_int_equal(r.notes, 1);
	assert_non_null(strstr(r.note, "features are lost"));
	datafile_free(df);
	bytes_done(&b);
	unlink(path);
	free(path);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(a_file_can_be_read_again),
		cmocka_unit_test(a_stream_in_a_file_tells_its_events_once),
		cmocka_unit_test(a_stream_is_read_from_a_pipe),
		cmocka_unit_test(a_file_is_read_from_a_pipe_too),
		cmocka_unit_test(a_directory_is_its_files_one_after_the_other),
		cmocka_unit_test(a_directory_may_have_more_files_than_may_be_open),
		cmocka_unit_test(samples_are_passed_over_in_runs),
		cmocka_unit_test(what_is_compressed_or_streamed_has_no_runs),
		cmocka_unit_test(a_sample_that_is_cut_ends_the_run),
		cmocka_unit_test(a_file_that_shrinks_ends_where_it_is_gone),
		cmocka_unit_test(a_file_cut_within_its_header_is_told_so),
		cmocka_unit_test(what_is_no_recording_is_refused),
		cmocka_unit_test(a_pipe_without_a_recording_is_handed_on),
		cmocka_unit_test(a_file_without_a_recording_is_not),
		cmocka_unit_test(a_file_cut_before_its_data_is_refused),
		cmocka_unit_test(a_file_cut_in_its_data_is_known_to_be),
		cmocka_unit_test(features_that_are_cut_off_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
