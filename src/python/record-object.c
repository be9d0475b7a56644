/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "python/record-object-internal.h"

PyObject *record_number(PyObject *self, void *closure)
{
	uintptr_t where = (uintptr_t)closure;
	const char *at = (const char *)self + (where >> 3);
	uint64_t u64;
	uint32_t u32;
	int32_t i32;
	uint16_t u16;

	switch (where & 7) {
	case NUMBER_U64:
		memcpy(&u64, at, sizeof(u64));
		return PyLong_FromUnsignedLongLong(u64);
	case NUMBER_U32:
		memcpy(&u32, at, sizeof(u32));
		return PyLong_FromUnsignedLong(u32);
	case NUMBER_I32:
		memcpy(&i32, at, sizeof(i32));
		return PyLong_FromLong(i32);
	default:
		memcpy(&u16, at, sizeof(u16));
		return PyLong_FromLong(u16);
	}
}

void record_head_fill(struct record_head *h, uint64_t sample_type)
{
	if (!(sample_type & PERF_SAMPLE_TID))
		h->pid = h->tid = -1;
	if (!(sample_type & PERF_SAMPLE_TIME))
		h->time = UINT64_MAX;
	if (!(sample_type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)))
		h->id = UINT64_MAX;
	if (!(sample_type & PERF_SAMPLE_STREAM_ID))
		h->stream_id = UINT64_MAX;
	if (!(sample_type & PERF_SAMPLE_CPU))
		h->cpu = UINT32_MAX;
}

static void record_dealloc(PyObject *self)
{
	free(((struct record_object *)self)->text);
	module_release(self);
}

static PyObject *repr_take(struct text *t)
{
	PyObject *repr = python_text(t->chars, t->length);

	text_done(t);
	return repr;
}

static const char *python_record_object_text_of(const struct record_object *o)
{
	return o->text ? o->text : "";
}

static PyObject *record_text(PyObject *self, void *unused)
{
	(void)unused;
	return module_text(python_record_object_text_of((struct record_object *)self));
}

static PyObject *mmap_repr(PyObject *self)
{
	const struct record_object *o = (struct record_object *)self;
	struct text t = TEXT_EMPTY;

	text_addf(&t,
		  "{ type: mmap, pid: %u, tid: %u, start: %#" PRIx64 ", length: %#" PRIx64
		  ", offset: %#" PRIx64 ", filename: %s }",
		  o->mmap.pid, o->mmap.tid, o->mmap.addr, o->mmap.len, o->mmap.pgoff,
		  python_record_object_text_of(o));
	return repr_take(&t);
}

static PyObject *lost_repr(PyObject *self)
{
	const struct record_object *o = (struct record_object *)self;
	struct text t = TEXT_EMPTY;

	text_addf(&t, "{ type: lost, id: %#" PRIx64 ", lost: %#" PRIx64 " }", o->lost.id,
		  o->lost.lost);
	return repr_take(&t);
}

static PyObject *comm_repr(PyObject *self)
{
	const struct record_object *o = (struct record_object *)self;
	struct text t = TEXT_EMPTY;

	text_addf(&t, "{ type: comm, pid: %u, tid: %u, comm: %s }", o->comm.pid, o->comm.tid,
		  python_record_object_text_of(o));
	return repr_take(&t);
}

static PyObject *task_repr(PyObject *self)
{
	const struct record_object *o = (struct record_object *)self;
	struct text t = TEXT_EMPTY;

	text_addf(&t, "{ type: %s, pid: %u, ppid: %u, tid: %u, ptid: %u, time: %" PRIu64 "}",
		  o->head.header.type == PERF_RECORD_FORK ? "fork" : "exit", o->task.pid,
		  o->task.ppid, o->task.tid, o->task.ptid, o->task.time);
	return repr_take(&t);
}

static PyObject *throttle_repr(PyObject *self)
{
	const struct record_object *o = (struct record_object *)self;
	struct text t = TEXT_EMPTY;

	text_addf(&t,
		  "{ type: %sthrottle, time: %" PRIu64 ", id: %" PRIu64 ", stream_id: %" PRIu64
		  " }",
		  o->head.header.type == PERF_RECORD_THROTTLE ? "" : "un", o->throttle.time,
		  o->throttle.id, o->throttle.stream_id);
	return repr_take(&t);
}

static PyObject *read_repr(PyObject *self)
{
	const struct record_object *o = (struct record_object *)self;

	return PyUnicode_FromFormat("{ type: read, pid: %u, tid: %u }", o->read.pid, o->read.tid);
}

