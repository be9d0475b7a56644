/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scratch-folder.h"
#include "tools/data/ctf-streams.h"

#define HEADER 68
#define EVENT  20 /* size of its id, its time, and the value of add_event() */

static const uint8_t uuid[CTF_UUID_BYTES] = { 1, 2, 3 };

static void add_event(struct ctf_streams *s, uint32_t cpu, uint64_t time, uint64_t value)
{
	bytes_u64(ctf_stream_event(s, cpu, time, 7), value);
}

static uint64_t word(const uint8_t *at)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return v;
}

/* Returns the bytes of a file. The caller frees them. */
static uint8_t *read_file(const char *path, size_t *ret_n)
{
	FILE *f = fopen(path, "r");
	uint8_t *data = malloc(4 << 20);

	assert_non_null(f);
	assert_non_null(data);
	*ret_n = fread(data, 1, 4 << 20, f);
	fclose(f);
	return data;
}

static void a_packet_tells_its_times_and_size(void **state)
{
	_cleanup_(ctf_streams_done) struct ctf_streams s = { .path = ".", .uuid = uuid };
	_cleanup_(freep) uint8_t *data = NULL;
	size_t n;

	(void)state;
	add_event(&s, 2, 100, 5);
	add_event(&s, 2, 300, 6);
	assert_int_equal(ctf_streams_end(&s), 0);
	data = read_file("perf_stream_2", &n);
	assert_int_equal(n, HEADER + 2 * EVENT);
	assert_int_equal(n, s.n_bytes);
	assert_int_equal((uint32_t)word(data), 0xc1fc1fc1);
	assert_memory_equal(data + 4, uuid, CTF_UUID_BYTES);
	assert_int_equal(word(data + 24), 100);
	assert_int_equal(word(data + 32), 300);
	assert_int_equal(word(data + 40), 8 * n);
	assert_int_equal(word(data + 48), 8 * n);
	assert_int_equal(data[64], 2);
	assert_int_equal(data[HEADER], 7);
	assert_int_equal(word(data + HEADER + 4), 100);
	assert_int_equal(word(data + HEADER + EVENT + 12), 6);
}

static void times_of_a_stream_never_go_back(void **state)
{
	_cleanup_(ctf_streams_done) struct ctf_streams s = { .path = ".", .uuid = uuid };
	_cleanup_(freep) uint8_t *data = NULL;
	size_t n;

	(void)state;
	add_event(&s, 0, 500, 0);
	add_event(&s, 0, 400, 0);
	add_event(&s, 1, 10, 0);
	ctf_streams_end(&s);
	data = read_file("perf_stream_0", &n);
	assert_int_equal(word(data + 24), 500);
	assert_int_equal(word(data + HEADER + EVENT + 4), 500);
}

static void many_events_are_several_packets_one_behind_the_other(void **state)
{
	_cleanup_(ctf_streams_done) struct ctf_streams s = { .path = ".", .uuid = uuid };
	_cleanup_(freep) uint8_t *data = NULL;
	size_t n, packets = 0, events = 0;

	(void)state;
	for (uint64_t i = 0; i < 40000; i++)
		add_event(&s, 0, i, i);
	assert_int_equal(ctf_streams_end(&s), 0);
	data = read_file("perf_stream_0", &n);
	for (size_t at = 0; at < n; packets++) {
		size_t bytes = word(data + at + 48) / 8;

		assert_int_equal((uint32_t)word(data + at), 0xc1fc1fc1);
		assert_int_equal(word(data + at + 24), events);
		events += (bytes - HEADER) / EVENT;
		assert_int_equal(word(data + at + 32), events - 1);
		at += bytes;
	}
	assert_true(packets > 1);
	assert_int_equal(events, 40000);
}

static void cpus_that_cannot_be_share_a_stream(void **state)
{
	_cleanup_(ctf_streams_done) struct ctf_streams s = { .path = ".", .uuid = uuid };

	(void)state;
	add_event(&s, UINT32_MAX, 1, 0);
	add_event(&s, UINT32_MAX - 1, 2, 0);
	assert_int_equal(ctf_streams_end(&s), 0);
	assert_int_equal(access("perf_stream_65536", R_OK), 0);
	assert_int_equal(s.items.n, 1);
}

static void a_file_that_cannot_be_written_is_named(void **state)
{
	_cleanup_(ctf_streams_done) struct ctf_streams s = { .path = "no-folder", .uuid = uuid };

	(void)state;
	add_event(&s, 3, 1, 0);
	add_event(&s, 4, 1, 0);
	assert_int_equal(ctf_streams_end(&s), -ENOENT);
	assert_string_equal(s.failed, "no-folder/perf_stream_3");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_scratch_folder, leave_scratch_folder)
	const struct CMUnitTest tests[] = {
		TEST(a_packet_tells_its_times_and_size),
		TEST(times_of_a_stream_never_go_back),
		TEST(many_events_are_several_packets_one_behind_the_other),
		TEST(cpus_that_cannot_be_share_a_stream),
		TEST(a_file_that_cannot_be_written_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
