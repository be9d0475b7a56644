/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "event/event.h"
#include "event/metric-expr.h"
#include "event/metric.h"
#include "kernel/pmu.h"
#include "count/stat-model.h"
#include "wire/topology.h"

#define EVENT(t, c, n)                                                                             \
	{                                                                                          \
		.attr = { .type = PERF_TYPE_##t, .config = PERF_COUNT_##c }, .name = n,            \
		.unit = "", .scale = 1                                                             \
	}

static const struct event task_clock = EVENT(SOFTWARE, SW_TASK_CLOCK, "task-clock");
static const struct event faults = EVENT(SOFTWARE, SW_PAGE_FAULTS, "page-faults");
static const struct event cycles = EVENT(HARDWARE, HW_CPU_CYCLES, "cycles");
static const struct event instructions = EVENT(HARDWARE, HW_INSTRUCTIONS, "instructions");

static const int any_cpu[] = { -1 };

/* Two cores of two threads each: CPUs 0 and 2, 1 and 3. */
static struct cpu_place places[] = {
	{ .cpu = 0, .socket = 0, .die = 0, .core = 0, .node = 0 },
	{ .cpu = 1, .socket = 0, .die = 0, .core = 1, .node = 0 },
	{ .cpu = 2, .socket = 0, .die = 0, .core = 0, .node = 0 },
	{ .cpu = 3, .socket = 0, .die = 0, .core = 1, .node = 0 },
};
static const struct topology topology = { places, ARRAY_SIZE(places), 0 };
static const int cpus[] = { 0, 1, 2, 3 };

#define OPTIONS(...)                                                                               \
	((const struct stat_model_options){                                                        \
		.scale = true, .merge = true, .topology = &topology, __VA_ARGS__ })

static struct stat_source source(const struct event *e, const int *where, size_t n_cpus,
				 size_t n_tasks)
{
	return (struct stat_source){ .event = e,
				     .cgroup = "",
				     .supported = true,
				     .pmu = e->pmu ? e->pmu->name : NULL,
				     .core = e->pmu && e->pmu->core,
				     .cpus = where,
				     .n_cpus = n_cpus,
				     .n_tasks = n_tasks };
}

/* Return the source of an event of a task, and of one of all CPUs. */
static struct stat_source task(const struct event *e)
{
	return source(e, any_cpu, 1, 1);
}

static struct stat_source wide(const struct event *e)
{
	return source(e, cpus, ARRAY_SIZE(cpus), 1);
}

static void free_model(struct stat_model **m)
{
	stat_model_free(*m);
}

#define MODEL(o, ...)                                                                              \
	stat_model_new((const struct stat_source[]){ __VA_ARGS__ },                                \
		       ARRAY_SIZE(((const struct stat_source[]){ __VA_ARGS__ })), &o)

/* Adds counts that ran all the time they were enabled, the i-th of them at the i-th place. */
static void count(struct stat_model *m, size_t source, size_t n, const uint64_t *values)
{
	struct count c[8];

	assert_true(n <= ARRAY_SIZE(c));
	for (size_t i = 0; i < n; i++)
		c[i] = (struct count){ values[i], 1000, 1000 };
	stat_model_count(m, source, c);
}

#define COUNT(m, source, ...)                                                                      \
	count(m, source, sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t),             \
	      (const uint64_t[]){ __VA_ARGS__ })

static struct stat_table table_of(struct stat_model *m, size_t n_rows)
{
	struct stat_table t;

	stat_model_table(m, &t);
	assert_int_equal(t.n_rows, n_rows);
	return t;
}

static struct stat_table run_of(struct stat_model *m, double seconds, size_t n_rows)
{
	stat_model_end_run(m, seconds);
	return table_of(m, n_rows);
}

static void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-9 * fabs(wanted)))
		fail_msg("%.12g is not %.12g", got, wanted);
}

static void counts_appear_in_the_order_of_the_events(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&faults), task(&cycles));

	(void)state;
	COUNT(m, 0, 12);
	COUNT(m, 1, 3000);

	struct stat_table t = run_of(m, 0.5, 2);

	assert_int_equal(t.runs, 1);
	assert_near(t.elapsed_s, 0.5);
	assert_false(t.interval);
	assert_false(t.has_cgroups);
	assert_string_equal(t.rows[0].event->name, "page-faults");
	assert_near(t.rows[0].count, 12);
	assert_int_equal(t.rows[0].enabled, 1000);
	assert_null(t.rows[0].unit);
	assert_near(t.rows[1].count, 3000);
	assert_true(t.rows[1].noise == 0);
}

static void a_clock_is_shown_in_milliseconds(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&task_clock));

	(void)state;
	COUNT(m, 0, 2500000);

	const struct stat_row *r = run_of(m, 0.005, 1).rows;

	assert_near(r->count, 2.5);
	assert_string_equal(r->event->unit, "msec");
	assert_true(r->event->decimals);
	assert_near(r->metrics[0].value, 0.5);
}

