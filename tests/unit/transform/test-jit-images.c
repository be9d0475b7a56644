/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include <time.h>

#include "collected.h"
#include "transform/jit-images.h"
#include "jit-scratch.h"
#include "transform/rewrite.h"

static void inject(struct recording *rec, struct collected *c, size_t *ret_dumps)
{
	_cleanup_(session_freep) struct session *s = opened(rec, false);
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(jit_images_freep) struct jit_images *j = jit_images_new(false, &d);
	uint64_t left_out;

	jit_images_transform(j)->next = &c->transform;
	assert_int_equal(rewrite(s, jit_images_transform(j), &left_out, &d), 0);
	*ret_dumps = jit_images_dumps(j);
}

static struct recording mono_recording(void)
{
	struct recording rec = recording_new();

	rec.attr.use_clockid = 1;
	rec.attr.clockid = CLOCK_MONOTONIC;
	return rec;
}

static void maps_come_at_the_times_of_the_dump(void **state)
{
	(void)state;
	_cleanup_(jit_scratch_done) struct jit_scratch dir;
	_cleanup_(recording_done) struct recording rec = mono_recording();
	_cleanup_(collected_done) struct collected c = collected_new();
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct record r;
	size_t dumps;

	jit_scratch_init(&dir);
	dump_begin(&b, 7, 0);
	dump_load(&b, 100, 0x1000, 16, "one");
	dump_load(&b, 500, 0x1000, 16, "two");
	jit_scratch_write(&dir, &b);
	mmaps(&rec, 7, 0x90000, 0x1000, dir.dump, 50);
	mmaps(&rec, 7, 0x90000, 0x1000, dir.dump, 60);
	sampled(&rec, 1, 7, 70);
	sampled(&rec, 1, 7, 200);
	inject(&rec, &c, &dumps);
	assert_int_equal(dumps, 1);
	assert_int_equal(c.n, 4);
	assert_int_equal(collected_header(&c, 0).type, PERF_RECORD_SAMPLE);
	r = collected_record(&c, 1, &rec.attr);
	assert_int_equal(r.header.type, PERF_RECORD_MMAP2);
	assert_int_equal(r.id.time, 100);
	assert_int_equal(r.mmap.pid, 7);
	assert_int_equal(r.mmap.addr, 0x1000);
	assert_int_equal(r.mmap.len, 16);
	assert_int_equal(r.mmap.pgoff, 0x80);
	assert_int_equal(collected_header(&c, 2).type, PERF_RECORD_SAMPLE);
	assert_int_equal(collected_record(&c, 3, &rec.attr).id.time, 500);
}

static void a_dump_that_cannot_be_read_keeps_its_map(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = mono_recording();
	_cleanup_(collected_done) struct collected c = collected_new();
	size_t dumps;

	mmaps(&rec, 7, 0x90000, 0x1000, "/nowhere/jit-7.dump", 50);
	mmaps(&rec, 7, 0x1000, 0x1000, "/bin/x", 60);
	inject(&rec, &c, &dumps);
	assert_int_equal(dumps, 1);
	assert_int_equal(c.n, 2);
	assert_string_equal(collected_record(&c, 0, &rec.attr).mmap.filename,
			    "/nowhere/jit-7.dump");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(maps_come_at_the_times_of_the_dump),
		cmocka_unit_test(a_dump_that_cannot_be_read_keeps_its_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
