/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "elf/compressed.h"

/* "hello\n", packed by gzip -n, xz and zstd. */
static const uint8_t gz[] = { 0x1f, 0x8b, 0x08, 0,    0,    0,    0,    0,    0,
			      0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xe7, 0x02, 0x00,
			      0x20, 0x30, 0x3a, 0x36, 0x06, 0,    0,    0 };
static const uint8_t xz[] = { 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6, 0xb4,
			      0x46, 0x02, 0x00, 0x21, 0x01, 0x16, 0x00, 0x00, 0x00, 0x74, 0x2f,
			      0xe5, 0xa3, 0x01, 0x00, 0x05, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x0a,
			      0x00, 0x00, 0x00, 0xa5, 0x60, 0x97, 0xf1, 0x94, 0xf6, 0xfd, 0xe0,
			      0x00, 0x01, 0x1e, 0x06, 0xc1, 0x2f, 0xa4, 0x1d, 0x1f, 0xb6, 0xf3,
			      0x7d, 0x01, 0x00, 0x00, 0x00, 0x00, 0x04, 0x59, 0x5a };
static const uint8_t zst[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x31, 0x00, 0x00, 0x68,
			       0x65, 0x6c, 0x6c, 0x6f, 0x0a, 0x53, 0x88, 0xbd, 0x91 };

static const struct {
	const uint8_t *bytes;
	size_t size;
	bool have;
} samples[] = {
	{ gz, sizeof(gz), true },
	{ xz, sizeof(xz), HAVE_LZMA },
	{ zst, sizeof(zst), HAVE_ZSTD },
};

/*
 * Returns the path of a file with @size bytes, open at *@ret_fd. The caller unlinks and frees it.
 */
static char *stored(const void *bytes, size_t size, int *ret_fd)
{
	char *path = strdup("/tmp/test-compressed-XXXXXX");

	*ret_fd = mkstemp(path);
	assert_true(*ret_fd >= 0);
	assert_int_equal(write(*ret_fd, bytes, size), size);
	return path;
}

static void packed_files_are_known_and_unpacked(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		_cleanup_(freep) char *out = NULL;
		_cleanup_(closep) int fd = -1;
		_cleanup_(freep) char *path = stored(samples[i].bytes, samples[i].size, &fd);
		size_t size = 0;
		int r = compressed_read(fd, &out, &size);

		assert_true(compressed_is(fd));
		unlink(path);
		assert_int_equal(r, samples[i].have ? 0 : -ENOTSUP);
		if (r == 0) {
			assert_int_equal(size, 6);
			assert_memory_equal(out, "hello\n", 6);
		}
	}
}

static void a_cut_file_is_damaged(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		_cleanup_(freep) char *out = NULL;
		_cleanup_(closep) int fd = -1;
		_cleanup_(freep) char *path = stored(samples[i].bytes, samples[i].size - 5, &fd);
		size_t size;

		assert_int_equal(compressed_read(fd, &out, &size),
				 samples[i].have ? -EBADMSG : -ENOTSUP);
		unlink(path);
	}
}

static void all_members_of_gzip_are_unpacked(void **state)
{
	_cleanup_(freep) char *out = NULL;
	uint8_t twice[2 * sizeof(gz)];
	size_t size;

	(void)state;
	memcpy(twice, gz, sizeof(gz));
	memcpy(twice + sizeof(gz), gz, sizeof(gz));
	assert_true(compressed_is_gzip(twice, sizeof(twice)));
	assert_int_equal(compressed_unpack(twice, sizeof(twice), 12, &out, &size), 0);
	assert_int_equal(size, 12);
	assert_memory_equal(out, "hello\nhello\n", 12);
}

static void no_more_than_the_limit_is_unpacked(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(samples); i++) {
		char *out = NULL;
		size_t size;

		assert_int_equal(
			compressed_unpack(samples[i].bytes, samples[i].size, 5, &out, &size),
			samples[i].have ? -EFBIG : -ENOTSUP);
		assert_null(out);
	}
}

static void two_bytes_tell_gzip(void **state)
{
	(void)state;
	assert_true(compressed_is_gzip(gz, 2));
	assert_false(compressed_is_gzip(gz, 1));
	assert_false(compressed_is_gzip("PERFILE2", 8));
}

static void plain_files_are_not_packed(void **state)
{
	_cleanup_(freep) char *out = NULL;
	_cleanup_(closep) int fd = -1;
	_cleanup_(freep) char *path = stored("\177ELF", 4, &fd);
	size_t size;

	(void)state;
	assert_false(compressed_is(fd));
	assert_int_equal(compressed_read(fd, &out, &size), -EINVAL);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packed_files_are_known_and_unpacked),
		cmocka_unit_test(a_cut_file_is_damaged),
		cmocka_unit_test(all_members_of_gzip_are_unpacked),
		cmocka_unit_test(no_more_than_the_limit_is_unpacked),
		cmocka_unit_test(two_bytes_tell_gzip),
		cmocka_unit_test(plain_files_are_not_packed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