static PyObject *switch_repr(PyObject *self)
{
	const struct record_object *o = (struct record_object *)self;
	bool out = o->head.header.misc & PERF_RECORD_MISC_SWITCH_OUT;

	return PyUnicode_FromFormat("{ type: context_switch, next_prev_pid: %u, next_prev_tid: %u, "
				    "switch_out: %d }",
				    o->context_switch.next_prev_pid,
				    o->context_switch.next_prev_tid, out);
}

static PyObject *switch_out(PyObject *self, void *unused)
{
	const struct record_object *o = (struct record_object *)self;

	(void)unused;
	return PyBool_FromLong(o->head.header.misc & PERF_RECORD_MISC_SWITCH_OUT);
}

#define U64(name, member, doc) RECORD_NUMBER(name, record_object, member, NUMBER_U64, doc)
#define U32(name, member, doc) RECORD_NUMBER(name, record_object, member, NUMBER_U32, doc)

static PyGetSetDef mmap_attributes[] = {
	RECORD_HEAD_NUMBERS(record_object),
	RECORD_TYPE_NUMBER(record_object),
	RECORD_NUMBER("misc", record_object, head.header.misc, NUMBER_U16, "event misc"),
	U32("pid", mmap.pid, "event pid"),
	U32("tid", mmap.tid, "event tid"),
	U64("start", mmap.addr, "start of the map"),
	U64("len", mmap.len, "map length"),
	U64("pgoff", mmap.pgoff, "page offset"),
	{ "filename", record_text, NULL, "backing store", NULL },
	RECORD_END,
};

static PyGetSetDef lost_attributes[] = {
	RECORD_HEAD_NUMBERS(record_object),
	RECORD_TYPE_NUMBER(record_object),
	U64("id", lost.id, "event id"),
	U64("lost", lost.lost, "number of lost events"),
	RECORD_END,
};

static PyGetSetDef comm_attributes[] = {
	RECORD_HEAD_NUMBERS(record_object),
	RECORD_TYPE_NUMBER(record_object),
	U32("pid", comm.pid, "event pid"),
	U32("tid", comm.tid, "event tid"),
	{ "comm", record_text, NULL, "process name", NULL },
	RECORD_END,
};

static PyGetSetDef task_attributes[] = {
	RECORD_HEAD_NUMBERS(record_object),  RECORD_TYPE_NUMBER(record_object),
	U32("pid", task.pid, "event pid"),   U32("ppid", task.ppid, "event ppid"),
	U32("tid", task.tid, "event tid"),   U32("ptid", task.ptid, "event ptid"),
	U64("time", task.time, "timestamp"), RECORD_END,
};

static PyGetSetDef throttle_attributes[] = {
	RECORD_HEAD_NUMBERS(record_object),
	RECORD_TYPE_NUMBER(record_object),
	U64("time", throttle.time, "timestamp"),
	U64("id", throttle.id, "event id"),
	U64("stream_id", throttle.stream_id, "event stream id"),
	RECORD_END,
};

static PyGetSetDef read_attributes[] = {
	RECORD_HEAD_NUMBERS(record_object),
	RECORD_TYPE_NUMBER(record_object),
	U32("pid", read.pid, "event pid"),
	U32("tid", read.tid, "event tid"),
	U64("value", read.value, "what the event has counted"),
	U64("enabled", read.enabled, "for how long it was enabled, in nanoseconds"),
	U64("running", read.running, "for how long it was counting, in nanoseconds"),
	RECORD_END,
};

static PyGetSetDef switch_attributes[] = {
	RECORD_HEAD_NUMBERS(record_object),
	RECORD_TYPE_NUMBER(record_object),
	U32("next_prev_pid", context_switch.next_prev_pid, "next/prev pid"),
	U32("next_prev_tid", context_switch.next_prev_tid, "next/prev tid"),
	{ "switch_out", switch_out, NULL, "whether the task leaves its CPU", NULL },
	RECORD_END,
};

