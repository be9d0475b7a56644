/* SPDX-License-Identifier: MIT */
/*
 * Tests the metrics of vendors' tables. They are computed from the tables, and from the formulas
 * that the vendors publish, which are written here a second time in C.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "event/metric-expr.h"
#include "event/metric.h"
#include "event/tables.h"
#include "event/vendor.h"

/* Facts about the machine, and its counts; an event that is missing here was not counted. */
struct counts {
	double smt_on, core_wide, revision;
	struct {
		const char *event;
		double count;
	} items[12];
};

static bool find_event(void *arg, const char *event, double *ret)
{
	const struct counts *c = arg;

	for (size_t i = 0; i < ARRAY_SIZE(c->items) && c->items[i].event; i++)
		if (!strcmp(c->items[i].event, event)) {
			*ret = c->items[i].count;
			return true;
		}
	return false;
}

static bool find_literal(void *arg, const char *name, double *ret)
{
	const struct counts *c = arg;

	*ret = !strcmp(name, "smt_on")      ? c->smt_on
	       : !strcmp(name, "core_wide") ? c->core_wide
	       : !strcmp(name, "revision")  ? c->revision
					    : NAN;
	return !isnan(*ret);
}

static double value_of(const char *cpuid, const char *name, const struct counts *c)
{
	const struct metric_table *table = metric_table_for_cpu(cpuid);
	const struct metric *m = table ? metric_find(table, name) : NULL;
	const struct metric_inputs in = { find_event, NULL, (void *)c };
	_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
	_cleanup_(diag_done) struct diag diag = { 0 };
	double value;

	if (!m)
		fail_msg("%s has no %s", cpuid, name);
	assert_ptr_equal(m->table, table);
	assert_int_equal(metric_compile(m, &e, &diag), 0);
	metric_expr_settle(e, find_literal, (void *)c);
	if (!metric_expr_value(e, &in, &value))
		fail_msg("%s: %s has no value", cpuid, name);
	return value * m->scale;
}

/* Checks the shares of a whole that @names lists. */
static void assert_shares(const char *cpuid, const struct counts *c, const char *const names[],
			  const double wanted[])
{
	for (size_t i = 0; names[i]; i++) {
		double is = value_of(cpuid, names[i], c);

		if (fabs(is - wanted[i]) > 1e-9)
			fail_msg("%s: %s is %.12g and not %.12g", cpuid, names[i], is, wanted[i]);
	}
}

static const char *const arm_names[] = { "backend_bound", "bad_speculation", "frontend_bound",
					 "retiring", NULL };
static const char *const intel_names[] = { "tma_backend_bound", "tma_bad_speculation",
					   "tma_frontend_bound", "tma_retiring", NULL };

/* Counts of an Arm core. */
#define CYC  1000.0
#define MISS 7.0
#define RET  2400.0
#define SPEC 2600.0
#define SLOT 1900.0
#define BACK 1200.0
#define FRNT 700.0

#define ARM_COUNTS                                                                                 \
	{                                                                                          \
		{ "cpu_cycles", CYC }, { "br_mis_pred", MISS }, { "op_retired", RET },             \
			{ "op_spec", SPEC }, { "stall_slot", SLOT },                               \
			{ "stall_slot_backend", BACK }, { "stall_slot_frontend", FRNT },           \
	}

static void neoverse_v1_has_eight_slots(void **state)
{
	static const struct counts c = { .items = ARM_COUNTS };
	const double wanted[] = {
		100 * (BACK / (CYC * 8)),
		100 * ((1 - RET / SPEC) * (1 - SLOT / (CYC * 8)) + MISS * 4 / CYC),
		100 * (FRNT / (CYC * 8) - MISS * 4 / CYC),
		100 * ((RET / SPEC) * (1 - SLOT / (CYC * 8))),
	};

	(void)state;
	assert_shares("0x00000000410fd400", &c, arm_names, wanted);
	assert_true(fabs(wanted[0] + wanted[1] + wanted[2] + wanted[3] - 100) < 1e-9);
}

