/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "event/event.h"
#include "kernel/pmu.h"
#include "count/stat-metrics.h"

#define EVENT(t, c, n)                                                                             \
	{                                                                                          \
		.attr = { .type = PERF_TYPE_##t, .config = c }, .name = n, .unit = "", .scale = 1  \
	}
#define HARDWARE(c, n) EVENT(HARDWARE, PERF_COUNT_HW_##c, n)
#define SOFTWARE(c, n) EVENT(SOFTWARE, PERF_COUNT_SW_##c, n)
#define CACHE(c, r, n)                                                                             \
	EVENT(HW_CACHE,                                                                            \
	      PERF_COUNT_HW_CACHE_##c | PERF_COUNT_HW_CACHE_OP_READ << 8 |                         \
		      PERF_COUNT_HW_CACHE_RESULT_##r << 16,                                        \
	      n)
#define NAMED(p, n)                                                                                \
	{                                                                                          \
		.attr = { .type = 4 }, .name = n, .unit = "", .scale = 1, .pmu = p                 \
	}

static const struct pmu cpu = { .name = "cpu" }, atom = { .name = "cpu_atom" };
static const struct pmu msr = { .name = "msr" };

static const struct event task_clock = SOFTWARE(TASK_CLOCK, "task-clock");
static const struct event cpu_clock = SOFTWARE(CPU_CLOCK, "cpu-clock");
static const struct event faults = SOFTWARE(PAGE_FAULTS, "page-faults");
static const struct event cycles = HARDWARE(CPU_CYCLES, "cycles");
static const struct event instructions = HARDWARE(INSTRUCTIONS, "instructions");
static const struct event frontend = HARDWARE(STALLED_CYCLES_FRONTEND, "stalled-cycles-frontend");
static const struct event backend = HARDWARE(STALLED_CYCLES_BACKEND, "stalled-cycles-backend");
static const struct event branches = HARDWARE(BRANCH_INSTRUCTIONS, "branches");
static const struct event branch_misses = HARDWARE(BRANCH_MISSES, "branch-misses");
static const struct event cache_references = HARDWARE(CACHE_REFERENCES, "cache-references");
static const struct event cache_misses = HARDWARE(CACHE_MISSES, "cache-misses");
static const struct event l1d_loads = CACHE(L1D, ACCESS, "L1-dcache-loads");
static const struct event l1d_misses = CACHE(L1D, MISS, "L1-dcache-load-misses");
static const struct event l1i_loads = CACHE(L1I, ACCESS, "L1-icache-loads");
static const struct event l1i_misses = CACHE(L1I, MISS, "L1-icache-load-misses");
static const struct event llc_loads = CACHE(LL, ACCESS, "LLC-loads");
static const struct event llc_misses = CACHE(LL, MISS, "LLC-load-misses");
static const struct event dtlb_loads = CACHE(DTLB, ACCESS, "dTLB-loads");
static const struct event dtlb_misses = CACHE(DTLB, MISS, "dTLB-load-misses");
static const struct event itlb_loads = CACHE(ITLB, ACCESS, "iTLB-loads");
static const struct event itlb_misses = CACHE(ITLB, MISS, "iTLB-load-misses");

static struct stat_operand counted(const struct event *e, double count)
{
	return (struct stat_operand){ e, "", STAT_COUNTED, count };
}

static struct stat_operand without_count(const struct event *e, enum stat_state state)
{
	return (struct stat_operand){ e, "", state, 0 };
}

/* The metrics that the last derive() returned. */
static struct stat_metric got[STAT_METRICS];

static size_t derive(const struct stat_operand *operands, size_t n, double seconds)
{
	memset(got, 0, sizeof(got));
	return stat_metrics_of(operands, n, 0, seconds, got);
}

/* Derives the metrics of the first of these operands. */
#define OF(...)                                                                                    \
	derive((const struct stat_operand[]){ __VA_ARGS__ },                                       \
	       ARRAY_SIZE(((const struct stat_operand[]){ __VA_ARGS__ })), 0)

static void assert_metric(size_t i, double value, const char *unit)
{
	assert_string_equal(got[i].unit, unit);
	assert_true(got[i].known);
	if (!(fabs(got[i].value - value) <= 1e-9 * fabs(value)))
		fail_msg("%s: %.12g, not %.12g", unit, got[i].value, value);
}

static void assert_unknown(size_t n, const char *unit)
{
	assert_int_equal(n, 1);
	assert_string_equal(got[0].unit, unit);
	assert_false(got[0].known);
}

static struct event only(const struct event *e, bool user)
{
	struct event limited = *e;

	limited.attr.exclude_kernel = user;
	limited.attr.exclude_user = !user;
	return limited;
}

static void the_clock_by_the_time_is_how_many_cpus_were_busy(void **state)
{
	const struct stat_operand o = counted(&task_clock, 240196875907.0);

	(void)state;
	assert_int_equal(derive(&o, 1, 10.0096494), 1);
	assert_metric(0, 240.196875907 / 10.0096494, "CPUs utilized"); /* 23.997 */
	assert_true(got[0].rate);
	assert_int_equal(got[0].format, STAT_FORMAT_NUMBER);
}

static void the_cpus_clock_is_a_clock_too(void **state)
{
	const struct stat_operand o = counted(&cpu_clock, 2e9);

	(void)state;
	derive(&o, 1, 1);
	assert_metric(0, 2, "CPUs utilized");
}

static void without_time_nobody_knows_how_many_cpus_were_busy(void **state)
{
	(void)state;
	assert_unknown(OF(counted(&task_clock, 1e9)), "CPUs utilized");
}

static void cycles_by_the_clock_are_a_frequency(void **state)
{
	(void)state;
	assert_int_equal(OF(counted(&cycles, 3e9), counted(&task_clock, 2e9)), 1);
	assert_metric(0, 1.5, "GHz");
}

static void a_clock_that_is_missing_gives_no_frequency(void **state)
{
	(void)state;
	assert_unknown(OF(counted(&cycles, 3e9)), "GHz");
	assert_unknown(OF(counted(&cycles, 3e9), counted(&task_clock, 0)), "GHz");
	assert_unknown(OF(counted(&cycles, 3e9), without_count(&task_clock, STAT_NOT_COUNTED)),
		       "GHz");
}

static void a_clock_is_one_whatever_the_mode(void **state)
{
	const struct event in_user = only(&cycles, true);

	(void)state;
	OF(counted(&in_user, 1e9), counted(&task_clock, 2e9));
	assert_metric(0, 0.5, "GHz");
}

static void instructions_by_cycles(void **state)
{
	(void)state;
	assert_int_equal(OF(counted(&instructions, 300), counted(&cycles, 200)), 1);
	assert_metric(0, 1.5, "insn per cycle");
	assert_int_equal(got[0].format, STAT_FORMAT_RATIO);
	assert_false(got[0].rate);
}

static void the_larger_stall_is_what_an_instruction_waits_for(void **state)
{
	(void)state;
	assert_int_equal(OF(counted(&instructions, 233667165879.0), counted(&cycles, 1e12),
			    counted(&frontend, 305098988594.0), counted(&backend, 1e9)),
			 2);
	assert_metric(1, 305098988594.0 / 233667165879.0, "stalled cycles per insn"); /* 1.31 */
	OF(counted(&instructions, 100), counted(&frontend, 10), counted(&backend, 50));
	assert_false(got[0].known);
	assert_metric(1, 0.5, "stalled cycles per insn");
}

static void uncounted_cycles_leave_instructions_without_a_ratio(void **state)
{
	(void)state;
	assert_unknown(OF(counted(&instructions, 300), without_count(&cycles, STAT_NOT_COUNTED)),
		       "insn per cycle");
	assert_unknown(OF(counted(&instructions, 300), without_count(&cycles, STAT_NOT_SUPPORTED)),
		       "insn per cycle");
	assert_unknown(OF(counted(&instructions, 300), counted(&cycles, 0)), "insn per cycle");
	assert_unknown(OF(counted(&instructions, 300)), "insn per cycle");
}

static void uncounted_stalls_are_not_waited_for(void **state)
{
	(void)state;
	assert_int_equal(OF(counted(&instructions, 300), counted(&cycles, 100),
			    without_count(&frontend, STAT_NOT_COUNTED), counted(&backend, 0)),
			 1);
	assert_int_equal(OF(counted(&instructions, 0), counted(&backend, 7)), 1);
}

static const struct {
	const struct event *event, *of;
	const char *unit;
	enum stat_format format;
	bool of_nothing; /* is 0 % */
} shares[] = {
	{ &branch_misses, &branches, "of all branches", STAT_FORMAT_PERCENT, true },
	{ &l1d_misses, &l1d_loads, "of all L1-dcache accesses", STAT_FORMAT_PERCENT, true },
	{ &l1i_misses, &l1i_loads, "of all L1-icache accesses", STAT_FORMAT_PERCENT, true },
	{ &llc_misses, &llc_loads, "of all LL-cache accesses", STAT_FORMAT_PERCENT, true },
	{ &dtlb_misses, &dtlb_loads, "of all dTLB cache accesses", STAT_FORMAT_PERCENT, true },
	{ &itlb_misses, &itlb_loads, "of all iTLB cache accesses", STAT_FORMAT_PERCENT, true },
	{ &cache_misses, &cache_references, "of all cache refs", STAT_FORMAT_SHARE, true },
	{ &frontend, &cycles, "frontend cycles idle", STAT_FORMAT_PERCENT, false },
	{ &backend, &cycles, "backend cycles idle", STAT_FORMAT_PERCENT, false },
};

static void misses_are_shares_of_what_they_are_among(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(shares); i++) {
		const struct stat_operand o[] = { counted(shares[i].event, 3),
						  counted(shares[i].of, 200) };

		assert_int_equal(derive(o, 2, 0), 1);
		assert_metric(0, 1.5, shares[i].unit);
		assert_int_equal(got[0].format, shares[i].format);
	}
}

