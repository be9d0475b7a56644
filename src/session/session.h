/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording that is being read: its events, the tasks and address spaces of the machine on which
 * it was made, and its records in the order of time.
 *
 * The state is versioned by time and only grows. Each side-band record is applied, under its own
 * time, before the batch with it is handed out. So a lookup names the time that it is about.
 * Lookups may be made for any record that was handed out, from several threads at once while a
 * callback runs.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "datafile/reader.h"
#include "wire/sample.h"

struct diag;
struct aux_facts;
struct aux_write;
struct chain_depths;
struct given_names;
struct itrace;
struct kept_files;
struct progress;
struct session;
struct symbolizer;
struct tracepoint_format;
struct tracepoint_plan;
struct tracing_data;
struct workers;

/* An event of the recording, as evlist shows it. */
struct session_event {
	size_t index;
	struct attr attr;
	char *name; /* from EVENT_DESC or EVENT_UPDATE, or derived from type and config */
	char *unit; /* "" if none */
	double scale;
	size_t leader;    /* index of its group's leader; its own for a leader or single event */
	size_t n_members; /* the size of the group it leads; 1: a single event */
	char *group_name; /* NULL: none */
	const uint64_t *ids;
	size_t n_ids;
	/* for a tracepoint whose format is available; or NULL */
	const struct tracepoint_format *format;
	const struct tracepoint_plan *plan;
	const char *system, *tracepoint; /* "sched", "sched_switch"; NULL: not a tracepoint */
	int time_offset, id_offset;      /* in its samples; -1: it does not exist */
	bool decoded;                    /* its samples are decoded from hardware traces */
};

struct session_options {
	const char *path;              /* "-": standard input */
	bool force;                    /* read the file whoever owns it */
	struct symbolizer *symbolizer; /* borrowed; NULL: images have no symbols */
	bool in_file_order;            /* no sorting by time: --dump-unsorted-raw-trace */
	bool guest_code;               /* a guest's code is in its hypervisor's process */
	bool keeps_cookies;            /* deferred stacks stay separate from their samples */
	/* options for decoding hardware traces, or `off`; NULL: they are ignored */
	const struct itrace *traces;
	struct kept_files *kept;   /* borrowed from the recording just made; otherwise NULL */
	struct progress *progress; /* the progress of reading a file; borrowed, or NULL */
	uint64_t first_bytes;      /* read only about this many bytes; 0: everything */
	/*
	 * Once it is true, reading soon ends with -ECANCELED; borrowed, or NULL. It is for callers
	 * that need another result in the meantime.
	 */
	const atomic_bool *stop;
	/*
	 * Old state is dropped: lookups may only be for the batch that is being handed out, or for
	 * later times. Memory then grows with the number of tasks that run at once, not with that
	 * of all tasks of the recording. Samples come in one ordered pass. It has no effect on
	 * recordings without times, or in several parts.
	 */
	bool forgets;
};

/*
 * The phases that are reported to session_options.progress. A file may have both, one after the
 * other.
 */
#define SESSION_SCANNING "Scanning the recording"
#define SESSION_READING  "Reading the recording"
#define SESSION_SAMPLES  "Reading samples"

/*
 * Opens the recording and reads everything before the data. The events of a stream are known after
 * the first batch. Errors: those of datafile_open(), with @diag. A file that may be of another
 * profiler must be opened with any_session_open() (foreign/any-session.h).
 */
int session_open(const struct session_options *o, struct session **ret, struct diag *diag);

/*
 * Does the same for an open file. The session takes over the file and @names: NULL, or the names of
 * the frames of another profiler's stacks.
 */
struct session *session_of_file(const struct session_options *o, struct datafile *file,
				struct given_names *names);
void session_free(struct session *s);
DEFINE_FREEP(session)

/*
 * Returns the file or stream itself, for code that shows or rewrites it; NULL: ring buffers are
 * read (session/live.h). The functions below give all other data.
 */
struct datafile *session_datafile(const struct session *s);

/* Returns the name for messages. */
const char *session_path(const struct session *s);

/*
 * Returns the facts about the machine and how it was recorded; never NULL. Those of a stream grow.
 */
const struct features *session_features(const struct session *s);

/* True if events and features come as records, so that they become known while reading. */
bool session_is_stream(const struct session *s);

/* True if the recording is of another profiler: its run-time addresses are made up. */
bool session_is_foreign(const struct session *s);

/* True if records are in the other byte order. */
bool session_is_swapped(const struct session *s);

/*
 * Return true if the file ends before its data does; and the number of sentences about damage that
 * was found.
 */
bool session_is_cut(const struct session *s);
size_t session_damage_count(const struct session *s);
const char *session_damage(const struct session *s, size_t i);

