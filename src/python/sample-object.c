/* SPDX-License-Identifier: MIT */
/* perf.sample_event: the data of a sample, and of the place at which it was taken. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "python/evsel.h"
#include "python/record-object-internal.h"
#include "python/session-core.h"
#include "session/call-chain.h"
#include "session/machine.h"
#include "session/session.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"
#include "tracepoint/field.h"
#include "tracepoint/format.h"

#define MAX_STACK 127

static void sample_dealloc(PyObject *self)
{
	struct sample_object *s = (struct sample_object *)self;

	free(s->bytes);
	Py_XDECREF(s->evsel);
	session_core_unref(s->core);
	module_release(self);
}

static PyObject *sample_repr(PyObject *self)
{
	(void)self;
	return PyUnicode_FromString("{ type: sample }");
}

PyObject *sample_object_new(const uint8_t *bytes, size_t size, const struct record_origin *from)
{
	struct sample_object *s = module_new(TYPE_SAMPLE_EVENT);
	struct diag diag = { 0 };

	if (!s)
		return NULL;
	s->bytes = xmalloc(size);
	memcpy(s->bytes, bytes, size);
	if (sample_decode(s->bytes, size, from->swap, from->attr, &s->sample) < 0) {
		Py_DECREF((PyObject *)s);
		diag_set(&diag, -EBADMSG, "a sample is malformed");
		return module_fail(-EBADMSG, &diag);
	}
	s->head = (struct record_head){ .header = record_header_at(bytes, from->swap),
					.ip = s->sample.ip,
					.addr = s->sample.addr,
					.period = s->sample.period,
					.time = s->sample.time,
					.id = s->sample.id,
					.stream_id = s->sample.stream_id,
					.pid = (int32_t)s->sample.pid,
					.tid = (int32_t)s->sample.tid,
					.cpu = s->sample.cpu };
	record_head_fill(&s->head, from->attr->sample_type);
	if (!(from->attr->sample_type & PERF_SAMPLE_PERIOD) && !from->attr->freq)
		s->head.period = from->attr->sample_period;
	if (from->core) {
		s->core = session_core_ref(from->core);
		s->event = from->event;
		s->head.period = from->period;
	}
	s->evsel = from->evsel;
	Py_XINCREF(s->evsel);
	return (PyObject *)s;
}

/* Returns the process of the sample, for lookups of places. */
static uint32_t python_sample_object_process_of(const struct sample_object *s)
{
	return s->head.pid < 0 ? SAMPLE_NOBODY : (uint32_t)s->head.pid;
}

static uint64_t python_sample_object_time_of(const struct sample_object *s)
{
	return s->head.time == UINT64_MAX ? 0 : s->head.time;
}

static struct location python_sample_object_place_of(const struct sample_object *s,
						     enum address_mode mode, uint64_t ip)
{
	struct location loc = { 0 };

	if (s->core)
		machine_resolve(s->core->recorded.session, python_sample_object_process_of(s), mode,
				ip, python_sample_object_time_of(s), &loc);
	return loc;
}

static struct location sampled_place(const struct sample_object *s)
{
	return python_sample_object_place_of(s, address_mode_of(s->sample.misc), s->sample.ip);
}

static PyObject *symbol_name(const struct location *loc)
{
	return module_text(loc->sym ? loc->sym->name : NULL);
}

static PyObject *symbol_offset(const struct location *loc)
{
	return loc->sym ? PyLong_FromUnsignedLongLong(loc->image_addr - loc->sym->start)
			: module_none();
}

static PyObject *python_sample_object_image_text(const struct location *loc)
{
	return module_text(loc->map ? image_long_name(loc->map->image) : NULL);
}

static PyObject *sample_symbol(PyObject *self, void *unused)
{
	struct location loc = sampled_place((struct sample_object *)self);

	(void)unused;
	return symbol_name(&loc);
}

static PyObject *sample_symoff(PyObject *self, void *unused)
{
	struct location loc = sampled_place((struct sample_object *)self);

	(void)unused;
	return symbol_offset(&loc);
}

static PyObject *sample_dso(PyObject *self, void *unused)
{
	struct location loc = sampled_place((struct sample_object *)self);

	(void)unused;
	return python_sample_object_image_text(&loc);
}

