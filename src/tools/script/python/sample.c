/* SPDX-License-Identifier: MIT */
#include "tools/script/python/sample.h"

#include <inttypes.h>

#include "arch/registers.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/python.h"
#include "base/text.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"
#include "tools/script/python/chain.h"
#include "tools/script/python/text.h"
#include "tools/script/python/values.h"
#include "wire/branch.h"

/*
 * The branches of a sample as lists of dictionaries: addresses and flags (`brstack'), functions
 * (`brstacksym'). Private to tools/script.
 */

PyObject *python_branch_symbols(struct python_values *v, const struct session *s,
				const struct session_sample *ss);

#if HAVE_LIBPYTHON

/*
 * Finds the location of @addr. A branch does not contain its mode, but addresses of the kernel are
 * high on every machine.
 */
static bool python_branch_locate(const struct session *s, const struct session_sample *ss,
				 uint64_t addr, struct location *ret)
{
	enum address_mode mode = addr >> 63 ? ADDRESS_KERNEL : ADDRESS_USER;

	return machine_locate(s, ss->sample->pid, mode, addr, ss->time, ret) && ret->map->image;
}

static void python_branch_put_image(struct python_values *v, const struct session *s,
				    const struct session_sample *ss, PyObject *d,
				    enum python_key key, uint64_t addr)
{
	struct python_image *im;
	struct location loc;

	if (!python_branch_locate(s, ss, addr, &loc)) {
		python_put(v, d, key, python_string("[unknown]"));
		return;
	}
	python_values_spot(v, &loc, &im);
	python_put_kept(v, d, key, im->dso);
}

static void python_branch_put_symbol(struct python_values *v, const struct session *s,
				     const struct session_sample *ss, PyObject *d,
				     enum python_key key, uint64_t addr)
{
	struct location loc;

	if (python_branch_locate(s, ss, addr, &loc))
		python_put_kept(v, d, key, python_values_sum(v, &loc));
	else
		python_put(v, d, key, python_string("[unknown]"));
}

static PyObject *branch_dict(struct python_values *v, const struct session *s,
			     const struct session_sample *ss, const struct branch *b)
{
	PyObject *d = PyDict_New();

	python_put(v, d, KEY_from, PyLong_FromUnsignedLongLong(b->from));
	python_put(v, d, KEY_to, PyLong_FromUnsignedLongLong(b->to));
	python_put(v, d, KEY_mispred, PyBool_FromLong(!!(b->flags & BRANCH_MISPREDICTED)));
	python_put(v, d, KEY_predicted, PyBool_FromLong(!!(b->flags & BRANCH_PREDICTED)));
	python_put(v, d, KEY_in_tx, PyBool_FromLong(!!(b->flags & BRANCH_IN_TX)));
	python_put(v, d, KEY_abort, PyBool_FromLong(!!(b->flags & BRANCH_ABORT)));
	python_put(v, d, KEY_cycles, PyLong_FromLong((long)branch_cycles(b->flags)));
	python_branch_put_image(v, s, ss, d, KEY_from_dsoname, b->from);
	python_branch_put_image(v, s, ss, d, KEY_to_dsoname, b->to);
	return d;
}

static PyObject *symbols_dict(struct python_values *v, const struct session *s,
			      const struct session_sample *ss, const struct branch *b)
{
	PyObject *d = PyDict_New();

	python_branch_put_symbol(v, s, ss, d, KEY_from, b->from);
	python_branch_put_symbol(v, s, ss, d, KEY_to, b->to);
	python_put(v, d, KEY_pred,
		   python_string(b->flags & BRANCH_MISPREDICTED ? "M"
				 : b->flags & BRANCH_PREDICTED  ? "P"
								: "-"));
	python_put(v, d, KEY_in_tx, python_string(b->flags & BRANCH_IN_TX ? "X" : "-"));
	python_put(v, d, KEY_abort, python_string(b->flags & BRANCH_ABORT ? "A" : "-"));
	return d;
}

static PyObject *
list_of(struct python_values *v, const struct session *s, const struct session_sample *ss,
	PyObject *(*dict_of)(struct python_values *v, const struct session *s,
			     const struct session_sample *ss, const struct branch *b))
{
	size_t n = ss->sample->branches.n / 3;
	PyObject *list = PyList_New(0);

	for (size_t i = 0; list && i < n; i++) {
		struct branch b = sample_branch(ss->sample, i);

		python_append(&list, dict_of(v, s, ss, &b));
	}
	return list;
}

/* Makes the lists: new references, empty without branches. NULL: Python's error is set. */
static PyObject *python_branches(struct python_values *v, const struct session *s,
				 const struct session_sample *ss)
{
	return list_of(v, s, ss, branch_dict);
}

