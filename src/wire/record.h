/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * PERF_RECORD_*: the records that the kernel writes into ring buffers and perf adds to files,
 * decoded and encoded. The layouts are described in docs/format/perf.data.md.
 *
 * A decoded record borrows the bytes from which it was decoded: strings and arrays point into them.
 * Samples have a header of their own (wire/sample.h). Arrays of words may be misaligned or
 * byte-swapped and are read with words_get().
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/build-id.h"
#include "base/file-id.h"
#include "wire/attr.h"

struct bytes;

enum record_type {
	/* written by the kernel */
	PERF_RECORD_MMAP = 1,
	PERF_RECORD_LOST = 2,
	PERF_RECORD_COMM = 3,
	PERF_RECORD_EXIT = 4,
	PERF_RECORD_THROTTLE = 5,
	PERF_RECORD_UNTHROTTLE = 6,
	PERF_RECORD_FORK = 7,
	PERF_RECORD_READ = 8,
	PERF_RECORD_SAMPLE = 9,
	PERF_RECORD_MMAP2 = 10,
	PERF_RECORD_AUX = 11,
	PERF_RECORD_ITRACE_START = 12,
	PERF_RECORD_LOST_SAMPLES = 13,
	PERF_RECORD_SWITCH = 14,
	PERF_RECORD_SWITCH_CPU_WIDE = 15,
	PERF_RECORD_NAMESPACES = 16,
	PERF_RECORD_KSYMBOL = 17,
	PERF_RECORD_BPF_EVENT = 18,
	PERF_RECORD_CGROUP = 19,
	PERF_RECORD_TEXT_POKE = 20,
	PERF_RECORD_AUX_OUTPUT_HW_ID = 21,
	PERF_RECORD_CALLCHAIN_DEFERRED = 22,
	PERF_RECORD_KERNEL_MAX, /* unknown types below USER_FIRST: of a newer kernel */

	/* written by perf itself */
	PERF_RECORD_USER_FIRST = 64,
	PERF_RECORD_HEADER_ATTR = 64,
	PERF_RECORD_HEADER_EVENT_TYPE = 65,
	PERF_RECORD_HEADER_TRACING_DATA = 66,
	PERF_RECORD_HEADER_BUILD_ID = 67,
	PERF_RECORD_FINISHED_ROUND = 68,
	PERF_RECORD_ID_INDEX = 69,
	PERF_RECORD_AUXTRACE_INFO = 70,
	PERF_RECORD_AUXTRACE = 71,
	PERF_RECORD_AUXTRACE_ERROR = 72,
	PERF_RECORD_THREAD_MAP = 73,
	PERF_RECORD_CPU_MAP = 74,
	PERF_RECORD_STAT_CONFIG = 75,
	PERF_RECORD_STAT = 76,
	PERF_RECORD_STAT_ROUND = 77,
	PERF_RECORD_EVENT_UPDATE = 78,
	PERF_RECORD_TIME_CONV = 79,
	PERF_RECORD_HEADER_FEATURE = 80,
	PERF_RECORD_COMPRESSED = 81,
	PERF_RECORD_FINISHED_INIT = 82,
	PERF_RECORD_COMPRESSED2 = 83,
	PERF_RECORD_BPF_METADATA = 84,
	PERF_RECORD_SCHEDSTAT_CPU = 85,
	PERF_RECORD_SCHEDSTAT_DOMAIN = 86,
	PERF_RECORD_USER_MAX,
};

/* values of header.misc */
#define PERF_RECORD_MISC_CPUMODE_MASK           7
#define PERF_RECORD_MISC_CPUMODE_UNKNOWN        0
#define PERF_RECORD_MISC_KERNEL                 1
#define PERF_RECORD_MISC_USER                   2
#define PERF_RECORD_MISC_HYPERVISOR             3
#define PERF_RECORD_MISC_GUEST_KERNEL           4
#define PERF_RECORD_MISC_GUEST_USER             5
#define PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT (1 << 12)
#define PERF_RECORD_MISC_MMAP_DATA              (1 << 13)
#define PERF_RECORD_MISC_COMM_EXEC              (1 << 13)
#define PERF_RECORD_MISC_FORK_EXEC              (1 << 13)
#define PERF_RECORD_MISC_SWITCH_OUT             (1 << 13)
#define PERF_RECORD_MISC_EXACT_IP               (1 << 14)
#define PERF_RECORD_MISC_SWITCH_OUT_PREEMPT     (1 << 14)
#define PERF_RECORD_MISC_MMAP_BUILD_ID          (1 << 14)
#define PERF_RECORD_MISC_BUILD_ID_SIZE          (1 << 15)
#define PERF_RECORD_MISC_LOST_SAMPLES_BPF       (1 << 15)

