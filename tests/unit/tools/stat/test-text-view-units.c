/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "stat-sample.h"
#include "tools/stat/text-view.h"
#include "view/printed.h"

static void rows_of_cpus_say_which(void **state)
{
	const struct stat_unit cpu0 = { .cpu = 0 }, cpu1 = { .cpu = 1 };
	const struct stat_row rows[] = {
		{ COUNTED(cycles, 3000000000), .unit = &cpu0 },
		{ COUNTED(cycles, 3000000000), .unit = &cpu1 },
		{ PARTLY(instructions, 9000000000, 500000, 1000000), .unit = &cpu0,
		  METRICS(2, METRIC(3, RATIO, "insn per cycle"),
			  METRIC(0.1, RATIO, "stalled cycles per insn")) },
		{ PARTLY(instructions, 9000000000, 500000, 1000000), .unit = &cpu1,
		  METRICS(2, METRIC(3, RATIO, "insn per cycle"),
			  METRIC(0.1, RATIO, "stalled cycles per insn")) },
		{ COUNTED(backend, 900000000), .unit = &cpu0,
		  METRICS(1, METRIC(30, PERCENT, "backend cycles idle")) },
		{ COUNTED(backend, 900000000), .unit = &cpu1,
		  METRICS(1, METRIC(30, PERCENT, "backend cycles idle")) },
	};
	const struct stat_table t = { ROWS(rows), .aggregation = STAT_CPU, .interval = true,
				      .time_ns = 100000000 };

	(void)state;
	assert_text(&of_system, &t,
		    "#           time CPU                    counts unit events\n"
		    "     0.100000000 CPU0               3000000000      cycles                  "
		    "                                           \n"
		    "     0.100000000 CPU1               3000000000      cycles                  "
		    "                                           \n"
		    "     0.100000000 CPU0               9000000000      instructions            "
		    "         #    3.00  insn per cycle         \n"
		    "     0.100000000 CPU0                                                       "
		    "          #    0.10  stalled cycles per insn  (50.00%)\n"
		    "     0.100000000 CPU1               9000000000      instructions            "
		    "         #    3.00  insn per cycle         \n"
		    "     0.100000000 CPU1                                                       "
		    "          #    0.10  stalled cycles per insn  (50.00%)\n"
		    "     0.100000000 CPU0                900000000      stalled-cycles-backend  "
		    "         #   30.00% backend cycles idle    \n"
		    "     0.100000000 CPU1                900000000      stalled-cycles-backend  "
		    "         #   30.00% backend cycles idle    \n");
}

static void a_core_among_cpus_has_its_own_name(void **state)
{
	const struct stat_event percore = EVENT("cpu/event=0x3c,percore/");
	const struct stat_unit s0 = { .socket = 0 }, s1 = { .socket = 1 };
	const struct stat_unit cpus[] = { { .cpu = 0 }, { .cpu = 1 }, { .cpu = 2 }, { .cpu = 3 } };
	const struct stat_row rows[] = {
		{ COUNTED(percore, 2200), .unit = &s0, .per_core = true },
		{ COUNTED(percore, 2400), .unit = &s1, .per_core = true },
		{ COUNTED(cs, 10), .unit = &cpus[0] },
		{ COUNTED(cs, 11), .unit = &cpus[1] },
		{ COUNTED(cs, 12), .unit = &cpus[2] },
		{ COUNTED(cs, 13), .unit = &cpus[3] },
	};
	const struct stat_table t = { ROWS(rows), .aggregation = STAT_CPU, .runs = 1,
				      .elapsed_s = 1 };

	(void)state;
	assert_text(&of_system, &t,
		    "\n"
		    " Performance counter stats for 'system wide':\n"
		    "\n"
		    "S0-D0-C0                 2200      cpu/event=0x3c,percore/                  "
		    "                          \n"
		    "S1-D0-C0                 2400      cpu/event=0x3c,percore/                  "
		    "                          \n"
		    "CPU0                       10      cs                                       "
		    "                          \n"
		    "CPU1                       11      cs                                       "
		    "                          \n"
		    "CPU2                       12      cs                                       "
		    "                          \n"
		    "CPU3                       13      cs                                       "
		    "                          \n"
		    "\n"
		    "       1.000000000 seconds time elapsed\n"
		    "\n");
}

