/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The hardware traces of a recording: the data of AUXTRACE_INFO, the queues of AUX data, and the
 * decoder for them (hwtrace/decoder.h). Private to session/.
 *
 * Everything is collected while the side-band is read. A reading (session/trace-reading.h) then
 * makes samples of it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/u64-map.h"
#include "hwtrace/decoder.h"

struct code_store;
struct raw_record;
struct record;
struct session;

/*
 * Finds which task ran on a CPU at a time, from records of context switches. Private to session/.
 *
 * `struct running r = { 0 };` is empty. Records may come in any order of time, as long as there are
 * no lookups in between.
 */

struct running_switch {
	uint64_t time;
	uint64_t turn; /* the record's number: the order among equal times */
	uint32_t pid, tid;
};

struct running_cpu {
	struct running_switch *items;
	size_t n, room;
	bool unsorted;
};

struct running {
	struct running_cpu *items; /* indexed by CPU */
	size_t n, room;
	uint64_t turns;
};

void running_done(struct running *r);

/* Takes in the data of @rec, a SWITCH or SWITCH_CPU_WIDE record; others have no effect. */
void running_add(struct running *r, const struct record *rec, uint64_t time);

/* Prepares for lookups. To be called after the last running_add(). */
void running_settle(struct running *r);

/* Finds the task on @cpu at @time. false: not known. */
bool running_at(const struct running *r, uint32_t cpu, uint64_t time, uint32_t *ret_pid,
		uint32_t *ret_tid);

struct traces {
	struct session *session;
	struct itrace options;
	struct aux_decoder *decoder; /* NULL: no AUXTRACE_INFO yet, or one that is not supported */
	bool has_info;
	uint32_t type;      /* from AUXTRACE_INFO, */
	struct words info;  /* and its words: a copy */
	size_t first_event; /* index in the session of the decoder's first event */
	struct file_event *file_events;
	struct {
		struct aux_queue **items; /* queues never move */
		size_t n, room;
	} queues;
	struct u64_map queue_of_index;
	struct {
		uint8_t **items;
		size_t n, room;
	} copies; /* copies of data that came in a stream */
	struct time_conversion time;
	struct running running;
	struct {
		struct aux_write *items; /* AUX records */
		size_t n, room;
	} writes;
	uint64_t last_write; /* the time of the last of them */
	struct {
		uint64_t *items; /* the last AUX_OUTPUT_HW_ID record of each CPU */
		size_t n, room;
	} hw_ids;
	struct u64_map hw_id_of_cpu; /* by CPU: 1 + the index in hw_ids */
	struct code_store *code;
	char *note;            /* why nothing is decoded; or NULL */
	uint64_t lost, pieces; /* AUX records: those with the flag of lost data; all */
};

struct traces *traces_new(struct session *s, const struct itrace *options);
void traces_free(struct traces *t);

/* Reads ahead in a file until AUXTRACE_INFO, so that its events are known. */
void traces_find_info(struct traces *t);

/* Takes in perf's own record @raw: AUXTRACE_INFO, AUXTRACE, TIME_CONV; others have no effect. */
void traces_take_user(struct traces *t, const struct raw_record *raw);

/*
 * traces_matter() is true if the kernel's records of @type are used here; traces_take() takes in
 * one.
 */
bool traces_matter(uint32_t type);
void traces_take(struct traces *t, const struct record *r, uint64_t time);

/* Finds the content of the last AUX_OUTPUT_HW_ID record of @cpu. false: there is none. */
bool traces_hw_id(const struct traces *t, uint32_t cpu, uint64_t *ret);

/* True if there are traces to decode. */
bool traces_are_there(const struct traces *t);