/* Markers in call chains: the following entries are in this mode. */
#define PERF_CONTEXT_HV            ((uint64_t)-32)
#define PERF_CONTEXT_KERNEL        ((uint64_t)-128)
#define PERF_CONTEXT_USER          ((uint64_t)-512)
#define PERF_CONTEXT_USER_DEFERRED ((uint64_t)-640)
#define PERF_CONTEXT_GUEST         ((uint64_t)-2048)
#define PERF_CONTEXT_GUEST_KERNEL  ((uint64_t)-2176)
#define PERF_CONTEXT_GUEST_USER    ((uint64_t)-2560)
#define PERF_CONTEXT_MAX           ((uint64_t)-4095) /* this and above are markers */

#define RECORD_HEADER_SIZE   8
#define RECORD_SIZE_MAX      65528 /* for the kernel's records; perf's own: 65535 */
#define RECORD_BUILD_ID_SIZE 20

struct record_header {
	uint32_t type;
	uint16_t misc;
	uint16_t size; /* including these 8 bytes */
};

/* An array of 64-bit words in a record; read with words_get(). */
struct words {
	const uint8_t *bytes;
	size_t n;
	bool swap;
};

static inline uint64_t words_get(const struct words *w, size_t i)
{
	uint64_t v;

	memcpy(&v, w->bytes + i * sizeof(v), sizeof(v));
	return w->swap ? __builtin_bswap64(v) : v;
}

/*
 * The fields that attr.sample_id_all adds to the end of every record except samples; 0 if missing.
 */
struct sample_id {
	uint32_t pid, tid;
	uint64_t time;
	uint64_t id; /* the field ID or IDENTIFIER */
	uint64_t stream_id;
	uint32_t cpu; /* UINT32_MAX: missing */
};

struct record_mmap { /* MMAP and MMAP2 */
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	const char *filename;
	/* MMAP2 only: */
	uint32_t maj, min;
	uint64_t ino, ino_generation;
	struct build_id build_id; /* with MISC_MMAP_BUILD_ID, instead of the four above: decoding
				     clears the bit where the kernel left it set by mistake */
	uint32_t prot, flags;
};

struct record_lost {
	uint64_t id, lost;
};

struct record_comm {
	uint32_t pid, tid;
	const char *comm;
};

struct record_task { /* FORK and EXIT */
	uint32_t pid, ppid, tid, ptid;
	uint64_t time;
};

struct record_throttle { /* THROTTLE and UNTHROTTLE */
	uint64_t time, id, stream_id;
};

/* A count in a record, in the layout of read_format. */
struct record_read {
	uint32_t pid, tid;
	uint64_t enabled, running; /* 0 if missing */
	size_t n;                  /* always 1 without GROUP */
	struct words values;       /* n times value [id] [lost], see record_read_value() */
	uint64_t read_format;
};

struct read_value {
	uint64_t value, id, lost;
};

struct read_value record_read_value(const struct record_read *r, size_t i);

struct record_aux {
	uint64_t offset, size, flags;
};

struct record_itrace_start {
	uint32_t pid, tid;
};

struct record_switch { /* SWITCH_CPU_WIDE */
	uint32_t next_prev_pid, next_prev_tid;
};

struct record_namespaces {
	uint32_t pid, tid;
	struct words links; /* dev, ino, dev, ino, ...: net uts ipc pid user mnt cgroup */
};

struct record_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t ksym_type, flags;
	const char *name;
};

struct record_bpf_event {
	uint16_t type, flags;
	uint32_t id;
	const uint8_t *tag; /* 8 bytes */
};

struct record_cgroup {
	uint64_t id;
	const char *path;
};

struct record_text_poke {
	uint64_t addr;
	uint16_t old_len, new_len;
	const uint8_t *old_bytes, *new_bytes;
};

