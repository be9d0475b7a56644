/* SPDX-License-Identifier: MIT */
#include "collected.h"

#include "base/cleanup.h"
#include "transform/known-build-ids.h"
#include "transform/output.h"

static void strip_regs(const struct transform *t, struct attr *attr)
{
	(void)t;
	attr->sample_type &= ~PERF_SAMPLE_REGS_USER;
}

static const struct transform_kind stripping = { .attr = strip_regs };
static const struct transform chain = { .kind = &stripping };

static struct build_id_entry entry(const char *path, uint8_t id)
{
	return (struct build_id_entry){ .filename = (char *)path,
					.build_id = { .bytes = { id }, .size = 20 } };
}

static void what_tells_of_the_old_file_is_dropped_and_the_rest_kept(void **state)
{
	(void)state;
	_cleanup_(new_features_done) struct new_features n = { 0 };
	struct features old = { .hostname = "vm" };

	features_mark(&old, FEATURE_HOSTNAME);
	features_mark(&old, FEATURE_COMPRESSED);
	features_mark(&old, FEATURE_DIR_FORMAT);
	features_mark(&old, FEATURE_AUXTRACE);
	features_mark(&old, 200);
	new_features_fill(&n, &old, NULL);
	assert_true(features_have(&n.all, FEATURE_HOSTNAME));
	assert_string_equal(n.all.hostname, "vm");
	assert_true(features_have(&n.all, 200));
	assert_false(features_have(&n.all, FEATURE_COMPRESSED));
	assert_false(features_have(&n.all, FEATURE_DIR_FORMAT));
	assert_false(features_have(&n.all, FEATURE_AUXTRACE));
	assert_false(features_have(&n.all, FEATURE_BUILD_ID));
}

static void descriptions_of_events_change_with_the_chain(void **state)
{
	(void)state;
	_cleanup_(new_features_done) struct new_features n = { 0 };
	struct event_desc desc = { .attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_REGS_USER,
				   .name = "x" };
	struct features old = { .event_descs = { .items = &desc, .n = 1 } };

	features_mark(&old, FEATURE_EVENT_DESC);
	new_features_fill(&n, &old, &chain);
	new_features_fill(&n, &old, &chain);
	assert_int_equal(n.all.event_descs.n, 1);
	assert_string_equal(n.all.event_descs.items[0].name, "x");
	assert_int_equal(n.all.event_descs.items[0].attr.sample_type, PERF_SAMPLE_IP);
	assert_true(desc.attr.sample_type & PERF_SAMPLE_REGS_USER);
}

static void build_ids_are_joined_each_once(void **state)
{
	(void)state;
	_cleanup_(new_features_done) struct new_features n = { 0 };
	struct build_id_entry items[] = { entry("/a", 1), entry("/b", 2) };
	struct features old = { .build_ids = { .items = items, .n = 2 } };
	struct build_id_entry more = entry("/c", 3);

	new_features_build_id(&n, &more);
	new_features_build_id(&n, &items[0]);
	new_features_fill(&n, &old, NULL);
	assert_true(features_have(&n.all, FEATURE_BUILD_ID));
	assert_int_equal(n.all.build_ids.n, 3);
}

static void known_build_ids_win_over_those_of_the_file(void **state)
{
	(void)state;
	struct known_build_id item = { "/b", { .bytes = { 9 }, .size = 4 } };
	struct known_build_ids known = { .items = &item, .n = 1 };
	_cleanup_(new_features_done) struct new_features n = { .known = &known };
	struct build_id_entry items[] = { entry("/a", 1), entry("/b", 2) };
	struct features old = { .build_ids = { .items = items, .n = 2 } };

	new_features_fill(&n, &old, NULL);
	assert_int_equal(n.all.build_ids.items[1].build_id.bytes[0], 9);
	assert_int_equal(n.all.build_ids.items[1].build_id.size, 4);
	assert_int_equal(n.all.build_ids.items[0].build_id.bytes[0], 1);
}

static void places_of_traces_are_those_of_the_new_file(void **state)
{
	(void)state;
	_cleanup_(new_features_done) struct new_features n = { 0 };
	struct features old = { 0 };

	new_features_auxtrace(&n, 4096, 72);
	new_features_fill(&n, &old, NULL);
	assert_true(features_have(&n.all, FEATURE_AUXTRACE));
	assert_int_equal(n.all.auxtrace.index.items[0].file_offset, 4096);
	assert_int_equal(n.all.auxtrace.index.items[0].size, 72);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_tells_of_the_old_file_is_dropped_and_the_rest_kept),
		cmocka_unit_test(descriptions_of_events_change_with_the_chain),
		cmocka_unit_test(build_ids_are_joined_each_once),
		cmocka_unit_test(known_build_ids_win_over_those_of_the_file),
		cmocka_unit_test(places_of_traces_are_those_of_the_new_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
