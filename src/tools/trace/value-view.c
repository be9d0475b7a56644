/* SPDX-License-Identifier: MIT */
#include "tools/trace/value-view.h"

#include <string.h>

#include "base/escape.h"
#include "base/text.h"
#include "tools/trace/value-out-view.h"
#include "view/json.h"

static struct value_out out_for(const struct trace_call *c, const struct trace_value_style *style)
{
	return (struct value_out){ .style = style, .call = c, .abi = c->abi };
}

/* Returns the value of an argument. The rest of the register is undefined. */
static uint64_t arg_word(const struct trace_call *c, const struct syscall_arg *a, unsigned i)
{
	return a->bytes == 4 ? (uint32_t)c->args[i] : c->args[i];
}

/* Returns the type of argument @i, which may depend on a command. */
static const struct syscall_arg *arg_of(const struct trace_call *c, unsigned i)
{
	return c->desc->n_variants ? syscall_arg_of(c->desc, i, c->args) : &c->desc->args[i];
}

/*
 * True if 0 has a name that is worth showing: for commands, and PROT_NONE; but not for the default
 * among flags (O_RDONLY), nor for the protocol that belongs to a family.
 */
static bool zero_has_name(const struct syscall_arg *a)
{
	const struct value_table *t = a->values;
	const char *name;

	if (!t || (a->kind != ARG_ENUM && a->kind != ARG_FLAGS))
		return false;
	name = value_table_name(t, 0);
	if (a->kind == ARG_ENUM)
		return name && strcmp(t->name, "socket_protocols");
	return name && !strcmp(name, "NONE");
}

static bool trace_value_is_shown(const struct trace_call *c, unsigned i,
				 const struct trace_value_style *style)
{
	const struct syscall_arg *a = arg_of(c, i);

	if (a->is_hidden)
		return false;
	if (arg_word(c, a, i) || !style->shows_names || style->shows_zeros)
		return true;
	return zero_has_name(a) || c->desc->args[i].kind == ARG_FCNTL_ARG;
}

static void write_arg(struct value_out *o, unsigned i)
{
	const struct syscall_arg *a = arg_of(o->call, i);
	struct value_word w = { .value = arg_word(o->call, a, i),
				.kind = a->kind,
				.bytes = a->bytes,
				.values = a->values };

	if (a->kind < ARG_PATH || !w.value || !out_memory(o, i, a))
		out_word(o, &w);
}

bool trace_arg_text(struct text *out, const struct trace_call *c, unsigned arg,
		    const struct trace_value_style *style)
{
	struct value_out o = out_for(c, style);

	if (!c->desc || arg >= c->desc->n_args || c->desc->args[arg].is_hidden)
		return false;
	o.text = out;
	write_arg(&o, arg);
	return true;
}

bool trace_enum_text(struct text *out, const char *type, uint64_t value,
		     const struct trace_value_style *style)
{
	const struct value_table *t = NULL;
	const char *name = NULL;

	if (style->enumeration && !strncmp(type, "enum ", 5))
		t = style->enumeration(style->btf, type + 5);
	for (size_t i = 0; t && !name && i < t->n; i++)
		if (t->names[i].value == value || (uint32_t)t->names[i].value == value)
			name = t->names[i].name;
	if (name)
		escape_terminal(out, name, strlen(name));
	return name;
}

/* Writes a number of unknown type. Large ones are most likely pointers. */
static void unknown_word(struct value_out *o, uint64_t v)
{
	if ((int64_t)v == (int32_t)v)
		out_signed(o, (int32_t)v);
	else
		out_hex(o, v);
}

/* Writes the text before the value of an argument. */
static void begin_text(struct value_out *o, const char *name)
{
	size_t n = o->style->shows_names ? strlen(name) : 0;
	char *at = text_room(o->text, n + strlen(", : "));

	if (o->is_filled)
		at = mempcpy(at, ", ", 2);
	o->is_filled = true;
	if (n) {
		at = mempcpy(at, name, n);
		at = mempcpy(at, ": ", 2);
	}
	text_filled(o->text, at);
}

static void unknown_args_text(struct value_out *o)
{
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++) {
		const char name[] = { 'a', 'r', 'g', (char)('0' + i), '\0' };

		if (!o->call->args[i] && o->style->shows_names && !o->style->shows_zeros)
			continue;
		begin_text(o, name);
		unknown_word(o, o->call->args[i]);
	}
}

void trace_args_text(struct text *out, const struct trace_call *c,
		     const struct trace_value_style *style)
{
	struct value_out o = out_for(c, style);
	unsigned unused;

	o.text = out;
	if (!c->desc) {
		unknown_args_text(&o);
		return;
	}
	unused = value_unused(c);
	for (unsigned i = 0; i < c->desc->n_args; i++) {
		if (unused >> i & 1 || !trace_value_is_shown(c, i, style))
			continue;
		begin_text(&o, c->desc->args[i].name);
		write_arg(&o, i);
		o.is_filled = true;
	}
}

static void unknown_args_json(struct value_out *o)
{
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++) {
		json_key(o->json, (const char[]){ 'a', 'r', 'g', (char)('0' + i), '\0' });
		unknown_word(o, o->call->args[i]);
	}
}

static void args_json(struct value_out *o)
{
	unsigned unused = value_unused(o->call);
	bool is_any_cut = false;

	for (unsigned i = 0; i < o->call->desc->n_args; i++) {
		if (o->call->desc->args[i].is_hidden || unused >> i & 1)
			continue;
		json_key(o->json, o->call->desc->args[i].name);
		o->is_cut = false;
		write_arg(o, i);
		is_any_cut |= o->is_cut;
	}
	o->is_cut = is_any_cut;
}

void trace_args_json(struct json *j, const struct trace_call *c,
		     const struct trace_value_style *style)
{
	struct value_out o = out_for(c, style);

	o.json = j;
	json_key(j, "args");
	json_object(j);
	if (c->desc)
		args_json(&o);
	else
		unknown_args_json(&o);
	json_end(j, '}');
	if (o.is_cut)
		json_member_bool(j, "cut", true);
}