static void a_scale_is_applied_and_shows_decimals(void **state)
{
	struct event energy = EVENT(SOFTWARE, SW_DUMMY, "power/energy-pkg/");
	const struct stat_model_options o = OPTIONS();

	(void)state;
	energy.attr.type = 20;
	energy.unit = "Joules";
	energy.scale = 0.25;

	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&energy));

	COUNT(m, 0, 42);

	const struct stat_row *r = run_of(m, 1, 1).rows;

	assert_near(r->count, 10.5);
	assert_string_equal(r->event->unit, "Joules");
	assert_true(r->event->decimals);
}

static void what_perf_measures_itself_is_in_nanoseconds(void **state)
{
	struct event duration = EVENT(SOFTWARE, SW_DUMMY, "duration_time");
	const struct stat_model_options o = OPTIONS();

	(void)state;
	duration.tool = EVENT_TOOL_DURATION_TIME;

	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&duration));

	stat_model_count_tool(m, 0, 7000);

	const struct stat_row *r = run_of(m, 1, 1).rows;

	assert_int_equal(r->state, STAT_COUNTED);
	assert_near(r->count, 7000);
	assert_string_equal(r->event->unit, "ns");
	assert_false(r->event->decimals);
}

static void a_sensor_shows_what_it_is_and_not_how_it_changed(void **state)
{
	struct event temperature = EVENT(SOFTWARE, SW_DUMMY, "temp1");
	const struct stat_model_options o = OPTIONS();

	(void)state;
	temperature.tool = EVENT_TOOL_FILE;
	temperature.snapshot = true;
	temperature.unit = "'C";
	temperature.scale = 0.001;

	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&temperature));

	stat_model_count_tool(m, 0, 45500);
	stat_model_end_interval(m, 1000, 1);
	assert_near(table_of(m, 1).rows[0].count, 45.5);
	stat_model_count_tool(m, 0, (uint64_t)-5000);
	stat_model_end_interval(m, 2000, 1);

	const struct stat_row *r = table_of(m, 1).rows;

	assert_near(r->count, -5);
	assert_string_equal(r->event->unit, "'C");
	assert_true(r->event->decimals);
	assert_int_equal(r->running, 1);
}

static void what_a_gpu_is_used_for_is_gone_with_its_process(void **state)
{
	struct event render = EVENT(SOFTWARE, SW_DUMMY, "drm-engine-render");
	const struct stat_model_options o = OPTIONS();
	const uint64_t value = 700;

	(void)state;
	render.tool = EVENT_TOOL_DRM;
	render.snapshot = true;
	render.unit = "ns";

	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&render));

	stat_model_count_drm(m, 0, 0, &value);
	stat_model_end_interval(m, 1000, 1);
	stat_model_count_drm(m, 0, 0, &value);
	stat_model_end_interval(m, 2000, 1);
	assert_near(table_of(m, 1).rows[0].count, 700);
	assert_int_equal(table_of(m, 1).rows[0].state, STAT_COUNTED);
	stat_model_count_drm(m, 0, 0, NULL);
	stat_model_end_interval(m, 3000, 1);
	assert_int_equal(table_of(m, 1).rows[0].state, STAT_NOT_COUNTED);
}

static void what_could_not_be_read_was_not_counted(void **state)
{
	struct event slots = EVENT(SOFTWARE, SW_DUMMY, "slots");
	const struct stat_model_options o = OPTIONS();

	(void)state;
	slots.tool = EVENT_TOOL_SLOTS;
	slots.snapshot = true;

	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&slots));

	assert_int_equal(run_of(m, 1, 1).rows[0].state, STAT_NOT_COUNTED);
}

static void what_perf_measures_itself_is_on_the_first_cpu_alone(void **state)
{
	struct event duration = EVENT(SOFTWARE, SW_DUMMY, "duration_time");
	const struct stat_model_options each = OPTIONS(.aggregation = STAT_CPU);
	const struct stat_model_options core = OPTIONS(.aggregation = STAT_CORE);

	(void)state;
	duration.tool = EVENT_TOOL_DURATION_TIME;

	_cleanup_(free_model) struct stat_model *m = MODEL(each, wide(&duration));
	_cleanup_(free_model) struct stat_model *n = MODEL(core, wide(&duration));

	stat_model_count_tool(m, 0, 7000);
	assert_int_equal(run_of(m, 1, 1).rows[0].unit->cpu, 0);
	stat_model_count_tool(n, 0, 7000);

	struct stat_table t = run_of(n, 1, 2);

	assert_int_equal(t.rows[0].n_cpus, 1);
	assert_int_equal(t.rows[1].state, STAT_NOT_COUNTED);
	assert_int_equal(t.rows[1].n_cpus, 0);
}

static void what_ran_half_the_time_is_doubled(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&cycles));

	(void)state;
	stat_model_count(m, 0, &(struct count){ 1000, 800, 400 });

	const struct stat_row *r = run_of(m, 1, 1).rows;

	assert_near(r->count, 2000);
	assert_int_equal(r->enabled, 800);
	assert_int_equal(r->running, 400);
}

static void a_scaled_count_is_a_whole_number(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&cycles));

	(void)state;
	stat_model_count(m, 0, &(struct count){ 100, 10, 3 });
	assert_near(run_of(m, 1, 1).rows[0].count, 333);
}

static void without_scaling_the_raw_count_is_shown(void **state)
{
	const struct stat_model_options o = { .scale = false };
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&cycles));

	(void)state;
	stat_model_count(m, 0, &(struct count){ 1000, 800, 400 });
	assert_near(run_of(m, 1, 1).rows[0].count, 1000);
}

