/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "dump-builder.h"
#include "scratch.h"
#include "skip.h"
#include "symbol/jit-code.h"
#include "symbol/symbolizer.h"

static void store(const char *path, const struct bytes *b)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(b->data, 1, b->n, f), b->n);
	assert_int_equal(fclose(f), 0);
}

static const char *name_at(const struct jit_code *c, uint64_t addr, uint64_t time)
{
	uint64_t from = 0, until = UINT64_MAX;
	const struct jit_load *l = c ? jit_code_find(c, addr, time, &from, &until) : NULL;
	const struct symbol *s = l ? image_symbol_find(l->image, addr) : NULL;

	return s ? s->name : "-";
}

/*
 * Stores a dump with two functions, one after the other at one address; then the second is moved.
 */
static char *store_example(const char *dir, const char *name, uint32_t pid, uint64_t flags)
{
	_cleanup_(bytes_done) struct bytes b = { 0 };
	char *path = scratch_path(dir, name);

	dump_begin(&b, pid, flags);
	dump_load(&b, 100, 0x1000, 16, "first");
	dump_load(&b, 200, 0x1000, 16, "second");
	dump_move(&b, 300, 0x1000, 0x2000, 16);
	dump_move(&b, 300, 0x5000, 0x6000, 16); /* of nothing */
	store(path, &b);
	return path;
}

static void dumps_are_known_by_their_names(void **state)
{
	(void)state;
	assert_true(jit_code_is_dump("/tmp/jit-14604.dump"));
	assert_true(jit_code_is_dump("jit-1.dump"));
	assert_false(jit_code_is_dump("/tmp/jit-.dump"));
	assert_false(jit_code_is_dump("/tmp/jit-1.dump.gz"));
	assert_false(jit_code_is_dump("/tmp/jit-1x.dump"));
	assert_false(jit_code_is_dump("/tmp/jit--1.dump"));
	assert_false(jit_code_is_dump("/tmp/jit-99999999999999999999.dump"));
	assert_false(jit_code_is_dump("/tmp/xjit-1.dump"));
	assert_false(jit_code_is_dump("/jit-1.dump/x"));
	assert_false(jit_code_is_dump(""));
}

static bool is_of_process_8(void *arg, const struct image *im)
{
	(void)arg;
	return strstr(image_name(im), "jit-8.dump");
}

static bool is_not(void *arg, const struct jit_code *c)
{
	return c != arg;
}

static void dumps_that_nobody_keeps_are_forgotten(void **state)
{
	_cleanup_(freep) char *gone = store_example(*state, "jit-7.dump", 7, 0);
	_cleanup_(freep) char *kept = store_example(*state, "jit-8.dump", 8, 0);
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	const struct jit_request r7 = { .path = gone, .pid = 7 }, r8 = { .path = kept, .pid = 8 };
	const struct jit_code *c = symbolizer_jit_code(s, &r8), *unwanted, *none_yet;
	_cleanup_(bytes_done) struct bytes empty = { 0 };
	_cleanup_(freep) char *new_path = scratch_path(*state, "jit-9.dump");
	const struct jit_request r9 = { .path = new_path, .pid = 9 };
	size_t n;

	/* A compiler that has only begun has made no code, and so has no image. */
	dump_begin(&empty, 9, 0);
	store(new_path, &empty);
	none_yet = symbolizer_jit_code(s, &r9);
	assert_non_null(none_yet);
	unwanted = symbolizer_jit_code(s, &r7);
	assert_non_null(unwanted);
	symbolizer_forget(s,
			  &(struct symbolizer_keeps){ is_of_process_8, is_not, (void *)unwanted });
	assert_ptr_equal(symbolizer_jit_code(s, &r8), c);
	assert_ptr_equal(symbolizer_jit_code(s, &r9), none_yet);
	jit_code_loads(none_yet, &n);
	assert_int_equal(n, 0);
	assert_string_equal(name_at(c, 0x1000, 250), "second");
	/* The dump is read again. */
	assert_string_equal(name_at(symbolizer_jit_code(s, &r7), 0x1000, 250), "second");
}

static void a_dump_is_read_once(void **state)
{
	_cleanup_(freep) char *path = store_example(*state, "jit-7.dump", 7, 0);
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	const struct jit_request r = { .path = path, .pid = 7 };
	const struct jit_code *c = symbolizer_jit_code(s, &r);

	assert_string_equal(name_at(c, 0x1008, 99), "-");
	assert_string_equal(name_at(c, 0x1008, 100), "first");
	assert_string_equal(name_at(c, 0x1008, 200), "second");
	assert_string_equal(name_at(c, 0x2008, 250), "-");
	assert_string_equal(name_at(c, 0x2008, 300), "second");
	assert_string_equal(name_at(c, 0x6008, 300), "-");
	unlink(path);
	assert_ptr_equal(symbolizer_jit_code(s, &r), c);
}