static void a_share_of_what_was_not_counted_is_not_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(shares); i++) {
		const struct stat_operand o[] = { counted(shares[i].event, 3),
						  without_count(shares[i].of, STAT_NOT_COUNTED) };

		assert_unknown(derive(o, 2, 0), shares[i].unit);
		assert_unknown(derive(o, 1, 0), shares[i].unit);
	}
}

static void a_share_of_a_counted_nothing_is_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(shares); i++) {
		const struct stat_operand o[] = { counted(shares[i].event, 0),
						  counted(shares[i].of, 0) };

		derive(o, 2, 0);
		assert_int_equal(got[0].known, shares[i].of_nothing);
		assert_true(got[0].value == 0);
	}
}

static void more_misses_than_accesses_are_shown_as_counted(void **state)
{
	(void)state;
	OF(counted(&itlb_misses, 19869), counted(&itlb_loads, 10000));
	assert_metric(0, 198.69, "of all iTLB cache accesses");
	assert_int_equal(got[0].level, STAT_LEVEL_HIGH);
}

static void misses_worry_from_five_percent_on(void **state)
{
	static const struct {
		double percent;
		enum stat_level level;
	} levels[] = { { 5, STAT_LEVEL_NONE },
		       { 5.01, STAT_LEVEL_LOW },
		       { 10.01, STAT_LEVEL_MIDDLE },
		       { 20.01, STAT_LEVEL_HIGH } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		OF(counted(&branch_misses, levels[i].percent), counted(&branches, 100));
		assert_int_equal(got[0].level, levels[i].level);
	}
}

