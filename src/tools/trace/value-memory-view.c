/* SPDX-License-Identifier: MIT */
/*
 * Decodes the memory of arguments: strings, buffers, arrays; structs and the rest are decoded
 * elsewhere.
 */
#include <string.h>

#include "tools/trace/value-out-view.h"

const struct call_data *value_data(const struct value_out *o, unsigned arg, unsigned part)
{
	const struct call_data *newest = NULL;

	for (size_t i = 0; i < o->call->n_data; i++) {
		const struct call_data *d = &o->call->data[i];

		if (d->arg == arg && d->part == part && !(d->flags & CALL_DATA_FAULT))
			newest = d;
	}
	return newest;
}

unsigned value_long_bytes(const struct value_out *o)
{
	return o->abi == SYSCALL_ABI_I386 || o->abi == SYSCALL_ABI_ARM ? 4 : 8;
}

static bool trace_value_memory_has_more(const struct call_data *d)
{
	return d->flags & CALL_DATA_MORE;
}

static void trace_value_memory_string(struct value_out *o, const struct call_data *d)
{
	out_string(o, d->bytes, strnlen((const char *)d->bytes, d->size),
		   trace_value_memory_has_more(d));
}

/* True if there is a piece, even one that could not be read. */
static bool has_piece(const struct value_out *o, unsigned arg, unsigned part)
{
	for (size_t i = 0; i < o->call->n_data; i++)
		if (o->call->data[i].arg == arg && o->call->data[i].part == part)
			return true;
	return false;
}

/* Writes argv. An empty piece with CALL_DATA_MORE, or one that could not be read, ends it. */
static void trace_value_memory_strings(struct value_out *o, unsigned arg)
{
	const struct call_data *d;
	unsigned i = 0;

	out_array_begin(o);
	for (; (d = value_data(o, arg, i)) && (d->size || !trace_value_memory_has_more(d)); i++) {
		out_element(o);
		trace_value_memory_string(o, d);
	}
	out_array_end(o, has_piece(o, arg, i));
}

static void trace_value_memory_numbers(struct value_out *o, const struct call_data *d,
				       unsigned bytes)
{
	bytes = bytes && bytes <= 8 ? bytes : 4;
	out_array_begin(o);
	for (size_t at = 0; at + bytes <= d->size; at += bytes) {
		out_element(o);
		out_signed(o, value_sign(value_load(d->bytes + at, bytes), bytes));
	}
	out_array_end(o, trace_value_memory_has_more(d) || d->size % bytes);
}

/* True if the pointer points to a number, as in wait4() and setsockopt(). */
static bool trace_value_memory_is_number(const struct syscall_arg *a, const struct call_data *d,
					 const char *name)
{
	return d->size == 4 && !strcmp(a->name, name);
}

static void numbers_or_status(struct value_out *o, const struct syscall_arg *a,
			      const struct call_data *d)
{
	if (trace_value_memory_is_number(a, d, "stat_addr"))
		out_wait_status(o, (uint32_t)value_load(d->bytes, 4));
	else
		trace_value_memory_numbers(o, d, a->element_bytes);
}

static void trace_value_memory_buffer(struct value_out *o, const struct syscall_arg *a,
				      const struct call_data *d)
{
	if (trace_value_memory_is_number(a, d, "optval"))
		trace_value_memory_numbers(o, d, 4);
	else
		out_buffer(o, d->bytes, d->size, trace_value_memory_has_more(d));
}

/* Returns the layout of BTF, if it is preferred or if there is no other. */
static const struct struct_layout *layout_of(const struct value_out *o,
					     const struct struct_layout *l)
{
	const struct struct_layout *other = l && o->style->prefers_btf && o->style->layout
						    ? o->style->layout(o->style->btf, l->name)
						    : NULL;

	return other ? other : l;
}

static bool trace_value_memory_structs(struct value_out *o, const struct syscall_arg *a,
				       const struct call_data *d)
{
	const struct struct_layout *l = layout_of(o, a->layout);

	if (!l || !l->size)
		return false;
	if (a->kind == ARG_STRUCTS)
		out_structs(o, l, d);
	else
		out_struct(o, l, d->bytes, d->size);
	return true;
}

bool out_memory(struct value_out *o, unsigned arg, const struct syscall_arg *a)
{
	const struct call_data *d = value_data(o, arg, 0);

	if (!d)
		return false;
	switch ((enum arg_kind)a->kind) {
	case ARG_PATH:
	case ARG_STRING:
		trace_value_memory_string(o, d);
		break;
	case ARG_BUFFER:
		trace_value_memory_buffer(o, a, d);
		break;
	case ARG_STRINGS:
		trace_value_memory_strings(o, arg);
		break;
	case ARG_NUMBERS:
		numbers_or_status(o, a, d);
		break;
	case ARG_SOCKADDR:
		out_sockaddr(o, d->bytes, d->size);
		break;
	case ARG_SIGSET:
		out_sigset(o, d->bytes, d->size);
		break;
	case ARG_FDSET:
		out_fdset(o, d->bytes, d->size, o->call->args[0]);
		break;
	case ARG_IOVEC:
		out_iovec(o, arg, 0);
		break;
	case ARG_MSGHDR:
		out_msghdr(o, arg, d);
		break;
	case ARG_MMSGHDR:
		out_mmsghdr(o, arg, d);
		break;
	case ARG_DIRENTS:
		out_dirents(o, d);
		break;
	default:
		return trace_value_memory_structs(o, a, d);
	}
	return true;
}