static void neoverse_v2_has_eight_slots(void **state)
{
	static const struct counts c = { .items = ARM_COUNTS };
	const double wanted[] = {
		100 * (BACK / (CYC * 8) - MISS * 3 / CYC),
		100 * ((1 - RET / SPEC) * (1 - SLOT / (CYC * 8)) + MISS * 4 / CYC),
		100 * (FRNT / (CYC * 8) - MISS / CYC),
		100 * ((RET / SPEC) * (1 - SLOT / (CYC * 8))),
	};

	(void)state;
	assert_shares("0x00000000410fd4f0", &c, arm_names, wanted);
}

static void neoverse_n2_has_five_slots(void **state)
{
	static const struct counts c = { .revision = 3, .items = ARM_COUNTS };
	const double wanted[] = {
		100 * (BACK / (CYC * 5) - MISS * 3 / CYC),
		100 * ((1 - RET / SPEC) * (1 - SLOT / (CYC * 5)) + MISS * 4 / CYC),
		100 * (FRNT / (CYC * 5) - MISS / CYC),
		100 * ((RET / SPEC) * (1 - SLOT / (CYC * 5))),
	};

	(void)state;
	assert_shares("0x00000000410fd490", &c, arm_names, wanted);
}

/* r0p0 to r0p2 count one slot of the front end too many in each cycle. */
static void an_early_neoverse_n2_counts_a_slot_too_much(void **state)
{
	static const struct counts c = { .revision = 0, .items = ARM_COUNTS };
	const double wanted[] = {
		100 * (BACK / (CYC * 5) - MISS * 3 / CYC),
		100 * ((1 - RET / SPEC) * (1 - (SLOT - CYC) / (CYC * 5)) + MISS * 4 / CYC),
		100 * ((FRNT - CYC) / (CYC * 5) - MISS / CYC),
		100 * ((RET / SPEC) * (1 - (SLOT - CYC) / (CYC * 5))),
	};

	(void)state;
	assert_shares("0x00000000410fd490", &c, arm_names, wanted);
}

static void neoverse_n1_counts_cycles(void **state)
{
	static const struct counts c = { .items = { { "cpu_cycles", 1000 },
						    { "stall_backend", 250 },
						    { "stall_frontend", 125 } } };
	static const char *const names[] = { "backend_stalled_cycles", "frontend_stalled_cycles",
					     NULL };
	static const double wanted[] = { 25, 12.5 };

	(void)state;
	assert_shares("0x00000000410fd0c0", &c, names, wanted);
}

static void skylake_without_threads_has_four_slots_in_a_cycle(void **state)
{
	static const struct counts c = { .core_wide = 1,
					 .items = { { "cpu_clk_unhalted.thread", 1000 },
						    { "idq_uops_not_delivered.core", 800 },
						    { "uops_issued.any", 2100 },
						    { "uops_retired.retire_slots", 1800 },
						    { "int_misc.recovery_cycles", 50 } } };
	const double slots = 4 * 1000.0;
	const double wanted[] = {
		100 * (1 - 800 / slots - (2100 + 4 * 50) / slots),
		100 * ((2100 - 1800 + 4 * 50) / slots),
		100 * (800 / slots),
		100 * (1800 / slots),
	};

	(void)state;
	assert_shares("GenuineIntel-6-55-4", &c, intel_names, wanted);
	assert_true(fabs(wanted[0] + wanted[1] + wanted[2] + wanted[3] - 100) < 1e-9);
}

static void threads_of_a_skylake_core_share_its_slots(void **state)
{
	static const struct counts c = { .smt_on = 1,
					 .core_wide = 1,
					 .items = { { "cpu_clk_unhalted.thread_any", 3000 },
						    { "idq_uops_not_delivered.core", 800 },
						    { "uops_issued.any", 2100 },
						    { "uops_retired.retire_slots", 1800 },
						    { "int_misc.recovery_cycles_any", 80 } } };
	const double slots = 4 * 3000.0 / 2, recovery = 80.0 / 2;
	const double wanted[] = {
		100 * (1 - 800 / slots - (2100 + 4 * recovery) / slots),
		100 * ((2100 - 1800 + 4 * recovery) / slots),
		100 * (800 / slots),
		100 * (1800 / slots),
	};

	(void)state;
	assert_shares("GenuineIntel-6-5E-3", &c, intel_names, wanted);
}