static void what_never_ran_was_not_counted(void **state)
{
	const struct stat_model_options o = OPTIONS();
	struct stat_source absent = task(&instructions);

	(void)state;
	absent.supported = false;

	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&cycles), absent);

	stat_model_count(m, 0, &(struct count){ 0, 800, 0 });

	struct stat_table t = run_of(m, 1, 2);

	assert_int_equal(t.rows[0].state, STAT_NOT_COUNTED);
	assert_int_equal(t.rows[0].enabled, 800);
	assert_int_equal(t.rows[1].state, STAT_NOT_SUPPORTED);
}

static void a_count_of_zero_is_a_count(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&faults));

	(void)state;
	COUNT(m, 0, 0);
	assert_int_equal(run_of(m, 1, 1).rows[0].state, STAT_COUNTED);
}

static void uncounted_rows_know_no_metrics(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&instructions), task(&cycles));

	(void)state; /* In both directions */
	COUNT(m, 0, 300);
	stat_model_count(m, 1, &(struct count){ 0, 800, 0 });

	struct stat_table t = run_of(m, 1, 2);

	for (size_t r = 0; r < 2; r++)
		for (size_t i = 0; i < t.rows[r].n_metrics; i++)
			assert_false(t.rows[r].metrics[i].known);
}

static void cpus_add_up_to_one_row(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, wide(&faults));

	(void)state;
	COUNT(m, 0, 1, 2, 3, 4);

	const struct stat_row *r = run_of(m, 1, 1).rows;

	assert_near(r->count, 10);
	assert_int_equal(r->enabled, 4000);
}

static void each_cpu_has_a_row_below_its_event(void **state)
{
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_CPU);
	_cleanup_(free_model) struct stat_model *m = MODEL(o, wide(&faults), wide(&cycles));

	(void)state;
	COUNT(m, 0, 1, 2, 3, 4);
	COUNT(m, 1, 10, 20, 30, 40);

	struct stat_table t = run_of(m, 1, 8);

	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(t.rows[i].unit->cpu, i % 4);
		assert_string_equal(t.rows[i].event->name, i < 4 ? "page-faults" : "cycles");
		assert_near(t.rows[i].count, (double)(i % 4 + 1) * (i < 4 ? 1 : 10));
	}
}

static void each_core_has_its_events_together(void **state)
{
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_CORE);
	_cleanup_(free_model) struct stat_model *m = MODEL(o, wide(&faults), wide(&cycles));

	(void)state;
	COUNT(m, 0, 1, 2, 3, 4);
	COUNT(m, 1, 10, 20, 30, 40);

	struct stat_table t = run_of(m, 1, 4);
	static const double wanted[] = { 4, 40, 6, 60 };

	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(t.rows[i].unit->core, i / 2);
		assert_int_equal(t.rows[i].n_cpus, 2);
		assert_near(t.rows[i].count, wanted[i]);
	}
}

static void metrics_are_of_the_row_they_stand_in(void **state)
{
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_CPU);
	_cleanup_(free_model) struct stat_model *m = MODEL(o, wide(&instructions), wide(&cycles));

	(void)state;
	COUNT(m, 0, 100, 300, 50, 0);
	COUNT(m, 1, 200, 100, 10, 40);

	struct stat_table t = run_of(m, 1, 8);
	static const double per_cycle[] = { 0.5, 3, 5, 0 };

	for (size_t i = 0; i < 4; i++) {
		assert_true(t.rows[i].metrics[0].known);
		assert_near(t.rows[i].metrics[0].value, per_cycle[i]);
	}
}

static void metrics_of_a_socket_are_of_its_sums(void **state)
{
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_SOCKET);
	_cleanup_(free_model) struct stat_model *m = MODEL(o, wide(&instructions), wide(&cycles));

	(void)state; /* 0.40, not 3.19 */
	COUNT(m, 0, 100, 300, 0, 0);
	COUNT(m, 1, 400, 200, 200, 200);

	struct stat_table t = run_of(m, 1, 2);

	assert_near(t.rows[0].metrics[0].value, 0.4);
	assert_int_equal(t.rows[0].n_cpus, 4);
}

static void an_operand_of_another_cpu_is_none(void **state)
{
	static const int first[] = { 0 }, second[] = { 1 };
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_CPU);
	struct stat_source a = wide(&instructions), b = wide(&cycles);

	(void)state;
	a.cpus = first;
	b.cpus = second;
	a.n_cpus = b.n_cpus = 1;

	_cleanup_(free_model) struct stat_model *m = MODEL(o, a, b);

	COUNT(m, 0, 100);
	COUNT(m, 1, 100);

	/* An event that is not counted at all at a place has no row there. */
	struct stat_table t = run_of(m, 1, 2);

	assert_int_equal(t.rows[0].unit->cpu, 0);
	assert_false(t.rows[0].metrics[0].known);
	assert_int_equal(t.rows[1].unit->cpu, 1);
}

