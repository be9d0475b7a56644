/* SPDX-License-Identifier: MIT */
#include "tools/script/python/chain.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "profile/source-text.h"
#include "session/call-chain-lbr.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"
#include "tools/script/python/text.h"
#include "tools/script/python/values.h"

#if HAVE_LIBPYTHON

/*
 * The dictionaries of a function, without what differs between its places. They are few, so that
 * they stay in caches.
 */
struct python_function {
	PyObject *entry, *sym; /* sym: NULL if there is no function */
};

/* The frames of a place: one function, or several if functions are inlined. */
struct python_frames {
	size_t n;
	bool is_divided; /* the function of the call differs from that of the address */
	struct {
		struct python_function *function;
		bool is_own;                 /* an inlined one, which is not shared */
		PyObject *sym_off, *srcline; /* NULL: the function has no such key */
	} items[];
};

/* Bits of the index in python_image.frames. */
enum {
	STYLE_CALL = 1 << 0,  /* use the function of the call before the address */
	STYLE_LINES = 1 << 1, /* with the line, and inlined functions */
};

void python_chain_init(struct python_chain *c, struct session *s, struct python_values *v,
		       uint64_t max, enum inlines inlines)
{
	*c = (struct python_chain){ .session = s, .values = v, .max = max, .inlines = inlines };
}

void python_chain_done(struct python_chain *c)
{
	call_chain_done(&c->chain);
}

void python_function_drop(void *arg, uint64_t key, void *value)
{
	struct python_function *f = value;

	(void)arg;
	(void)key;
	Py_XDECREF(f->entry);
	Py_XDECREF(f->sym);
	free(f);
}

void python_frames_drop(void *arg, uint64_t key, void *value)
{
	struct python_frames *f = value;

	(void)arg;
	(void)key;
	for (size_t i = 0; i < f->n; i++) {
		if (f->items[i].is_own)
			python_function_drop(NULL, 0, f->items[i].function);
		Py_XDECREF(f->items[i].sym_off);
		Py_XDECREF(f->items[i].srcline);
	}
	free(f);
}

/*
 * Returns the dictionary of a function. An inlined function has its own name, and the place of the
 * function around it.
 */
static PyObject *symbol_dict(const struct python_values *v, const struct symbol *sym,
			     const char *name)
{
	PyObject *d = PyDict_New();

	python_put(v, d, KEY_start, PyLong_FromUnsignedLongLong(sym->start));
	python_put(v, d, KEY_end, PyLong_FromUnsignedLongLong(sym->end));
	python_put(v, d, KEY_binding, PyLong_FromLong(symbol_elf_binding(sym)));
	python_put(v, d, KEY_name, python_string(name));
	return d;
}

static PyObject *line_text(const struct source_line *at)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	if (!at->file)
		return python_string(SOURCE_UNKNOWN);
	source_line_text(at, false, &t);
	return python_text(t.chars, t.length);
}

struct script_python_chain_place {
	struct python_image *image;
	uint64_t addr; /* in the image, as shown */
	const struct symbol *sym;
	unsigned style;
};

/* Makes the dictionaries with all keys in their order; the values of places are set later. */
static struct python_function *python_function_make(const struct python_values *v,
						    const struct script_python_chain_place *p,
						    const char *name)
{
	struct python_function *f = xcalloc(1, sizeof(*f));

	f->entry = PyDict_New();
	python_put_kept(v, f->entry, KEY_ip, v->empty);
	if (p->sym) {
		f->sym = symbol_dict(v, p->sym, name);
		python_put_kept(v, f->entry, KEY_sym, f->sym);
		python_put_kept(v, f->entry, KEY_sym_off, v->empty);
		if (p->style & STYLE_LINES)
			python_put_kept(v, f->entry, KEY_sym_srcline, v->empty);
	}
	python_put_kept(v, f->entry, KEY_dso, p->image->dso);
	return f;
}

/* Returns the dictionaries of the function at @p that is not inlined; NULL as its symbol is one. */
static struct python_function *python_function_at(const struct python_values *v,
						  const struct script_python_chain_place *p)
{
	struct u64_map *functions = &p->image->functions[!!(p->style & STYLE_LINES)];
	struct python_function *f = u64_map_find(functions, (uint64_t)(uintptr_t)p->sym);

	if (f)
		return f;
	f = python_function_make(v, p, p->sym ? p->sym->name : NULL);
	u64_map_put(functions, (uint64_t)(uintptr_t)p->sym, f);
	return f;
}

/* Adds what is shown for @p. @inlined: the name of the function that is inlined there, or NULL. */
static void python_chain_add_frame(struct python_frames *f, const struct python_values *v,
				   const struct script_python_chain_place *p, const char *inlined,
				   const struct source_line *at)
{
	size_t i = f->n++;

	f->items[i].is_own = inlined;
	f->items[i].function = inlined ? python_function_make(v, p, inlined)
				       : python_function_at(v, p);
	if (!p->sym)
		return;
	f->items[i].sym_off = PyLong_FromUnsignedLongLong(p->addr - p->sym->start);
	if (p->style & STYLE_LINES)
		f->items[i].srcline = line_text(at);
}

