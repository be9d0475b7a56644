/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "event/modifier.h"
#include "wire/attr.h"

/* Returns the excluded modes as letters of "ukhIHG"; upper-case H and G are host and guest. */
static const char *excluded(const struct attr *a)
{
	static char letters[8];
	char *at = letters;

	if (a->exclude_user)
		*at++ = 'u';
	if (a->exclude_kernel)
		*at++ = 'k';
	if (a->exclude_hv)
		*at++ = 'h';
	if (a->exclude_idle)
		*at++ = 'I';
	if (a->exclude_host)
		*at++ = 'H';
	if (a->exclude_guest)
		*at++ = 'G';
	*at = '\0';
	return letters;
}

static void apply(const char *letters, struct attr *attr, struct modifier_state *s)
{
	const char *bad = NULL;

	*attr = (struct attr){ .exclude_guest = 1 };
	*s = (struct modifier_state){ 0 };
	assert_int_equal(modifier_apply(letters, attr, s, &bad), 0);
	assert_null(bad);
}

static void only_the_letters_of_the_list_are_modifiers(void **state)
{
	(void)state;
	for (int c = 0; c < 256; c++)
		assert_int_equal(modifier_is_letter((char)c), c && strchr("ukhIGHpPSDWebRX", c));
}

/* The table that perf 6.1 was observed to follow. */
static void letters_exclude_what_they_do_not_name(void **state)
{
	static const struct {
		const char *letters, *excluded;
	} cases[] = {
		{ "", "G" }, /* as without a colon */

		{ "u", "khG" },  { "k", "uh" },    { "h", "uk" },   { "uk", "hG" },
		{ "ku", "hG" },  { "uh", "kG" },   { "kh", "u" },   { "ukh", "G" },
		{ "hku", "G" },

		{ "G", "H" },    { "H", "G" },     { "GH", "" },    { "HG", "" },
		{ "uG", "khH" }, { "Gu", "khH" },  { "kG", "uhH" }, { "uH", "khG" },
		{ "kH", "uhG" }, { "uGH", "kh" },  { "hG", "ukH" },

		{ "I", "I" },    { "uI", "khIG" },

		{ "p", "G" },    { "ppp", "G" },   { "kp", "uhG" }, { "pG", "H" },
		{ "ppH", "G" },  { "pGH", "" },

		{ "P", "" },     { "S", "" },      { "D", "" },     { "W", "" },
		{ "e", "" },     { "b", "" },      { "R", "" },     { "X", "" },
		{ "uD", "khG" }, { "kS", "uh" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct attr attr;
		struct modifier_state s;

		apply(cases[i].letters, &attr, &s);
		if (strcmp(excluded(&attr), cases[i].excluded) != 0)
			fail_msg(":%s excludes %s, not %s", cases[i].letters, excluded(&attr),
				 cases[i].excluded);
	}
}

/*
 * The modes that perf kvm requests are kept where no letter says otherwise; u does not exclude
 * guests then.
 */
static void guests_that_are_wanted_stay_with_u(void **state)
{
	struct attr a = { .exclude_host = 1 };
	struct modifier_state s = { .guests_too = true };
	const char *bad;

	(void)state;
	assert_int_equal(modifier_apply("u", &a, &s, &bad), 0);
	assert_int_equal(a.exclude_guest, 0);
	assert_int_equal(a.exclude_host, 0);
	assert_int_equal(a.exclude_kernel, 1);
	a = (struct attr){ .exclude_host = 1 };
	s = (struct modifier_state){ .guests_too = true };
	assert_int_equal(modifier_apply("H", &a, &s, &bad), 0);
	assert_int_equal(a.exclude_guest, 1);
	assert_int_equal(a.exclude_host, 0);
}

static void every_p_is_a_level_of_precision(void **state)
{
	static const char *const letters[] = { "u", "p", "pp", "ppp" };
	struct attr attr;
	struct modifier_state s;

	(void)state;
	for (unsigned i = 0; i < ARRAY_SIZE(letters); i++) {
		apply(letters[i], &attr, &s);
		assert_int_equal(attr.precise_ip, i);
		assert_false(s.max_precise);
	}
	apply("pup", &attr, &s);
	assert_int_equal(attr.precise_ip, 2);
	apply("P", &attr, &s);
	assert_int_equal(attr.precise_ip, 0);
	assert_true(s.max_precise);
}

static void d_pins_and_e_excludes_others(void **state)
{
	struct attr attr;
	struct modifier_state s;

	(void)state;
	apply("De", &attr, &s);
	assert_true(attr.pinned);
	assert_true(attr.exclusive);
	apply("u", &attr, &s);
	assert_false(attr.pinned);
	assert_false(attr.exclusive);
}

static void letters_that_no_attr_has_a_bit_for_are_remembered(void **state)
{
	struct attr attr;
	struct modifier_state s;

	(void)state;
	apply("S", &attr, &s);
	assert_true(s.sample_read && !s.weak_group && !s.bpf_counter && !s.max_precise);
	apply("W", &attr, &s);
	assert_true(!s.sample_read && s.weak_group && !s.bpf_counter && !s.max_precise);
	apply("b", &attr, &s);
	assert_true(!s.sample_read && !s.weak_group && s.bpf_counter && !s.max_precise);
	apply("R", &attr, &s);
	assert_true(s.latency && !s.sample_read);
	apply("X", &attr, &s);
	assert_false(s.latency);
}

static void a_letter_given_twice_is_refused_where_it_stands(void **state)
{
	(void)state;
	for (const char *c = MODIFIER_LETTERS; *c; c++) {
		char letters[] = { *c, *c == 'I' ? 'u' : 'I', *c, '\0' };
		struct attr attr = { 0 };
		struct modifier_state s = { 0 };
		const char *bad = NULL;
		int r = modifier_apply(letters, &attr, &s, &bad);

		if (*c == 'p') {
			assert_int_equal(r, 0);
			continue;
		}
		assert_int_equal(r, -EINVAL);
		assert_ptr_equal(bad, &letters[2]);
	}
}

static void a_fourth_p_is_refused_where_it_stands(void **state)
{
	static const char letters[] = "pppup";
	struct attr attr = { 0 };
	struct modifier_state s = { 0 };
	const char *bad = NULL;

	(void)state;
	assert_int_equal(modifier_apply(letters, &attr, &s, &bad), -EINVAL);
	assert_ptr_equal(bad, &letters[4]);
}

static void a_letter_that_is_no_modifier_is_refused_where_it_stands(void **state)
{
	static const char letters[] = "ux";
	struct attr attr = { 0 };
	struct modifier_state s = { 0 };
	const char *bad = NULL;

	(void)state;
	assert_int_equal(modifier_apply(letters, &attr, &s, &bad), -EINVAL);
	assert_ptr_equal(bad, &letters[1]);
}

/* The modes that an event and its group request are counted, and precision adds up. */
static void a_groups_letters_add_to_the_events(void **state)
{
	static const struct {
		const char *own, *group, *excluded;
		unsigned precise;
	} cases[] = {
		{ "", "u", "khG", 0 },  { "", "k", "uhG", 0 }, /* unlike :k of an event, which lets
								  guests in */
		{ "u", "k", "hG", 0 },  { "k", "uk", "hG", 0 },   { "u", "u", "khG", 0 },
		{ "u", "h", "kG", 0 },  { "ukh", "u", "khG", 0 }, /* nothing is excluded: the
								     group's begin afresh */
		{ "", "G", "H", 0 },    { "u", "G", "khH", 0 },   { "G", "H", "", 0 },
		{ "H", "G", "", 0 },    { "G", "G", "H", 0 },     { "G", "u", "khH", 0 },
		{ "k", "p", "uhG", 1 }, { "pp", "p", "G", 3 },    { "", "I", "IG", 0 },
		{ "", "S", "G", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct attr attr;
		struct modifier_state s;
		const char *bad = NULL;

		apply(cases[i].own, &attr, &s);
		assert_int_equal(modifier_apply_group(cases[i].group, true, &attr, &s, &bad), 0);
		if (strcmp(excluded(&attr), cases[i].excluded) != 0)
			fail_msg("{:%s}:%s excludes %s, not %s", cases[i].own, cases[i].group,
				 excluded(&attr), cases[i].excluded);
		assert_int_equal(attr.precise_ip, cases[i].precise);
	}
}

static void only_the_leader_of_a_group_is_pinned_or_exclusive(void **state)
{
	struct attr attr;
	struct modifier_state s;
	const char *bad = NULL;

	(void)state;
	apply("", &attr, &s);
	assert_int_equal(modifier_apply_group("De", true, &attr, &s, &bad), 0);
	assert_true(attr.pinned && attr.exclusive);
	apply("", &attr, &s);
	assert_int_equal(modifier_apply_group("De", false, &attr, &s, &bad), 0);
	assert_false(attr.pinned || attr.exclusive);
	apply("De", &attr, &s);
	assert_int_equal(modifier_apply_group("De", false, &attr, &s, &bad), 0);
	assert_true(attr.pinned && attr.exclusive);
}

static void a_groups_other_letters_are_for_every_member(void **state)
{
	struct attr attr;
	struct modifier_state s;
	const char *bad = NULL;

	(void)state;
	apply("u", &attr, &s);
	assert_int_equal(modifier_apply_group("PSWb", false, &attr, &s, &bad), 0);
	assert_true(s.max_precise && s.sample_read && s.weak_group && s.bpf_counter);
}

static void a_groups_letters_are_checked_like_an_events(void **state)
{
	static const char twice[] = "kuk", precise[] = "up";
	struct attr attr;
	struct modifier_state s;
	const char *bad = NULL;

	(void)state;
	apply("", &attr, &s);
	assert_int_equal(modifier_apply_group(twice, true, &attr, &s, &bad), -EINVAL);
	assert_ptr_equal(bad, &twice[2]);
	apply("ppp", &attr, &s);
	assert_int_equal(modifier_apply_group(precise, true, &attr, &s, &bad), -EINVAL);
	assert_ptr_equal(bad, &precise[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_letters_of_the_list_are_modifiers),
		cmocka_unit_test(letters_exclude_what_they_do_not_name),
		cmocka_unit_test(guests_that_are_wanted_stay_with_u),
		cmocka_unit_test(every_p_is_a_level_of_precision),
		cmocka_unit_test(d_pins_and_e_excludes_others),
		cmocka_unit_test(letters_that_no_attr_has_a_bit_for_are_remembered),
		cmocka_unit_test(a_letter_given_twice_is_refused_where_it_stands),
		cmocka_unit_test(a_fourth_p_is_refused_where_it_stands),
		cmocka_unit_test(a_letter_that_is_no_modifier_is_refused_where_it_stands),
		cmocka_unit_test(a_groups_letters_add_to_the_events),
		cmocka_unit_test(only_the_leader_of_a_group_is_pinned_or_exclusive),
		cmocka_unit_test(a_groups_other_letters_are_for_every_member),
		cmocka_unit_test(a_groups_letters_are_checked_like_an_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