/*
 * Checks four rows and their second lines, unit by unit, with the counts of the eight CPUs of the
 * cases.
 */
static void assert_units(enum stat_aggregation a, const struct stat_unit *units,
			 const double *counts, size_t n, const char *wanted)
{
	struct stat_row rows[8] = { 0 };
	const struct stat_table t = {
		.rows = rows, .n_rows = 2 * n, .aggregation = a, .runs = 1, .elapsed_s = 1
	};

	for (size_t i = 0; i < n; i++) {
		rows[2 * i] =
			(struct stat_row){ COUNTED(instructions, counts[2 * i]), .unit = &units[i],
					   .n_cpus = 8 / (unsigned)n,
					   METRICS(2, UNKNOWN(RATIO, "insn per cycle"),
						   METRIC(counts[2 * i + 1] / counts[2 * i], RATIO,
							  "stalled cycles per insn")) };
		rows[2 * i + 1] =
			(struct stat_row){ COUNTED(backend, counts[2 * i + 1]), .unit = &units[i],
					   .n_cpus = 8 / (unsigned)n,
					   METRICS(1, METRIC(0, PERCENT, "backend cycles idle")) };
	}
	assert_text(&of_system, &t, wanted);
}

static const double by_die[] = { 6e9, 44e7, 7e9, 46e7, 8e9, 48e7, 9e9, 50e7 };
static const double by_socket[] = { 13e9, 90e7, 17e9, 98e7 };

static void rows_of_sockets_say_which(void **state)
{
	const struct stat_unit units[] = { { .socket = 0 }, { .socket = 1 } };

	(void)state;
	assert_units(STAT_SOCKET, units, by_socket, 2,
		     "\n"
		     " Performance counter stats for 'system wide':\n"
		     "\n"
		     "S0        4        13000000000      instructions                            "
		     "                           \n"
		     "S0        4                                                   #    0.07  sta"
		     "lled cycles per insn\n"
		     "S0        4          900000000      stalled-cycles-backend           #    0."
		     "00% backend cycles idle    \n"
		     "S1        4        17000000000      instructions                            "
		     "                           \n"
		     "S1        4                                                   #    0.06  sta"
		     "lled cycles per insn\n"
		     "S1        4          980000000      stalled-cycles-backend           #    0."
		     "00% backend cycles idle    \n"
		     "\n"
		     "       1.000000000 seconds time elapsed\n"
		     "\n");
}

static void rows_of_nodes_say_which(void **state)
{
	const struct stat_unit units[] = { { .node = 0 }, { .node = 1 } };

	(void)state;
	assert_units(STAT_NODE, units, by_socket, 2,
		     "\n"
		     " Performance counter stats for 'system wide':\n"
		     "\n"
		     "N0        4        13000000000      instructions                            "
		     "                           \n"
		     "N0        4                                                   #    0.07  sta"
		     "lled cycles per insn\n"
		     "N0        4          900000000      stalled-cycles-backend           #    0."
		     "00% backend cycles idle    \n"
		     "N1        4        17000000000      instructions                            "
		     "                           \n"
		     "N1        4                                                   #    0.06  sta"
		     "lled cycles per insn\n"
		     "N1        4          980000000      stalled-cycles-backend           #    0."
		     "00% backend cycles idle    \n"
		     "\n"
		     "       1.000000000 seconds time elapsed\n"
		     "\n");
}

