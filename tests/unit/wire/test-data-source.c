/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "wire/data-source.h"

static void check(uint64_t data_src, const char *wanted)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	data_source_text(&t, data_src);
	assert_string_equal(t.chars, wanted);
}

static void what_is_not_known_is_said(void **state)
{
	(void)state;
	check(0, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	check(0x1e05080021, "|OP N/A|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A");
}

/* op load, lvl hit | L1, snoop none, dtlb hit | L1 | L2, lvl_num L1 */
static void a_hit_has_its_level(void **state)
{
	(void)state;
	check(2 | 10ULL << 5 | 2ULL << 19 | 0x1aULL << 26 | 1ULL << 33 | 1ULL << 40,
	      "|OP LOAD|LVL L1 or L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A");
}

static void far_memory_tells_how_far(void **state)
{
	(void)state;
	check(4 | 16ULL << 19 | 2ULL << 24 | 3ULL << 33 | 1ULL << 37 | 1ULL << 38 | 2ULL << 43,
	      "|OP STORE|LVL Remote node, same socket L3|SNP HitM or Fwd|TLB N/A|LCK Yes|BLK  N/A");
}

static void blocked_loads_tell_by_what(void **state)
{
	(void)state;
	check(6ULL << 40, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  Data Addr");
}

static void every_word_has_some_text(void **state)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)state;
	data_source_text(&t, UINT64_MAX);
	for (unsigned bit = 0; bit < 64; bit++)
		data_source_text(&t, 1ULL << bit);
	assert_true(t.length > 0);
}

static void parts_cover_their_bits_and_no_others(void **state)
{
	static const struct {
		void (*print)(struct text *t, uint64_t data_src);
		uint64_t bits;
	} parts[] = {
		{ data_source_level, DATA_SOURCE_LEVEL },
		{ data_source_snoop, DATA_SOURCE_SNOOP },
		{ data_source_lock, DATA_SOURCE_LOCK },
		{ data_source_tlb, DATA_SOURCE_TLB },
		{ data_source_blocked, DATA_SOURCE_BLOCKED },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		for (unsigned bit = 0; bit < 64; bit++) {
			_cleanup_(text_done) struct text with = TEXT_EMPTY, without = TEXT_EMPTY;

			parts[i].print(&with, parts[i].bits | 1ULL << bit);
			parts[i].print(&without, parts[i].bits);
			assert_string_equal(with.chars, without.chars);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_known_is_said),
		cmocka_unit_test(a_hit_has_its_level),
		cmocka_unit_test(far_memory_tells_how_far),
		cmocka_unit_test(blocked_loads_tell_by_what),
		cmocka_unit_test(every_word_has_some_text),
		cmocka_unit_test(parts_cover_their_bits_and_no_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
