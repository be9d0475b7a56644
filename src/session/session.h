/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording being read: its events, the tasks and address spaces of the machine it was made on,
 * and its records in the order of time.
 *
 * The state is versioned by time and only grows. Each side-band record is applied, under its own
 * time, before the batch with it is handed out. So a question names the time it is about. It may
 * be asked for any record that was handed out, from several threads at once while a callback runs.
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
	char *name; /* of EVENT_DESC or EVENT_UPDATE; else derived from type and config */
	char *unit; /* "" if none */
	double scale;
	size_t leader;    /* index of its group's leader; its own if it leads or stands alone */
	size_t n_members; /* of the group it leads; 1: stands alone */
	char *group_name; /* NULL: none */
	const uint64_t *ids;
	size_t n_ids;
	const struct tracepoint_format *format; /* of a tracepoint whose format is there; or NULL */
	const struct tracepoint_plan *plan;
	const char *system, *tracepoint; /* "sched", "sched_switch"; NULL: no tracepoint */
	int time_offset, id_offset;      /* in its samples; -1: not there */
	bool decoded;                    /* its samples are made of hardware traces */
};

struct session_options {
	const char *path;              /* "-": standard input */
	bool force;                    /* whoever owns the file */
	struct symbolizer *symbolizer; /* borrowed; NULL: images have no symbols */
	bool in_file_order;            /* no sorting by time: --dump-unsorted-raw-trace */
	bool guest_code;               /* a guest's code is that of its hypervisor's process */
	bool keeps_cookies;            /* deferred stacks stay apart from their samples */
	const struct itrace *traces;   /* how hardware traces are decoded, or `off`; NULL: they are
					  not even looked at */
	struct kept_files *kept;       /* borrowed, by who has just recorded it; else NULL */
	struct progress *progress;     /* of reading a file; borrowed, or NULL */
	uint64_t first_bytes;          /* only so much of it is read, about; 0: everything */
	/*
	 * Once it is true, reading ends with -ECANCELED, soon; borrowed, or NULL. For who has
	 * another question meanwhile.
	 */
	const atomic_bool *stop;
	/*
	 * Old state is dropped: questions may only be about the batch being handed out, or about
	 * later times. Memory then grows with the tasks that run at once, not with all tasks of
	 * the recording. Samples come in one ordered pass. Has no effect on recordings without
	 * times, or in several parts.
	 */
	bool forgets;
};

/* What session_options.progress is told is done. Of a file, it may be the one and then the other.
 */
#define SESSION_SCANNING "Scanning the recording"
#define SESSION_READING  "Reading the recording"
#define SESSION_SAMPLES  "Reading samples"

/*
 * Opens the recording and reads what precedes the data. The events of a stream are known after the
 * first batch. Errors: those of datafile_open(), with @diag. What may be the file of another
 * profiler is opened by any_session_open() (foreign/any-session.h).
 */
int session_open(const struct session_options *o, struct session **ret, struct diag *diag);

/* The same for a file that is open; it becomes the session's, as do @names: NULL, or the names of
 * the frames of another profiler's stacks. */
struct session *session_of_file(const struct session_options *o, struct datafile *file,
				struct given_names *names);
void session_free(struct session *s);
DEFINE_FREEP(session)

/*
 * The file or stream itself, for those who show or rewrite it; NULL: ring buffers are read
 * (session/live.h). Everything else is asked for below.
 */
struct datafile *session_datafile(const struct session *s);

/* The name for messages. */
const char *session_path(const struct session *s);

/* What is known of the machine and of how it was recorded; never NULL. That of a stream grows. */
const struct features *session_features(const struct session *s);

/* Do events and features come as records, so that they become known while reading? */
bool session_is_stream(const struct session *s);

/* Whether it is of another profiler: addresses at run time were made up for it. */
bool session_is_foreign(const struct session *s);

/* Are records in the other byte order? */
bool session_is_swapped(const struct session *s);

/* Does the file end before its data does? And sentences about damage that was found. */
bool session_is_cut(const struct session *s);
size_t session_damage_count(const struct session *s);
const char *session_damage(const struct session *s, size_t i);

/*
 * Why hardware traces that were to be decoded are not; NULL: they are, or there are none. That of a
 * stream is known once its AUXTRACE_INFO has been read.
 */
const char *session_undecoded(const struct session *s);