struct record_callchain_deferred {
	uint64_t cookie;
	struct words ips;
};

struct record_attr { /* HEADER_ATTR */
	struct attr attr;
	struct words ids;
};

struct record_event_type {
	uint64_t event_id;
	const char *name;
};

struct record_tracing_data {
	uint32_t size; /* the number of bytes after the record */
};

struct record_build_id {
	int32_t pid;
	struct build_id build_id;
	const char *filename;
	struct file_id file; /* the file among those with that name; unknown: any */
};

struct record_id_index {
	struct words entries;  /* id, idx, cpu, tid, ... */
	struct words machines; /* machine_pid, vcpu, ...: for guests; n 0: none */
};

/* Flags of AUX about the data to which it refers. */
enum {
	PERF_AUX_FLAG_TRUNCATED = 1 << 0,     /* some data was lost because the area was full */
	PERF_AUX_FLAG_OVERWRITE = 1 << 1,     /* the data is of a snapshot area */
	PERF_AUX_FLAG_PARTIAL = 1 << 2,       /* the data has gaps */
	PERF_AUX_FLAG_COLLISION = 1 << 3,     /* samples collided with others (Arm SPE) */
	PERF_AUX_FLAG_CORESIGHT_RAW = 1 << 8, /* the data is of one trace unit, without frames */
};

/* The hardware that wrote the trace. */
enum auxtrace_type {
	AUXTRACE_NONE,
	AUXTRACE_INTEL_PT,
	AUXTRACE_INTEL_BTS,
	AUXTRACE_CS_ETM,
	AUXTRACE_ARM_SPE,
	AUXTRACE_S390_CPUMSF,
	AUXTRACE_HISI_PTT,
};

struct record_auxtrace_info {
	uint32_t type; /* enum auxtrace_type, and others */
	struct words priv;
};

struct record_auxtrace {
	uint64_t size; /* the number of bytes after the record */
	uint64_t offset, reference;
	uint32_t idx, tid, cpu;
};

struct record_auxtrace_error {
	uint32_t type, code, cpu, pid, tid, fmt;
	uint64_t ip, time;
	const char *msg;
	uint32_t machine_pid, vcpu;
};

struct record_thread_map {
	const uint8_t *entries; /* n of 24 bytes, see record_thread_map_get() */
	size_t n;
	bool swap;
};

struct thread_map_entry {
	uint64_t pid;
	char comm[17];
};

struct thread_map_entry record_thread_map_get(const struct record_thread_map *m, size_t i);

/* cpu-map data: of CPU_MAP and of EVENT_UPDATE CPUS. */
struct record_cpu_map {
	uint16_t kind; /* 0 list, 1 mask, 2 range */
	uint16_t n;    /* the number of CPUs (0) or of mask words (1) */
	uint16_t long_size;
	uint8_t any_cpu;
	uint16_t first, last;
	const uint8_t *items;
	bool swap;
};

/* Calls @each for every CPU in ascending order of storage; -1 is "any". */
void record_cpu_map_for_each(const struct record_cpu_map *m, void (*each)(void *arg, int cpu),
			     void *arg);

struct record_stat_config {
	struct words entries; /* tag, value, ... */
};

struct record_stat {
	uint64_t id;
	uint32_t cpu, thread;
	uint64_t value, enabled, running;
};

struct record_stat_round {
	uint64_t type; /* 0 interval, 1 final */
	uint64_t time;
};

enum event_update_kind {
	EVENT_UPDATE_UNIT = 0,
	EVENT_UPDATE_SCALE = 1,
	EVENT_UPDATE_NAME = 2,
	EVENT_UPDATE_CPUS = 3,
};

struct record_event_update {
	uint64_t kind, id;
	const char *text; /* for UNIT and NAME */
	double scale;
	struct record_cpu_map cpus;
};

struct record_time_conv {
	uint64_t time_shift, time_mult, time_zero;
	uint64_t time_cycles, time_mask; /* in the longer form */
	uint8_t cap_user_time_zero, cap_user_time_short;
	bool is_long;
};

struct record_feature {
	uint64_t id;
	const uint8_t *payload; /* size 0: the terminator */
	size_t size;
};

struct record_compressed { /* COMPRESSED and COMPRESSED2 */
	const uint8_t *data;
	size_t size;
};