static void anything_else_is_a_rate_of_the_clocks_second(void **state)
{
	(void)state;
	assert_int_equal(
		OF(counted(&branches, 38305737741.0), counted(&task_clock, 240196875907.0)), 1);
	assert_metric(0, 38305.737741 / 240.196875907, "M/sec"); /* 159.476 */
}

static void rates_have_the_unit_that_fits(void **state)
{
	static const struct {
		double count, value;
		const char *unit;
	} rates[] = { { 0, 0, "/sec" },         { 13, 13, "/sec" },     { 1000, 1000, "/sec" },
		      { 1001, 1.001, "K/sec" }, { 4e6, 4, "M/sec" },    { 1e9, 1000, "M/sec" },
		      { 5e9, 5, "G/sec" },      { 5e12, 5000, "G/sec" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rates); i++) {
		OF(counted(&faults, rates[i].count), counted(&task_clock, 1e9));
		assert_metric(0, rates[i].value, rates[i].unit);
		assert_true(got[0].rate);
	}
}

static void a_rate_is_of_the_scaled_count(void **state)
{
	struct event energy = NAMED(&msr, "power/energy-pkg/");

	(void)state;
	energy.scale = 0.5;
	OF(counted(&energy, 80), counted(&cpu_clock, 2e9));
	assert_metric(0, 20, "/sec");
}

static void without_a_clock_there_is_no_rate(void **state)
{
	(void)state;
	assert_int_equal(OF(counted(&faults, 12)), 0);
	assert_int_equal(OF(counted(&faults, 12), without_count(&task_clock, STAT_NOT_COUNTED)), 0);
}