PyObject *python_branch_symbols(struct python_values *v, const struct session *s,
				const struct session_sample *ss)
{
	return list_of(v, s, ss, symbols_dict);
}

#endif

#if HAVE_LIBPYTHON

/* The value in Linux's perf 6.1 for samples without PERF_SAMPLE_DATA_SRC: nothing is known. */
#define DATA_SOURCE_NONE 0x5080021ULL

/* The minimum size of attr: that of 6.1, whatever the recorder wrote. */
#define ATTR_BYTES 128

static PyObject *python_sample_number(uint64_t v)
{
	return PyLong_FromUnsignedLongLong(v);
}

static PyObject *attr_bytes(const struct attr *a)
{
	size_t n = a->size > ATTR_BYTES ? a->size : ATTR_BYTES;

	if (n > sizeof(*a))
		n = sizeof(*a);
	return PyBytes_FromStringAndSize((const char *)a, (Py_ssize_t)n);
}

/* Returns (id, value) or, if the kernel counted them, (id, value, lost samples). */
static PyObject *read_tuple(uint64_t read_format, const struct read_value *r)
{
	bool has_lost = read_format & PERF_FORMAT_LOST;
	PyObject *t = PyTuple_New(has_lost ? 3 : 2);

	if (!t)
		return NULL;
	PyTuple_SetItem(t, 0, python_sample_number(r->id));
	PyTuple_SetItem(t, 1, python_sample_number(r->value));
	if (has_lost)
		PyTuple_SetItem(t, 2, python_sample_number(r->lost));
	return t;
}

static PyObject *python_sample_read_list(const struct python_sample_form *f,
					 const struct session_sample *ss)
{
	const struct record_read *read = &ss->sample->read;
	size_t n = f->read ? 1 : read->n;
	PyObject *list = PyList_New(0);

	for (size_t i = 0; list && i < n; i++) {
		struct read_value v;

		if (f->read) {
			Py_INCREF(f->read);
			python_append(&list, f->read);
			continue;
		}
		v = record_read_value(read, i);
		python_append(&list, read_tuple(ss->event->attr.read_format, &v));
	}
	return list;
}

static void form_sample(struct python_sample_form *f, struct python_values *v,
			const struct session_event *e)
{
	uint64_t format = e->attr.read_format;
	PyObject *d = f->sample;

	/* Adds all keys in their order, with the values for data that is not recorded. */
	python_put(v, d, KEY_id, python_sample_number(UINT64_MAX));
	python_put(v, d, KEY_stream_id, python_sample_number(UINT64_MAX));
	python_put(v, d, KEY_pid, python_sample_number(UINT32_MAX));
	python_put(v, d, KEY_tid, python_sample_number(UINT32_MAX));
	python_put(v, d, KEY_cpu, python_sample_number(UINT32_MAX));
	python_put(v, d, KEY_ip, python_sample_number(0));
	python_put(v, d, KEY_time, python_sample_number(UINT64_MAX));
	python_put(v, d, KEY_period, python_sample_number(0));
	python_put(v, d, KEY_phys_addr, python_sample_number(0));
	python_put(v, d, KEY_addr, python_sample_number(0));
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		python_put(v, d, KEY_time_enabled, python_sample_number(0));
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		python_put(v, d, KEY_time_running, python_sample_number(0));
	python_put(v, d, KEY_values, PyList_New(0));
	python_put(v, d, KEY_weight, python_sample_number(0));
	python_put(v, d, KEY_ins_lat, python_sample_number(0));
	python_put(v, d, KEY_transaction, python_sample_number(0));
	python_put(v, d, KEY_datasrc, python_sample_number(DATA_SOURCE_NONE));
	python_put_kept(v, d, KEY_datasrc_decode, python_values_data_source(v, DATA_SOURCE_NONE));
	python_put(v, d, KEY_cpumode, python_sample_number(0));
}

/* Adds all keys of a whole sample in their order; the values of most are those of each sample. */
static PyObject *form_whole(const struct python_sample_form *f, struct python_values *v,
			    const struct session_event *e, enum python_place place)
{
	static const enum python_key place_keys[] = { KEY_dso,           KEY_dso_bid,
						      KEY_dso_map_start, KEY_dso_map_end,
						      KEY_map_pgoff,     KEY_symbol,
						      KEY_symoff };
	static const enum python_key last_keys[] = { KEY_callchain, KEY_brstack, KEY_brstacksym,
						     KEY_iregs, KEY_uregs };
	size_t n_place = place == PLACE_NONE    ? 0
			 : place == PLACE_IMAGE ? ARRAY_SIZE(place_keys) - 2
						: ARRAY_SIZE(place_keys);
	PyObject *d = PyDict_New();

	python_put(v, d, KEY_ev_name, python_string(e->name));
	python_put(v, d, KEY_attr, attr_bytes(&e->attr));
	python_put_kept(v, d, KEY_sample, f->sample);
	python_put(v, d, KEY_raw_buf, PyBytes_FromStringAndSize("", 0));
	python_put_kept(v, d, KEY_comm, v->empty);
	for (size_t i = 0; i < n_place; i++)
		python_put_kept(v, d, place_keys[i], v->empty);
	for (size_t i = 0; i < ARRAY_SIZE(last_keys); i++)
		python_put_kept(v, d, last_keys[i], v->empty);
	return d;
}