/*
 * What was recorded of hardware traces, whether they are decoded or not, if
 * session_options.traces was given: the type of AUXTRACE_INFO (AUXTRACE_NONE: there is none yet)
 * and its words; the AUX records so far, all of them after session_scan(); and what the last
 * AUX_OUTPUT_HW_ID record of @cpu says (false: there is none).
 */
uint32_t session_trace_info(const struct session *s, struct words *ret);
const struct aux_write *session_trace_writes(const struct session *s, size_t *ret_n);
bool session_trace_hw_id(const struct session *s, uint32_t cpu, uint64_t *ret);

/* What there is to know about samples that were decoded from hardware traces; NULL: nothing. */
const char *session_trace_remark(const struct session *s);

size_t session_event_count(const struct session *s);
const struct session_event *session_event(const struct session *s, size_t i);

/* Event @i is called @name from now on. */
void session_name_event(struct session *s, size_t i, const char *name);

/* Is any event a member of a group that another one leads? */
bool session_has_groups(const struct session *s);

/* The event that owns @id; without ids the only one; NULL: nobody's. */
const struct session_event *session_event_by_id(const struct session *s, uint64_t id);

/* The formats of tracepoints and what belongs to them; NULL: none in the recording. */
const struct tracing_data *session_tracing_data(const struct session *s);

/* A record in its turn. It lives until the callback that gets it returns. */
struct delivered {
	struct raw_record raw;
	uint64_t time;                     /* 0: none */
	const struct session_event *event; /* whose attr its layout follows; NULL: perf's own
					      record, or an id that nobody owns */
};

/* What a sample that was decoded from a hardware trace says beyond its record; NULL: no such one.
 */
const struct aux_facts *session_trace_facts(const struct delivered *d);

/* The pid or tid of a sample that has none; not 0, which is the idle task. */
#define SAMPLE_NOBODY UINT32_MAX

/*
 * Decodes the sample @d, whose event is known. If it has no pid and tid, they are SAMPLE_NOBODY;
 * if it has no period, it is that of the event. -EBADMSG: it is malformed.
 */
int session_decode_sample(const struct session *s, const struct delivered *d, struct sample *ret);

/* The same, over a sample of the same sample_type for which sample_is_plain(). */
int session_decode_sample_again(const struct session *s, const struct delivered *d,
				struct sample *ret);

/* Decodes any other record. -EBADMSG: it is malformed. */
int session_decode_record(const struct session *s, const struct delivered *d, struct record *ret);

/* What was read; complete after all has been fed to a consumer, or scanned. */
struct session_counts {
	uint64_t records[PERF_RECORD_USER_MAX]; /* by type */
	uint64_t samples;
	uint64_t lost_records, lost_events; /* LOST: records, and what they sum up to */
	uint64_t lost_samples;              /* LOST_SAMPLES; never to be added to the above */
	uint64_t throttled;
	uint64_t unknown_types, unknown_ids, malformed, out_of_order;
	uint32_t unknown_type;         /* the first of them */
	uint64_t malformed_maps;       /* MMAP and MMAP2, of the malformed */
	uint64_t malformed_map_offset; /* in its file, of the first of them */
	struct record_header malformed_map;
	uint64_t aux_lost, aux_gaps;    /* AUX records with the flags TRUNCATED, PARTIAL, */
	uint64_t aux_collisions;        /* COLLISION */
	uint64_t first_time, last_time; /* of samples */
};
const struct session_counts *session_counts(const struct session *s);

/*
 * The depths of the call chains in the last pass over samples. NULL: nobody has looked at call
 * chains, or only at a part of each.
 */
const struct chain_depths *session_chain_depths(const struct session *s);

/* Whether the recording was made on this machine, as its name says. */
bool session_is_of_this_machine(const struct session *s);

/*
 * Pass 1: reads the whole file for its side-band only, so that every question has its final answer
 * and samples can be taken in any order. -ESPIPE: a stream, which is read once; go on without.
 * session_feed() (session/consumer.h) may follow.
 */
int session_scan(struct session *s, struct diag *diag);

/*
 * The BPF programs that a recording describes (BPF_PROG_INFO, BPF_BTF): their code and lines go to
 * the symbolizer, so that they can be shown when the programs are gone.
 */

struct features;

void bpf_images_learn(const struct features *f, struct symbolizer *s);