static void operands_count_in_the_same_mode(void **state)
{
	const struct event user = only(&instructions, true), kernel_cycles = only(&cycles, false);
	const struct event user_cycles = only(&cycles, true);

	(void)state;
	assert_unknown(OF(counted(&user, 300), counted(&cycles, 100)), "insn per cycle");
	assert_unknown(OF(counted(&user, 300), counted(&kernel_cycles, 100)), "insn per cycle");
	OF(counted(&user, 300), counted(&cycles, 100), counted(&user_cycles, 200));
	assert_metric(0, 1.5, "insn per cycle");
}

static void a_guests_cycles_are_not_the_hosts(void **state)
{
	struct event guest = cycles;

	(void)state;
	guest.attr.exclude_host = 1;
	assert_unknown(OF(counted(&instructions, 300), counted(&guest, 100)), "insn per cycle");
}

static void operands_are_of_the_same_cgroup(void **state)
{
	struct stat_operand o[] = { counted(&instructions, 300), counted(&cycles, 100),
				    counted(&task_clock, 1e9) };

	(void)state;
	o[0].cgroup = "a";
	o[1].cgroup = o[2].cgroup = "b";
	assert_unknown(derive(o, 3, 0), "insn per cycle");
	o[1].cgroup = "a";
	derive(o, 3, 0);
	assert_metric(0, 3, "insn per cycle");
	o[0] = counted(&faults, 7);
	assert_int_equal(derive(o, 3, 0), 0);
}

static void a_hybrid_machines_cores_do_not_mix(void **state)
{
	struct event i = instructions, big = cycles, small = cycles;

	(void)state;
	i.pmu = big.pmu = &cpu;
	small.pmu = &atom;
	/* The kernel expects the PMU's type in the upper half. */
	big.attr.config |= 4ULL << 32;
	small.attr.config |= 10ULL << 32;
	OF(counted(&i, 300), counted(&small, 100), counted(&big, 200));
	assert_metric(0, 1.5, "insn per cycle");
	assert_unknown(OF(counted(&i, 300), counted(&small, 100)), "insn per cycle");
}

static void the_first_that_fits_is_taken(void **state)
{
	(void)state;
	OF(counted(&instructions, 300), without_count(&cycles, STAT_NOT_COUNTED),
	   counted(&cycles, 100), counted(&cycles, 300));
	assert_metric(0, 3, "insn per cycle");
}

static void transactions_are_compared_with_cycles(void **state)
{
	const struct event in_tx = NAMED(&cpu, "cpu/cycles-t/"), in_cp = NAMED(&cpu, "cycles-ct:u");
	const struct event start = NAMED(&cpu, "tx-start"), elision = NAMED(&cpu, "cpu/el-start/");

	(void)state;
	OF(counted(&in_tx, 50), counted(&cycles, 200));
	assert_metric(0, 25, "transactional cycles");
	OF(counted(&in_cp, 30), counted(&in_tx, 50), counted(&cycles, 200));
	assert_metric(0, 10, "aborted cycles");
	OF(counted(&in_cp, 60), counted(&in_tx, 50), counted(&cycles, 200));
	assert_metric(0, 0, "aborted cycles");
	OF(counted(&start, 5), counted(&in_tx, 50));
	assert_metric(0, 10, "cycles / transaction");
	OF(counted(&elision, 2), counted(&in_tx, 50));
	assert_metric(0, 25, "cycles / elision");
	assert_unknown(OF(counted(&start, 0), counted(&in_tx, 50)), "cycles / transaction");
}

static void slots_of_the_pipeline_add_up_to_a_hundred(void **state)
{
	static const struct event slots = NAMED(&cpu, "topdown-total-slots");
	static const struct event issued = NAMED(&cpu, "topdown-slots-issued");
	static const struct event retired = NAMED(&cpu, "topdown-slots-retired");
	static const struct event fetch = NAMED(&cpu, "topdown-fetch-bubbles");
	static const struct event recovery = NAMED(&cpu, "topdown-recovery-bubbles");
	const struct stat_operand o[] = { counted(&slots, 1000), counted(&issued, 500),
					  counted(&retired, 400), counted(&fetch, 250),
					  counted(&recovery, 50) };
	static const char *const units[] = { "", "backend bound", "retiring", "frontend bound",
					     "bad speculation" };
	static const double values[] = { 0, 20, 40, 25, 15 };

	(void)state;
	for (size_t i = 1; i < ARRAY_SIZE(o); i++) {
		assert_int_equal(stat_metrics_of(o, ARRAY_SIZE(o), i, 0, got), 1);
		assert_metric(0, values[i], units[i]);
		assert_int_equal(got[0].format, STAT_FORMAT_TOPDOWN);
	}
	assert_unknown(OF(counted(&issued, 500), counted(&slots, 1000), counted(&retired, 400)),
		       "backend bound");
}

