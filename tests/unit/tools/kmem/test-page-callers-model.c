/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "tools/kmem/page-callers-model.h"

static void functions_of_the_page_allocator_are_known_by_name(void **state)
{
	(void)state;
	assert_true(page_allocator_is("__alloc_pages"));
	assert_true(page_allocator_is("alloc_pages_exact"));
	assert_true(page_allocator_is("__get_free_pages"));
	assert_true(page_allocator_is("get_zeroed_page"));
	assert_true(page_allocator_is("__alloc_frozen_pages_noprof"));
	assert_true(page_allocator_is("vma_alloc_folio_noprof"));
	assert_false(page_allocator_is("___alloc_pages"));
	assert_false(page_allocator_is("pte_alloc_one"));
	assert_false(page_allocator_is("folio_alloc"));
	assert_false(page_allocator_is(""));
}

static void without_names_the_first_address_is_the_caller(void **state)
{
	static const uint64_t chain[] = { (uint64_t)PERF_CONTEXT_KERNEL, 0x1000, 0x2000 };
	struct recording recording = recording_new();
	struct session *session = opened(&recording, false);
	struct sample sample = { .ip = 7, .chain = { .bytes = (const uint8_t *)chain, .n = 3 } };
	const struct session_sample s = { .event = session_event(session, 0), .sample = &sample };
	struct page_callers c = { 0 };

	(void)state;
	assert_int_equal(page_callers_find(&c, session, &s), 0x1000);
	sample.chain.n = 1;
	assert_int_equal(page_callers_find(&c, session, &s), 7);
	page_callers_done(&c);
	session_free(session);
	recording_done(&recording);
}

static const char *example_name(void *arg, uint64_t addr)
{
	static const char *const names[] = {
		NULL,          "bpf_prog_1",        "bpf_trace_run4", "__alloc_pages",
		"alloc_pages", "do_anonymous_page", "handle_mm_fault"
	};

	(void)arg;
	return addr < ARRAY_SIZE(names) ? names[addr] : NULL;
}

static void frames_of_the_tracepoint_are_passed_over(void **state)
{
	static const uint64_t all[] = { 9, 1, 2, 3, 4, 5, 6 }, without[] = { 9, 1, 2, 6 };
	static const uint64_t unnamed[] = { 3, 9, 0, 6 };

	(void)state;
	assert_int_equal(page_caller_of_frames(all, 7, example_name, NULL), 5);
	assert_int_equal(page_caller_of_frames(without, 4, example_name, NULL), 6);
	assert_int_equal(page_caller_of_frames(unnamed, 4, example_name, NULL), 9);
	assert_int_equal(page_caller_of_frames(all, 0, example_name, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_of_the_page_allocator_are_known_by_name),
		cmocka_unit_test(frames_of_the_tracepoint_are_passed_over),
		cmocka_unit_test(without_names_the_first_address_is_the_caller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
