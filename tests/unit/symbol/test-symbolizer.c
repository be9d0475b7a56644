/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "symbol/symbolizer.h"

static const struct symbolizer_options usual = { .raw_names = false };

static void the_same_key_is_the_same_image(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&usual);
	const struct image_key a = { .kind = IMAGE_USER, .name = "/bin/a" };
	const struct image_key b = { .kind = IMAGE_USER, .name = "/bin/b" };
	const struct image_key with_id = { .kind = IMAGE_USER,
					   .name = "/bin/a",
					   .build_id = (const uint8_t *)"xy",
					   .build_id_size = 2 };
	const struct image_key jit = { .kind = IMAGE_JIT, .name = "//anon", .pid = 7 };
	const struct image_key other_jit = { .kind = IMAGE_JIT, .name = "//anon", .pid = 8 };

	(void)state;
	assert_ptr_equal(symbolizer_image(s, &a), symbolizer_image(s, &a));
	assert_ptr_not_equal(symbolizer_image(s, &a), symbolizer_image(s, &b));
	assert_ptr_not_equal(symbolizer_image(s, &a), symbolizer_image(s, &with_id));
	assert_ptr_equal(symbolizer_image(s, &with_id), symbolizer_image(s, &with_id));
	assert_ptr_not_equal(symbolizer_image(s, &jit), symbolizer_image(s, &other_jit));
}

static void names_are_as_users_know_them(void **state)
{
	static const struct {
		struct image_key key;
		const char *long_name, *short_name;
	} rows[] = {
		{ { .kind = IMAGE_USER, .name = "/usr/lib/libc.so.6" },
		  "/usr/lib/libc.so.6",
		  "libc.so.6" },
		{ { .kind = IMAGE_KERNEL, .name = "[kernel.kallsyms]_stext" },
		  "[kernel.kallsyms]",
		  "[kernel.kallsyms]" },
		{ { .kind = IMAGE_MODULE, .name = "/lib/modules/6.1/kernel/net/nf-x.ko.xz" },
		  "[nf_x]",
		  "[nf_x]" },
		{ { .kind = IMAGE_MODULE, .name = "/lib/modules/6.1/nf-y.ko", .by_path = true },
		  "/lib/modules/6.1/nf-y.ko",
		  "[nf_y]" },
		{ { .kind = IMAGE_MODULE, .name = "[nf_x]" }, "[nf_x]", "[nf_x]" },
		{ { .kind = IMAGE_VDSO, .name = "[vdso]" }, "[vdso]", "[vdso]" },
		{ { .kind = IMAGE_JIT, .name = "//anon", .pid = 14604 },
		  "/tmp/perf-14604.map",
		  "[JIT] tid 14604" },
		{ { .kind = IMAGE_JIT, .name = "/memfd:doublemapper (deleted)", .pid = 5 },
		  "/memfd:doublemapper (deleted)",
		  "memfd:doublemapper (deleted)" },
		{ { .kind = IMAGE_UNKNOWN, .name = "[uprobes]" }, "[uprobes]", "[uprobes]" },
	};
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&usual);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct image *im = symbolizer_image(s, &rows[i].key);

		assert_string_equal(image_name(im), rows[i].key.name);
		assert_string_equal(image_long_name(im), rows[i].long_name);
		assert_string_equal(image_short_name(im), rows[i].short_name);
	}
}

static void a_memfd_with_a_build_id_is_a_program(void **state)
{
	static const uint8_t id[] = { 1, 2, 3, 4 };
	static const struct symbolizer_options none;
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&none);
	struct image_key key = { .kind = IMAGE_JIT, .name = "/memfd:x (deleted)", .pid = 5 };
	struct image *code = symbolizer_image(s, &key), *program;

	(void)state;
	key.build_id = id;
	key.build_id_size = sizeof(id);
	program = symbolizer_image(s, &key);
	assert_int_equal(image_kind(code), IMAGE_JIT);
	assert_int_equal(image_kind(program), IMAGE_USER);
	/* Another process runs the same program. */
	key.pid = 6;
	assert_ptr_equal(symbolizer_image(s, &key), program);
}

static void memory_has_no_file_but_a_memfd_counts_as_one(void **state)
{
	static const struct {
		struct image_key key;
		bool is_file;
	} rows[] = {
		{ { .kind = IMAGE_USER, .name = "/bin/a" }, true },
		{ { .kind = IMAGE_MODULE, .name = "[nf_x]" }, true },
		{ { .kind = IMAGE_JIT, .name = "/memfd:x (deleted)", .pid = 5 }, true },
		{ { .kind = IMAGE_JIT, .name = "//anon", .pid = 5 }, false },
		{ { .kind = IMAGE_KERNEL, .name = "[kernel.kallsyms]" }, false },
	};
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&usual);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(image_is_file(symbolizer_image(s, &rows[i].key)), rows[i].is_file);
}

