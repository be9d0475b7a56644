/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/cleanup.h"
#include "bpf/map-term.h"

static struct bpf_map_term term_of(const char *name, const char *value)
{
	struct bpf_map_term t;
	struct diag diag = { 0 };

	assert_int_equal(bpf_map_term_parse(name, value, name, 0, &t, &diag), 0);
	diag_done(&diag);
	return t;
}

static void events_and_values_are_told_apart(void **state)
{
	struct bpf_map_term t = term_of("map:channel.event", "evt");

	(void)state;
	assert_int_equal(t.kind, BPF_MAP_EVENT);
	assert_string_equal(t.map, "channel");
	assert_string_equal(t.event, "evt");
	bpf_map_term_done(&t);

	t = term_of("map:conf.value", "-0x10");
	assert_int_equal(t.kind, BPF_MAP_VALUE);
	assert_int_equal(t.value, -16);
	assert_true(bpf_map_term_covers(&t, 0) && bpf_map_term_covers(&t, UINT32_MAX));
	bpf_map_term_done(&t);

	t = term_of("map:conf.value", "0xffffffffffffffff");
	assert_int_equal(t.value, -1);
	bpf_map_term_done(&t);
}

static void indices_are_numbers_and_ranges(void **state)
{
	struct bpf_map_term t = term_of("map:c.value[0,3...5,8-9]", "1");
	static const bool covered[] = { 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0 };

	(void)state;
	for (uint32_t i = 0; i < ARRAY_SIZE(covered); i++)
		assert_int_equal(bpf_map_term_covers(&t, i), covered[i]);
	bpf_map_term_done(&t);
	t = term_of("map:c.value[all]", "1");
	assert_true(bpf_map_term_covers(&t, 7));
	bpf_map_term_done(&t);
}

static void mistakes_are_marked_where_they_are(void **state)
{
	static const struct {
		const char *name, *value;
		size_t offset;
	} cases[] = {
		{ "foo", "1", 0 },
		{ "map:a", "1", 4 },
		{ "map:.value", "1", 4 },
		{ "map:a.b", "1", 6 },
		{ "map:a.value", NULL, 0 },
		{ "map:a.value", "x", 12 },
		{ "map:a.value[", "1", 12 },
		{ "map:a.value[x]", "1", 12 },
		{ "map:a.value[1", "1", 13 },
		{ "map:a.value[5...2]", "1", 12 },
		{ "map:a.value[1,]", "1", 14 },
		{ "map:a.value[4294967296]", "1", 12 },
		{ "map:a.value[1]x", "1", 13 },
		{ "map:a.value", "99999999999999999999", 12 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char source[64];
		struct bpf_map_term t;
		struct diag diag = { 0 };

		snprintf(source, sizeof(source), "%s=%s", cases[i].name,
			 cases[i].value ? cases[i].value : "");
		assert_int_equal(
			bpf_map_term_parse(cases[i].name, cases[i].value, source, 0, &t, &diag),
			-EINVAL);
		assert_int_equal(diag.offset, cases[i].offset);
		diag_done(&diag);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_and_values_are_told_apart),
		cmocka_unit_test(indices_are_numbers_and_ranges),
		cmocka_unit_test(mistakes_are_marked_where_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
