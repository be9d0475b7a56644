/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The parts of view/header/header.h: a function for each feature that prints its lines. Private to
 * view/header/header*.c.
 */
#include <stdint.h>
#include <stdio.h>

#include "datafile/features.h"

typedef void header_line_fn(const struct features *f, FILE *out);

/* Defined in view/header/machine.c. */
header_line_fn header_hostname, header_osrelease, header_arch, header_nrcpus, header_cpudesc,
	header_cpuid, header_total_mem, header_cpu_topology, header_numa_topology,
	header_pmu_mappings, header_cache, header_mem_topology, header_cpu_pmu_caps,
	header_hybrid_topology, header_pmu_caps;

/* Defined in view/header/recording.c. */
header_line_fn header_version, header_cmdline, header_event_desc, header_branch_stack,
	header_group_desc, header_auxtrace, header_stat, header_sample_time, header_clockid,
	header_dir_format, header_bpf_btf, header_compressed, header_clock_data;

/* Defined in view/header/bpf.c. */
header_line_fn header_bpf_prog_info;

/* Prints @s, escaped for terminals; "(null)" for NULL. */
void header_text(FILE *out, const char *s);