static void names_of_maps_tell_what_they_are(void **state)
{
	static const struct {
		const char *name;
		enum image_kind kind;
	} rows[] = {
		{ "//anon", IMAGE_JIT },
		{ "/dev/zero (deleted)", IMAGE_JIT },
		{ "[heap]", IMAGE_JIT },
		{ "[stack:123]", IMAGE_JIT },
		{ "/SYSV00000000 (deleted)", IMAGE_JIT },
		{ "/anon_hugepage (deleted)", IMAGE_JIT },
		{ "[anon:v8]", IMAGE_JIT },
		{ "[anon_shmem:code]", IMAGE_JIT },
		{ "/memfd:x (deleted)", IMAGE_JIT },
		{ "[vdso]", IMAGE_VDSO },
		{ "[vdso32]", IMAGE_VDSO },
		{ "[vsyscall]", IMAGE_UNKNOWN },
		{ "anon_inode:[perf]", IMAGE_UNKNOWN },
		{ "/usr/bin/python3", IMAGE_USER },
		{ "/tmp/x (deleted)", IMAGE_USER },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(image_kind_of_user(rows[i].name), rows[i].kind);
}

static void collect(struct image *im, void *arg)
{
	strcat(arg, image_name(im));
}

static void images_are_told_in_the_order_of_asking(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&usual);
	char seen[16] = "";

	(void)state;
	for (const char *name = "c\0a\0b\0a\0"; *name; name += 2)
		symbolizer_image(s, &(struct image_key){ .kind = IMAGE_USER, .name = name });
	symbolizer_for_each(s, collect, seen);
	assert_string_equal(seen, "cab");
}

/* A thread that requests images of its own and loads the shared one. */
struct asker {
	struct symbolizer *symbolizer;
	struct image *shared;
	unsigned number;
};

#define ASKERS          4
#define IMAGES_OF_ASKER 200

static void *ask(void *arg)
{
	const struct asker *a = arg;

	for (unsigned i = 0; i < IMAGES_OF_ASKER; i++) {
		char name[32];

		snprintf(name, sizeof(name), "//anon %u %u", a->number, i);
		symbolizer_image(a->symbolizer,
				 &(struct image_key){ .kind = IMAGE_UNKNOWN, .name = name });
	}
	image_symbol_find(a->shared, 0);
	return NULL;
}

static void count_image(struct image *im, void *arg)
{
	unsigned *n = arg;

	/* Facts of an image may be read while another thread loads it. */
	*n += image_build_id(im)->size <= 20 && image_wanted_path(im) && !image_remark(im);
}

static void images_are_walked_while_others_ask_for_more(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&usual);
	struct asker askers[ASKERS];
	pthread_t threads[ASKERS];
	unsigned n = 0;

	(void)state;
	for (unsigned i = 0; i < ASKERS; i++) {
		askers[i] = (struct asker){ s,
					    symbolizer_image(
						    s, &(struct image_key){ .kind = IMAGE_VDSO,
									    .name = "[vdso]" }),
					    i };
		assert_int_equal(pthread_create(&threads[i], NULL, ask, &askers[i]), 0);
	}
	for (unsigned i = 0; i < 100; i++)
		symbolizer_for_each(s, count_image, &n);
	for (unsigned i = 0; i < ASKERS; i++)
		pthread_join(threads[i], NULL);
	n = 0;
	symbolizer_for_each(s, count_image, &n);
	assert_int_equal(n, 1 + ASKERS * IMAGES_OF_ASKER);
}

static void ask_for_one_more(struct image *im, void *arg)
{
	const struct image_key more = { .kind = IMAGE_USER, .name = "/bin/more" };

	(void)im;
	symbolizer_image(arg, &more);
}

static void who_walks_images_may_ask_for_more(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&usual);
	const struct image_key one = { .kind = IMAGE_UNKNOWN, .name = "one" };
	unsigned n = 0;

	(void)state;
	symbolizer_image(s, &one);
	symbolizer_for_each(s, ask_for_one_more, s);
	symbolizer_for_each(s, count_image, &n);
	assert_int_equal(n, 2);
}

static bool is_called(void *arg, const struct image *im)
{
	return !strcmp(image_name(im), arg);
}

static void images_that_nobody_keeps_are_forgotten(void **state)
{
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&usual);
	unsigned n = 0;

	(void)state;
	for (unsigned i = 0; i < 5000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "x%u", i);
		symbolizer_image(s, &(struct image_key){ .kind = IMAGE_UNKNOWN, .name = name });
	}

	const struct image_key kept = { .kind = IMAGE_UNKNOWN, .name = "x77" };
	const struct image_key gone = { .kind = IMAGE_UNKNOWN, .name = "x78" };
	struct image *im = symbolizer_image(s, &kept);

	symbolizer_forget(s, &(struct symbolizer_keeps){ .image = is_called, .arg = "x77" });
	symbolizer_for_each(s, count_image, &n);
	assert_int_equal(n, 1);
	assert_ptr_equal(symbolizer_image(s, &kept), im);
	assert_string_equal(image_name(symbolizer_image(s, &gone)), "x78");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_key_is_the_same_image),
		cmocka_unit_test(images_are_walked_while_others_ask_for_more),
		cmocka_unit_test(who_walks_images_may_ask_for_more),
		cmocka_unit_test(images_that_nobody_keeps_are_forgotten),
		cmocka_unit_test(names_are_as_users_know_them),
		cmocka_unit_test(a_memfd_with_a_build_id_is_a_program),
		cmocka_unit_test(memory_has_no_file_but_a_memfd_counts_as_one),
		cmocka_unit_test(names_of_maps_tell_what_they_are),
		cmocka_unit_test(images_are_told_in_the_order_of_asking),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
