/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "example-file.h"

static void files_are_for_their_owner_alone(void **state)
{
	(void)state;
	char *path = temporary();
	struct stat st;

	unlink(path);
	make_at(path, (struct making){ 0 });
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	unlink(path);
	free(path);
}

/* A file can be read up to the last flush at every point of its writing. */
static void a_file_can_be_read_while_it_is_written(void **state)
{
	(void)state;
	const struct writer_options o = { 0 };
	const struct file_event event = { .attr = { .sample_type = 7 } };
	char *path = temporary();
	struct features f = example_features();
	struct bytes b = samples();
	struct diag diag = { 0 };
	struct writer *w = NULL;

	assert_int_equal(writer_open(path, -1, &o, &w, &diag), 0);
	assert_int_equal(writer_begin(w, &event, 1, &f, &diag), 0);
	for (size_t i = 0; i < 5; i++) {
		struct bytes now = slurp(path);
		struct reading r = read_bytes(&now);

		assert_int_equal(r.samples, i * SAMPLES);
		bytes_done(&now);
		assert_int_equal(writer_write(w, 0, b.data, b.n), 0);
		assert_int_equal(writer_flush(w), 0);
	}
	assert_true(writer_data_size(w) >= 5 * b.n);
	writer_free(w);
	bytes_done(&b);
	unlink(path);
	free(path);
}

static void pieces_are_written_in_their_order(void **state)
{
	(void)state;
	const struct writer_options o = { .form = WRITER_PIPE };
	struct bytes b = samples();
	struct features none = { 0 };
	struct iovec pieces[SAMPLES];
	struct diag diag = { 0 };
	struct writer *w = NULL;
	char *path = temporary();
	struct datafile *df;

	for (size_t i = 0; i < SAMPLES; i++)
		pieces[i] = (struct iovec){ b.data + i * SAMPLE_SIZE, SAMPLE_SIZE };
	assert_int_equal(writer_open(path, -1, &o, &w, &diag), 0);
	assert_int_equal(writer_begin(w, NULL, 0, &none, &diag), 0);
	assert_int_equal(writer_writev(w, 0, pieces, SAMPLES), 0);
	writer_free(w);
	df = open_example(path);
	assert_int_equal(read_samples(df).words, SAMPLES * 1000 + SAMPLES * (SAMPLES - 1) / 2);
	datafile_free(df);
	bytes_done(&b);
	unlink(path);
	free(path);
}

static void what_cannot_be_created_is_said(void **state)
{
	(void)state;
	const struct writer_options o = { 0 };
	struct diag diag = { 0 };
	struct writer *w = NULL;

	assert_true(writer_open("/nowhere/at/all", -1, &o, &w, &diag) < 0);
	assert_null(w);
	assert_non_null(diag.message);
	diag_done(&diag);
}

static void why_nothing_can_be_written_comes_with_what_to_do(void **state)
{
	(void)state;
	const struct writer_options o = { .form = WRITER_PIPE };
	struct diag diag = { 0 };
	struct writer *w = NULL;

	assert_int_equal(writer_open(NULL, STDERR_FILENO, &o, &w, &diag), 0);
	assert_int_equal(writer_explain(w, -EPIPE, &diag), -EPIPE);
	assert_string_equal(diag.message, "cannot write '-': Broken pipe");
	assert_non_null(diag.hint);
	assert_int_equal(writer_explain(w, -ENOSPC, &diag), -ENOSPC);
	assert_non_null(strstr(diag.hint, "-o"));
	assert_true(writer_is_full(-EDQUOT));
	assert_true(writer_is_full(-EFBIG));
	assert_false(writer_is_full(-EPIPE));
	writer_free(w);
	diag_done(&diag);
}

static void it_tells_its_form_and_where_the_next_record_goes(void **state)
{
	_cleanup_(writer_freep) struct writer *file = NULL, *stream = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *path = temporary();
	_cleanup_(bytes_done) struct bytes b = samples();
	const struct features none = { 0 };
	uint64_t start;

	(void)state;
	assert_int_equal(
		writer_open(path, -1, &(struct writer_options){ .form = WRITER_FILE }, &file, &d),
		0);
	assert_false(writer_is_stream(file));
	assert_int_equal(writer_begin(file, NULL, 0, &none, &d), 0);
	start = writer_offset(file);
	assert_int_equal(writer_write(file, 0, b.data, b.n), 0);
	assert_int_equal(writer_offset(file), start + b.n);
	writer_free(TAKE(file));
	assert_int_equal(
		writer_open(path, -1, &(struct writer_options){ .form = WRITER_PIPE }, &stream, &d),
		0);
	assert_true(writer_is_stream(stream));
	unlink(path);
}

static void what_it_writes_can_be_read_again_or_not(void **state)
{
	static const struct {
		const char *path;
		bool can;
	} cases[] = { { NULL, true }, { "/dev/null", false } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct writer_options o = { .form = WRITER_FILE };
		_cleanup_(diag_done) struct diag d = { 0 };
		_cleanup_(writer_freep) struct writer *w = NULL;
		_cleanup_(freep) char *path = cases[i].path ? xstrdup(cases[i].path) : temporary();

		assert_int_equal(writer_open(path, -1, &o, &w, &d), 0);
		assert_int_equal(writer_can_be_read(w), cases[i].can);
		/* A discarded file is removed, but a device stays. */
		writer_discard(w);
		assert_int_equal(access(path, F_OK), cases[i].can ? -1 : 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_for_their_owner_alone),
		cmocka_unit_test(a_file_can_be_read_while_it_is_written),
		cmocka_unit_test(pieces_are_written_in_their_order),
		cmocka_unit_test(what_cannot_be_created_is_said),
		cmocka_unit_test(why_nothing_can_be_written_comes_with_what_to_do),
		cmocka_unit_test(it_tells_its_form_and_where_the_next_record_goes),
		cmocka_unit_test(what_it_writes_can_be_read_again_or_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
