/* SPDX-License-Identifier: MIT */
#include "tools/script/python/values.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/build-id.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "session/machine.h"
#include "symbol/symbolizer.h"
#include "tools/script/python/chain.h"
#include "tools/script/python/text.h"
#include "wire/data-source.h"

#if HAVE_LIBPYTHON

/* The maximum number of places. Each takes about 300 bytes. */
#define PLACES_MAX 300000

void python_values_init(struct python_values *v)
{
	static const char *const names[] = {
#define PYTHON_KEY(name) #name,
#include "tools/script/python/keys.def"
#undef PYTHON_KEY
	};

	*v = (struct python_values){ 0 };
	for (size_t i = 0; i < KEY_MAX; i++)
		v->keys[i] = PyUnicode_InternFromString(names[i]);
	v->empty = python_string("");
}

static uint64_t python_values_key_of(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

static void drop_text(void *arg, uint64_t key, void *value)
{
	(void)arg;
	(void)key;
	Py_XDECREF((PyObject *)value);
}

static void drop_spot(void *arg, uint64_t key, void *value)
{
	struct python_spot *s = value;

	(void)arg;
	(void)key;
	Py_XDECREF(s->symbol);
	Py_XDECREF(s->symoff);
	Py_XDECREF(s->sum);
	free(s);
}

static void drop_all(struct u64_map *m, void (*drop)(void *arg, uint64_t key, void *value))
{
	u64_map_for_each(m, drop, NULL);
	u64_map_done(m);
	*m = (struct u64_map){ 0 };
}

static void drop_image(void *arg, uint64_t key, void *value)
{
	struct python_image *im = value;

	(void)arg;
	(void)key;
	drop_all(&im->names, drop_text);
	drop_all(&im->spots, drop_spot);
	for (size_t i = 0; i < ARRAY_SIZE(im->frames); i++)
		drop_all(&im->frames[i], python_frames_drop);
	for (size_t i = 0; i < ARRAY_SIZE(im->functions); i++)
		drop_all(&im->functions[i], python_function_drop);
	Py_XDECREF(im->dso);
	Py_XDECREF(im->build_id);
	free(im);
}

static void drop_map(void *arg, uint64_t key, void *value)
{
	struct python_map *m = value;

	(void)arg;
	(void)key;
	Py_XDECREF(m->start);
	Py_XDECREF(m->end);
	Py_XDECREF(m->pgoff);
	free(m);
}

void python_values_done(struct python_values *v)
{
	drop_all(&v->comms, drop_text);
	drop_all(&v->sources, drop_text);
	drop_all(&v->images, drop_image);
	drop_all(&v->maps, drop_map);
	for (size_t i = 0; i < KEY_MAX; i++)
		Py_XDECREF(v->keys[i]);
	Py_XDECREF(v->empty);
	Py_XDECREF(v->seconds_value);
}

void python_values_trim(struct python_values *v)
{
	if (v->n_places < PLACES_MAX)
		return;
	drop_all(&v->images, drop_image);
	drop_all(&v->sources, drop_text);
	v->n_places = 0;
}

/*
 * Returns the str of a name. It is cached by pointer, because texts of the session stay and never
 * change.
 */
static PyObject *python_values_comm_text(struct python_values *v, const char *comm)
{
	PyObject *text = u64_map_find(&v->comms, python_values_key_of(comm));

	if (text)
		return text;
	text = python_string(comm);
	if (text)
		u64_map_put(&v->comms, python_values_key_of(comm), text);
	return text;
}

PyObject *python_values_comm(struct python_values *v, const struct session *s, uint32_t pid,
			     uint32_t tid, uint64_t time)
{
	struct python_task *t = &v->tasks[tid % PYTHON_TASKS];
	uint64_t generation = machine_generation(s);

	if (t->comm && t->pid == pid && t->tid == tid && t->generation == generation &&
	    span_has(&t->span, time))
		return t->comm;
	t->pid = pid;
	t->tid = tid;
	t->generation = generation;
	t->comm = python_values_comm_text(v, machine_comm_span(s, pid, tid, time, &t->span));
	return t->comm;
}

PyObject *python_values_seconds(struct python_values *v, uint64_t time)
{
	uint64_t seconds = time / 1000000000;

	if (!v->seconds_value || v->seconds != seconds) {
		Py_XDECREF(v->seconds_value);
		v->seconds = seconds;
		v->seconds_value = PyLong_FromUnsignedLongLong(seconds);
	}
	Py_XINCREF(v->seconds_value);
	return v->seconds_value;
}

PyObject *python_values_data_source(struct python_values *v, uint64_t data_src)
{
	PyObject *text = u64_map_find(&v->sources, data_src);
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (text)
		return text;
	data_source_text(&t, data_src);
	text = python_text(t.chars, t.length);
	if (text)
		u64_map_put(&v->sources, data_src, text);
	v->n_places++;
	return text;
}

struct python_image *python_values_image(struct python_values *v, struct image *im)
{
	struct python_image *p = u64_map_find(&v->images, python_values_key_of(im));
	char hex[BUILD_ID_TEXT_MAX];

	if (p)
		return p;
	p = xcalloc(1, sizeof(*p));
	p->image = im;
	p->dso = python_string(image_long_name(im));
	p->build_id = image_build_id(im)->size
			      ? python_string(build_id_format(image_build_id(im), hex))
			      : python_string("");
	u64_map_put(&v->images, python_values_key_of(im), p);
	return p;
}

PyObject *python_image_name(struct python_image *im, const struct symbol *sym)
{
	PyObject *name = u64_map_find(&im->names, python_values_key_of(sym));

	if (name)
		return name;
	name = python_string(sym->name);
	if (name)
		u64_map_put(&im->names, python_values_key_of(sym), name);
	return name;
}

const struct python_map *python_values_map(struct python_values *v, const struct map *m)
{
	struct python_map *p = u64_map_find(&v->maps, python_values_key_of(m));

	if (p)
		return p;
	p = xcalloc(1, sizeof(*p));
	p->start = PyLong_FromUnsignedLongLong(m->start);
	p->end = PyLong_FromUnsignedLongLong(m->end);
	/* For the kernel, it is an address and not an offset. */
	p->pgoff = PyLong_FromUnsignedLongLong(image_is_file(m->image) ? m->pgoff : 0);
	u64_map_put(&v->maps, python_values_key_of(m), p);
	return p;
}

struct python_spot *python_values_spot(struct python_values *v, const struct location *loc,
				       struct python_image **ret_image)
{
	struct image *im = loc->map->image;
	struct python_image *known = u64_map_find(&v->images, python_values_key_of(im));
	struct python_spot *s = known ? u64_map_find(&known->spots, loc->image_addr) : NULL;
	const struct symbol *sym;

	if (s) {
		*ret_image = known;
		return s;
	}
	/* The kernel's image has its final name only after its symbols were looked up. */
	sym = image_symbol_find(im, loc->image_addr);
	known = python_values_image(v, im);
	s = xcalloc(1, sizeof(*s));
	if (sym) {
		s->symbol = python_image_name(known, sym);
		Py_XINCREF(s->symbol);
		s->symoff = PyLong_FromUnsignedLongLong(loc->image_addr - sym->start);
	}
	u64_map_put(&known->spots, loc->image_addr, s);
	v->n_places++;
	*ret_image = known;
	return s;
}

PyObject *python_values_sum(struct python_values *v, const struct location *loc)
{
	struct python_image *im;
	struct python_spot *s = python_values_spot(v, loc, &im);
	const struct symbol *sym;
	_cleanup_(freep) char *text = NULL;

	if (s->sum)
		return s->sum;
	sym = image_symbol_find(im->image, loc->image_addr);
	text = sym ? xasprintf("%s+0x%" PRIx64, sym->name, loc->image_addr - sym->start)
		   : xstrdup("[unknown]");
	s->sum = python_string(text);
	return s->sum;
}

void python_put_kept(const struct python_values *v, PyObject *dict, enum python_key key,
		     PyObject *value)
{
	if (value && dict)
		PyDict_SetItem(dict, v->keys[key], value);
}

void python_put(const struct python_values *v, PyObject *dict, enum python_key key, PyObject *value)
{
	python_put_kept(v, dict, key, value);
	Py_XDECREF(value);
}

#endif
