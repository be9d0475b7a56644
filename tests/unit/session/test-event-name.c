/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/cleanup.h"
#include "session/event-name.h"
#include "wire/attr.h"

static void assert_named(const struct attr *attr, const char *name)
{
	_cleanup_(freep) char *is = event_name_derive(attr);

	assert_string_equal(is, name);
}

/* The names that `perf evlist` of 6.1 shows for files with these attrs and no names. */
static const struct {
	uint32_t type;
	uint64_t config;
	const char *name;
} by_config[] = {
	{ PERF_TYPE_HARDWARE, 0, "cycles" },
	{ PERF_TYPE_HARDWARE, 1, "instructions" },
	{ PERF_TYPE_HARDWARE, 4, "branches" },
	{ PERF_TYPE_HARDWARE, 7, "stalled-cycles-frontend" },
	{ PERF_TYPE_HARDWARE, 10, "unknown-hardware" },
	{ PERF_TYPE_HARDWARE, 3ULL << 32, "unknown-hardware" },
	{ PERF_TYPE_SOFTWARE, 0, "cpu-clock" },
	{ PERF_TYPE_SOFTWARE, 9, "dummy" },
	{ PERF_TYPE_SOFTWARE, 10, "unknown-software" },
	{ PERF_TYPE_HW_CACHE, 0, "L1-dcache-loads" },
	{ PERF_TYPE_HW_CACHE, 0x10000, "L1-dcache-load-misses" },
	{ PERF_TYPE_HW_CACHE, 0x10200, "L1-dcache-prefetch-misses" },
	{ PERF_TYPE_HW_CACHE, 0x101, "invalid-cache" },
	{ PERF_TYPE_HW_CACHE, 7, "unknown-ext-hardware-cache-type" },
	{ PERF_TYPE_HW_CACHE, 0x300, "unknown-ext-hardware-cache-op" },
	{ PERF_TYPE_HW_CACHE, 0x20000, "unknown-ext-hardware-cache-result" },
	{ PERF_TYPE_RAW, 0x1234, "raw 0x1234" },
	{ PERF_TYPE_TRACEPOINT, 33, "unknown tracepoint" },
	{ 8, 0x12, "unknown attr type: 8" },
};

static void types_and_configs_have_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(by_config); i++) {
		struct attr attr = { .type = by_config[i].type,
				     .config = by_config[i].config,
				     .exclude_guest = 1 };

		assert_named(&attr, by_config[i].name);
	}
}

static void breakpoints_show_their_address_and_kind(void **state)
{
	struct attr attr = { .type = PERF_TYPE_BREAKPOINT, .bp_addr = 0x1234, .exclude_guest = 1 };

	(void)state;
	attr.bp_type = HW_BREAKPOINT_R | HW_BREAKPOINT_W;
	assert_named(&attr, "mem:0x1234:rw");
	attr.bp_type = HW_BREAKPOINT_X;
	assert_named(&attr, "mem:0x1234:x");
	attr.exclude_guest = 0;
	attr.bp_type = 0;
	assert_named(&attr, "mem:0x1234::HG");
}

static void letters_tell_what_is_counted(void **state)
{
	static const struct {
		unsigned user, kernel, hv, host, guest, precise; /* excluded */
		const char *name;
	} cases[] = {
		{ 0, 0, 0, 0, 0, 0, "cpu-clock:HG" },   { 0, 0, 0, 0, 1, 0, "cpu-clock" },
		{ 0, 0, 0, 1, 0, 0, "cpu-clock:G" },    { 0, 0, 0, 1, 1, 0, "cpu-clock" },
		{ 1, 0, 0, 0, 0, 0, "cpu-clock:kh" },   { 0, 1, 0, 0, 0, 0, "cpu-clock:uh" },
		{ 0, 0, 1, 0, 0, 0, "cpu-clock:ku" },   { 0, 1, 1, 0, 0, 0, "cpu-clock:u" },
		{ 1, 1, 1, 0, 0, 0, "cpu-clock" },      { 0, 1, 1, 0, 1, 0, "cpu-clock:uH" },
		{ 0, 1, 0, 0, 1, 0, "cpu-clock:uhH" },  { 0, 0, 0, 0, 0, 2, "cpu-clock:pp" },
		{ 0, 1, 1, 0, 0, 3, "cpu-clock:uppp" }, { 0, 0, 0, 0, 1, 3, "cpu-clock:pppH" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct attr attr = { .type = PERF_TYPE_SOFTWARE };

		attr.exclude_user = cases[i].user;
		attr.exclude_kernel = cases[i].kernel;
		attr.exclude_hv = cases[i].hv;
		attr.exclude_host = cases[i].host;
		attr.exclude_guest = cases[i].guest;
		attr.precise_ip = cases[i].precise & 3;
		assert_named(&attr, cases[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_and_configs_have_names),
		cmocka_unit_test(breakpoints_show_their_address_and_kind),
		cmocka_unit_test(letters_tell_what_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
