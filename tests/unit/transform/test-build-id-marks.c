/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "transform/build-id-marks.h"
#include "collected.h"
#include "transform/known-build-ids.h"
#include "transform/rewrite.h"

static struct known_build_id items[] = {
	{ "/bin/a", { .bytes = { 0xaa }, .size = 20 } },
	{ "/bin/b", { .bytes = { 0xbb }, .size = 20 } },
};
static const struct known_build_ids known = { .items = items, .n = 2 };

static void sampled_at(struct recording *rec, uint64_t ip, uint64_t time)
{
	struct sample s = {
		.misc = PERF_RECORD_MISC_USER, .id = 1, .pid = 7, .tid = 7, .ip = ip, .time = time
	};

	assert_int_equal(sample_encode(&s, &rec->attr, &rec->records), 0);
}

static void maps(struct recording *rec)
{
	mmaps(rec, 7, 0x1000, 0x1000, "/bin/a", 10);
	mmaps(rec, 7, 0x8000, 0x1000, "/bin/b", 10);
	mmaps(rec, 7, 0xa000, 0x1000, "/nowhere/c", 10);
}

static void marked(struct recording *rec, bool all, struct collected *c, uint64_t *ret_missed)
{
	_cleanup_(session_freep) struct session *s = opened(rec, false);
	_cleanup_(build_id_marks_freep) struct build_id_marks *m = build_id_marks_new(&(
		struct build_id_marks_options){ .session = s, .all_images = all, .known = &known });
	_cleanup_(diag_done) struct diag d = { 0 };
	uint64_t left_out;

	build_id_marks_transform(m)->next = &c->transform;
	assert_int_equal(rewrite(s, build_id_marks_transform(m), &left_out, &d), 0);
	*ret_missed = build_id_marks_missed(m);
}

static void the_mark_comes_before_the_first_sample_of_an_image(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(collected_done) struct collected c = collected_new();
	uint64_t missed;

	maps(&rec);
	sampled_at(&rec, 0x8010, 20);
	sampled_at(&rec, 0x8020, 30);
	sampled_at(&rec, 0xa020, 40);
	marked(&rec, false, &c, &missed);
	assert_int_equal(c.n, 3 + 1 + 3);
	assert_int_equal(collected_header(&c, 3).type, PERF_RECORD_HEADER_BUILD_ID);
	assert_string_equal(collected_record(&c, 3, NULL).build_id.filename, "/bin/b");
	assert_int_equal(collected_record(&c, 3, NULL).build_id.build_id.bytes[0], 0xbb);
	assert_int_equal(missed, 1);
}

static void all_images_are_marked_before_their_maps(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(collected_done) struct collected c = collected_new();
	uint64_t missed;

	maps(&rec);
	maps(&rec);
	marked(&rec, true, &c, &missed);
	assert_int_equal(c.n, 6 + 2);
	assert_int_equal(collected_header(&c, 0).type, PERF_RECORD_HEADER_BUILD_ID);
	assert_string_equal(collected_record(&c, 0, NULL).build_id.filename, "/bin/a");
	assert_int_equal(collected_header(&c, 1).type, PERF_RECORD_MMAP2);
	assert_int_equal(missed, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_mark_comes_before_the_first_sample_of_an_image),
		cmocka_unit_test(all_images_are_marked_before_their_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