#define BPF_METADATA_NAME_SIZE  512
#define BPF_METADATA_KEY_SIZE   64
#define BPF_METADATA_VALUE_SIZE 256

/* The metadata of a BPF program. */
struct record_bpf_metadata {
	const char *program;    /* the name in KSYMBOL: bpf_prog_TAG_NAME */
	const uint8_t *entries; /* @n entries, see record_bpf_metadata_get() */
	size_t n;
};

/* Returns entry @i of @m. The texts belong to @m. */
void record_bpf_metadata_get(const struct record_bpf_metadata *m, size_t i, const char **ret_key,
			     const char **ret_value);

/* Appends an entry to those of a record in construction. Longer texts are cut. */
void record_bpf_metadata_add(struct bytes *entries, const char *key, const char *value);

struct record {
	struct record_header header;
	struct sample_id id; /* all zero for perf's own records */
	union {
		struct record_mmap mmap;
		struct record_lost lost; /* LOST, and LOST_SAMPLES (id 0) */
		struct record_comm comm;
		struct record_task task;
		struct record_throttle throttle;
		struct record_read read;
		struct record_aux aux;
		struct record_itrace_start itrace_start;
		struct record_switch context_switch;
		struct record_namespaces namespaces;
		struct record_ksymbol ksymbol;
		struct record_bpf_event bpf_event;
		struct record_cgroup cgroup;
		struct record_text_poke text_poke;
		uint64_t hw_id;
		struct record_callchain_deferred callchain_deferred;
		struct record_attr attr;
		struct record_event_type event_type;
		struct record_tracing_data tracing_data;
		struct record_build_id build_id;
		struct record_id_index id_index;
		struct record_auxtrace_info auxtrace_info;
		struct record_auxtrace auxtrace;
		struct record_auxtrace_error auxtrace_error;
		struct record_thread_map thread_map;
		struct record_cpu_map cpu_map;
		struct record_stat_config stat_config;
		struct record_stat stat;
		struct record_stat_round stat_round;
		struct record_event_update event_update;
		struct record_time_conv time_conv;
		struct record_feature feature;
		struct record_compressed compressed;
		struct record_bpf_metadata bpf_metadata;
	};
};

/*
 * Returns the header at @bytes, which has at least RECORD_HEADER_SIZE bytes. Its size field may
 * have any value.
 */
static inline struct record_header record_header_at(const uint8_t *bytes, bool swap)
{
	struct record_header h;

	memcpy(&h, bytes, sizeof(h));
	if (swap) {
		h.type = __builtin_bswap32(h.type);
		h.misc = __builtin_bswap16(h.misc);
		h.size = __builtin_bswap16(h.size);
	}
	return h;
}

/*
 * Decodes the header of the @size bytes at @bytes. Returns -EBADMSG if there are fewer than 8
 * bytes, or if its size is below 8.
 */
int record_header_decode(const void *bytes, size_t size, bool swap, struct record_header *ret);

/* Returns "PERF_RECORD_MMAP2", "PERF_RECORD_FINISHED_ROUND"; NULL for numbers without a name. */
const char *record_type_name(uint32_t type);

/*
 * Decodes the record of header.size bytes at @bytes, of which @size exist. @attr defines the layout
 * of the trailer (NULL: none) and of READ counts. For a type without a name only the header and
 * trailer are decoded. Returns -EBADMSG if the record is shorter than its contents. Not for
 * samples, of which only the header is decoded.
 */
int record_decode(const void *bytes, size_t size, bool swap, const struct attr *attr,
		  struct record *ret);

/*
 * Appends @r as bytes in our order, with header.size computed, and with the trailer that @attr
 * requires (NULL: none). Returns -EMSGSIZE if it does not fit into a record; nothing is added then.
 * Returns -EINVAL if the type has no encoder.
 */
int record_encode(const struct record *r, const struct attr *attr, struct bytes *out);

/*
 * Decodes only the trailer of a kernel record, for ordering by time without decoding the rest.
 * False: it does not fit in.
 */
bool record_trailer(const void *bytes, size_t size, bool swap, const struct attr *attr,
		    struct sample_id *ret);

/* Returns the size of the trailer for @attr. */
size_t record_trailer_size(const struct attr *attr);
