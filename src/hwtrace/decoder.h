/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A decoder of hardware traces: it takes bytes of AUX areas and gives samples.
 *
 * A recording has one AUXTRACE_INFO, whose type determines the decoder (decoders.c). The decoder
 * determines the events of its samples. The bytes are in queues, one for each CPU or thread. A
 * stream decodes one queue, independently of the others, so streams may run in different threads.
 *
 * Nothing here opens files, prints, or uses sessions. The decoder asks its host for data that it
 * does not have.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "hwtrace/itrace.h"
#include "hwtrace/time-conversion.h"
#include "wire/sample.h"

struct aux_decoder;
struct aux_stream;
struct diag;

/* attr.type of events that no PMU counts. */
#define AUX_TYPE_SYNTHETIC 0x80000000u

#define AUX_NONE UINT32_MAX /* no CPU, pid or tid */

/* The data after one AUXTRACE record, or in a sample. The bytes are borrowed. */
struct aux_piece {
	const uint8_t *bytes;
	size_t size;
	uint64_t offset; /* offset in the AUX area, which counts all bytes ever written */
	uint64_t reference;
	uint64_t time;     /* time of the sample that contains it; 0: from an AUXTRACE record */
	uint32_t cpu, tid; /* or AUX_NONE */
};

/* The pieces of a CPU's or a thread's AUX area, in order. More may be added at the end. */
struct aux_queue {
	uint32_t index;    /* idx of its AUXTRACE records */
	uint32_t cpu, tid; /* those of the first piece */
	struct aux_piece *items;
	size_t n, room;
};

struct aux_task {
	uint32_t pid, tid;
};

/* An AUX record: @size bytes were written at @offset of the area of a CPU, or of a thread. */
struct aux_write {
	uint64_t offset, size, flags;
	uint32_t cpu, tid;
};

/*
 * The reader of the recording. Queries may come from several threads. Any function may be NULL:
 * then nothing is known.
 */
struct aux_host {
	/* Gives the task that ran on @cpu at @time. False: not known. */
	bool (*running)(void *arg, uint32_t cpu, uint64_t time, struct aux_task *ret);
	/* Gives the process of thread @tid at @time. False: not known. */
	bool (*process)(void *arg, uint32_t tid, uint64_t time, uint32_t *ret_pid);
	/*
	 * Copies up to @size bytes of code that @pid has at @addr at @time, ending where the image
	 * does. 0: there is none. An address of the kernel is found for any @pid.
	 */
	size_t (*code)(void *arg, uint32_t pid, uint64_t time, uint64_t addr, uint8_t *bytes,
		       size_t size);
	/*
	 * Returns all AUX records, in order of time; *@ret_n of them. They stay valid as long as
	 * none is added.
	 */
	const struct aux_write *(*writes)(void *arg, size_t *ret_n);
	/* Returns the time of the last of them; 0: there are none. */
	uint64_t (*last_write)(void *arg);
	/* Gives the contents of the last AUX_OUTPUT_HW_ID record of @cpu. False: there is none. */
	bool (*hw_id)(void *arg, uint32_t cpu, uint64_t *ret);
	void *arg;
};

/* An event of the recording, or one for which a decoder makes samples. */
struct aux_event {
	struct attr attr;
	char *name;
	uint64_t id;
};

struct aux_setup {
	uint32_t type;       /* enum auxtrace_type */
	struct words words;  /* the words after the type in AUXTRACE_INFO; borrowed */
	const char *machine; /* "aarch64"; or NULL */
	const char *cpuid;   /* from the recording's header; or NULL */
	const struct aux_event *recorded;
	size_t n_recorded;
	struct itrace options;
	struct time_conversion time;
	struct aux_host host;
};

/* Facts about a sample in addition to its record: columns of perf script. */
struct aux_facts {
	uint32_t flags; /* AUX_FLAG_* */
	uint16_t insn_length;
	uint8_t insn[16];
	uint64_t insn_count, cycle_count;
	uint64_t phys_addr; /* also for events whose records have none; 0: not known */
	uint8_t simd;       /* enum simd */
};