static PyObject *sample_comm(PyObject *self, void *unused)
{
	const struct sample_object *s = (struct sample_object *)self;

	(void)unused;
	if (!s->core || !(s->event->attr.sample_type & PERF_SAMPLE_TID))
		return module_none();
	return module_text(machine_comm(s->core->recorded.session,
					python_sample_object_process_of(s), (uint32_t)s->head.tid,
					python_sample_object_time_of(s)));
}

static PyObject *sample_evsel(PyObject *self, void *unused)
{
	PyObject *evsel = ((struct sample_object *)self)->evsel;

	(void)unused;
	if (!evsel)
		return module_none();
	Py_INCREF(evsel);
	return evsel;
}

static PyObject *sample_raw(PyObject *self, void *unused)
{
	const struct sample *s = &((struct sample_object *)self)->sample;

	(void)unused;
	return s->raw_size ? PyBytes_FromStringAndSize((const char *)s->raw, s->raw_size)
			   : module_none();
}

static PyObject *sample_cpumode(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromLong(((struct sample_object *)self)->sample.misc &
			       PERF_RECORD_MISC_CPUMODE_MASK);
}

/* The Python objects for entries of stacks and branches. */
struct node_object {
	PyObject_HEAD uint64_t ip, to, flags;
	PyObject *symbol, *symoff, *dso;
};

static void node_dealloc(PyObject *self)
{
	struct node_object *n = (struct node_object *)self;

	Py_XDECREF(n->symbol);
	Py_XDECREF(n->symoff);
	Py_XDECREF(n->dso);
	module_release(self);
}

static PyObject *node_new(const struct sample_object *s, const struct chain_entry *e, bool is_call)
{
	struct location loc = python_sample_object_place_of(s, e->mode, e->ip);
	struct node_object *n = module_new(TYPE_CALLCHAIN_NODE);

	/*
	 * The call is directly before the address that it returns to, possibly in another function.
	 */
	if (is_call && loc.map && loc.map->image)
		loc.sym = image_symbol_find(loc.map->image, loc.image_addr - 1);

	if (!n)
		return NULL;
	n->ip = e->ip;
	n->symbol = symbol_name(&loc);
	n->symoff = symbol_offset(&loc);
	n->dso = python_sample_object_image_text(&loc);
	if (n->symbol && n->symoff && n->dso)
		return (PyObject *)n;
	Py_DECREF((PyObject *)n);
	return NULL;
}

static PyObject *nodes_of_chain(const struct sample_object *s, struct call_chain *chain)
{
	PyObject *list = PyList_New((Py_ssize_t)chain->n);

	for (size_t i = 0; list && i < chain->n; i++) {
		const struct chain_entry *e = &chain->items[i];
		bool is_call = e->is_return &&
			       call_chain_is_call(chain, s->core->recorded.session,
						  python_sample_object_process_of(s),
						  python_sample_object_time_of(s), i);

		module_list_put(&list, i, node_new(s, e, is_call));
	}
	return list;
}

/*
 * Returns the stack of a live sample. No maps are known then, so it has the addresses as the kernel
 * gave them, without its markers.
 */
static PyObject *live_chain(const struct sample_object *s)
{
	PyObject *list = PyList_New(0);

	for (size_t i = 0; list && i < s->sample.chain.n; i++) {
		uint64_t ip = words_get(&s->sample.chain, i);
		const struct chain_entry e = { .ip = ip, .mode = ADDRESS_UNKNOWN };

		if (ip < PERF_CONTEXT_MAX)
			python_append(&list, node_new(s, &e, false));
	}
	return list;
}