void python_sample_form_make(struct python_sample_form *f, const struct python_samples *p,
			     const struct session_event *e)
{
	struct python_values *v = p->values;
	const struct read_value none = { 0 };

	f->sample = PyDict_New();
	if (!f->sample)
		return;
	form_sample(f, v, e);
	if (!(e->attr.sample_type & PERF_SAMPLE_READ))
		f->read = read_tuple(e->attr.read_format, &none);
	for (enum python_place i = 0; i < PLACES; i++)
		f->whole[i] = form_whole(f, v, e, i);
}

void python_sample_form_done(struct python_sample_form *f)
{
	for (enum python_place i = 0; i < PLACES; i++)
		Py_XDECREF(f->whole[i]);
	Py_XDECREF(f->sample);
	Py_XDECREF(f->read);
}

/*
 * The keys for the image and the function at an address, which depend on the role of the address in
 * a sample.
 */
struct place_keys {
	enum python_key dso, build_id, start, end, pgoff, symbol, symoff;
};

static void python_sample_put_place(struct python_values *v, PyObject *d,
				    const struct location *loc, const struct python_spot *spot,
				    const struct python_image *im, const struct place_keys *k)
{
	const struct python_map *m = python_values_map(v, loc->map);

	python_put_kept(v, d, k->dso, im->dso);
	python_put_kept(v, d, k->build_id, im->build_id);
	python_put_kept(v, d, k->start, m->start);
	python_put_kept(v, d, k->end, m->end);
	python_put_kept(v, d, k->pgoff, m->pgoff);
	python_put_kept(v, d, k->symbol, spot->symbol);
	python_put_kept(v, d, k->symoff, spot->symoff);
}

static void put_addr_place(struct python_samples *p, PyObject *d, const struct session_sample *ss)
{
	static const struct place_keys keys = { KEY_addr_dso,           KEY_addr_dso_bid,
						KEY_addr_dso_map_start, KEY_addr_dso_map_end,
						KEY_addr_map_pgoff,     KEY_addr_symbol,
						KEY_addr_symoff };
	const struct sample *s = ss->sample;
	const struct python_spot *spot;
	struct python_image *im;
	struct location loc;

	python_put(p->values, d, KEY_addr_correlates_sym, PyBool_FromLong(1));
	if (!machine_locate(p->session, s->pid, address_mode_of(s->misc), s->addr, ss->time, &loc))
		machine_locate(p->session, s->pid, ADDRESS_USER, s->addr, ss->time, &loc);
	if (!loc.map || !loc.map->image)
		return;
	spot = python_values_spot(p->values, &loc, &im);
	python_sample_put_place(p->values, d, &loc, spot, im, &keys);
}