static void cpus_shown_apart_are_scaled_apart(void **state)
{
	static const struct count c[] = {
		{ 10, 100, 100 }, { 10, 100, 50 }, { 10, 100, 100 }, { 0, 100, 0 }
	};
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_CPU);
	_cleanup_(free_model) struct stat_model *m = MODEL(o, wide(&cycles));

	(void)state;
	stat_model_count(m, 0, c);

	struct stat_table t = run_of(m, 1, 4);

	assert_near(t.rows[0].count, 10);
	assert_near(t.rows[1].count, 20);
	assert_int_equal(t.rows[3].state, STAT_NOT_COUNTED);
}

static void cgroups_are_named_and_keep_to_themselves(void **state)
{
	const struct stat_model_options o = OPTIONS();
	struct stat_source a = wide(&instructions), b = wide(&cycles);

	(void)state;
	a.cgroup = "foo";
	b.cgroup = "bar";

	_cleanup_(free_model) struct stat_model *m = MODEL(o, a, b);

	COUNT(m, 0, 1, 1, 1, 1);
	COUNT(m, 1, 1, 1, 1, 1);

	struct stat_table t = run_of(m, 1, 2);

	assert_true(t.has_cgroups);
	assert_string_equal(t.rows[0].event->cgroup, "foo");
	assert_false(t.rows[0].metrics[0].known);
}

static const struct stat_task threads[] = { { 10, "idle" }, { 11, "busy" }, { 12, "some" } };

static struct stat_source of_threads(const struct event *e)
{
	return source(e, any_cpu, 1, ARRAY_SIZE(threads));
}

static void the_busiest_thread_comes_first_in_each_event(void **state)
{
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_THREAD, .tasks = threads,
						    .n_tasks = ARRAY_SIZE(threads));
	_cleanup_(free_model) struct stat_model *m = MODEL(o, of_threads(&faults),
							   of_threads(&cycles));
	static const pid_t order[] = { 11, 12, 10, 10, 11, 12 };

	(void)state;
	COUNT(m, 0, 0, 70, 5);
	COUNT(m, 1, 9, 8, 8);

	struct stat_table t = run_of(m, 1, 6);

	for (size_t i = 0; i < 6; i++)
		assert_int_equal(t.rows[i].unit->tid, order[i]);
	assert_string_equal(t.rows[0].unit->comm, "busy");
	assert_near(t.rows[0].count + t.rows[1].count + t.rows[2].count, 75);
}

static void threads_of_the_system_that_did_nothing_are_left_out(void **state)
{
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_THREAD, .tasks = threads,
						    .n_tasks = ARRAY_SIZE(threads),
						    .all_threads = true);
	_cleanup_(free_model) struct stat_model *m = MODEL(o, of_threads(&faults));

	(void)state;
	COUNT(m, 0, 0, 70, 5);
	assert_int_equal(run_of(m, 1, 2).rows[1].unit->tid, 12);
}

static struct event percore(const struct event *e)
{
	struct event p = *e;

	p.settings.percore = true;
	return p;
}

static void percore_shows_a_cores_sum_once(void **state)
{
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_CPU);
	const struct event p = percore(&faults);
	_cleanup_(free_model) struct stat_model *m = MODEL(o, wide(&p), wide(&cycles));

	(void)state;
	COUNT(m, 0, 1, 2, 3, 4);
	COUNT(m, 1, 10, 20, 30, 40);

	struct stat_table t = run_of(m, 1, 6);

	assert_true(t.rows[0].per_core);
	assert_near(t.rows[0].count, 4);
	assert_int_equal(t.rows[1].unit->core, 1);
	assert_near(t.rows[1].count, 6);
	assert_false(t.rows[2].per_core);
	assert_near(t.rows[2].count, 10);
}

static void percore_can_repeat_the_sum_on_each_thread(void **state)
{
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_CPU,
						    .per_core_threads = true);
	const struct event p = percore(&instructions);
	_cleanup_(free_model) struct stat_model *m = MODEL(o, wide(&p), wide(&cycles));
	static const double sums[] = { 4, 6, 4, 6 };

	(void)state;
	COUNT(m, 0, 1, 2, 3, 4);
	COUNT(m, 1, 2, 2, 2, 2);

	struct stat_table t = run_of(m, 1, 8);

	for (size_t i = 0; i < 4; i++) {
		assert_false(t.rows[i].per_core);
		assert_int_equal(t.rows[i].state, STAT_COUNTED);
		assert_near(t.rows[i].count, sums[i]);
		assert_near(t.rows[i].metrics[0].value, sums[i] / 2);
	}
}

static const struct pmu imc[] = { { .name = "uncore_imc_0" }, { .name = "uncore_imc_1" } };

static struct event uncore(size_t i)
{
	return (struct event){ .attr = { .type = 20 + (uint32_t)i },
			       .name = "data_reads",
			       .unit = "MiB",
			       .scale = 0.5,
			       .pmu = &imc[i] };
}

static void pmus_of_one_kind_are_one_row(void **state)
{
	const struct stat_model_options o = OPTIONS();
	const struct event a = uncore(0), b = uncore(1);
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&a), task(&faults), task(&b));

	(void)state;
	COUNT(m, 0, 100);
	COUNT(m, 1, 7);
	COUNT(m, 2, 60);

	struct stat_table t = run_of(m, 1, 2);

	assert_near(t.rows[0].count, 80);
	assert_int_equal(t.rows[0].enabled, 2000);
	assert_near(t.rows[1].count, 7);
}

