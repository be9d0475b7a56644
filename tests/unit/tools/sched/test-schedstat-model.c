/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cursor.h"
#include "tools/sched/schedstat-model.h"
#include "wire/record.h"

static struct schedstat_line example(bool is_domain, uint16_t version)
{
	struct schedstat_line l = { .is_domain = is_domain,
				    .time = 0x123456789,
				    .cpu = 3,
				    .version = version,
				    .domain = is_domain ? 2 : 0 };

	for (size_t i = 0; i < schedstat_values(version, is_domain); i++)
		l.values[i] = 100 + i;
	return l;
}

static struct cursor payload_of(const struct bytes *b, size_t size)
{
	return cursor_over((const uint8_t *)b->data + RECORD_HEADER_SIZE, size - RECORD_HEADER_SIZE,
			   false);
}

static void lines_survive(void **state)
{
	(void)state;
	for (uint16_t version = SCHEDSTAT_VERSION_MIN; version <= SCHEDSTAT_VERSION_MAX; version++)
		for (int is_domain = 0; is_domain < 2; is_domain++) {
			struct schedstat_line l = example(is_domain, version), back;
			_cleanup_(bytes_done) struct bytes b = { 0 };

			if (!is_domain)
				l.values[8] = UINT64_C(1) << 40;
			schedstat_encode(&l, &b);
			assert_int_equal(b.n, is_domain ? 208 : 72);
			assert_int_equal(schedstat_decode(is_domain ? PERF_RECORD_SCHEDSTAT_DOMAIN
								    : PERF_RECORD_SCHEDSTAT_CPU,
							  payload_of(&b, b.n), &back),
					 0);
			assert_memory_equal(&back, &l, sizeof(l));
		}
}

static void records_that_are_too_short_are_refused(void **state)
{
	struct schedstat_line l = example(true, 17), back = { .cpu = 7 };
	_cleanup_(bytes_done) struct bytes b = { 0 };

	(void)state;
	schedstat_encode(&l, &b);
	for (size_t size = RECORD_HEADER_SIZE; size < 204; size++)
		assert_int_equal(
			schedstat_decode(PERF_RECORD_SCHEDSTAT_DOMAIN, payload_of(&b, size), &back),
			-EBADMSG);
	assert_int_equal(back.cpu, 7);
}

static void versions_that_are_not_known_are_refused(void **state)
{
	static const uint16_t versions[] = { 0, 14, 18, 65535 };
	struct schedstat_line back;

	(void)state;
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		struct schedstat_line l = example(false, versions[i]);
		_cleanup_(bytes_done) struct bytes b = { 0 };

		schedstat_encode(&l, &b);
		assert_int_equal(
			schedstat_decode(PERF_RECORD_SCHEDSTAT_CPU, payload_of(&b, b.n), &back),
			-EPROTO);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_survive),
		cmocka_unit_test(records_that_are_too_short_are_refused),
		cmocka_unit_test(versions_that_are_not_known_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