static void rows_of_dies_say_which(void **state)
{
	const struct stat_unit units[] = {
		{ .socket = 0, .die = 0 },
		{ .socket = 0, .die = 1 },
		{ .socket = 1, .die = 0 },
		{ .socket = 1, .die = 1 },
	};

	(void)state;
	assert_units(STAT_DIE, units, by_die, 4,
		     "\n"
		     " Performance counter stats for 'system wide':\n"
		     "\n"
		     "S0-D0           2         6000000000      instructions                      "
		     "                                 \n"
		     "S0-D0           2                                                   #    0.0"
		     "7  stalled cycles per insn\n"
		     "S0-D0           2          440000000      stalled-cycles-backend           #"
		     "    0.00% backend cycles idle    \n"
		     "S0-D1           2         7000000000      instructions                      "
		     "                                 \n"
		     "S0-D1           2                                                   #    0.0"
		     "7  stalled cycles per insn\n"
		     "S0-D1           2          460000000      stalled-cycles-backend           #"
		     "    0.00% backend cycles idle    \n"
		     "S1-D0           2         8000000000      instructions                      "
		     "                                 \n"
		     "S1-D0           2                                                   #    0.0"
		     "6  stalled cycles per insn\n"
		     "S1-D0           2          480000000      stalled-cycles-backend           #"
		     "    0.00% backend cycles idle    \n"
		     "S1-D1           2         9000000000      instructions                      "
		     "                                 \n"
		     "S1-D1           2                                                   #    0.0"
		     "6  stalled cycles per insn\n"
		     "S1-D1           2          500000000      stalled-cycles-backend           #"
		     "    0.00% backend cycles idle    \n"
		     "\n"
		     "       1.000000000 seconds time elapsed\n"
		     "\n");
}

static void rows_of_cores_say_which(void **state)
{
	const struct stat_unit units[] = {
		{ .socket = 0, .die = 0, .core = 0 },
		{ .socket = 0, .die = 1, .core = 4 },
		{ .socket = 1, .die = 0, .core = 0 },
		{ .socket = 1, .die = 1, .core = 4 },
	};

	(void)state;
	assert_units(STAT_CORE, units, by_die, 4,
		     "\n"
		     " Performance counter stats for 'system wide':\n"
		     "\n"
		     "S0-D0-C0           2         6000000000      instructions                   "
		     "                                    \n"
		     "S0-D0-C0           2                                                   #    "
		     "0.07  stalled cycles per insn\n"
		     "S0-D0-C0           2          440000000      stalled-cycles-backend         "
		     "  #    0.00% backend cycles idle    \n"
		     "S0-D1-C4           2         7000000000      instructions                   "
		     "                                    \n"
		     "S0-D1-C4           2                                                   #    "
		     "0.07  stalled cycles per insn\n"
		     "S0-D1-C4           2          460000000      stalled-cycles-backend         "
		     "  #    0.00% backend cycles idle    \n"
		     "S1-D0-C0           2         8000000000      instructions                   "
		     "                                    \n"
		     "S1-D0-C0           2                                                   #    "
		     "0.06  stalled cycles per insn\n"
		     "S1-D0-C0           2          480000000      stalled-cycles-backend         "
		     "  #    0.00% backend cycles idle    \n"
		     "S1-D1-C4           2         9000000000      instructions                   "
		     "                                    \n"
		     "S1-D1-C4           2                                                   #    "
		     "0.06  stalled cycles per insn\n"
		     "S1-D1-C4           2          500000000      stalled-cycles-backend         "
		     "  #    0.00% backend cycles idle    \n"
		     "\n"
		     "       1.000000000 seconds time elapsed\n"
		     "\n");
}

