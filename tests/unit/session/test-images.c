/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "session/images.h"
#include "symbol/symbolizer.h"
#include "wire/record.h"

static struct build_id id_of(uint8_t first)
{
	return (struct build_id){ .bytes = { first, 2, 3 }, .size = 20 };
}

static const struct build_id *id_got(struct images *im, enum image_kind kind, const char *name)
{
	return image_build_id(images_get(im, &(struct image_key){ .kind = kind, .name = name }));
}

static void an_image_has_the_build_id_of_its_name(void **state)
{
	_cleanup_(images_done) struct images im;
	struct build_id a = id_of(0xaa);

	(void)state;
	images_init(&im, NULL);
	images_learn_build_id(&im, "/bin/a", PERF_RECORD_MISC_USER, &a, NULL);
	assert_memory_equal(id_got(&im, IMAGE_USER, "/bin/a")->bytes, a.bytes, 20);
	assert_int_equal(id_got(&im, IMAGE_USER, "/bin/b")->size, 0);
}

static void the_map_knows_better(void **state)
{
	_cleanup_(images_done) struct images im;
	struct build_id a = id_of(0xaa), b = id_of(0xbb);
	struct image_key key = {
		.kind = IMAGE_USER, .name = "/bin/a", .build_id = b.bytes, .build_id_size = 20
	};

	(void)state;
	images_init(&im, NULL);
	images_learn_build_id(&im, "/bin/a", PERF_RECORD_MISC_USER, &a, NULL);
	assert_memory_equal(image_build_id(images_get(&im, &key))->bytes, b.bytes, 20);
}

static void of_several_files_with_one_name_each_has_its_own(void **state)
{
	_cleanup_(images_done) struct images im;
	struct build_id a = id_of(0xaa), b = id_of(0xbb);
	const struct file_id first = { 8, 1, 6, 0 }, second = { 8, 1, 7, 0 };
	struct image_key key = { .kind = IMAGE_USER, .name = "/bin/a", .file = { 8, 1, 6, 5 } };

	(void)state;
	images_init(&im, NULL);
	images_learn_build_id(&im, "/bin/a", PERF_RECORD_MISC_USER, &a, &first);
	images_learn_build_id(&im, "/bin/a", PERF_RECORD_MISC_USER, &b, &second);
	assert_memory_equal(image_build_id(images_get(&im, &key))->bytes, a.bytes, 20);
	key.file.ino = 7;
	assert_memory_equal(image_build_id(images_get(&im, &key))->bytes, b.bytes, 20);
	key.file.ino = 8;
	assert_int_equal(image_build_id(images_get(&im, &key))->size, 0);
}

static void the_kernel_may_go_by_its_path(void **state)
{
	_cleanup_(images_done) struct images im;
	struct build_id a = id_of(0xaa), m = id_of(0xbb);

	(void)state;
	images_init(&im, NULL);
	images_learn_build_id(&im, "/lib/modules/6/x.ko.xz", PERF_RECORD_MISC_KERNEL, &m, NULL);
	images_learn_build_id(&im, "/usr/lib/debug/vmlinux", PERF_RECORD_MISC_KERNEL, &a, NULL);
	images_learn_build_id(&im, "[y]", PERF_RECORD_MISC_KERNEL, &m, NULL);
	assert_memory_equal(id_got(&im, IMAGE_KERNEL, "[kernel.kallsyms]")->bytes, a.bytes, 20);
	assert_memory_equal(id_got(&im, IMAGE_MODULE, "[y]")->bytes, m.bytes, 20);
}

static void a_module_that_is_listed_goes_by_its_path(void **state)
{
	_cleanup_(images_done) struct images im;
	struct build_id a = id_of(0xaa);
	struct image_key key = { .kind = IMAGE_MODULE, .name = "/lib/modules/6/x.ko" };
	struct image *image;

	(void)state;
	images_init(&im, NULL);
	images_learn_build_id(&im, "/lib/modules/6/x.ko", PERF_RECORD_MISC_KERNEL, &a, NULL);
	image = images_get(&im, &key);
	assert_string_equal(image_long_name(image), "/lib/modules/6/x.ko");
	assert_string_equal(image_short_name(image), "[x]");
	key.name = "/lib/modules/6/y.ko";
	assert_string_equal(image_long_name(images_get(&im, &key)), "[y]");
}

static void equal_keys_are_one_image(void **state)
{
	_cleanup_(images_done) struct images im;
	struct image_key key = { .kind = IMAGE_USER, .name = "/bin/a" };
	struct image *first;

	(void)state;
	images_init(&im, NULL);
	first = images_get(&im, &key);
	assert_ptr_equal(images_get(&im, &key), first);
	key.name = "/bin/b";
	assert_ptr_not_equal(images_get(&im, &key), first);
	assert_int_equal(im.list.n, 2);
	assert_ptr_equal(im.list.items[0], first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_image_has_the_build_id_of_its_name),
		cmocka_unit_test(the_map_knows_better),
		cmocka_unit_test(of_several_files_with_one_name_each_has_its_own),
		cmocka_unit_test(the_kernel_may_go_by_its_path),
		cmocka_unit_test(a_module_that_is_listed_goes_by_its_path),
		cmocka_unit_test(equal_keys_are_one_image),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
