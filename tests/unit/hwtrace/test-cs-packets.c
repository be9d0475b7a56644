/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include <config.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "hwtrace/cs-packets.h"
#include "skip.h"

#define UNITS_MAX 4096

static struct cs_unit units[UNITS_MAX];

/* Returns @n units of CPUs 0, 1, ... with the ids @id, 1 + @id, ... */
static struct cs_info units_of(size_t n, unsigned id)
{
	for (size_t i = 0; i < n; i++)
		units[i] = (struct cs_unit){
			.magic = CS_ETM_4_MAGIC,
			.cpu = (uint32_t)i,
			.id = (uint8_t)(1 + (id + i) % 100),
			.registers = { 0x40, 0x10, 0x28000ea1, 0x4100f424, 0x20001088, 0, 0xcc },
		};
	return (struct cs_info){ .units = units, .n_units = n };
}

/* A-sync, trace info, trace on. */
static const uint8_t trace[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x01, 0x01, 0x00, 4 };

static void add_line(void *arg, const char *line)
{
	text_add(arg, line);
}

static int print(struct cs_packets *p, bool is_raw, uint32_t cpu, struct text *out)
{
	const struct cs_stretch s = {
		.is_raw = is_raw, .cpu = cpu, .bytes = trace, .n = sizeof(trace)
	};

	return cs_packets_print(p, &s, add_line, out);
}

static void needs_library(void)
{
	if (!HAVE_LIBOPENCSD)
		skip_because("built without libopencsd");
}

static void a_stretch_is_printed_the_same_again(void **state)
{
	_cleanup_(cs_packets_done) struct cs_packets p = { 0 };
	_cleanup_(text_done) struct text first = TEXT_EMPTY, second = TEXT_EMPTY,
					 other = TEXT_EMPTY;
	struct cs_info info = units_of(2, 0);

	(void)state;
	needs_library();
	cs_packets_set_units(&p, &info);
	assert_int_equal(print(&p, true, 0, &first), 0);
	assert_int_equal(print(&p, true, 1, &other), 0);
	assert_int_equal(print(&p, true, 0, &second), 0);
	assert_non_null(strstr(first.chars, "I_TRACE_ON"));
	assert_non_null(strstr(other.chars, "I_TRACE_ON"));
	assert_string_equal(first.chars, second.chars);
}

static void without_the_unit_nothing_is_printed(void **state)
{
	_cleanup_(cs_packets_done) struct cs_packets p = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct cs_info info = units_of(1, 0);

	(void)state;
	assert_int_equal(print(&p, false, 0, &out), -ENOENT);
	cs_packets_set_units(&p, &info);
	assert_int_equal(print(&p, true, 5, &out), -ENOENT);
	assert_int_equal(out.length, 0);
}

/* Each CPU needs a decoder of its own, which costs more than its bytes allow. */
static void too_many_decoders_are_refused(void **state)
{
	_cleanup_(cs_packets_done) struct cs_packets p = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct cs_info info = units_of(UNITS_MAX, 0);
	uint32_t cpu = 0;
	int r = 0;

	(void)state;
	needs_library();
	cs_packets_set_units(&p, &info);
	assert_int_equal(print(&p, false, 0, &out), -ENOMEM);
	for (; !r && cpu < UNITS_MAX; cpu++)
		r = print(&p, true, cpu, &out);
	assert_int_equal(r, -ENOMEM);
	assert_in_range(cpu, 100, UNITS_MAX - 1);
	/* The existing decoders continue to work. */
	assert_int_equal(print(&p, true, 0, &out), 0);
}

/* The ids change again and again, and each new decoder has its price. */
static void decoders_are_made_anew_until_the_budget_ends(void **state)
{
	_cleanup_(cs_packets_done) struct cs_packets p = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	unsigned i = 0;
	int r = 0;

	(void)state;
	needs_library();
	for (; !r && i < 5000; i++) {
		struct cs_info info = units_of(50, i);

		cs_packets_set_units(&p, &info);
		r = print(&p, false, 0, &out);
	}
	assert_int_equal(r, -ENOMEM);
	assert_in_range(i, 100, 4999);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stretch_is_printed_the_same_again),
		cmocka_unit_test(without_the_unit_nothing_is_printed),
		cmocka_unit_test(too_many_decoders_are_refused),
		cmocka_unit_test(decoders_are_made_anew_until_the_budget_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
