/* SPDX-License-Identifier: MIT */
#include "session/recording.h"

#include "view/printed.h"
#include "tools/script/script-view.h"

struct counting {
	struct recording rec;
	struct session *session;
	struct script_counts *counts;
	struct printed printed;
};

static void begin(struct counting *c)
{
	c->rec = recording_new();
	c->session = opened(&c->rec, false);
	c->counts = script_counts_new(c->session);
	printed_open(&c->printed);
}

static void end(struct counting *c, const char *wanted)
{
	assert_printed(&c->printed, wanted);
	script_counts_free(c->counts);
	session_free(c->session);
	recording_done(&c->rec);
}

static void give(struct counting *c, struct record r)
{
	script_counts_record(c->counts, &r, c->printed.out);
}

static void threads(struct counting *c, size_t n)
{
	static const uint64_t entries[] = { 11, 0, 0, 12, 0, 0 };

	give(c, (struct record){ .header.type = PERF_RECORD_THREAD_MAP,
				 .thread_map = { .entries = (const uint8_t *)entries, .n = n } });
}

static void cpus(struct counting *c, uint16_t first, uint16_t last)
{
	give(c, (struct record){ .header.type = PERF_RECORD_CPU_MAP,
				 .cpu_map = { .kind = 2, .first = first, .last = last } });
}

static void any_cpu(struct counting *c)
{
	static const uint16_t any = UINT16_MAX;

	give(c, (struct record){ .header.type = PERF_RECORD_CPU_MAP,
				 .cpu_map = { .n = 1, .items = (const uint8_t *)&any } });
}

static void count(struct counting *c, uint64_t id, uint32_t cpu, uint32_t thread, uint64_t value)
{
	give(c, (struct record){ .header.type = PERF_RECORD_STAT,
				 .stat = { .id = id,
					   .cpu = cpu,
					   .thread = thread,
					   .value = value,
					   .enabled = 20,
					   .running = 10 } });
}

static void round_at(struct counting *c, uint64_t time)
{
	give(c, (struct record){ .header.type = PERF_RECORD_STAT_ROUND,
				 .stat_round = { .type = 1, .time = time } });
}

#define TITLE "CPU   THREAD             VAL             ENA             RUN            TIME EVENT\n"

static void threads_have_a_line_for_each_event(void **state)
{
	struct counting c;

	(void)state;
	begin(&c);
	threads(&c, 2);
	any_cpu(&c);
	count(&c, 1, 0, 1, 5);
	count(&c, 2, 0, 0, 6);
	round_at(&c, 99);
	end(&c, TITLE " -1       11               0               0               0"
		      "              99 cpu-clock\n"
		      " -1       12               5              20              10"
		      "              99 cpu-clock\n"
		      " -1       11               6              20              10"
		      "              99 task-clock\n"
		      " -1       12               0               0               0"
		      "              99 task-clock\n");
}

static void counts_stand_until_the_next_round(void **state)
{
	struct counting c;

	(void)state;
	begin(&c);
	threads(&c, 1);
	cpus(&c, 3, 3);
	count(&c, 1, 3, 0, 5);
	round_at(&c, 1);
	count(&c, 2, 3, 0, 7);
	round_at(&c, 2);
	end(&c, TITLE "  3       11               5              20              10"
		      "               1 cpu-clock\n"
		      "  3       11               0               0               0"
		      "               1 task-clock\n"
		      "  3       11               5              20              10"
		      "               2 cpu-clock\n"
		      "  3       11               7              20              10"
		      "               2 task-clock\n");
}

static void counts_of_nobody_are_passed_over(void **state)
{
	struct counting c;

	(void)state;
	begin(&c);
	count(&c, 1, 0, 0, 5); /* before CPUs and threads are known */
	round_at(&c, 1);
	threads(&c, 1);
	cpus(&c, 0, 0);
	count(&c, 77, 0, 0, 5);
	count(&c, 1, 9, 0, 5);
	count(&c, 1, 0, 9, 5);
	round_at(&c, 2);
	end(&c, TITLE "  0       11               0               0               0"
		      "               2 cpu-clock\n"
		      "  0       11               0               0               0"
		      "               2 task-clock\n");
}

static void maps_that_multiply_beyond_reason_show_nothing(void **state)
{
	struct counting c;

	(void)state;
	begin(&c);
	for (size_t i = 0; i < 64; i++)
		threads(&c, 1);
	cpus(&c, 0, UINT16_MAX);
	count(&c, 1, 0, 0, 5);
	round_at(&c, 1);
	end(&c, "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_have_a_line_for_each_event),
		cmocka_unit_test(counts_stand_until_the_next_round),
		cmocka_unit_test(counts_of_nobody_are_passed_over),
		cmocka_unit_test(maps_that_multiply_beyond_reason_show_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