static void a_task_on_skylake_is_alone_on_its_core_for_a_part_of_the_time(void **state)
{
	static const struct counts c = { .smt_on = 1,
					 .core_wide = 0,
					 .items = { { "cpu_clk_unhalted.thread", 1000 },
						    { "cpu_clk_unhalted.one_thread_active", 30 },
						    { "cpu_clk_unhalted.ref_xclk", 40 },
						    { "idq_uops_not_delivered.core", 800 },
						    { "uops_issued.any", 2100 },
						    { "uops_retired.retire_slots", 1800 },
						    { "int_misc.recovery_cycles_any", 80 } } };
	const double slots = 4 * (1000.0 / 2 * (1 + 30.0 / 40)), recovery = 80.0 / 2;
	const double wanted[] = {
		100 * (1 - 800 / slots - (2100 + 4 * recovery) / slots),
		100 * ((2100 - 1800 + 4 * recovery) / slots),
		100 * (800 / slots),
		100 * (1800 / slots),
	};

	(void)state;
	assert_shares("GenuineIntel-6-9E-C", &c, intel_names, wanted);
}

#define TOPDOWN_COUNTS                                                                             \
	{                                                                                          \
		{ "slots", 6000 }, { "topdown-retiring", 2500 }, { "topdown-bad-spec", 500 },      \
			{ "topdown-fe-bound", 1200 }, { "topdown-be-bound", 1800 },                \
			{ "int_misc.uop_dropping", 60 }, { "int_misc.clears_count", 12 },          \
	}

static void ice_lake_corrects_what_its_counters_say(void **state)
{
	static const struct counts c = { .items = TOPDOWN_COUNTS };
	const double sum = 2500 + 500 + 1200 + 1800;
	const double frontend = 1200 / sum - 60 / 6000.0;
	const double backend = 1800 / sum + 5 * 12 / 6000.0, retiring = 2500 / sum;
	const double wanted[] = { 100 * backend, 100 * fmax(1 - (frontend + backend + retiring), 0),
				  100 * frontend, 100 * retiring };

	(void)state;
	assert_shares("GenuineIntel-6-6A-6", &c, intel_names, wanted);
}

static void sapphire_rapids_needs_no_correction_of_the_back_end(void **state)
{
	static const struct counts c = { .items = TOPDOWN_COUNTS };
	const double sum = 2500 + 500 + 1200 + 1800;
	const double frontend = 1200 / sum - 60 / 6000.0;
	const double backend = 1800 / sum, retiring = 2500 / sum;
	const double wanted[] = { 100 * backend, 100 * fmax(1 - (frontend + backend + retiring), 0),
				  100 * frontend, 100 * retiring };

	(void)state;
	assert_shares("GenuineIntel-6-8F-8", &c, intel_names, wanted);
}

#define ZEN_COUNTS                                                                                 \
	{                                                                                          \
		{ "ls_not_halted_cyc", 1000 },                                                     \
			{ "de_no_dispatch_per_slot.no_ops_from_frontend", 900 },                   \
			{ "de_no_dispatch_per_slot.backend_stalls", 1500 },                        \
			{ "de_no_dispatch_per_slot.smt_contention", 120 },                         \
			{ "de_src_op_disp.all", 3480 }, { "ex_ret_ops", 3300 },                    \
	}

static const char *const amd_names[] = { "backend_bound", "bad_speculation", "frontend_bound",
					 "retiring",      "smt_contention",  NULL };