static void no_merge_shows_each_pmu(void **state)
{
	const struct stat_model_options o = { .scale = true };
	const struct event a = uncore(0), b = uncore(1);
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&a), task(&b));

	(void)state;
	COUNT(m, 0, 100);
	COUNT(m, 1, 60);

	struct stat_table t = run_of(m, 1, 2);

	assert_near(t.rows[1].count, 30);
	assert_string_equal(t.rows[0].event->name, "uncore_imc_0/data_reads/");
	assert_string_equal(t.rows[1].event->name, "uncore_imc_1/data_reads/");
}

static void merged_pmus_count_on_the_same_cpus(void **state)
{
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_SOCKET);
	const struct event a = uncore(0), b = uncore(1);
	static const int first_cpu[] = { 0 };
	_cleanup_(free_model) struct stat_model *m = MODEL(o, source(&a, first_cpu, 1, 1),
							   source(&b, first_cpu, 1, 1));

	(void)state;
	COUNT(m, 0, 100);
	COUNT(m, 1, 60);
	assert_int_equal(run_of(m, 1, 1).rows[0].n_cpus, 1);
}

static void kinds_of_cores_are_one_row_if_asked_for(void **state)
{
	static const struct pmu kinds[] = { { .name = "cpu_atom", .core = true },
					    { .name = "cpu_core", .core = true } };
	const struct stat_model_options apart = OPTIONS(), merged = OPTIONS(.merge_cores = true);
	struct event atom = cycles, core = cycles;

	(void)state;
	atom.name = "cpu_atom/cycles/u";
	atom.pmu = &kinds[0];
	core.name = "cpu_core/cycles/u";
	core.pmu = &kinds[1];

	_cleanup_(free_model) struct stat_model *two = MODEL(apart, task(&atom), task(&core));
	_cleanup_(free_model) struct stat_model *one = MODEL(merged, task(&atom), task(&core));

	COUNT(two, 0, 100);
	COUNT(two, 1, 60);
	assert_string_equal(run_of(two, 1, 2).rows[1].event->name, "cpu_core/cycles/u");
	COUNT(one, 0, 100);
	COUNT(one, 1, 60);

	struct stat_table t = run_of(one, 1, 1);

	assert_string_equal(t.rows[0].event->name, "cycles:u");
	assert_near(t.rows[0].count, 160);
}

static void the_same_event_twice_is_two_rows(void **state)
{
	const struct stat_model_options o = OPTIONS();
	const struct event a = uncore(0);
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&a), task(&a), task(&cycles),
							   task(&cycles));

	(void)state;
	COUNT(m, 0, 100);
	COUNT(m, 1, 60);
	run_of(m, 1, 4);
}

static void pmus_in_different_cgroups_stay_apart(void **state)
{
	const struct stat_model_options o = OPTIONS();
	const struct event a = uncore(0), b = uncore(1);
	struct stat_source in_foo = task(&b);

	(void)state;
	in_foo.cgroup = "foo";

	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&a), in_foo);

	run_of(m, 1, 2);
}

static void runs_give_their_mean_and_its_standard_error(void **state)
{
	static const uint64_t values[] = { 90, 100, 110, 100 };
	static const double seconds[] = { 1, 2, 3, 2 };
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&faults));

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		count(m, 0, 1, &values[i]);
		stat_model_end_run(m, seconds[i]);
	}

	struct stat_table t = table_of(m, 1);
	double error = sqrt(200.0 / 3 / 4);

	assert_int_equal(t.runs, 4);
	assert_near(t.rows[0].count, 100);
	assert_near(t.rows[0].noise, error);
	assert_near(t.elapsed_s, 2);
	assert_near(t.elapsed_error_s, sqrt(2.0 / 3 / 4));
	for (size_t i = 0; i < 4; i++)
		assert_near(t.run_times_s[i], seconds[i]);
}

static void what_is_the_same_in_all_runs_has_no_noise(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&faults), task(&cycles));

	(void)state;
	for (int i = 0; i < 3; i++) {
		COUNT(m, 0, 5);
		COUNT(m, 1, 0);
		stat_model_end_run(m, 1);
	}

	struct stat_table t = table_of(m, 2);

	assert_true(t.rows[0].noise == 0);
	assert_true(t.rows[1].noise == 0);
	assert_near(t.rows[0].count, 5);
}

static void metrics_of_runs_are_of_their_means(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&instructions), task(&cycles));

	(void)state;
	COUNT(m, 0, 100);
	COUNT(m, 1, 50);
	stat_model_end_run(m, 1);
	COUNT(m, 0, 300);
	COUNT(m, 1, 50);
	assert_near(run_of(m, 1, 2).rows[0].metrics[0].value, 4);
}

