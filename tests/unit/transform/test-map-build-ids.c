/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "collected.h"
#include "transform/known-build-ids.h"
#include "transform/map-build-ids.h"
#include "transform/rewrite.h"

static struct known_build_id items[] = {
	{ "/bin/a", { .bytes = { [0 ... 19] = 0xaa }, .size = 20 } },
	{ "/bin/b", { .bytes = { [0 ... 19] = 0xbb }, .size = 20 } },
};
static const struct known_build_ids known = { .items = items, .n = 2 };

static void sampled_at(struct recording *rec, uint32_t pid, uint64_t ip, uint64_t time)
{
	struct sample s = { .misc = PERF_RECORD_MISC_USER,
			    .id = 1,
			    .pid = pid,
			    .tid = pid,
			    .ip = ip,
			    .time = time };

	assert_int_equal(sample_encode(&s, &rec->attr, &rec->records), 0);
}

static void rewritten(struct recording *rec, bool all, struct collected *c, uint64_t *ret_left_out)
{
	_cleanup_(session_freep) struct session *s = opened(rec, false);
	_cleanup_(map_build_ids_freep) struct map_build_ids *m = map_build_ids_new(&(
		struct build_id_marks_options){ .session = s, .all_images = all, .known = &known });
	_cleanup_(diag_done) struct diag d = { 0 };
	uint64_t left_out;

	map_build_ids_transform(m)->next = &c->transform;
	assert_int_equal(rewrite(s, map_build_ids_transform(m), &left_out, &d), 0);
	*ret_left_out = map_build_ids_left_out(m);
}

static void maps(struct recording *rec)
{
	mmaps(rec, 7, 0x1000, 0x1000, "/bin/a", 10);
	mmaps(rec, 7, 0x8000, 0x1000, "/bin/b", 10);
}

static void all_maps_stay(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(collected_done) struct collected c = collected_new();
	struct record r;
	uint64_t left_out;

	maps(&rec);
	mmaps(&rec, 7, 0xa000, 0x1000, "/nowhere/c", 10);
	rewritten(&rec, true, &c, &left_out);
	assert_int_equal(c.n, 3);
	r = collected_record(&c, 1, &rec.attr);
	assert_int_equal(r.header.type, PERF_RECORD_MMAP2);
	assert_string_equal(r.mmap.filename, "/bin/b");
	assert_int_equal(r.mmap.build_id.bytes[0], 0xbb);
	assert_int_equal(collected_record(&c, 2, &rec.attr).mmap.build_id.size, 0);
	assert_int_equal(left_out, 0);
}

static void a_map_comes_before_its_first_sample(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(collected_done) struct collected c = collected_new();
	struct record r;
	uint64_t left_out;

	maps(&rec);
	sampled_at(&rec, 7, 0x8010, 20);
	sampled_at(&rec, 7, 0x8020, 30);
	rewritten(&rec, false, &c, &left_out);
	assert_int_equal(c.n, 1 + 2);
	r = collected_record(&c, 0, &rec.attr);
	assert_string_equal(r.mmap.filename, "/bin/b");
	assert_int_equal(r.mmap.addr, 0x8000);
	assert_int_equal(r.mmap.build_id.bytes[0], 0xbb);
	assert_int_equal(r.id.time, 20);
	assert_int_equal(left_out, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_maps_stay),
		cmocka_unit_test(a_map_comes_before_its_first_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
