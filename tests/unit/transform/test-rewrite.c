/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <errno.h>

#include "collected.h"
#include "transform/rewrite.h"

static void swap_words(uint8_t *bytes, size_t n, size_t size)
{
	for (size_t i = 0; i + size <= n; i += size)
		for (size_t k = 0; k < size / 2; k++) {
			uint8_t b = bytes[i + k];

			bytes[i + k] = bytes[i + size - 1 - k];
			bytes[i + size - 1 - k] = b;
		}
}

/* Writes a file in the other byte order: one event of ip and time, a sample, an unknown record. */
static void write_foreign(struct bytes *b)
{
	struct attr attr = { .type = 1,
			     .size = 128,
			     .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME };
	const uint64_t head[] = {
		104, 128 + 16, 104, 128 + 16, 104 + 144, 24 + 16, 0, 0, 0, 0, 0, 0
	};
	const uint64_t ids[] = { 0, 0 }, sample[] = { 0x1000, 77 }, other = 5;

	bytes_add(b, "2ELIFREP", 8);
	bytes_add(b, head, sizeof(head));
	bytes_add(b, &attr, 128);
	bytes_add(b, ids, sizeof(ids));
	bytes_u32(b, PERF_RECORD_SAMPLE);
	bytes_u16(b, PERF_RECORD_MISC_USER);
	bytes_u16(b, 24);
	bytes_add(b, sample, sizeof(sample));
	bytes_u32(b, 60);
	bytes_u16(b, 0);
	bytes_u16(b, 16);
	bytes_add(b, &other, sizeof(other));

	swap_words(b->data + 8, sizeof(head), 8);
	swap_words(b->data + 104, 8, 4);
	swap_words(b->data + 112, 32, 8);
	swap_words(b->data + 248, 4, 4);
	swap_words(b->data + 252, 4, 2);
	swap_words(b->data + 256, 16, 8);
	swap_words(b->data + 272, 4, 4);
	swap_words(b->data + 276, 4, 2);
	swap_words(b->data + 280, 8, 8);
}

static void records_in_the_other_byte_order_are_made_anew(void **state)
{
	(void)state;
	static const struct attr attr = { .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME };
	_cleanup_(bytes_done) struct bytes file = { 0 };
	_cleanup_(collected_done) struct collected c = collected_new();
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(closep) int fd = memfd_create("foreign", MFD_CLOEXEC);
	uint64_t left_out = 0;
	char path[32];

	write_foreign(&file);
	assert_int_equal(write(fd, file.data, file.n), file.n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(
		session_open(&(struct session_options){ .path = path, .in_file_order = true }, &s,
			     &d),
		0);
	assert_int_equal(rewrite(s, &c.transform, &left_out, &d), 0);
	assert_int_equal(c.n, 1);
	assert_int_equal(collected_sample(&c, 0, &attr).ip, 0x1000);
	assert_int_equal(collected_sample(&c, 0, &attr).time, 77);
	assert_int_equal(left_out, 1);
	assert_true(c.ended);
}

static void an_error_of_the_chain_ends_the_reading(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(collected_done) struct collected c = collected_new();
	_cleanup_(diag_done) struct diag d = { 0 };
	uint64_t left_out = 9;

	sampled(&rec, 1, 7, 30);

	_cleanup_(session_freep) struct session *s = opened(&rec, false);

	c.error = -ENOSPC;
	assert_int_equal(rewrite(s, &c.transform, &left_out, &d), -ENOSPC);
	assert_int_equal(left_out, 9);
	assert_false(c.ended);
}

static void records_come_in_the_order_of_the_session(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(collected_done) struct collected c = collected_new();
	_cleanup_(diag_done) struct diag d = { 0 };
	uint64_t left_out;

	sampled(&rec, 1, 7, 30);
	sampled(&rec, 1, 7, 20);

	_cleanup_(session_freep) struct session *s = opened(&rec, false);

	assert_int_equal(rewrite(s, &c.transform, &left_out, &d), 0);
	assert_int_equal(collected_sample(&c, 0, &rec.attr).time, 20);
	assert_int_equal(collected_sample(&c, 1, &rec.attr).time, 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_in_the_other_byte_order_are_made_anew),
		cmocka_unit_test(an_error_of_the_chain_ends_the_reading),
		cmocka_unit_test(records_come_in_the_order_of_the_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