static void times_of_another_clock_do_not_count(void **state)
{
	_cleanup_(freep) char *path = store_example(*state, "jit-7.dump", 7, 0);
	_cleanup_(freep) char *raw = store_example(*state, "jit-8.dump", 8, 1);
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	const struct jit_request other = { .path = path, .pid = 7, .is_other_clock = true };
	const struct jit_request counter = { .path = raw, .pid = 8 };
	const struct jit_request *requests[] = { &other, &counter };

	for (size_t i = 0; i < 2; i++) {
		const struct jit_code *c = symbolizer_jit_code(s, requests[i]);
		size_t n;

		assert_string_equal(name_at(c, 0x1008, 5), "second");
		assert_non_null(image_remark(jit_code_loads(c, &n)[0].image));
	}
}

static void a_dump_lies_below_symfs(void **state)
{
	_cleanup_(freep) char *path = store_example(*state, "tmp/jit-7.dump", 7, 0);
	const struct symbolizer_options o = { .symfs = *state };
	_cleanup_(symbolizer_freep) struct symbolizer *s = symbolizer_new(&o);
	const struct jit_request r = { .path = "/tmp/jit-7.dump", .pid = 7 };

	assert_string_equal(name_at(symbolizer_jit_code(s, &r), 0x1008, 100), "first");
}

static void what_cannot_be_right_is_not_believed(void **state)
{
	_cleanup_(freep) char *other = store_example(*state, "jit-9.dump", 7, 0); /* of process 7 */
	_cleanup_(freep) char *empty = scratch_path(*state, "jit-1.dump");
	_cleanup_(freep) char *text = scratch_path(*state, "jit-2.dump");
	_cleanup_(freep) char *gone = scratch_path(*state, "jit-3.dump");
	_cleanup_(freep) char *directory = scratch_path(*state, "jit-4.dump");
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	const char *paths[] = { other, empty, text, gone, directory };

	scratch_write(empty, "");
	scratch_write(text, "1000 10 f\n");
	assert_int_equal(mkdir(directory, 0755), 0);
	for (size_t i = 0; i < 5; i++) {
		const struct jit_request r = { .path = paths[i], .pid = 7 };

		assert_null(symbolizer_jit_code(s, &r));
	}
}

/* Each record of 64 bytes repeats the name, which must not fill memory. */
static void moved_code_does_not_multiply_long_names(void **state)
{
	enum {
		LENGTH = 1 << 20,
		MOVES = 1 << 10
	};
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(freep) char *path = scratch_path(*state, "jit-7.dump"), *name = xmalloc(LENGTH);
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	const struct jit_request r = { .path = path, .pid = 7 };
	size_t n;

	memset(name, 'x', LENGTH - 1);
	name[LENGTH - 1] = '\0';
	dump_begin(&b, 7, 0);
	dump_load(&b, 100, 0x1000, 16, name);
	for (uint64_t i = 0; i < MOVES; i++)
		dump_move(&b, 200, 0x1000, 0x2000 + 16 * i, 16);
	store(path, &b);
	jit_code_loads(symbolizer_jit_code(s, &r), &n);
	assert_true(n > 1 && n < MOVES / 2);
}

static void another_users_dump_is_read_when_asked(void **state)
{
	_cleanup_(freep) char *path = store_example(*state, "jit-7.dump", 7, 0);
	_cleanup_(symbolizer_freep) struct symbolizer *s =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	_cleanup_(symbolizer_freep) struct symbolizer *forced =
		symbolizer_new(&(struct symbolizer_options){ .any_owner = true });
	const struct jit_request r = { .path = path, .pid = 7 };
	const struct image_key key = { .kind = IMAGE_JIT, .name = "//anon", .pid = 7 };
	struct image *im = symbolizer_image(s, &key);

	if (chown(path, 1, 1) < 0)
		skip_because("only root may do this");
	assert_null(symbolizer_jit_code(s, &r));
	assert_null(image_symbol_find(im, 0x1008));
	assert_int_equal(image_missing_reason(im), IMAGE_FOREIGN_MAP);
	assert_string_equal(image_wanted_path(im), path);
	assert_non_null(strstr(image_refusal(im), "(uid 1)"));
	assert_string_equal(name_at(symbolizer_jit_code(forced, &r), 0x1008, 100), "first");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dumps_are_known_by_their_names),
		cmocka_unit_test_setup_teardown(dumps_that_nobody_keeps_are_forgotten, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(a_dump_is_read_once, scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(times_of_another_clock_do_not_count, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(a_dump_lies_below_symfs, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(what_cannot_be_right_is_not_believed, scratch_make,
						scratch_remove),
		cmocka_unit_test_setup_teardown(moved_code_does_not_multiply_long_names,
						scratch_make, scratch_remove),
		cmocka_unit_test_setup_teardown(another_users_dump_is_read_when_asked, scratch_make,
						scratch_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