enum {
	AUX_FLAG_BRANCH = 1 << 0,
	AUX_FLAG_CALL = 1 << 1,
	AUX_FLAG_RETURN = 1 << 2,
	AUX_FLAG_CONDITIONAL = 1 << 3,
	AUX_FLAG_SYSCALLRET = 1 << 4,
	AUX_FLAG_ASYNC = 1 << 5,
	AUX_FLAG_INTERRUPT = 1 << 6,
	AUX_FLAG_TX_ABORT = 1 << 7,
	AUX_FLAG_TRACE_BEGIN = 1 << 8,
	AUX_FLAG_TRACE_END = 1 << 9,
	AUX_FLAG_IN_TX = 1 << 10,
	AUX_FLAG_VMENTRY = 1 << 11,
	AUX_FLAG_VMEXIT = 1 << 12,
	AUX_FLAG_INTR_DISABLE = 1 << 13,
	AUX_FLAG_INTR_TOGGLE = 1 << 14,
	AUX_FLAG_BRANCH_MISS = 1 << 15,
	AUX_FLAG_NOT_TAKEN = 1 << 16,
};

enum aux_item_kind {
	AUX_SAMPLE,
	AUX_ERROR, /* becomes an AUXTRACE_ERROR record */
};

/* An item of a stream. The data it points to lives until the next call of the stream. */
struct aux_item {
	enum aux_item_kind kind;
	size_t event; /* for a sample: index into aux_decoder.events */
	struct sample sample;
	uint64_t moment; /* time for the sample's names and maps; 0: the end */
	struct aux_facts facts;
	struct record_auxtrace_error error;
};

struct aux_class {
	uint32_t type;
	const char *name; /* for messages: "Arm SPE" */

	/*
	 * Reads AUXTRACE_INFO. *@ret owns the data it needs from @setup, whose words, recorded
	 * events and texts do not stay valid; the host does. -EBADMSG, -EOPNOTSUPP with @diag.
	 */
	int (*open)(const struct aux_setup *setup, struct aux_decoder **ret, struct diag *diag);
	void (*free)(struct aux_decoder *d);

	/* Makes a stream that begins at the first piece of @q; both stay valid. */
	struct aux_stream *(*stream)(struct aux_decoder *d, const struct aux_queue *q);
	void (*stream_free)(struct aux_stream *s);

	/*
	 * Finds the next item and gives its time, 0 if it has none. False: the queue is at its end,
	 * though pieces may still be added. Until aux_stream.take(), another call gives the same
	 * result.
	 */
	bool (*peek)(struct aux_stream *s, uint64_t *ret_time);
	/* Gives the item that peek() found. */
	void (*take)(struct aux_stream *s, struct aux_item *ret);

	/* Returns a sentence for users once everything is decoded, or NULL. May be NULL. */
	const char *(*remark)(const struct aux_decoder *d);
};

/* The beginning of every decoder. */
struct aux_decoder {
	const struct aux_class *class;
	struct {
		struct aux_event *items;
		size_t n, room;
	} events;      /* the events of its samples, in the order in which they are shown */
	bool timeless; /* items have no times: streams are processed in sequence, at the end */
};

/* The beginning of every stream. */
struct aux_stream {
	const struct aux_decoder *decoder;
	const struct aux_queue *queue;
};

/* Returns the decoder of traces of @type; NULL: there is none. */
const struct aux_class *aux_class_find(uint32_t type);

/* Returns the name of traces of @type for messages; NULL: unknown. */
const char *aux_type_name(uint32_t type);

/* Calls aux_class.open() of the right class. -EOPNOTSUPP with @diag: there is none. */
int aux_decoder_open(const struct aux_setup *setup, struct aux_decoder **ret, struct diag *diag);
void aux_decoder_free(struct aux_decoder *d);
DEFINE_FREEP(aux_decoder)

/*
 * Adds an event to aux_decoder.events; @name is copied, NULL: the event is named after its type and
 * config. Returns its index.
 */
size_t aux_decoder_add_event(struct aux_decoder *d, const char *name, const struct attr *attr,
			     uint64_t id);

/*
 * Returns the recorded event of the PMU of @type, to which the trace belongs; NULL: there is none.
 */
const struct aux_event *aux_setup_recorded(const struct aux_setup *setup, uint64_t type);

/*
 * Returns the attributes of samples that are made beside those of @recorded: hardware events with
 * the same exclusions. @sample_type is used as it is, except for the time.
 */
struct attr aux_attr_like(const struct attr *recorded, uint64_t sample_type, bool timeless);

/*
 * Returns the name of a counter with its modifiers, like the kernel's own events: instructions:u.
 * The caller frees it.
 */
char *aux_event_name(const char *name, const struct attr *a);
