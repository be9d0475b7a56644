/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/digits.h"
#include "base/escape.h"
#include "session/call-sites.h"
#include "runtime/functions.h"
#include "session/consumer.h"
#include "symbol/runtime-names.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"
#include "tools/trace/line-view.h"
#include "tools/trace/writer-view.h"

/* The indentation of frames, which are below the calls. */
#define INDENT 39

bool trace_stack_take(struct trace_lines *l, const struct session_sample *s)
{
	unsigned max = l->style.max_stack ? l->style.max_stack : TRACE_MAX_STACK;

	l->chain.n = 0;
	if (!l->session || (!s->sample->chain.n && !s->sample->stack_size))
		return true;
	call_chain_take(&l->chain, l->session, s->sample, s->time, max);
	call_chain_mark_unwound(&l->chain, &s->event->attr);
	return l->chain.n >= l->style.min_stack;
}

/*
 * Returns the function of entry @i. For a caller, it is that of the call, which precedes its
 * address.
 */
static const struct symbol *trace_stack_function_of(struct trace_lines *l,
						    const struct session_sample *s,
						    const struct location *loc, size_t i)
{
	struct image *im = loc->map->image;
	const struct symbol *sym = image_symbol_find(im, loc->image_addr), *call;

	if (!l->chain.items[i].is_return)
		return sym;
	call = image_symbol_find(im, loc->image_addr - 1);
	if (call && call != sym &&
	    call_chain_is_call(&l->chain, l->session, s->sample->pid, s->time, i))
		return call;
	return sym;
}

struct stack_taker {
	void (*take)(void *arg, const struct trace_frame *f);
	void *arg;
};

static void take_inlined(const struct location *loc, struct trace_frame f,
			 const struct stack_taker *to)
{
	struct source_frames all = image_code_frames(loc->map->image, loc->image_addr);

	f.is_inlined = true;
	for (size_t i = 0; i + 1 < all.n; i++) {
		f.function = all.items[i].sym->name;
		to->take(to->arg, &f);
	}
}

/* Sets the function that is interpreted at @f->addr: its image is in no map of the process. */
static void trace_stack_set_interpreted(const struct trace_lines *l, struct trace_frame *f)
{
	struct runtime_found found;

	if (!l->symbols || !symbolizer_find_interpreted(l->symbols, f->addr, &found, &f->file))
		return;
	f->function = found.name;
}

static void trace_stack_take_entry(struct trace_lines *l, const struct session_sample *s, size_t i,
				   const struct stack_taker *to)
{
	const struct chain_entry *e = &l->chain.items[i];
	enum inlines inlines = inlines_of(INLINES_UNWOUND, &s->event->attr);
	struct trace_frame f = { .addr = e->ip, .image_addr = e->ip };
	const struct symbol *sym;
	struct location loc;

	if (machine_locate(l->session, s->sample->pid, e->mode, e->ip, s->time, &loc)) {
		sym = trace_stack_function_of(l, s, &loc, i);
		f.image_addr = loc.image_addr;
		f.function = sym ? sym->name : NULL;
		f.file = image_long_name(loc.map->image);
		if (sym && inlines_are_shown(inlines, e->mode))
			take_inlined(&loc, f, to);
	} else if (e->mode == ADDRESS_USER) {
		trace_stack_set_interpreted(l, &f);
	}
	to->take(to->arg, &f);
}

void trace_stack_each(struct trace_lines *l, const struct session_sample *s,
		      void (*take)(void *arg, const struct trace_frame *f), void *arg)
{
	struct stack_taker to = { take, arg };

	for (size_t i = 0; i < l->chain.n; i++)
		trace_stack_take_entry(l, s, i, &to);
}

static void trace_stack_add_frame(void *arg, const struct trace_frame *f)
{
	struct trace_lines *l = arg;
	struct text *t = &l->text;

	text_filled(t, (char *)memset(text_room(t, INDENT), ' ', INDENT) + INDENT);
	if (f->function) {
		escape_terminal(t, f->function, strlen(f->function));
	} else {
		text_add(t, f->image_addr ? "[0x" : "[");
		text_filled(t, digits_hex(text_room(t, DIGITS_MAX), f->image_addr));
		text_add_char(t, ']');
	}
	if (f->is_inlined) {
		text_add(t, " (inlined)\n");
		return;
	}
	text_add(t, " (");
	if (f->file)
		escape_terminal(t, f->file, strlen(f->file));
	else
		text_add(t, "[unknown]");
	text_add(t, ")\n");
}

void trace_stack_text(struct trace_lines *l, const struct session_sample *s)
{
	trace_stack_each(l, s, trace_stack_add_frame, l);
}
