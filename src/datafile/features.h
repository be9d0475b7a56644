/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The facts in a perf.data file about the machine and the recording: its feature sections, decoded.
 *
 * One struct for both directions: the recorder fills it in and the writer encodes it; the reader
 * decodes into it and views print it. `have` lists the features that are present; a payload that
 * could not be decoded is left out and named in the file's notes. Features that are not decoded
 * (newer ones) keep their bytes. The struct owns everything in it.
 *
 * Each feature has a row in features.def. Most are tables in features-regular.c; the others have a
 * small file feature-NAME.c with their decoder and encoder.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/cursor.h"
#include "wire/attr.h"
#include "wire/record.h"

struct bpf_info;
struct btf;

enum feature_id {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CPUID = 9,
	FEATURE_TOTAL_MEM = 10,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_CPU_TOPOLOGY = 13,
	FEATURE_NUMA_TOPOLOGY = 14,
	FEATURE_BRANCH_STACK = 15,
	FEATURE_PMU_MAPPINGS = 16,
	FEATURE_GROUP_DESC = 17,
	FEATURE_AUXTRACE = 18,
	FEATURE_STAT = 19,
	FEATURE_CACHE = 20,
	FEATURE_SAMPLE_TIME = 21,
	FEATURE_MEM_TOPOLOGY = 22,
	FEATURE_CLOCKID = 23,
	FEATURE_DIR_FORMAT = 24,
	FEATURE_BPF_PROG_INFO = 25,
	FEATURE_BPF_BTF = 26,
	FEATURE_COMPRESSED = 27,
	FEATURE_CPU_PMU_CAPS = 28,
	FEATURE_CLOCK_DATA = 29,
	FEATURE_HYBRID_TOPOLOGY = 30,
	FEATURE_PMU_CAPS = 31,
	FEATURE_CPU_DOMAIN_INFO = 32,
	FEATURE_KNOWN, /* this and above: copied as bytes */
	FEATURE_MAX = 256,
};

struct string_list {
	char **items;
	size_t n, room;
};

struct event_desc {
	struct attr attr;
	char *name;
	uint64_t *ids;
	size_t n_ids;
};

struct build_id_entry {
	uint16_t misc; /* cpumode | PERF_RECORD_MISC_BUILD_ID_SIZE */
	int32_t pid;   /* -1: the host */
	struct build_id build_id;
	char *filename;
	struct file_id file; /* identity among the files of that name; not known: any */
};

struct numa_node {
	uint32_t node;
	uint64_t mem_total_kb, mem_free_kb;
	char *cpus;
};

struct pmu_mapping {
	uint32_t type;
	char *name;
};

struct group_desc {
	char *name;
	uint32_t leader_idx, nr_members;
};

struct cache_desc {
	uint32_t level, line_size, sets, ways;
	char *type, *size, *cpu_map;
};

struct memory_node {
	uint64_t node, n_bits;
	uint64_t *words;
};

struct pmu_cap {
	char *name, *value;
};

struct pmu_caps {
	char *pmu_name;
	struct {
		struct pmu_cap *items;
		size_t n, room;
	} caps;
};

struct hybrid_pmu {
	char *pmu_name, *cpus;
};

/* The kernel's struct bpf_prog_info, with its pointers replaced by offsets into data. */
struct bpf_prog {
	uint32_t info_size, data_size;
	uint64_t arrays;
	uint8_t *info, *data;
};

struct bpf_btf {
	uint32_t id, size;
	uint8_t *data;
};

struct cpu_domain {
	uint32_t domain;
	char *name, *cpumask, *cpulist;
};

struct cpu_domains {
	uint32_t cpu;
	struct {
		struct cpu_domain *items;
		size_t n, room;
	} domains;
};

#define FEATURE_LIST(type)                                                                         \
	struct {                                                                                   \
		type *items;                                                                       \
		size_t n, room;                                                                    \
	}

struct features {
	uint64_t have[FEATURE_MAX / 64];

	struct bytes tracing_data; /* the blob: datafile/tracing-data.h interprets it */
	FEATURE_LIST(struct build_id_entry) build_ids;
	char *hostname, *os_release, *version, *arch, *cpu_desc, *cpu_id;
	uint32_t cpus_available, cpus_online;
	uint64_t total_mem_kb;
	struct string_list cmdline;
	FEATURE_LIST(struct event_desc) event_descs;
	struct {
		struct string_list sockets, threads, dies; /* CPU lists */
		size_t n_cpus;                             /* length of the arrays; may be 0 */
		uint32_t *core_id, *socket_id;
		uint32_t *die_id; /* NULL: not there */
	} cpu_topology;
	FEATURE_LIST(struct numa_node) numa_nodes;
	FEATURE_LIST(struct pmu_mapping) pmu_mappings;
	FEATURE_LIST(struct group_desc) group_descs;
	struct {
		FEATURE_LIST(struct {
			uint64_t file_offset;
			uint64_t size;
		})
		index;
	} auxtrace;
	struct {
		uint32_t version;
		FEATURE_LIST(struct cache_desc) list;
	} caches;
	struct {
		uint64_t first, last;
	} sample_time;
	struct {
		uint64_t version, block_size;
		FEATURE_LIST(struct memory_node) nodes;
	} mem_topology;
	uint64_t clockid_res_ns;
	uint64_t dir_format;
	FEATURE_LIST(struct bpf_prog) bpf_progs;
	FEATURE_LIST(struct bpf_btf) bpf_btfs;
	struct {
		uint32_t version, type, level, ratio, mmap_len;
	} compressed;
	struct pmu_caps cpu_pmu_caps; /* pmu_name is NULL */
	struct {
		uint32_t version, clockid;
		uint64_t wall_clock_ns, clockid_ns;
	} clock_data;
	FEATURE_LIST(struct hybrid_pmu) hybrid;
	FEATURE_LIST(struct pmu_caps) pmu_caps;
	struct {
		uint32_t schedstat_version, max_domains;
		FEATURE_LIST(struct cpu_domains) cpus;
	} cpu_domain_info;
	struct bytes opaque[FEATURE_MAX - FEATURE_KNOWN];
};

void features_done(struct features *f);

/*
 * Return a program, and the types that the program refers to, as wire/bpf-functions.h takes them.
 * Types that are not known are empty. Bytes are borrowed.
 */
struct bpf_info features_bpf_info(const struct bpf_prog *p);
struct btf features_bpf_types(const struct features *f, const struct bpf_info *p);

bool features_have(const struct features *f, unsigned id);
void features_mark(struct features *f, unsigned id); /* the feature is present now */
void features_drop(struct features *f, unsigned id);

/* Returns "HOSTNAME"; NULL for features without a name. */
const char *feature_name(unsigned id);

/*
 * Decodes the payload of feature @id into @f and marks it. -EBADMSG: damaged; @f is unchanged.
 * CPU_TOPOLOGY needs NRCPUS before it, because its arrays have no length of their own.
 */
int features_decode(struct features *f, unsigned id, struct cursor payload);

/* Appends the payload of feature @id, which @f must have. */
void features_encode(const struct features *f, unsigned id, struct bytes *out);
