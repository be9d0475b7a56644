/* SPDX-License-Identifier: MIT */
#include "example-keys.h"

#include <errno.h>

#include "profile/key-types.h"

static void a_shortened_name_means_the_first_that_begins_so(void **state)
{
	static const char *const pairs[][2] = {
		{ "c", "comm" },         { "cp", "cpu" },         { "cg", "cgroup" },
		{ "s", "symbol" },       { "SYM", "symbol" },     { "so", "socket" },
		{ "d", "dso" },          { "dso_", "dso_size" },  { "p", "pid" },
		{ "pa", "parent" },      { "t", "transaction" },  { "trac", "trace" },
		{ "w", "weight" },       { "l", "local_weight" }, { "addr", "addr" },
		{ "mis", "mispredict" }, { "me", "mem" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		assert_string_equal(key_type_find(pairs[i][0])->name, pairs[i][1]);
	assert_null(key_type_find("tid"));
	assert_null(key_type_find("symbols"));
	assert_null(key_type_find(""));
}

static void every_key_is_complete_and_found_by_its_name(void **state)
{
	static const struct key_type *const types[] = {
#define KEY(name) &key_##name,
#include "profile/keys.def"
#undef KEY
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		const struct key_type *t = types[i];

		assert_non_null(t->title);
		assert_true(!t->of_sample == (t->scope == KEY_FRAME));
		assert_true(!t->of_frame == (t->scope == KEY_SAMPLE));
		assert_non_null(t->parts[0].name);
		assert_int_not_equal(t->parts[0].type, VALUE_NONE);
		assert_ptr_equal(key_type_find(t->name), t);
	}
}

static void defaults_are_keys_of_their_mode(void **state)
{
	(void)state;
	for (enum report_mode mode = REPORT_NORMAL; mode <= REPORT_MEMORY; mode++) {
		struct example_keys m;
		_cleanup_(freep) char *list = strdup(keys_default(mode));

		example_keys_init(&m, false);
		for (char *save, *key = strtok_r(list, ",", &save); key;
		     key = strtok_r(NULL, ",", &save))
			assert_int_equal(keys_add(&m.keys, &m.env, mode, key, &m.diag), 0);
		assert_true(m.keys.n > 0);
		example_keys_done(&m);
	}
}

static void a_key_is_there_once(void **state)
{
	struct example_keys m;

	(void)state;
	example_keys_init(&m, false);
	example_key(&m, REPORT_NORMAL, "comm");
	example_key(&m, REPORT_NORMAL, "com");
	assert_int_equal(m.keys.n, 1);
	example_keys_done(&m);
}

static void refused(const char *name, enum report_mode mode, const char *message, const char *hint)
{
	struct example_keys m;

	example_keys_init(&m, false);
	assert_int_equal(keys_add(&m.keys, &m.env, mode, name, &m.diag), -EINVAL);
	assert_string_equal(m.diag.message, message);
	assert_non_null(strstr(m.diag.hint, hint));
	assert_int_equal(m.keys.n, 0);
	example_keys_done(&m);
}

static void what_is_no_key_is_refused_with_a_way_out(void **state)
{
	(void)state;
	refused("simbol", REPORT_NORMAL, "there is no sort key 'simbol'", "did you mean 'symbol'");
	refused("dso_from", REPORT_NORMAL, "the sort key 'dso_from' is one of branches",
		"--branch-stack");
	refused("snoop", REPORT_BRANCH, "the sort key 'snoop' is one of accesses to memory",
		"--mem-mode");
}

static void pipeline_stages_are_powerpc_s(void **state)
{
	struct example_keys m;

	(void)state;
	example_keys_init(&m, false);
	assert_int_equal(keys_add(&m.keys, &m.env, REPORT_NORMAL, "p_stage_cyc", &m.diag), 0);
	assert_int_equal(m.keys.n, 0);
	example_keys_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_shortened_name_means_the_first_that_begins_so),
		cmocka_unit_test(every_key_is_complete_and_found_by_its_name),
		cmocka_unit_test(defaults_are_keys_of_their_mode),
		cmocka_unit_test(a_key_is_there_once),
		cmocka_unit_test(what_is_no_key_is_refused_with_a_way_out),
		cmocka_unit_test(pipeline_stages_are_powerpc_s),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
