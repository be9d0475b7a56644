/* SPDX-License-Identifier: MIT */
/* Writes a value in the notation of the kernel's probes (Documentation/trace/kprobetrace.rst). */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arch/probe-registers.h"
#include "base/c-type.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "probe/fetch-value.h"
#include "probe/probe-def.h"
#include "probe/trace-probe.h"

/* The most bytes that the kernel reads at once. */
#define BYTES_MAX 8

/* Returns the operand at which the steps begin; NULL with the diag. The caller frees it. */
static char *base_text(const struct fetch *f, const struct fetch_value *v, size_t *ret_step)
{
	const char *name;

	*ret_step = 0;
	if (v->at.is_static) {
		*ret_step = 1;
		return fetch_static_text(f, v);
	}
	name = arch_probe_register(f->arch, v->at.reg);
	if (name)
		return xstrdup(name);
	probe_def_mark(f->def, f->arg->where, -ENODATA, f->diag,
		       "'%s' is in a register here that probes cannot read: DWARF's number %u",
		       v->name, v->at.reg);
	diag_hint(f->diag, "floating-point and vector registers are not saved for probes");
	return NULL;
}

/* Returns "+0(+48(%sp))": each step reads memory at the result of the one before it. */
static char *steps_text(const struct fetch *f, const struct fetch_value *v)
{
	size_t first;
	char *text = base_text(f, v, &first);

	for (size_t i = first; text && i < v->at.n_steps; i++) {
		bool is_user = f->arg->is_user && i >= v->own_steps;
		int64_t step = v->at.steps[i];
		char *outer = xasprintf("%c%s%" PRIu64 "(%s)", step < 0 ? '-' : '+',
					is_user ? "u" : "",
					step < 0 ? -(uint64_t)step : (uint64_t)step, text);

		free(text);
		text = outer;
	}
	return text;
}

/*
 * Refuses a value that is an address plus an offset, which the kernel can dereference but not
 * record.
 */
static int refuse_address(const struct fetch *f, const struct fetch_value *v)
{
	const struct c_type *type = c_type_bare(v->type);
	const char *reg = v->at.is_static ? NULL : arch_probe_register(f->arch, v->at.reg);

	if (reg && v->at.n_steps == 1)
		probe_def_mark(f->def, f->arg->where, -ENODATA, f->diag,
			       "'%s' is computed here (%s %+" PRId64 "), and probes record only "
			       "registers and memory",
			       v->name, reg, v->at.steps[0]);
	else
		probe_def_mark(f->def, f->arg->where, -ENODATA, f->diag,
			       "'%s' is computed here, and probes record only registers and memory",
			       v->name);
	if (type && type->kind == C_POINTER)
		diag_hint(f->diag, "what it points to can be had: %s->MEMBER or %s[0]", v->name,
			  v->name);
	return -ENODATA;
}

/* Explains why there is no value. */
int fetch_value_refuse(const struct fetch *f, const struct fetch_value *v)
{
	switch (v->at.where) {
	case VARIABLE_ADDRESS:
		return refuse_address(f, v);
	case VARIABLE_THREAD:
		return probe_def_mark(f->def, f->arg->where, -ENODATA, f->diag,
				      "'%s' is each thread's own, which probes cannot read",
				      v->name);
	case VARIABLE_UNFRAMED:
		probe_def_mark(f->def, f->arg->where, -ENODATA, f->diag,
			       "'%s' is in the stack frame, which the function has not made yet "
			       "at this address",
			       v->name);
		diag_hint(f->diag, "probe a line after the beginning of the function");
		return -ENODATA;
	case VARIABLE_NOWHERE:
		return probe_def_mark(f->def, f->arg->where, -ENODATA, f->diag,
				      "'%s' has no place at this address: it is optimised out here",
				      v->name);
	default:
		return probe_def_mark(f->def, f->arg->where, -ENODATA, f->diag,
				      "'%s' is computed here in a way that probes cannot follow",
				      v->name);
	}
}

static char *value_text(const struct fetch *f, const struct fetch_value *v)
{
	switch (v->at.where) {
	case VARIABLE_REGISTER:
	case VARIABLE_MEMORY:
		return steps_text(f, v);
	case VARIABLE_CONSTANT:
		return xasprintf("\\%" PRId64, (int64_t)v->at.value);
	default:
		fetch_value_refuse(f, v);
		return NULL;
	}
}