static void rows_of_threads_say_which(void **state)
{
	const struct stat_unit sleep = { .tid = 4, .comm = "sleep" };
	const struct stat_row rows[] = {
		{ COUNTED(cycles, 3000000000), .unit = &sleep },
		{ PARTLY(instructions, 9000000000, 500000, 1000000), .unit = &sleep,
		  METRICS(2, METRIC(3, RATIO, "insn per cycle"),
			  METRIC(0.1, RATIO, "stalled cycles per insn")) },
		{ COUNTED(backend, 900000000), .unit = &sleep,
		  METRICS(1, METRIC(30, PERCENT, "backend cycles idle")) },
	};
	const struct stat_table t = { ROWS(rows), .aggregation = STAT_THREAD, .runs = 1,
				      .elapsed_s = 1 };
	const struct stat_view v = { .title = { STAT_TARGET_PROCESSES, "4" } };

	(void)state;
	assert_text(&v, &t,
		    "\n"
		    " Performance counter stats for process id '4':\n"
		    "\n"
		    "           sleep-4                3000000000      cycles                    "
		    "                                         \n"
		    "           sleep-4                9000000000      instructions              "
		    "       #    3.00  insn per cycle         \n"
		    "           sleep-4                                                          "
		    "#    0.10  stalled cycles per insn  (50.00%)\n"
		    "           sleep-4                 900000000      stalled-cycles-backend    "
		    "       #   30.00% backend cycles idle    \n"
		    "\n"
		    "       1.000000000 seconds time elapsed\n"
		    "\n");
}

static void rows_of_cgroups_have_the_name_after_the_event(void **state)
{
	const struct stat_event a_cycles = { "cycles", "", "oracle-a", false };
	const struct stat_event a_instructions = { "instructions", "", "oracle-a", false };
	const struct stat_event b_cycles = { "cycles", "", "oracle-b", false };
	const struct stat_event b_instructions = { "instructions", "", "oracle-b", false };
	const struct stat_row rows[] = {
		{ UNCOUNTED(a_cycles, COUNTED) },
		{ UNCOUNTED(a_instructions, SUPPORTED) },
		{ COUNTED(b_cycles, 6000000000) },
		{ PARTLY(b_instructions, 20, 10, 20),
		  METRICS(1, METRIC(0, RATIO, "insn per cycle")) },
	};
	const struct stat_table t = { ROWS(rows), .has_cgroups = true, .runs = 1, .elapsed_s = 1 };

	(void)state;
	assert_text(&of_system, &t,
		    "\n"
		    " Performance counter stats for 'system wide':\n"
		    "\n"
		    "     <not counted>      cycles                    oracle-a                  "
		    "                 \n"
		    "   <not supported>      instructions              oracle-a                  "
		    "                 \n"
		    "        6000000000      cycles                           oracle-b           "
		    "                        \n"
		    "                20      instructions                     oracle-b #    0.00 "
		    " insn per cycle           (50.00%)\n"
		    "\n"
		    "       1.000000000 seconds time elapsed\n"
		    "\n");
}

static void every_aggregation_has_its_heading(void **state)
{
	static const char *const wanted[] = {
		[STAT_GLOBAL] = "#           time             counts unit events\n",
		[STAT_CPU] = "#           time CPU                    counts unit events\n",
		[STAT_CORE] =
			"#           time core            cpus             counts unit events\n",
		[STAT_DIE] = "#           time die          cpus             counts unit events\n",
		[STAT_SOCKET] = "#           time socket cpus             counts unit events\n",
		[STAT_NODE] = "#           time node   cpus             counts unit events\n",
		[STAT_CACHE] = "#           time cache               cpus "
			       "            counts unit events\n",
		[STAT_CLUSTER] = "#           time cluster           cpus "
				 "            counts unit events\n",
		[STAT_THREAD] = "#           time             comm-pid      "
				"            counts unit events\n",
	};

	(void)state;
	for (enum stat_aggregation a = STAT_GLOBAL; a <= STAT_THREAD; a++) {
		const struct stat_table t = { .aggregation = a, .interval = true };

		assert_text(&of_system, &t, wanted[a]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_of_cpus_say_which),
		cmocka_unit_test(a_core_among_cpus_has_its_own_name),
		cmocka_unit_test(rows_of_sockets_say_which),
		cmocka_unit_test(rows_of_nodes_say_which),
		cmocka_unit_test(rows_of_dies_say_which),
		cmocka_unit_test(rows_of_cores_say_which),
		cmocka_unit_test(rows_of_threads_say_which),
		cmocka_unit_test(rows_of_cgroups_have_the_name_after_the_event),
		cmocka_unit_test(every_aggregation_has_its_heading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
