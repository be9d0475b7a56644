/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <config.h>
#include <errno.h>

#include "base/cleanup.h"
#include "built-elf.h"
#include "elf/debug-link.h"
#include "elf/file.h"

/* Returns a file with one section called @name. */
static struct elf_file *with_section(struct built_elf *b, const char *name, const void *bytes,
				     size_t size)
{
	struct elf_file *f = NULL;

	built_begin(b);
	built_add(b, name, SHT_PROGBITS, 0, bytes, size);
	built_end(b, EM_AARCH64, ET_DYN);
	assert_int_equal(elf_file_open_memory(b->bytes, b->size, &f), 0);
	return f;
}

static void the_debuglink_is_a_name_and_a_checksum(void **state)
{
	struct built_elf b;
	_cleanup_(elf_file_freep) struct elf_file *f = with_section(&b, ".gnu_debuglink",
								    "x.debug\0\1\2\3\4", 12);
	struct debug_link link;

	(void)state;
	assert_int_equal(elf_debug_link(f, &link), 0);
	assert_string_equal(link.name, "x.debug");
	assert_int_equal(link.crc, elf_file_is_swapped(f) ? 0x01020304 : 0x04030201);
}

static void a_debuglink_that_makes_no_sense_is_none(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
	} links[] = {
		{ "../../etc/x\0\1\2\3\4", 16 }, /* leads elsewhere */
		{ "endless", 7 },
		{ "\0\0\0\0\1\2\3\4", 8 }, /* no name */
		{ "x.debug\0\1\2\3", 11 }, /* half a checksum */
		{ "x.debug", 8 },          /* none */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		struct built_elf b;
		_cleanup_(elf_file_freep) struct elf_file *f =
			with_section(&b, ".gnu_debuglink", links[i].bytes, links[i].size);
		struct debug_link link = { .crc = 7 };

		assert_int_equal(elf_debug_link(f, &link), -ENODATA);
		assert_int_equal(link.crc, 7);
	}
}

static void a_checksum_is_of_the_whole_file(void **state)
{
	char path[] = "/tmp/test-debug-link-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "123456789", 9), 9);
	close(fd);
	assert_true(debug_link_is_of(path, 0xcbf43926)); /* the check value of CRC-32 */
	assert_false(debug_link_is_of(path, 0xcbf43927));
	unlink(path);
	assert_false(debug_link_is_of(path, 0xcbf43926));
}

static void the_alternative_file_has_a_path_and_an_id(void **state)
{
	struct built_elf b;
	_cleanup_(elf_file_freep) struct elf_file *f = with_section(&b, ".gnu_debugaltlink",
								    ".dwz/x\0\xab\xcd", 9);
	const char *path;
	struct build_id id;

	(void)state;
	assert_int_equal(elf_debug_alt_link(f, &path, &id), 0);
	assert_string_equal(path, ".dwz/x");
	assert_int_equal(id.size, 2);
	assert_memory_equal(id.bytes, "\xab\xcd", 2);
}

static void an_alternative_file_without_path_or_id_is_none(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
	} links[] = { { "x", 1 }, { "x\0", 2 }, { "\0\1\2", 3 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(links); i++) {
		struct built_elf b;
		_cleanup_(elf_file_freep) struct elf_file *f =
			with_section(&b, ".gnu_debugaltlink", links[i].bytes, links[i].size);
		const char *path;
		struct build_id id;

		assert_int_equal(elf_debug_alt_link(f, &path, &id), -ENODATA);
	}
}

static void packed_data_that_is_no_elf_file_is_refused(void **state)
{
	/* "hello\n", by xz. */
	static const uint8_t xz[] = { 0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x04, 0xe6, 0xd6,
				      0xb4, 0x46, 0x02, 0x00, 0x21, 0x01, 0x16, 0x00, 0x00, 0x00,
				      0x74, 0x2f, 0xe5, 0xa3, 0x01, 0x00, 0x05, 0x68, 0x65, 0x6c,
				      0x6c, 0x6f, 0x0a, 0x00, 0x00, 0x00, 0xa5, 0x60, 0x97, 0xf1,
				      0x94, 0xf6, 0xfd, 0xe0, 0x00, 0x01, 0x1e, 0x06, 0xc1, 0x2f,
				      0xa4, 0x1d, 0x1f, 0xb6, 0xf3, 0x7d, 0x01, 0x00, 0x00, 0x00,
				      0x00, 0x04, 0x59, 0x5a };
	struct elf_file *inner = NULL;
	struct built_elf b;

	(void)state;

	_cleanup_(elf_file_freep) struct elf_file *packed = with_section(&b, ".gnu_debugdata", xz,
									 sizeof(xz));

	assert_int_equal(elf_debug_data(packed, &inner), HAVE_LZMA ? -ENOEXEC : -ENOTSUP);

	struct built_elf c;
	_cleanup_(elf_file_freep) struct elf_file *plain = with_section(&c, ".gnu_debugdata",
									"not packed", 10);

	assert_int_equal(elf_debug_data(plain, &inner), -EINVAL);

	struct built_elf d;
	_cleanup_(elf_file_freep) struct elf_file *without = with_section(&d, ".other", "x", 1);

	assert_int_equal(elf_debug_data(without, &inner), -ENODATA);
	assert_null(inner);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_debuglink_is_a_name_and_a_checksum),
		cmocka_unit_test(a_debuglink_that_makes_no_sense_is_none),
		cmocka_unit_test(a_checksum_is_of_the_whole_file),
		cmocka_unit_test(the_alternative_file_has_a_path_and_an_id),
		cmocka_unit_test(an_alternative_file_without_path_or_id_is_none),
		cmocka_unit_test(packed_data_that_is_no_elf_file_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