/* Defines a type: its spec, with the name that it has in the module. */
#define RECORD_SPEC(kind, doc)                                                                     \
	static PyType_Slot kind##_slots[] = {                                                      \
		{ Py_tp_doc, doc },                                                                \
		{ Py_tp_dealloc, record_dealloc },                                                 \
		{ Py_tp_repr, kind##_repr },                                                       \
		{ Py_tp_getset, kind##_attributes },                                               \
		{ 0, NULL },                                                                       \
	}

#define SPEC_OF(python_name, kind)                                                                 \
	{                                                                                          \
		.name = python_name, .basicsize = sizeof(struct record_object),                    \
		.flags = Py_TPFLAGS_DEFAULT, .slots = kind##_slots,                                \
	}

RECORD_SPEC(mmap, "perf mmap event object.");
RECORD_SPEC(lost, "perf lost event object.");
RECORD_SPEC(comm, "perf comm event object.");
RECORD_SPEC(task, "perf task (fork/exit) event object.");
RECORD_SPEC(throttle, "perf throttle event object.");
RECORD_SPEC(read, "perf read event object.");
RECORD_SPEC(switch, "perf context_switch event object.");

PyType_Spec mmap_event_spec = SPEC_OF("perf.mmap_event", mmap);
PyType_Spec lost_event_spec = SPEC_OF("perf.lost_event", lost);
PyType_Spec comm_event_spec = SPEC_OF("perf.comm_event", comm);
PyType_Spec task_event_spec = SPEC_OF("perf.task_event", task);
PyType_Spec throttle_event_spec = SPEC_OF("perf.throttle_event", throttle);
PyType_Spec read_event_spec = SPEC_OF("perf.read_event", read);
PyType_Spec context_switch_event_spec = SPEC_OF("perf.context_switch_event", switch);

static enum module_type type_of_record(unsigned type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return TYPE_MMAP_EVENT;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return TYPE_LOST_EVENT;
	case PERF_RECORD_COMM:
		return TYPE_COMM_EVENT;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return TYPE_TASK_EVENT;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return TYPE_THROTTLE_EVENT;
	case PERF_RECORD_READ:
		return TYPE_READ_EVENT;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return TYPE_CONTEXT_SWITCH_EVENT;
	default:
		return N_MODULE_TYPES;
	}
}

static void fill_body(struct record_object *o, enum module_type type, const struct record *r)
{
	switch (type) {
	case TYPE_MMAP_EVENT:
		o->mmap = r->mmap;
		o->mmap.filename = NULL;
		o->text = xstrdup(r->mmap.filename);
		break;
	case TYPE_LOST_EVENT:
		o->lost = r->lost;
		break;
	case TYPE_COMM_EVENT:
		o->comm.pid = r->comm.pid;
		o->comm.tid = r->comm.tid;
		o->text = xstrdup(r->comm.comm);
		break;
	case TYPE_TASK_EVENT:
		o->task = r->task;
		break;
	case TYPE_THROTTLE_EVENT:
		o->throttle = r->throttle;
		break;
	case TYPE_READ_EVENT:
		o->read.pid = r->read.pid;
		o->read.tid = r->read.tid;
		o->read.enabled = r->read.enabled;
		o->read.running = r->read.running;
		o->read.value = r->read.n ? record_read_value(&r->read, 0).value : 0;
		break;
	default:
		if (r->header.type == PERF_RECORD_SWITCH_CPU_WIDE)
			o->context_switch = r->context_switch;
	}
}

static void fill_head(struct record_head *h, const struct record *r, const struct attr *attr)
{
	*h = (struct record_head){ .header = r->header,
				   .time = r->id.time,
				   .id = r->id.id,
				   .stream_id = r->id.stream_id,
				   .pid = (int32_t)r->id.pid,
				   .tid = (int32_t)r->id.tid,
				   .cpu = r->id.cpu };
	record_head_fill(h, attr->sample_id_all ? attr->sample_type : 0);
}

PyObject *record_object_new(const uint8_t *bytes, size_t size, const struct record_origin *from)
{
	struct record_header header = record_header_at(bytes, from->swap);
	enum module_type type = type_of_record(header.type);
	struct diag diag = { 0 };
	struct record_object *o;
	struct record r;

	if (header.type == PERF_RECORD_SAMPLE)
		return sample_object_new(bytes, size, from);
	if (type == N_MODULE_TYPES)
		return module_none();
	if (record_decode(bytes, size, from->swap, from->attr, &r) < 0) {
		diag_set(&diag, -EBADMSG, "a record of type %u is malformed", header.type);
		return module_fail(-EBADMSG, &diag);
	}
	o = module_new(type);
	if (!o)
		return NULL;
	fill_head(&o->head, &r, from->attr);
	fill_body(o, type, &r);
	return (PyObject *)o;
}