static bool is_power(uint64_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/*
 * True if the value needs a bit-field type, because the kernel has no type of its size, or because
 * it does not begin at bit 0 of its register.
 */
static bool needs_bits(const struct fetch_value *v, uint64_t bytes)
{
	return (v->at.where == VARIABLE_REGISTER && (v->in_register || v->bit_size)) ||
	       !is_power(bytes);
}

static char *bits_text(const struct fetch_value *v, uint64_t bytes)
{
	unsigned bits = v->bit_size ? v->bit_size : (unsigned)bytes * 8;
	unsigned offset = v->bit_offset + (unsigned)v->in_register * 8;
	unsigned unit = v->at.where == VARIABLE_REGISTER ? 64 : bytes <= 4 ? 32 : 64;

	return offset + bits > unit ? NULL : xasprintf("b%u@%u/%u", bits, offset, unit);
}

/*
 * Returns "s32" for int, with the sign of @sign if that is given. NULL: the kernel's default is
 * right.
 */
static char *number_type(const struct fetch_value *v, char sign)
{
	const struct c_type *type = c_type_bare(v->type);
	uint64_t bytes = type ? type->size : 0;

	if (v->bit_size && v->at.where != VARIABLE_REGISTER)
		return xasprintf("b%u@%u/%u", v->bit_size, v->bit_offset, v->bit_unit);
	if (bytes > BYTES_MAX)
		bytes = BYTES_MAX;
	if (!bytes && (v->in_register || v->bit_size))
		bytes = c_type_size(type);
	if (!bytes || type->kind == C_ARRAY)
		return NULL;
	if (needs_bits(v, bytes))
		return bits_text(v, bytes);
	if (!sign)
		sign = type->is_signed ? 's' : 'x';
	return xasprintf("%c%" PRIu64, sign, bytes * 8);
}

static bool is_text_type(const char *type)
{
	return !strcmp(type, "string") || !strcmp(type, "ustring");
}

static bool is_character(const struct c_type *type)
{
	type = c_type_bare(type);
	return type && type->size == 1 && (type->kind == C_CHARACTER || type->kind == C_INTEGER);
}

static int fetch_text_make(const struct fetch *f, struct fetch_value *v)
{
	const struct c_type *type = c_type_bare(v->type);
	bool is_pointer = type && type->kind == C_POINTER;

	if (!is_pointer && (!type || type->kind != C_ARRAY)) {
		_cleanup_(freep) char *text = c_type_text(v->type);

		return probe_def_mark(f->def, f->arg->where, -EINVAL, f->diag,
				      "this is of the type '%s', which is not a pointer or an "
				      "array: it cannot be a %s",
				      text, f->arg->type);
	}
	while (type && type->kind == C_ARRAY && c_type_bare(c_type_target(type)) &&
	       c_type_bare(c_type_target(type))->kind == C_ARRAY)
		type = c_type_bare(c_type_target(type));
	if (!is_character(c_type_target(type))) {
		_cleanup_(freep) char *text = c_type_text(v->type);

		return probe_def_mark(f->def, f->arg->where, -EINVAL, f->diag,
				      "this is a %s, not a %s", text, f->arg->type);
	}
	return is_pointer ? fetch_value_pointee(f, v) : 0;
}

/*
 * Makes the value an array. The kernel reads arrays from memory only: at the variable's location,
 * as Linux's perf does, or, if the variable is in a register, at the address that it points to.
 */
static int fetch_text_make_array(const struct fetch *f, struct fetch_value *v)
{
	const struct c_type *type = c_type_bare(v->type);

	if (v->at.where == VARIABLE_MEMORY)
		return 0;
	if (type && type->kind == C_POINTER)
		return fetch_value_pointee(f, v);
	return probe_def_mark(f->def, f->arg->where, -EINVAL, f->diag,
			      "'%s' is in a register here, and arrays are read from memory",
			      v->name);
}

/* Chooses the kernel's type: the requested one, or that of the variable. */
static int choose_type(const struct fetch *f, struct fetch_value *v, char **ret)
{
	const char *asked = f->arg->type;
	int r = 0;

	*ret = NULL;
	if (!asked || (strchr("xsu", asked[0]) && !asked[1])) {
		*ret = number_type(v, asked ? asked[0] : 0);
		return 0;
	}
	if (is_text_type(asked))
		r = fetch_text_make(f, v);
	else if (strchr(asked, '['))
		r = fetch_text_make_array(f, v);
	if (r >= 0)
		*ret = xstrdup(asked);
	return r;
}

int fetch_value_add(const struct fetch *f, struct fetch_value *v, char *name)
{
	_cleanup_(freep) char *owned = name, *type = NULL;
	int r = choose_type(f, v, &type);

	if (r < 0)
		return r;

	char *text = value_text(f, v);

	if (!text)
		return -ENODATA;

	struct trace_arg *a = trace_probe_add_arg(f->probe);

	a->name = TAKE(owned);
	a->value = text;
	a->type = TAKE(type);
	return 0;
}
