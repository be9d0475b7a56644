/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The internals of objects for records. Private to python/record-object* and python/sample-object*.
 */
#include "python/record-object.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)

/* The members that all of these objects have. */
struct record_head {
	struct record_header header;
	uint64_t ip, addr, period, time, id, stream_id;
	int32_t pid, tid;
	uint32_t cpu;
};

struct record_object {
	PyObject_HEAD struct record_head head;
	union {
		struct record_mmap mmap; /* without texts */
		struct record_lost lost;
		struct record_task task;
		struct record_throttle throttle;
		struct record_switch context_switch;
		struct {
			uint32_t pid, tid;
			uint64_t value, enabled, running;
		} read;
		struct {
			uint32_t pid, tid;
		} comm;
	};
	char *text; /* a file name, or the name of a task */
};

struct sample_object {
	PyObject_HEAD struct record_head head;
	uint8_t *bytes; /* the record's bytes */
	struct sample sample;
	PyObject *evsel;
	struct session_core *core;
	const struct session_event *event;
};

/* An attribute is a number at some offset of the object. */
enum number_kind {
	NUMBER_U64,
	NUMBER_U32,
	NUMBER_I32,
	NUMBER_U16,
};

PyObject *record_number(PyObject *self, void *closure);

#define NUMBER_AT(object, member, kind)                                                            \
	((void *)(uintptr_t)(offsetof(struct object, member) << 3 | (kind)))
#define RECORD_NUMBER(name, object, member, kind, doc)                                             \
	{                                                                                          \
		name, record_number, NULL, doc, NUMBER_AT(object, member, kind)                    \
	}

/* The attributes that every type has. */
#define RECORD_HEAD_NUMBERS(object)                                                                \
	RECORD_NUMBER("sample_ip", object, head.ip, NUMBER_U64, "event ip"),                       \
		RECORD_NUMBER("sample_pid", object, head.pid, NUMBER_I32, "event pid"),            \
		RECORD_NUMBER("sample_tid", object, head.tid, NUMBER_I32, "event tid"),            \
		RECORD_NUMBER("sample_time", object, head.time, NUMBER_U64, "event timestamp"),    \
		RECORD_NUMBER("sample_addr", object, head.addr, NUMBER_U64, "event addr"),         \
		RECORD_NUMBER("sample_id", object, head.id, NUMBER_U64, "event id"),               \
		RECORD_NUMBER("sample_stream_id", object, head.stream_id, NUMBER_U64,              \
			      "event stream id"),                                                  \
		RECORD_NUMBER("sample_period", object, head.period, NUMBER_U64, "event period"),   \
		RECORD_NUMBER("sample_cpu", object, head.cpu, NUMBER_U32, "event cpu")

#define RECORD_TYPE_NUMBER(object)                                                                 \
	RECORD_NUMBER("type", object, head.header.type, NUMBER_U32, "event type")

#define RECORD_END                                                                                 \
	{                                                                                          \
		NULL, NULL, NULL, NULL, NULL                                                       \
	}

/* Fills in the head. Missing values are -1, or 0, as programs expect. */
void record_head_fill(struct record_head *h, uint64_t sample_type);

PyObject *sample_object_new(const uint8_t *bytes, size_t size, const struct record_origin *from);
#endif
