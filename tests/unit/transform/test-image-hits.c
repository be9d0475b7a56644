/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "symbol/symbolizer.h"
#include "transform/image-hits.h"

static struct session *two_programs(struct recording *rec)
{
	_cleanup_(diag_done) struct diag d = { 0 };
	struct session *s;

	mmaps(rec, 7, 0x1000, 0x1000, "/bin/a", 10);
	mmaps(rec, 7, 0x8000, 0x1000, "/bin/b", 10);
	mmaps(rec, 7, 0x1000, 0x1000, "/bin/c", 50);
	kernel_mmaps(rec, 0xffff800000000000, 0x100000, "[kernel.kallsyms]_text");
	s = opened(rec, false);
	assert_int_equal(session_scan(s, &d), 0);
	return s;
}

static struct sample at(uint64_t ip, uint64_t time)
{
	return (struct sample){
		.misc = PERF_RECORD_MISC_USER, .pid = 7, .tid = 7, .ip = ip, .time = time
	};
}

static void assert_hits(const struct image_hits *h, const char *const *names, size_t n)
{
	struct image *const *hits;
	size_t got;

	hits = image_hits_list(h, &got);
	assert_int_equal(got, n);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(image_name(hits[i]), names[i]);
		assert_true(image_hits_has(h, hits[i]));
	}
}

static void images_are_listed_by_their_first_hit_each_once(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = two_programs(&rec);
	_cleanup_(image_hits_freep) struct image_hits *h = image_hits_new(s);
	struct sample b = at(0x8010, 20), a = at(0x1010, 20), nowhere = at(0x99999, 20);

	image_hits_add(h, &b);
	image_hits_add(h, &a);
	image_hits_add(h, &b);
	image_hits_add(h, &nowhere);
	assert_hits(h, (const char *[]){ "/bin/b", "/bin/a" }, 2);
}

static void the_same_address_is_another_image_later(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = two_programs(&rec);
	_cleanup_(image_hits_freep) struct image_hits *h = image_hits_new(s);
	struct sample early = at(0x1010, 20), late = at(0x1010, 60);

	image_hits_add(h, &early);
	image_hits_add(h, &late);
	assert_hits(h, (const char *[]){ "/bin/a", "/bin/c" }, 2);
}

static void frames_count_in_the_mode_of_their_marker(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = two_programs(&rec);
	_cleanup_(image_hits_freep) struct image_hits *h = image_hits_new(s);
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffff800000000010,
					  PERF_CONTEXT_USER, 0x1010, 0x8010 };
	struct sample stack = at(0xffff800000000010, 20);

	stack.misc = PERF_RECORD_MISC_KERNEL;
	stack.chain = (struct words){ .bytes = (const uint8_t *)chain, .n = 5 };
	image_hits_add(h, &stack);
	assert_hits(h, (const char *[]){ "[kernel.kallsyms]", "/bin/a", "/bin/b" }, 3);
}

static void frames_of_one_map_do_not_hide_those_of_another(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = two_programs(&rec);
	_cleanup_(image_hits_freep) struct image_hits *h = image_hits_new(s);
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 0x1010, 0x1ff0, 0x2000,
					  0x99999,           0x8010, 0x1010 };
	struct sample early = at(0x1010, 20), late = at(0x1010, 60);

	early.chain = late.chain = (struct words){ .bytes = (const uint8_t *)chain, .n = 7 };
	image_hits_add(h, &early);
	image_hits_add(h, &late);
	assert_hits(h, (const char *[]){ "/bin/a", "/bin/b", "/bin/c" }, 3);
}

static void add_chain(struct image_hits *h, const uint64_t *chain, size_t n)
{
	struct sample stack = at(0x1010, 20);

	stack.chain = (struct words){ .bytes = (const uint8_t *)chain, .n = n };
	image_hits_add(h, &stack);
}

static void only_frames_in_user_mode_make_a_stack_deep(void **state)
{
	(void)state;
	_cleanup_(recording_done) struct recording rec = recording_new();
	_cleanup_(session_freep) struct session *s = two_programs(&rec);
	_cleanup_(image_hits_freep) struct image_hits *h = image_hits_new(s);
	static const uint64_t k = 0xffff800000000010;
	static const uint64_t kernel[] = { PERF_CONTEXT_KERNEL, k };
	static const uint64_t shallow[] = { PERF_CONTEXT_KERNEL, k,      k,      k,     k,
					    PERF_CONTEXT_USER,   0x1010, 0x8010, 0x8020 };
	static const uint64_t deep[] = { PERF_CONTEXT_USER, 0x1010, 0x8010, 0x8020, 0x8030 };
	static const uint64_t later[] = { PERF_CONTEXT_USER_DEFERRED, 7 };

	add_chain(h, kernel, 2);
	add_chain(h, shallow, 9);
	add_chain(h, deep, 5);
	add_chain(h, later, 2);
	add_chain(h, NULL, 0);
	assert_int_equal(image_hits_depths(h).stacks, 2);
	assert_int_equal(image_hits_depths(h).shallow, 1);
	assert_int_equal(image_hits_depths(h).deepest, 7);
	assert_int_equal(image_hits_depths(h).n_deepest, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(images_are_listed_by_their_first_hit_each_once),
		cmocka_unit_test(the_same_address_is_another_image_later),
		cmocka_unit_test(frames_count_in_the_mode_of_their_marker),
		cmocka_unit_test(frames_of_one_map_do_not_hide_those_of_another),
		cmocka_unit_test(only_frames_in_user_mode_make_a_stack_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