static void an_interval_shows_what_came_since_the_last(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&task_clock), task(&faults));
	struct stat_table t;

	(void)state;
	stat_model_count(m, 0, &(struct count){ 50000000, 100, 100 });
	stat_model_count(m, 1, &(struct count){ 10, 100, 100 });
	stat_model_end_interval(m, 100000000, 0.1);
	t = table_of(m, 2);
	assert_true(t.interval);
	assert_int_equal(t.time_ns, 100000000);
	assert_near(t.rows[0].metrics[0].value, 0.5);

	stat_model_count(m, 0, &(struct count){ 130000000, 200, 200 });
	stat_model_count(m, 1, &(struct count){ 35, 200, 150 });
	stat_model_end_interval(m, 200000000, 0.1);
	t = table_of(m, 2);
	assert_near(t.rows[0].count, 80);
	assert_near(t.rows[0].metrics[0].value, 0.8);
	assert_near(t.rows[1].count, 50); /* 25 in half of the time */
	assert_int_equal(t.rows[1].enabled, 100);
	assert_int_equal(t.rows[1].running, 50);
}

static void nothing_in_an_interval_was_not_counted_in_it(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&faults));

	(void)state;
	COUNT(m, 0, 10);
	stat_model_end_interval(m, 100, 0.1);
	stat_model_end_interval(m, 200, 0.1);
	assert_int_equal(table_of(m, 1).rows[0].state, STAT_NOT_COUNTED);
}

static void the_run_after_its_intervals_is_their_sum(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&faults));

	(void)state;
	stat_model_count(m, 0, &(struct count){ 10, 100, 100 });
	stat_model_end_interval(m, 100, 0.1);
	stat_model_count(m, 0, &(struct count){ 35, 200, 200 });
	stat_model_end_interval(m, 200, 0.1);

	struct stat_table t = run_of(m, 0.2, 1);

	assert_false(t.interval);
	assert_near(t.rows[0].count, 35);
}

static void the_next_runs_intervals_begin_at_zero(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&faults));

	(void)state;
	stat_model_count(m, 0, &(struct count){ 1000, 900, 900 });
	stat_model_end_interval(m, 100, 0.1);
	stat_model_end_run(m, 0.1);
	stat_model_count(m, 0, &(struct count){ 10, 100, 100 });
	stat_model_end_interval(m, 100, 0.1);
	assert_near(table_of(m, 1).rows[0].count, 10);
}

static const struct metric ipc = { .name = "IPC", .unit = "", .scale = 1 };
static const struct metric share = { .name = "idle", .unit = "%", .scale = 100 };

static struct metric_expr *formula(const char *text)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct metric_expr *e = NULL;

	assert_int_equal(metric_expr_parse(text, &e, &diag), 0);
	return e;
}

static const struct stat_metric *last_metric(const struct stat_row *r)
{
	assert_true(r->n_metrics > 0);
	return &r->metrics[r->n_metrics - 1];
}

static void a_named_metric_stands_beside_its_first_event(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(metric_expr_freep) struct metric_expr *e = formula("instructions / cycles");
	_cleanup_(metric_expr_freep) struct metric_expr *f = formula("page\\-faults / cycles");
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&faults), task(&instructions),
							   task(&cycles));

	(void)state;
	stat_model_add_metric(m, &ipc, e, 1, 2);
	stat_model_add_metric(m, &share, f, 0, 3);
	COUNT(m, 0, 1);
	COUNT(m, 1, 300);
	COUNT(m, 2, 200);

	struct stat_table t = run_of(m, 1, 3);

	assert_true(last_metric(&t.rows[1])->known);
	assert_near(last_metric(&t.rows[1])->value, 1.5);
	assert_string_equal(last_metric(&t.rows[1])->unit, "IPC");
	assert_near(last_metric(&t.rows[0])->value, 0.5);
	assert_non_null(strstr(last_metric(&t.rows[0])->unit, "idle"));
	assert_int_equal(t.rows[2].n_metrics, 0); /* only an operand of their metrics */
}

static void a_named_metric_is_not_known_without_its_events(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(metric_expr_freep) struct metric_expr *e = formula("instructions / cycles");
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&instructions), task(&cycles));

	(void)state;
	stat_model_add_metric(m, &ipc, e, 0, 2);
	COUNT(m, 0, 300);
	stat_model_count(m, 1, &(struct count){ 0, 800, 0 });
	assert_false(last_metric(run_of(m, 1, 2).rows)->known);
}

static void a_named_metric_is_of_its_own_events_only(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(metric_expr_freep) struct metric_expr *e = formula("instructions / cycles");
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&cycles), task(&instructions),
							   task(&cycles));

	(void)state;
	stat_model_add_metric(m, &ipc, e, 1, 2);
	COUNT(m, 0, 1);
	COUNT(m, 1, 300);
	COUNT(m, 2, 100);
	assert_near(last_metric(&run_of(m, 1, 3).rows[1])->value, 3);
}

static void a_named_metric_knows_events_that_lost_the_kernel(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(metric_expr_freep) struct metric_expr *e = formula("instructions / cycles");
	struct event in_user = instructions, c = cycles;

	(void)state;
	in_user.name = "instructions:u";
	c.name = "cycles:u";

	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&in_user), task(&c));

	stat_model_add_metric(m, &ipc, e, 0, 2);
	COUNT(m, 0, 300);
	COUNT(m, 1, 200);
	assert_near(last_metric(run_of(m, 1, 2).rows)->value, 1.5);
}