static void the_share_of_slots_that_retire_is_good_and_the_others_worry(void **state)
{
	static const struct event slots = NAMED(&cpu, "topdown-total-slots");
	static const struct event retired = NAMED(&cpu, "topdown-slots-retired");
	static const struct event fetch = NAMED(&cpu, "topdown-fetch-bubbles");

	(void)state;
	OF(counted(&retired, 701), counted(&slots, 1000));
	assert_int_equal(got[0].level, STAT_LEVEL_GOOD);
	OF(counted(&retired, 700), counted(&slots, 1000));
	assert_int_equal(got[0].level, STAT_LEVEL_NONE);
	OF(counted(&fetch, 201), counted(&slots, 1000));
	assert_int_equal(got[0].level, STAT_LEVEL_HIGH);
}

static void management_interrupts_cost_the_cycles_that_are_missing(void **state)
{
	const struct event smi = NAMED(&msr, "msr/smi/"), aperf = NAMED(&msr, "msr/aperf/");

	(void)state;
	assert_int_equal(OF(counted(&smi, 3), counted(&aperf, 1000), counted(&cycles, 900)), 2);
	assert_metric(0, 10, "SMI cycles%");
	assert_metric(1, 3, "SMI#");
	assert_true(got[1].same_line);
}

static void a_name_means_something_on_a_pmu_only(void **state)
{
	const struct event odd = {
		.attr = { .type = PERF_TYPE_TRACEPOINT }, .name = "tx-start", .unit = "", .scale = 1
	};

	(void)state;
	assert_int_equal(OF(counted(&odd, 5), counted(&cycles, 50)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_clock_by_the_time_is_how_many_cpus_were_busy),
		cmocka_unit_test(the_cpus_clock_is_a_clock_too),
		cmocka_unit_test(without_time_nobody_knows_how_many_cpus_were_busy),
		cmocka_unit_test(cycles_by_the_clock_are_a_frequency),
		cmocka_unit_test(a_clock_that_is_missing_gives_no_frequency),
		cmocka_unit_test(a_clock_is_one_whatever_the_mode),
		cmocka_unit_test(instructions_by_cycles),
		cmocka_unit_test(the_larger_stall_is_what_an_instruction_waits_for),
		cmocka_unit_test(uncounted_cycles_leave_instructions_without_a_ratio),
		cmocka_unit_test(uncounted_stalls_are_not_waited_for),
		cmocka_unit_test(misses_are_shares_of_what_they_are_among),
		cmocka_unit_test(a_share_of_what_was_not_counted_is_not_known),
		cmocka_unit_test(a_share_of_a_counted_nothing_is_nothing),
		cmocka_unit_test(more_misses_than_accesses_are_shown_as_counted),
		cmocka_unit_test(misses_worry_from_five_percent_on),
		cmocka_unit_test(anything_else_is_a_rate_of_the_clocks_second),
		cmocka_unit_test(rates_have_the_unit_that_fits),
		cmocka_unit_test(a_rate_is_of_the_scaled_count),
		cmocka_unit_test(without_a_clock_there_is_no_rate),
		cmocka_unit_test(operands_count_in_the_same_mode),
		cmocka_unit_test(a_guests_cycles_are_not_the_hosts),
		cmocka_unit_test(operands_are_of_the_same_cgroup),
		cmocka_unit_test(a_hybrid_machines_cores_do_not_mix),
		cmocka_unit_test(the_first_that_fits_is_taken),
		cmocka_unit_test(transactions_are_compared_with_cycles),
		cmocka_unit_test(slots_of_the_pipeline_add_up_to_a_hundred),
		cmocka_unit_test(the_share_of_slots_that_retire_is_good_and_the_others_worry),
		cmocka_unit_test(management_interrupts_cost_the_cycles_that_are_missing),
		cmocka_unit_test(a_name_means_something_on_a_pmu_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