static PyObject *sample_callchain(PyObject *self, void *unused)
{
	struct sample_object *s = (struct sample_object *)self;
	struct call_chain *chain;

	(void)unused;
	if (!s->core)
		return s->sample.chain.n ? live_chain(s) : module_none();
	if (!(s->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
		return module_none();
	chain = &s->core->chain;
	chain->n = 0;
	call_chain_take(chain, s->core->recorded.session, &s->sample,
			python_sample_object_time_of(s), MAX_STACK);
	call_chain_mark_unwound(chain, &s->event->attr);
	return nodes_of_chain(s, chain);
}

static PyObject *sample_brstack(PyObject *self, void *unused)
{
	const struct sample *s = &((struct sample_object *)self)->sample;
	size_t n = s->branches.n / 3;
	PyObject *list;

	(void)unused;
	if (!n)
		return module_none();
	list = PyList_New((Py_ssize_t)n);
	for (size_t i = 0; list && i < n; i++) {
		struct node_object *node = module_new(TYPE_BRANCH_ENTRY);
		struct branch b = sample_branch(s, i);

		if (!node) {
			Py_CLEAR(list);
			break;
		}
		node->ip = b.from;
		node->to = b.to;
		node->flags = b.flags;
		PyList_SetItem(list, (Py_ssize_t)i, (PyObject *)node);
	}
	return list;
}

/* Returns a flag of perf_branch_entry: each is a bit; 16 bits of cycles follow. */
static PyObject *branch_flag(PyObject *self, void *closure)
{
	uint64_t flags = ((struct node_object *)self)->flags;

	return PyBool_FromLong(flags >> (uintptr_t)closure & 1);
}

static PyObject *branch_cycles(PyObject *self, void *unused)
{
	(void)unused;
	return PyLong_FromLong(((struct node_object *)self)->flags >> 4 & 0xffff);
}

static PyObject *node_reference(PyObject *self, void *closure)
{
	PyObject *o = *(PyObject **)((char *)self + (uintptr_t)closure);

	if (!o)
		return module_none();
	Py_INCREF(o);
	return o;
}

static PyObject *node_repr(PyObject *self)
{
	const struct node_object *n = (struct node_object *)self;

	return PyUnicode_FromFormat("callchain_node(ip=%llu, symbol=%R, dso=%R)",
				    (unsigned long long)n->ip, n->symbol ? n->symbol : Py_None,
				    n->dso ? n->dso : Py_None);
}

static PyObject *branch_repr(PyObject *self)
{
	const struct node_object *n = (struct node_object *)self;

	return PyUnicode_FromFormat("branch_entry(from_ip=%llu, to_ip=%llu)",
				    (unsigned long long)n->ip, (unsigned long long)n->to);
}

/*
 * Returns the format of the tracepoint's records; NULL: it is no tracepoint, or the format is
 * unknown.
 */
static const struct tracepoint_format *python_sample_object_format_of(const struct sample_object *s)
{
	if (s->event)
		return s->event->format;
	return s->evsel ? evsel_format(s->evsel) : NULL;
}

static PyObject *python_sample_object_field_value(const struct sample_object *s,
						  const struct tracepoint_field *f)
{
	bool swap = s->core && session_is_swapped(s->core->recorded.session);
	struct field_ref ref = field_ref_of(f, swap);
	const struct sample *sample = &s->sample;
	uint64_t number;

	if (f->is_string) {
		const char *text;
		size_t n = field_ref_text(&ref, sample->raw, sample->raw_size, &text);

		return python_text(text, n);
	}
	if (field_ref_number(&ref, sample->raw, sample->raw_size, &number))
		return f->is_signed ? PyLong_FromLongLong((int64_t)number)
				    : PyLong_FromUnsignedLongLong(number);
	if (ref.kind == FIELD_NUMBER)
		return module_none();
	struct raw_span span = field_ref_bytes(&ref, sample->raw, sample->raw_size);

	return PyByteArray_FromStringAndSize((const char *)span.bytes, span.size);
}

/* Returns an attribute. The fields of a tracepoint are attributes too. */
static PyObject *sample_getattr(PyObject *self, PyObject *name)
{
	const struct sample_object *s = (struct sample_object *)self;
	PyObject *found = PyObject_GenericGetAttr(self, name);
	const struct tracepoint_format *format;
	const struct tracepoint_field *f = NULL;
	PyObject *bytes;

	if (found || !PyErr_ExceptionMatches(PyExc_AttributeError) || !s->sample.raw_size)
		return found;
	format = python_sample_object_format_of(s);
	bytes = format ? PyUnicode_AsEncodedString(name, "utf-8", "replace") : NULL;
	if (bytes)
		f = tracepoint_field_find(format, PyBytes_AsString(bytes));
	Py_XDECREF(bytes);
	if (!f)
		return NULL;
	PyErr_Clear();
	return python_sample_object_field_value(s, f);
}

#define U64(name, member, doc) RECORD_NUMBER(name, sample_object, member, NUMBER_U64, doc)
#define U16(name, member, doc) RECORD_NUMBER(name, sample_object, member, NUMBER_U16, doc)

static PyGetSetDef sample_attributes[] = {
	RECORD_HEAD_NUMBERS(sample_object),
	RECORD_TYPE_NUMBER(sample_object),
	U16("misc", head.header.misc, "event misc"),
	U64("sample_weight", sample.weight, "what the access or transaction cost"),
	U16("sample_ins_latency", sample.ins_latency, "latency of the instruction, in cycles"),
	U64("sample_data_src", sample.data_src, "where data came from"),
	U64("sample_phys_addr", sample.phys_addr, "physical address of the data"),
	U64("sample_transaction", sample.transaction, "flags of the transaction"),
	U64("sample_data_page_size", sample.data_page_size, "size of the page of the data"),
	U64("sample_code_page_size", sample.code_page_size, "size of the page of the code"),
	U64("sample_cgroup", sample.cgroup, "id of the cgroup"),
	{ "sample_cpumode", sample_cpumode, NULL, "1 kernel, 2 user, 3 hypervisor, 4, 5 guest",
	  NULL },
	{ "evsel", sample_evsel, NULL, "the event", NULL },
	{ "comm", sample_comm, NULL, "name of the task, of a recording", NULL },
	{ "symbol", sample_symbol, NULL, "function it was taken in, of a recording", NULL },
	{ "symoff", sample_symoff, NULL, "how far from the start of the function", NULL },
	{ "dso", sample_dso, NULL, "file, kernel or JIT code it was taken in, of a recording",
	  NULL },
	{ "callchain", sample_callchain, NULL,
	  "list of callchain_node, the innermost first; or None", NULL },
	{ "brstack", sample_brstack, NULL, "list of branch_entry, the newest first; or None",
	  NULL },
	{ "raw_buf", sample_raw, NULL, "bytes of a tracepoint's record; or None", NULL },
	RECORD_END,
};

static PyType_Slot sample_slots[] = {
	{ Py_tp_doc, "perf sample event object. The fields of a tracepoint are attributes, too." },
	{ Py_tp_dealloc, sample_dealloc },
	{ Py_tp_repr, sample_repr },
	{ Py_tp_getattro, sample_getattr },
	{ Py_tp_getset, sample_attributes },
	{ 0, NULL },
};

PyType_Spec sample_event_spec = {
	.name = "perf.sample_event",
	.basicsize = sizeof(struct sample_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = sample_slots,
};

#define REFERENCE(name, member, doc)                                                               \
	{                                                                                          \
		name, node_reference, NULL, doc, (void *)offsetof(struct node_object, member)      \
	}
#define NODE_U64(name, member, doc) RECORD_NUMBER(name, node_object, member, NUMBER_U64, doc)
#define FLAG(name, bit, doc)                                                                       \
	{                                                                                          \
		name, branch_flag, NULL, doc, (void *)(uintptr_t)(bit)                             \
	}

static PyGetSetDef node_attributes[] = {
	NODE_U64("ip", ip, "address"),
	REFERENCE("symbol", symbol, "function, or None"),
	REFERENCE("symoff", symoff, "how far behind its start, or None"),
	REFERENCE("dso", dso, "file, kernel or JIT code, or None"),
	RECORD_END,
};

static PyGetSetDef branch_attributes[] = {
	NODE_U64("from_ip", ip, "address of the branch"),
	NODE_U64("to_ip", to, "address it led to"),
	FLAG("mispred", 0, "whether it was predicted wrongly"),
	FLAG("predicted", 1, "whether it was predicted rightly"),
	FLAG("in_tx", 2, "whether it was in a transaction"),
	FLAG("abort", 3, "whether it ended a transaction"),
	{ "cycles", branch_cycles, NULL, "since the branch before", NULL },
	RECORD_END,
};

static PyType_Slot node_slots[] = {
	{ Py_tp_doc, "An entry of a call chain." },
	{ Py_tp_dealloc, node_dealloc },
	{ Py_tp_repr, node_repr },
	{ Py_tp_getset, node_attributes },
	{ 0, NULL },
};

PyType_Spec callchain_node_spec = {
	.name = "perf.callchain_node",
	.basicsize = sizeof(struct node_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = node_slots,
};

static PyType_Slot branch_slots[] = {
	{ Py_tp_doc, "An entry of a branch stack." },
	{ Py_tp_dealloc, node_dealloc },
	{ Py_tp_repr, branch_repr },
	{ Py_tp_getset, branch_attributes },
	{ 0, NULL },
};

PyType_Spec branch_entry_spec = {
	.name = "perf.branch_entry",
	.basicsize = sizeof(struct node_object),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = branch_slots,
};
