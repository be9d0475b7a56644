/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/cpu-list.h"
#include "capture/aux-info.h"
#include "capture/aux-plan.h"
#include "capture/ring.h"
#include "events.h"
#include "kernel/pmu.h"

static struct pmu_format formats[] = { { (char *)"tsc", PMU_CONFIG, 0x400 } };
static const struct pmu pmu = {
	.name = (char *)"trace", .type = 8, .formats = formats, .n_formats = ARRAY_SIZE(formats)
};

static uint64_t word(const struct bytes *b, size_t i)
{
	const struct words w = { .bytes = b->data + 16, .n = b->n / 8 - 2, .swap = false };

	assert_true(i < w.n);
	return words_get(&w, i);
}

static void info_of(enum auxtrace_type type, const struct event *e, struct bytes *out)
{
	unsigned numbers[] = { 0, 3 };
	const struct cpu_list cpus = { .items = numbers, .n = 2 };
	const struct aux_plan plan = { .type = type, .snapshots = true };
	const struct aux_target target = { .per_cpu = true, .devices = "/nonexistent" };
	const struct ring_clock clock = { .shift = 31, .mult = 7, .zero = 9, .has_zero = true };
	const struct aux_info i = { .plan = &plan,
				    .target = &target,
				    .event = e,
				    .clock = &clock,
				    .cpus = &cpus,
				    .switches = true,
				    .switches_of_all = true };

	aux_info_add(&i, out);
	assert_int_equal(out->data[8], type);
}

static void intel_pt_tells_its_clock_bits_and_filter(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct event *e = event_add(&l, "intel_pt//", 8, 0);

	e->pmu = &pmu;
	e->filter = xstrdup("start 0x1000");
	info_of(AUXTRACE_INTEL_PT, e, &b);
	assert_int_equal(word(&b, 0), 8);
	assert_int_equal(word(&b, 1), 31);
	assert_int_equal(word(&b, 4), 1);
	assert_int_equal(word(&b, 5), 0x400);
	assert_int_equal(word(&b, 7), 3);
	assert_int_equal(word(&b, 8), 1);
	assert_int_equal(word(&b, 16), 12);
	assert_memory_equal(b.data + 16 + 17 * 8, "start 0x1000\0\0\0\0", 16);
	assert_int_equal(b.n, 16 + (17 + 2 + 1) * 8);
}

static void spe_and_bts_are_short(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(bytes_done) struct bytes spe = { 0 }, bts = { 0 };
	struct event *e = event_add(&l, "trace//", 8, 0);

	e->pmu = &pmu;
	info_of(AUXTRACE_ARM_SPE, e, &spe);
	assert_int_equal(spe.n, 16 + 2 * 8);
	assert_int_equal(word(&spe, 1), 1);
	info_of(AUXTRACE_INTEL_BTS, e, &bts);
	assert_int_equal(bts.n, 16 + 6 * 8);
}

static void coresight_tells_of_each_cpu(void **state)
{
	(void)state;
	_cleanup_(event_list_done) struct event_list l = { 0 };
	_cleanup_(bytes_done) struct bytes b = { 0 };
	struct event *e = event_add(&l, "cs_etm//", 8, 0);

	e->pmu = &pmu;
	info_of(AUXTRACE_CS_ETM, e, &b);
	assert_int_equal(word(&b, 1), 8ULL << 32 | 2);
	/* Without registers of an ETMv4 in sysfs the unit is an older one, described by 7 words. */
	assert_int_equal(word(&b, 3), 0x3030303030303030);
	assert_int_equal(word(&b, 3 + 7 + 1), 3);
	assert_int_equal(word(&b, 3 + 7 + 4), 0x16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intel_pt_tells_its_clock_bits_and_filter),
		cmocka_unit_test(spe_and_bts_are_short),
		cmocka_unit_test(coresight_tells_of_each_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
