/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "jit-scratch.h"

#include "base/cleanup.h"
#include "base/diag.h"
#include "transform/jit-images.h"
#include "skip.h"

static void write_images(const struct jit_scratch *s, bool mono, struct jit_dump_images *ret)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	const struct jit_dump_request r = { .path = s->dump, .pid = 7, .is_monotonic = mono };

	assert_int_equal(jit_dump_images_write(&r, ret, &d), 0);
}

static void each_function_is_a_file_and_a_map(void **state)
{
	(void)state;
	_cleanup_(jit_scratch_done) struct jit_scratch s;
	_cleanup_(jit_dump_images_done) struct jit_dump_images images = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	jit_scratch_init(&s);
	dump_begin(&b, 7, 0);
	dump_load(&b, 100, 0x1000, 16, "one");
	dump_move(&b, 200, 0x1000, 0x2000, 16);
	jit_scratch_write(&s, &b);
	write_images(&s, true, &images);
	assert_null(images.remark);
	assert_int_equal(images.made, 1);
	assert_int_equal(images.n, 2);
	assert_int_equal(images.items[0].time, 100);
	assert_int_equal(images.items[0].addr, 0x1000);
	assert_int_equal(images.items[1].addr, 0x2000);
	assert_int_equal(images.items[1].time, 200);
	assert_string_equal(images.items[0].path, images.items[1].path);
	assert_non_null(strstr(images.items[0].path, "/jitted-7-1.so"));
	assert_int_equal(access(images.items[0].path, R_OK), 0);
}

static void times_never_go_back(void **state)
{
	(void)state;
	_cleanup_(jit_scratch_done) struct jit_scratch s;
	_cleanup_(jit_dump_images_done) struct jit_dump_images images = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	jit_scratch_init(&s);
	dump_begin(&b, 7, 0);
	dump_load(&b, 300, 0x1000, 16, "one");
	dump_load(&b, 100, 0x2000, 16, "two");
	jit_scratch_write(&s, &b);
	write_images(&s, true, &images);
	assert_int_equal(images.items[1].time, 300);
}

static void times_of_another_clock_are_told_and_not_used(void **state)
{
	(void)state;
	_cleanup_(jit_scratch_done) struct jit_scratch s;
	_cleanup_(jit_dump_images_done) struct jit_dump_images images = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	jit_scratch_init(&s);
	dump_begin(&b, 7, 0);
	dump_load(&b, 100, 0x1000, 16, "one");
	jit_scratch_write(&s, &b);
	write_images(&s, false, &images);
	assert_int_equal(images.items[0].time, 0);
	assert_non_null(strstr(images.remark, "-k mono"));
}

static void a_dump_of_somebody_else_is_left_alone(void **state)
{
	(void)state;
	_cleanup_(jit_scratch_done) struct jit_scratch s;
	_cleanup_(jit_dump_images_done) struct jit_dump_images images = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	jit_scratch_init(&s);
	dump_begin(&b, 8, 0);
	dump_load(&b, 100, 0x1000, 16, "one");
	jit_scratch_write(&s, &b);
	write_images(&s, true, &images);
	assert_int_equal(images.n, 0);
	assert_int_equal(images.made, 0);
	assert_non_null(images.remark);
}

static void what_is_no_dump_gives_a_remark(void **state)
{
	(void)state;
	_cleanup_(jit_scratch_done) struct jit_scratch s;
	_cleanup_(jit_dump_images_done) struct jit_dump_images none = { 0 }, junk = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	jit_scratch_init(&s);
	write_images(&s, true, &none);
	assert_non_null(none.remark);
	bytes_zero(&b, 100);
	jit_scratch_write(&s, &b);
	write_images(&s, true, &junk);
	assert_non_null(junk.remark);
}

static void what_lies_in_the_way_is_not_written_into(void **state)
{
	(void)state;
	_cleanup_(jit_scratch_done) struct jit_scratch s;
	_cleanup_(jit_dump_images_done) struct jit_dump_images images = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	_cleanup_(freep) char *fifo = NULL;
	struct stat st;

	jit_scratch_init(&s);
	fifo = xasprintf("%.*s/jitted-7-1.so", (int)(strrchr(s.dump, '/') - s.dump), s.dump);
	assert_int_equal(mkfifo(fifo, 0666), 0);
	dump_begin(&b, 7, 0);
	dump_load(&b, 100, 0x1000, 16, "one");
	jit_scratch_write(&s, &b);
	write_images(&s, true, &images);
	assert_int_equal(images.made, 1);
	assert_int_equal(stat(fifo, &st), 0);
	assert_true(S_ISREG(st.st_mode));
}

static void the_owner_who_is_not_trusted_is_named(void **state)
{
	(void)state;
	_cleanup_(jit_scratch_done) struct jit_scratch s;
	_cleanup_(jit_dump_images_done) struct jit_dump_images images = { 0 }, forced = { 0 };
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	const struct jit_dump_request any = { .path = s.dump, .pid = 7, .any_owner = true };

	jit_scratch_init(&s);
	dump_begin(&b, 7, 0);
	dump_load(&b, 100, 0x1000, 16, "one");
	jit_scratch_write(&s, &b);
	if (chown(s.dump, 54321, 54321) < 0)
		skip_because("only root may do this");
	write_images(&s, true, &images);
	assert_int_equal(images.n, 0);
	assert_non_null(strstr(images.remark, "belongs to uid 54321"));
	assert_non_null(strstr(images.remark, "-f"));
	assert_int_equal(jit_dump_images_write(&any, &forced, &d), 0);
	assert_int_equal(forced.n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_function_is_a_file_and_a_map),
		cmocka_unit_test(times_never_go_back),
		cmocka_unit_test(times_of_another_clock_are_told_and_not_used),
		cmocka_unit_test(a_dump_of_somebody_else_is_left_alone),
		cmocka_unit_test(what_is_no_dump_gives_a_remark),
		cmocka_unit_test(what_lies_in_the_way_is_not_written_into),
		cmocka_unit_test(the_owner_who_is_not_trusted_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