static void a_named_metric_has_a_value_in_each_unit(void **state)
{
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_CORE);
	_cleanup_(metric_expr_freep) struct metric_expr *e = formula("instructions / cycles");
	_cleanup_(free_model) struct stat_model *m = MODEL(o, wide(&instructions), wide(&cycles));

	(void)state;
	stat_model_add_metric(m, &ipc, e, 0, 2);
	COUNT(m, 0, 1, 2, 3, 4);
	COUNT(m, 1, 2, 1, 2, 1);

	struct stat_table t = run_of(m, 1, 4);

	assert_near(last_metric(&t.rows[0])->value, 1);
	assert_near(last_metric(&t.rows[2])->value, 3);
}

static void nothing_to_count_is_an_empty_table(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = stat_model_new(NULL, 0, &o);

	(void)state;
	assert_near(run_of(m, 1.5, 0).elapsed_s, 1.5);
	stat_model_free(NULL);
}

static void a_twin_behind_the_sources_does_not_count(void **state)
{
	const struct stat_model_options o = { .scale = true };
	const struct event a = uncore(0), b = uncore(1);
	const struct stat_source sources[] = { task(&a), task(&b) };
	_cleanup_(free_model) struct stat_model *one = stat_model_new(sources, 1, &o);
	_cleanup_(free_model) struct stat_model *two = stat_model_new(sources, 2, &o);

	(void)state;
	assert_string_equal(run_of(one, 1, 1).rows[0].event->name, "data_reads");
	assert_string_not_equal(run_of(two, 1, 2).rows[0].event->name, "data_reads");
}

static void events_behind_those_of_a_named_metric_have_their_own(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(metric_expr_freep) struct metric_expr *e = formula("instructions / cycles");
	_cleanup_(free_model) struct stat_model *m =
		MODEL(o, task(&task_clock), task(&instructions), task(&cycles), task(&task_clock));

	(void)state;
	stat_model_add_metric(m, &ipc, e, 1, 2);
	COUNT(m, 0, 1000000);
	COUNT(m, 1, 300);
	COUNT(m, 2, 200);
	COUNT(m, 3, 1000000);

	struct stat_table t = run_of(m, 1, 4);

	assert_int_equal(t.rows[0].n_metrics, 1);
	assert_int_equal(t.rows[1].n_metrics, 1);
	assert_int_equal(t.rows[2].n_metrics, 0);
	assert_int_equal(t.rows[3].n_metrics, 1);
	assert_false(t.rows[0].metrics[0].asked_for);
	assert_true(t.rows[1].metrics[0].asked_for);
}

/* A metric that does not need the event in whose row it is shown. */
static void of_an_uncounted_row_named_metrics_are_no_number(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(metric_expr_freep) struct metric_expr *e = formula("cycles / 2");
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&instructions), task(&cycles),
							   task(&task_clock));

	(void)state;
	stat_model_add_metric(m, &ipc, e, 0, 2);
	stat_model_count(m, 0, &(struct count){ 0, 800, 0 });
	COUNT(m, 1, 300);
	stat_model_count(m, 2, &(struct count){ 0, 800, 0 });

	struct stat_table t = run_of(m, 1, 3);

	assert_false(last_metric(&t.rows[0])->known);
	assert_true(isnan(last_metric(&t.rows[0])->value));
	assert_false(last_metric(&t.rows[2])->known);
	assert_false(isnan(last_metric(&t.rows[2])->value));
}

static void intervals_of_many_rows_keep_apart(void **state)
{
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_CPU);
	_cleanup_(free_model) struct stat_model *m = MODEL(o, wide(&faults), wide(&cycles),
							   wide(&instructions));

	(void)state;
	for (uint64_t round = 1; round <= 2; round++) {
		for (size_t i = 0; i < 3; i++) {
			struct count c[4];

			for (size_t k = 0; k < 4; k++)
				c[k] = (struct count){ round * (10 * i + k + 1), 100 * round,
						       100 * round };
			stat_model_count(m, i, c);
		}
		stat_model_end_interval(m, 1000 * round, 1);

		struct stat_table t = table_of(m, 12);

		for (size_t i = 0; i < 12; i++)
			assert_near(t.rows[i].count, (double)(10 * (i / 4) + i % 4 + 1));
	}
}

static void equal_threads_stand_in_their_order(void **state)
{
	const struct stat_model_options o = OPTIONS(.aggregation = STAT_THREAD, .tasks = threads,
						    .n_tasks = ARRAY_SIZE(threads));
	_cleanup_(free_model) struct stat_model *m = MODEL(o, of_threads(&faults));
	static const pid_t order[] = { 12, 10, 11 };

	(void)state;
	COUNT(m, 0, 5, 5, 7);

	struct stat_table t = run_of(m, 1, 3);

	for (size_t i = 0; i < 3; i++)
		assert_int_equal(t.rows[i].unit->tid, order[i]);
}

static void a_named_metric_takes_events_by_their_whole_names(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(metric_expr_freep) struct metric_expr *e = formula("cycles / 2");
	struct event same_length = faults, longer = faults;

	(void)state;
	same_length.name = "faults";
	longer.name = "cycles_all";

	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&same_length), task(&longer),
							   task(&cycles));

	stat_model_add_metric(m, &ipc, e, 0, 3);
	COUNT(m, 0, 900);
	COUNT(m, 1, 700);
	COUNT(m, 2, 300);
	assert_near(last_metric(run_of(m, 1, 3).rows)->value, 150);
}