/* Adds the optional data of the event. */
static void put_rest(struct python_samples *p, PyObject *d, const struct session_sample *ss)
{
	const struct attr *a = &ss->event->attr;
	const struct sample *s = ss->sample;
	struct python_values *v = p->values;
	uint64_t type = a->sample_type;

	if (type & PERF_SAMPLE_STREAM_ID)
		python_put(v, d, KEY_stream_id, python_sample_number(s->stream_id));
	if (type & PERF_SAMPLE_PHYS_ADDR)
		python_put(v, d, KEY_phys_addr, python_sample_number(s->phys_addr));
	if (type & PERF_SAMPLE_ADDR)
		python_put(v, d, KEY_addr, python_sample_number(s->addr));
	if (type & PERF_SAMPLE_READ && a->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		python_put(v, d, KEY_time_enabled, python_sample_number(s->read.enabled));
	if (type & PERF_SAMPLE_READ && a->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		python_put(v, d, KEY_time_running, python_sample_number(s->read.running));
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		python_put(v, d, KEY_weight, python_sample_number(s->weight));
	if (type & PERF_SAMPLE_WEIGHT_STRUCT)
		python_put(v, d, KEY_ins_lat, python_sample_number(s->ins_latency));
	if (type & PERF_SAMPLE_TRANSACTION)
		python_put(v, d, KEY_transaction, python_sample_number(s->transaction));
	if (type & PERF_SAMPLE_DATA_SRC) {
		python_put(v, d, KEY_datasrc, python_sample_number(s->data_src));
		python_put_kept(v, d, KEY_datasrc_decode,
				python_values_data_source(v, s->data_src));
	}
	if (attr_addr_has_symbols(a))
		put_addr_place(p, d, ss);
}

#define USUAL                                                                                      \
	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN |             \
	 PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW |                 \
	 PERF_SAMPLE_IDENTIFIER)

static PyObject *inner_dict(struct python_samples *p, const struct python_sample_form *f,
			    const struct session_sample *ss)
{
	const struct sample *s = ss->sample;
	uint64_t type = ss->event->attr.sample_type;
	struct python_values *v = p->values;
	PyObject *d = PyDict_Copy(f->sample);

	if (!d)
		return NULL;
	if (type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER))
		python_put(v, d, KEY_id, python_sample_number(s->id));
	if (type & PERF_SAMPLE_TID) {
		python_put(v, d, KEY_pid, python_sample_number(s->pid));
		python_put(v, d, KEY_tid, python_sample_number(s->tid));
	}
	if (type & PERF_SAMPLE_CPU)
		python_put(v, d, KEY_cpu, python_sample_number(s->cpu));
	python_put(v, d, KEY_ip, python_sample_number(s->ip));
	if (type & PERF_SAMPLE_TIME)
		python_put(v, d, KEY_time, python_sample_number(s->time));
	python_put(v, d, KEY_period, python_sample_number(ss->period));
	python_put(v, d, KEY_values, python_sample_read_list(f, ss));
	python_put(v, d, KEY_cpumode,
		   python_sample_number(s->misc & PERF_RECORD_MISC_CPUMODE_MASK));
	if (type & ~(uint64_t)USUAL)
		put_rest(p, d, ss);
	return d;
}

/* "   AX:0x1    SP:0x2 " */
static PyObject *regs_text(struct python_samples *p, const struct sample_regs *r)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	const struct arch *arch;
	size_t n = 0;

	if (!r->abi || !r->mask)
		return python_string("");
	arch = sample_arch_find(&p->arch, p->session, r->mask);
	for (uint64_t left = r->mask; left && n < r->values.n; left &= left - 1) {
		const char *name = arch_register_name(arch, (unsigned)__builtin_ctzll(left));

		text_addf(&t, "%5s:0x%" PRIx64 " ", name ? name : "unknown",
			  words_get(&r->values, n++));
	}
	return python_text(t.chars, t.length);
}

static void put_outer(struct python_samples *p, PyObject *d, const struct python_sample_form *f,
		      const struct session_sample *ss)
{
	const struct sample *s = ss->sample;
	struct python_values *v = p->values;

	python_put(v, d, KEY_sample, inner_dict(p, f, ss));
	if (s->raw_size)
		python_put(
			v, d, KEY_raw_buf,
			PyBytes_FromStringAndSize((const char *)s->raw, (Py_ssize_t)s->raw_size));
	python_put_kept(v, d, KEY_comm,
			python_values_comm(v, p->session, s->pid, s->tid, ss->time));
	python_put(v, d, KEY_callchain, python_chain_list(p->chain, ss));
	python_put(v, d, KEY_brstack, python_branches(v, p->session, ss));
	python_put(v, d, KEY_brstacksym, python_branch_symbols(v, p->session, ss));
	if (s->intr_regs.mask)
		python_put(v, d, KEY_iregs, regs_text(p, &s->intr_regs));
	if (s->user_regs.mask)
		python_put(v, d, KEY_uregs, regs_text(p, &s->user_regs));
}

PyObject *python_sample_dict(struct python_samples *p, const struct python_sample_form *f,
			     const struct session_sample *ss)
{
	static const struct place_keys keys = { KEY_dso,         KEY_dso_bid,   KEY_dso_map_start,
						KEY_dso_map_end, KEY_map_pgoff, KEY_symbol,
						KEY_symoff };
	const struct sample *s = ss->sample;
	enum python_place place = PLACE_NONE;
	const struct python_spot *spot = NULL;
	struct python_image *im;
	struct location loc;
	PyObject *d;

	if (machine_locate(p->session, s->pid, address_mode_of(s->misc), s->ip, ss->time, &loc) &&
	    loc.map->image) {
		spot = python_values_spot(p->values, &loc, &im);
		place = spot->symbol ? PLACE_SYMBOL : PLACE_IMAGE;
	}
	d = f->whole[place] ? PyDict_Copy(f->whole[place]) : NULL;
	if (!d)
		return NULL;
	if (spot)
		python_sample_put_place(p->values, d, &loc, spot, im, &keys);
	put_outer(p, d, f, ss);
	return d;
}

#endif