static struct python_frames *frames_make(struct python_values *v, const struct location *loc,
					 unsigned style)
{
	struct image *im = loc->map->image;
	uint64_t addr = loc->image_addr - !!(style & STYLE_CALL);
	const struct symbol *sym = image_symbol_find(im, addr);
	bool is_divided = style & STYLE_CALL && sym != image_symbol_find(im, loc->image_addr);
	struct source_frames all = { 0 };
	struct source_line at = { 0 };
	struct python_frames *f;
	struct script_python_chain_place p;

	if (style & STYLE_LINES && sym)
		all = image_code_frames(im, addr);
	p = (struct script_python_chain_place){ python_values_image(v, im), loc->image_addr, sym,
						style };
	f = xcalloc(1, sizeof(*f) + (all.n + 1) * sizeof(f->items[0]));
	f->is_divided = is_divided;
	for (size_t i = 0; i + 1 < all.n; i++)
		python_chain_add_frame(f, v, &p,
				       all.items[i].sym ? all.items[i].sym->name : "[unknown]",
				       &all.items[i].at);
	if (all.n)
		at = all.items[all.n - 1].at;
	else if (style & STYLE_LINES)
		image_source_line(im, addr, &at);
	python_chain_add_frame(f, v, &p, NULL, &at);
	v->n_places += f->n;
	return f;
}

static struct python_frames *frames_at(struct python_values *v, const struct location *loc,
				       unsigned style)
{
	struct python_image *im = u64_map_find(&v->images, (uint64_t)(uintptr_t)loc->map->image);
	struct python_frames *f;

	if (im) {
		f = u64_map_find(&im->frames[style], loc->image_addr);
		if (f)
			return f;
	}
	f = frames_make(v, loc, style);
	im = python_values_image(v, loc->map->image);
	u64_map_put(&im->frames[style], loc->image_addr, f);
	return f;
}

/*
 * Returns the frames of an entry. An entry that follows another one is its caller, with few
 * exceptions, as in the text output.
 */
static struct python_frames *python_chain_frames_of(struct python_chain *c,
						    const struct session_sample *ss,
						    const struct location *loc, size_t i,
						    unsigned style)
{
	struct python_frames *f;

	if (!c->chain.items[i].is_return)
		return frames_at(c->values, loc, style);
	f = frames_at(c->values, loc, style | STYLE_CALL);
	if (!f->is_divided ||
	    call_chain_is_call(&c->chain, c->session, ss->sample->pid, ss->time, i))
		return f;
	return frames_at(c->values, loc, style);
}

static void python_chain_add_frames(const struct python_chain *c, PyObject **list,
				    const struct python_frames *f, PyObject *ip)
{
	const struct python_values *v = c->values;

	for (size_t i = 0; *list && i < f->n; i++) {
		const struct python_function *function = f->items[i].function;
		PyObject *entry = PyDict_Copy(function->entry);

		python_put_kept(v, entry, KEY_ip, ip);
		if (function->sym)
			python_put(v, entry, KEY_sym, PyDict_Copy(function->sym));
		python_put_kept(v, entry, KEY_sym_off, f->items[i].sym_off);
		python_put_kept(v, entry, KEY_sym_srcline, f->items[i].srcline);
		python_append(list, entry);
	}
}

static void python_chain_add_entry(struct python_chain *c, const struct session_sample *ss,
				   PyObject **list, size_t i, enum inlines inlines)
{
	const struct chain_entry *e = &c->chain.items[i];
	_cleanup_(python_unrefp) PyObject *ip = PyLong_FromUnsignedLongLong(e->ip);
	struct location loc;

	if (machine_locate(c->session, ss->sample->pid, e->mode, e->ip, ss->time, &loc) &&
	    loc.map->image) {
		unsigned style = inlines_are_shown(inlines, e->mode) ? STYLE_LINES : 0;

		python_chain_add_frames(c, list, python_chain_frames_of(c, ss, &loc, i, style), ip);
	} else {
		PyObject *entry = PyDict_New();

		python_put_kept(c->values, entry, KEY_ip, ip);
		python_append(list, entry);
	}
}

/* Takes the call chain in the same way as view/script. */
static void python_chain_take(struct python_chain *c, const struct session_sample *ss,
			      enum inlines inlines)
{
	const struct attr *a = &ss->event->attr;

	if (!call_chain_is_lbr(a) || !call_chain_take_lbr(&c->chain, ss->sample, c->max))
		call_chain_take(&c->chain, c->session, ss->sample, ss->time, c->max);
	call_chain_mark_unwound(&c->chain, a);
	if (inlines == INLINES_ALL)
		call_chain_enter_calls(&c->chain, c->session, ss->sample->pid, ss->time);
}

PyObject *python_chain_list(struct python_chain *c, const struct session_sample *ss)
{
	enum inlines inlines = inlines_of(c->inlines, &ss->event->attr);
	PyObject *list = PyList_New(0);

	if (!list || !c->max || !(ss->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
		return list;
	python_chain_take(c, ss, inlines);
	for (size_t i = 0; list && i < c->chain.n; i++)
		python_chain_add_entry(c, ss, &list, i, inlines);
	return list;
}

#endif