static void a_sum_without_one_of_its_events_is_not_known(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(metric_expr_freep) struct metric_expr *e = formula("instructions + cycles");
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&instructions), task(&cycles));

	(void)state;
	stat_model_add_metric(m, &ipc, e, 0, 2);
	COUNT(m, 0, 300);
	stat_model_count(m, 1, &(struct count){ 0, 800, 0 });

	const struct stat_metric *metric = last_metric(run_of(m, 1, 2).rows);

	assert_false(metric->known);
	assert_true(isnan(metric->value));
}

static void the_times_of_two_runs_are_those_of_one(void **state)
{
	const struct stat_model_options o = OPTIONS();
	_cleanup_(free_model) struct stat_model *m = MODEL(o, task(&faults));

	(void)state;
	for (size_t runs = 1; runs <= 3; runs++) {
		stat_model_count(m, 0, &(struct count){ 10, 1000, 600 });

		const struct stat_row *r = run_of(m, 1, 1).rows;

		assert_int_equal(r->enabled, 1000);
		assert_int_equal(r->running, 600);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_appear_in_the_order_of_the_events),
		cmocka_unit_test(a_clock_is_shown_in_milliseconds),
		cmocka_unit_test(a_scale_is_applied_and_shows_decimals),
		cmocka_unit_test(what_perf_measures_itself_is_in_nanoseconds),
		cmocka_unit_test(a_sensor_shows_what_it_is_and_not_how_it_changed),
		cmocka_unit_test(what_a_gpu_is_used_for_is_gone_with_its_process),
		cmocka_unit_test(what_could_not_be_read_was_not_counted),
		cmocka_unit_test(what_perf_measures_itself_is_on_the_first_cpu_alone),
		cmocka_unit_test(what_ran_half_the_time_is_doubled),
		cmocka_unit_test(a_scaled_count_is_a_whole_number),
		cmocka_unit_test(without_scaling_the_raw_count_is_shown),
		cmocka_unit_test(what_never_ran_was_not_counted),
		cmocka_unit_test(a_count_of_zero_is_a_count),
		cmocka_unit_test(uncounted_rows_know_no_metrics),
		cmocka_unit_test(cpus_add_up_to_one_row),
		cmocka_unit_test(each_cpu_has_a_row_below_its_event),
		cmocka_unit_test(each_core_has_its_events_together),
		cmocka_unit_test(metrics_are_of_the_row_they_stand_in),
		cmocka_unit_test(metrics_of_a_socket_are_of_its_sums),
		cmocka_unit_test(an_operand_of_another_cpu_is_none),
		cmocka_unit_test(cpus_shown_apart_are_scaled_apart),
		cmocka_unit_test(cgroups_are_named_and_keep_to_themselves),
		cmocka_unit_test(the_busiest_thread_comes_first_in_each_event),
		cmocka_unit_test(threads_of_the_system_that_did_nothing_are_left_out),
		cmocka_unit_test(percore_shows_a_cores_sum_once),
		cmocka_unit_test(percore_can_repeat_the_sum_on_each_thread),
		cmocka_unit_test(pmus_of_one_kind_are_one_row),
		cmocka_unit_test(no_merge_shows_each_pmu),
		cmocka_unit_test(merged_pmus_count_on_the_same_cpus),
		cmocka_unit_test(kinds_of_cores_are_one_row_if_asked_for),
		cmocka_unit_test(the_same_event_twice_is_two_rows),
		cmocka_unit_test(pmus_in_different_cgroups_stay_apart),
		cmocka_unit_test(runs_give_their_mean_and_its_standard_error),
		cmocka_unit_test(what_is_the_same_in_all_runs_has_no_noise),
		cmocka_unit_test(metrics_of_runs_are_of_their_means),
		cmocka_unit_test(an_interval_shows_what_came_since_the_last),
		cmocka_unit_test(nothing_in_an_interval_was_not_counted_in_it),
		cmocka_unit_test(the_run_after_its_intervals_is_their_sum),
		cmocka_unit_test(the_next_runs_intervals_begin_at_zero),
		cmocka_unit_test(a_named_metric_stands_beside_its_first_event),
		cmocka_unit_test(a_named_metric_is_not_known_without_its_events),
		cmocka_unit_test(a_named_metric_is_of_its_own_events_only),
		cmocka_unit_test(a_named_metric_knows_events_that_lost_the_kernel),
		cmocka_unit_test(a_named_metric_has_a_value_in_each_unit),
		cmocka_unit_test(nothing_to_count_is_an_empty_table),
		cmocka_unit_test(a_twin_behind_the_sources_does_not_count),
		cmocka_unit_test(events_behind_those_of_a_named_metric_have_their_own),
		cmocka_unit_test(of_an_uncounted_row_named_metrics_are_no_number),
		cmocka_unit_test(intervals_of_many_rows_keep_apart),
		cmocka_unit_test(equal_threads_stand_in_their_order),
		cmocka_unit_test(a_named_metric_takes_events_by_their_whole_names),
		cmocka_unit_test(a_sum_without_one_of_its_events_is_not_known),
		cmocka_unit_test(the_times_of_two_runs_are_those_of_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
