/* SPDX-License-Identifier: MIT */
/*
 * The features with a regular layout: numbers, texts and lists of them, one after the other. The
 * tables list the fields in the order of the payload.
 */
#include "datafile/feature-layout.h"
#include "datafile/feature.h"

#define LAYOUT(...)                                                                                \
	(const struct feature_field[])                                                             \
	{                                                                                          \
		__VA_ARGS__, LAYOUT_END                                                            \
	}

/* The codec of @member of struct features. The other arguments are the fields of the payload. */
#define REGULAR(member, ...)                                                                       \
	{                                                                                          \
		FEATURE_AT(member), .layout = LAYOUT(__VA_ARGS__)                                  \
	}

/* Fields of the payload that are members of struct features. */
#define ONE(member)            LAYOUT_FIELD(struct features, member)
#define LIST(member, layout)   LAYOUT_LIST(struct features, member, layout)
#define LIST64(member, layout) LAYOUT_LIST64(struct features, member, layout)

/* A flag has no payload. */
const struct feature_codec feature_flag = {
	.layout = (const struct feature_field[]){ LAYOUT_END },
};

/* datafile/tracing-data.h interprets the bytes. */
const struct feature_codec feature_tracing_data = REGULAR(tracing_data, ONE(tracing_data));

const struct feature_codec feature_hostname = REGULAR(hostname, ONE(hostname));
const struct feature_codec feature_os_release = REGULAR(os_release, ONE(os_release));
const struct feature_codec feature_version = REGULAR(version, ONE(version));
const struct feature_codec feature_arch = REGULAR(arch, ONE(arch));
const struct feature_codec feature_cpu_desc = REGULAR(cpu_desc, ONE(cpu_desc));
const struct feature_codec feature_cpu_id = REGULAR(cpu_id, ONE(cpu_id));
const struct feature_codec feature_total_mem = REGULAR(total_mem_kb, ONE(total_mem_kb));
const struct feature_codec feature_clockid = REGULAR(clockid_res_ns, ONE(clockid_res_ns));
const struct feature_codec feature_dir_format = REGULAR(dir_format, ONE(dir_format));
const struct feature_codec feature_cmdline = REGULAR(cmdline, LIST(cmdline, feature_layout_text));

_Static_assert(offsetof(struct features, cpus_online) ==
		       offsetof(struct features, cpus_available) + sizeof(uint32_t),
	       "NRCPUS is two numbers side by side");

const struct feature_codec feature_cpu_count = {
	.offset = offsetof(struct features, cpus_available),
	.size = 2 * sizeof(uint32_t),
	.layout = LAYOUT(ONE(cpus_available), ONE(cpus_online)),
};

const struct feature_codec feature_sample_time = REGULAR(sample_time, ONE(sample_time.first),
							 ONE(sample_time.last));

const struct feature_codec feature_compressed =
	REGULAR(compressed, ONE(compressed.version), ONE(compressed.type), ONE(compressed.level),
		ONE(compressed.ratio), ONE(compressed.mmap_len));

const struct feature_codec feature_clock_data =
	REGULAR(clock_data, ONE(clock_data.version), ONE(clock_data.clockid),
		ONE(clock_data.wall_clock_ns), ONE(clock_data.clockid_ns));

static const struct feature_field numa_node[] = {
	LAYOUT_FIELD(struct numa_node, node),
	LAYOUT_FIELD(struct numa_node, mem_total_kb),
	LAYOUT_FIELD(struct numa_node, mem_free_kb),
	LAYOUT_FIELD(struct numa_node, cpus),
	LAYOUT_END,
};

const struct feature_codec feature_numa_topology = REGULAR(numa_nodes, LIST(numa_nodes, numa_node));

/* The PMUs are in any order. */
static const struct feature_field pmu_mapping[] = {
	LAYOUT_FIELD(struct pmu_mapping, type),
	LAYOUT_FIELD(struct pmu_mapping, name),
	LAYOUT_END,
};

const struct feature_codec feature_pmu_mappings = REGULAR(pmu_mappings,
							  LIST(pmu_mappings, pmu_mapping));

static const struct feature_field group_desc[] = {
	LAYOUT_FIELD(struct group_desc, name),
	LAYOUT_FIELD(struct group_desc, leader_idx),
	LAYOUT_FIELD(struct group_desc, nr_members),
	LAYOUT_END,
};

const struct feature_codec feature_group_desc = REGULAR(group_descs, LIST(group_descs, group_desc));

static const struct feature_field hybrid_pmu[] = {
	LAYOUT_FIELD(struct hybrid_pmu, pmu_name),
	LAYOUT_FIELD(struct hybrid_pmu, cpus),
	LAYOUT_END,
};

const struct feature_codec feature_hybrid_topology = REGULAR(hybrid, LIST(hybrid, hybrid_pmu));

/* The place of an AUXTRACE record. */
static const struct feature_field auxtrace_place[] = {
	LAYOUT_FIELD(FEATURE_TYPE(auxtrace.index.items[0]), file_offset),
	LAYOUT_FIELD(FEATURE_TYPE(auxtrace.index.items[0]), size),
	LAYOUT_END,
};

const struct feature_codec feature_auxtrace = REGULAR(auxtrace,
						      LIST64(auxtrace.index, auxtrace_place));

static const struct feature_field cache_desc[] = {
	LAYOUT_FIELD(struct cache_desc, level),
	LAYOUT_FIELD(struct cache_desc, line_size),
	LAYOUT_FIELD(struct cache_desc, sets),
	LAYOUT_FIELD(struct cache_desc, ways),
	/* Texts as sysfs has them. */
	LAYOUT_FIELD(struct cache_desc, type),
	LAYOUT_FIELD(struct cache_desc, size),
	LAYOUT_FIELD(struct cache_desc, cpu_map),
	LAYOUT_END,
};

const struct feature_codec feature_cache = REGULAR(caches, ONE(caches.version),
						   LIST(caches.list, cache_desc));

static const struct feature_field pmu_cap[] = {
	LAYOUT_FIELD(struct pmu_cap, name),
	LAYOUT_FIELD(struct pmu_cap, value),
	LAYOUT_END,
};

const struct feature_codec feature_cpu_pmu_caps = REGULAR(cpu_pmu_caps,
							  LIST(cpu_pmu_caps.caps, pmu_cap));

/* The name of the PMU comes last. */
static const struct feature_field pmu_caps[] = {
	LAYOUT_LIST(struct pmu_caps, caps, pmu_cap),
	LAYOUT_FIELD(struct pmu_caps, pmu_name),
	LAYOUT_END,
};

const struct feature_codec feature_pmu_caps = REGULAR(pmu_caps, LIST(pmu_caps, pmu_caps));

static const struct feature_field bpf_prog[] = {
	LAYOUT_FIELD(struct bpf_prog, info_size),
	LAYOUT_FIELD(struct bpf_prog, data_size),
	LAYOUT_FIELD(struct bpf_prog, arrays),
	LAYOUT_BYTES(struct bpf_prog, info, info_size),
	LAYOUT_BYTES(struct bpf_prog, data, data_size),
	LAYOUT_END,
};

const struct feature_codec feature_bpf_prog_info = REGULAR(bpf_progs, LIST(bpf_progs, bpf_prog));

static const struct feature_field bpf_btf[] = {
	LAYOUT_FIELD(struct bpf_btf, id),
	LAYOUT_FIELD(struct bpf_btf, size),
	LAYOUT_BYTES(struct bpf_btf, data, size),
	LAYOUT_END,
};

const struct feature_codec feature_bpf_btf = REGULAR(bpf_btfs, LIST(bpf_btfs, bpf_btf));