/*
 * Returns why hardware traces that were to be decoded are not; NULL: they are, or there are none.
 * The result for a stream is known once its AUXTRACE_INFO has been read.
 */
const char *session_undecoded(const struct session *s);

/*
 * Return the recorded data of hardware traces, whether they are decoded or not, if
 * session_options.traces was given: the type of AUXTRACE_INFO (AUXTRACE_NONE: there is none yet)
 * and its words; the AUX records up to now, which are all of them after session_scan(); and the
 * content of the last AUX_OUTPUT_HW_ID record of @cpu (false: there is none).
 */
uint32_t session_trace_info(const struct session *s, struct words *ret);
const struct aux_write *session_trace_writes(const struct session *s, size_t *ret_n);
bool session_trace_hw_id(const struct session *s, uint32_t cpu, uint64_t *ret);

/* Returns a remark on samples that were decoded from hardware traces; NULL: there is none. */
const char *session_trace_remark(const struct session *s);

size_t session_event_count(const struct session *s);
const struct session_event *session_event(const struct session *s, size_t i);

/* Renames event @i to @name. */
void session_name_event(struct session *s, size_t i, const char *name);

/* True if an event is a member of a group that another one leads. */
bool session_has_groups(const struct session *s);

/* Returns the event that owns @id; without ids the only event; NULL: no event owns it. */
const struct session_event *session_event_by_id(const struct session *s, uint64_t id);

/*
 * Returns the formats of tracepoints and the data that belongs to them; NULL: the recording has
 * none.
 */
const struct tracing_data *session_tracing_data(const struct session *s);

/* A record in its turn. It lives until the callback that gets it returns. */
struct delivered {
	struct raw_record raw;
	uint64_t time; /* 0: none */
	/*
	 * the event whose attr defines its layout; NULL: perf's own record, or an id that no event
	 * owns
	 */
	const struct session_event *event;
};

/*
 * Returns the additional facts about a sample that was decoded from a hardware trace; NULL: it was
 * not decoded from one.
 */
const struct aux_facts *session_trace_facts(const struct delivered *d);

/* The pid or tid of a sample that has none; not 0, which is the idle task. */
#define SAMPLE_NOBODY UINT32_MAX

/*
 * Decodes the sample @d, whose event is known. If it has no pid and tid, they are SAMPLE_NOBODY; if
 * it has no period, it gets that of the event. -EBADMSG: it is malformed.
 */
int session_decode_sample(const struct session *s, const struct delivered *d, struct sample *ret);

/*
 * Does the same into @ret, which holds a sample of the same sample_type for which
 * sample_is_plain().
 */
int session_decode_sample_again(const struct session *s, const struct delivered *d,
				struct sample *ret);

/* Decodes any other record. -EBADMSG: it is malformed. */
int session_decode_record(const struct session *s, const struct delivered *d, struct record *ret);

/* The counts of what was read; complete after everything has been fed to a consumer, or scanned. */
struct session_counts {
	uint64_t records[PERF_RECORD_USER_MAX]; /* indexed by type */
	uint64_t samples;
	uint64_t lost_records, lost_events; /* LOST: the number of records, and their sum */
	uint64_t lost_samples;              /* LOST_SAMPLES; must never be added to the above */
	uint64_t throttled;
	uint64_t unknown_types, unknown_ids, malformed, out_of_order;
	uint32_t unknown_type;         /* type of the first of them */
	uint64_t malformed_maps;       /* malformed MMAP and MMAP2 records */
	uint64_t malformed_map_offset; /* offset in its file of the first of them */
	struct record_header malformed_map;
	uint64_t aux_lost, aux_gaps;    /* AUX records with the flags TRUNCATED, PARTIAL, */
	uint64_t aux_collisions;        /* COLLISION */
	uint64_t first_time, last_time; /* the times of the first and last sample */
};
const struct session_counts *session_counts(const struct session *s);

/*
 * Returns the depths of the call chains in the last pass over samples. NULL: call chains were not
 * read, or only a part of each.
 */
const struct chain_depths *session_chain_depths(const struct session *s);

/* True if the recording was made on this machine, judging by its name. */
bool session_is_of_this_machine(const struct session *s);

/*
 * Makes pass 1: reads the whole file for its side-band only, so that every lookup has its final
 * result and samples can be taken in any order. -ESPIPE: this is a stream, which is read once;
 * continue without the scan. session_feed() (session/consumer.h) may follow.
 */
int session_scan(struct session *s, struct diag *diag);

/*
 * The BPF programs that a recording describes (BPF_PROG_INFO, BPF_BTF). Their code and lines are
 * given to the symbolizer, so that they can be shown when the programs are gone.
 */

struct features;

void bpf_images_learn(const struct features *f, struct symbolizer *s);
