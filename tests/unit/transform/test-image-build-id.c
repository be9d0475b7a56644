/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "datafile/features.h"
#include "symbol/symbolizer.h"
#include "transform/image-build-id.h"

static const uint8_t recorded[] = { 1, 2, 3, 4 };

static struct image *image_of(struct symbolizer *s, enum image_kind kind, const char *name, bool id)
{
	return symbolizer_image(s,
				&(struct image_key){ .kind = kind,
						     .name = name,
						     .build_id = id ? recorded : NULL,
						     .build_id_size = id ? sizeof(recorded) : 0 });
}

static void what_was_recorded_is_taken(void **state)
{
	(void)state;
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct build_id id;

	assert_int_equal(image_find_build_id(image_of(s, IMAGE_USER, "/nowhere/x", true), &id), 0);
	assert_int_equal(id.size, 4);
	assert_memory_equal(id.bytes, recorded, 4);
}

static void a_file_that_is_gone_has_none(void **state)
{
	(void)state;
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	struct build_id id;

	assert_true(image_find_build_id(image_of(s, IMAGE_USER, "/nowhere/x", false), &id) < 0);
	assert_true(image_find_build_id(image_of(s, IMAGE_UNKNOWN, "[heap]", false), &id) < 0);
	assert_true(image_find_build_id(image_of(s, IMAGE_VDSO, "[vsyscall]", false), &id) < 0);
	assert_true(image_find_build_id(image_of(s, IMAGE_MODULE, "[no_such]", false), &id) < 0);
}

static void entries_tell_kernel_from_user(void **state)
{
	(void)state;
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	const struct build_id id = { .size = 20 };
	struct build_id_entry user =
		image_build_id_entry(NULL, image_of(s, IMAGE_USER, "/bin/x", false), &id);
	struct build_id_entry module =
		image_build_id_entry(NULL, image_of(s, IMAGE_MODULE, "[x]", false), &id);

	assert_int_equal(user.misc, PERF_RECORD_MISC_USER | PERF_RECORD_MISC_BUILD_ID_SIZE);
	assert_int_equal(user.pid, -1);
	assert_string_equal(user.filename, "/bin/x");
	assert_int_equal(module.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_KERNEL);
	free(user.filename);
	free(module.filename);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_recorded_is_taken),
		cmocka_unit_test(a_file_that_is_gone_has_none),
		cmocka_unit_test(entries_tell_kernel_from_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