static void zen_4_has_six_slots_and_zen_5_eight(void **state)
{
	static const struct counts c = { .items = ZEN_COUNTS };
	static const struct {
		const char *cpuid;
		double width;
	} cores[] = {
		{ "AuthenticAMD-25-11-1", 6 },
		{ "AuthenticAMD-25-61-2", 6 },
		{ "AuthenticAMD-26-2-1", 8 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++) {
		const double slots = cores[i].width * 1000;
		const double wanted[] = { 100 * 1500 / slots, 100 * (3480 - 3300) / slots,
					  100 * 900 / slots, 100 * 3300 / slots,
					  100 * 120 / slots };

		assert_shares(cores[i].cpuid, &c, amd_names, wanted);
	}
	assert_null(metric_table_for_cpu("AuthenticAMD-25-21-0")); /* Zen 3 has no such events */
}

/* True if the kernel names the event in sysfs, where the CPU has it. */
static bool is_of_kernel(const char *event)
{
	return !strcmp(event, "slots") || !strncmp(event, "topdown-", 8);
}

static void check_event(const char *event, void *arg)
{
	const char *cpuid = arg;
	const struct vendor_table *t = vendor_table_for_cpu(cpuid);

	if (!is_of_kernel(event) && !(t && vendor_event_find(t, event)))
		fail_msg("%s has no event %s", cpuid, event);
}

/* The ids of map.tsv, with the open parts of their patterns filled in. */
static void every_event_of_a_formula_is_in_the_table_of_its_cpu(void **state)
{
	static const char *const cpuids[] = { "0x00000000410fd0c0",   "0x00000000410fd400",
					      "0x00000000410fd490",   "0x00000000410fd4f0",
					      "GenuineIntel-6-4E-1",  "GenuineIntel-6-55-1",
					      "GenuineIntel-6-A5-1",  "GenuineIntel-6-7E-1",
					      "GenuineIntel-6-8C-1",  "GenuineIntel-6-8F-1",
					      "GenuineIntel-6-CF-1",  "AuthenticAMD-25-11-1",
					      "AuthenticAMD-25-A0-1", "AuthenticAMD-26-2-1" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cpuids); i++) {
		const struct metric_table *t = metric_table_for_cpu(cpuids[i]);

		assert_non_null(t);
		for (size_t j = 0; j < t->n; j++) {
			_cleanup_(metric_expr_freep) struct metric_expr *e = NULL;
			_cleanup_(diag_done) struct diag diag = { 0 };

			if (metric_compile(&t->metrics[j], &e, &diag) < 0)
				fail_msg("%s: %s", t->metrics[j].name, diag.message);
			metric_expr_for_each_event(e, check_event, (void *)cpuids[i]);
		}
	}
}

static void every_table_has_a_first_level(void **state)
{
	(void)state;
	for (size_t i = 0; i < metric_cpus_n; i++) {
		const struct metric_table *t = metric_cpus[i].table;
		size_t n = 0;

		for (size_t j = 0; j < t->n; j++)
			n += metric_in_group(&t->metrics[j], "TopdownL1");
		assert_true(n >= 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neoverse_v1_has_eight_slots),
		cmocka_unit_test(neoverse_v2_has_eight_slots),
		cmocka_unit_test(neoverse_n2_has_five_slots),
		cmocka_unit_test(an_early_neoverse_n2_counts_a_slot_too_much),
		cmocka_unit_test(neoverse_n1_counts_cycles),
		cmocka_unit_test(skylake_without_threads_has_four_slots_in_a_cycle),
		cmocka_unit_test(threads_of_a_skylake_core_share_its_slots),
		cmocka_unit_test(a_task_on_skylake_is_alone_on_its_core_for_a_part_of_the_time),
		cmocka_unit_test(ice_lake_corrects_what_its_counters_say),
		cmocka_unit_test(sapphire_rapids_needs_no_correction_of_the_back_end),
		cmocka_unit_test(zen_4_has_six_slots_and_zen_5_eight),
		cmocka_unit_test(every_event_of_a_formula_is_in_the_table_of_its_cpu),
		cmocka_unit_test(every_table_has_a_first_level),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
