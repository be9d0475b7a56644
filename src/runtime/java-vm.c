/* SPDX-License-Identifier: MIT */
/*
 * HotSpot's own description of its structures: tables of fields and types, for which libjvm.so has
 * the symbols gHotSpotVM*. They also tell the form of the tables.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "runtime/java.h"
#include "runtime/memory.h"

#define ENTRIES_AT_ONCE 64
#define ENTRIES_MAX     16384
#define ENTRY_SIZE_MAX  256
#define TEXT_SIZE_MAX   ((size_t)16 << 20)
#define NAME_SIZE_MAX   512

/* A table whose end is an entry without a name. */
struct vm_table {
	uint8_t *bytes;
	size_t n, stride;
	uint64_t name; /* the offset of the name in an entry */
};

static int vm_read_table(int pid, uint64_t at, struct vm_table *t)
{
	for (t->n = 0; t->n < ENTRIES_MAX;) {
		t->bytes = xrealloc(t->bytes, (t->n + ENTRIES_AT_ONCE) * t->stride);
		/* The end of the memory may be nearer than this many entries. */
		for (size_t i = ENTRIES_AT_ONCE;; i /= 2) {
			int r = memory_read(pid, at + t->n * t->stride, t->bytes + t->n * t->stride,
					    i * t->stride);

			if (r < 0 && i == 1)
				return r;
			if (r < 0)
				continue;
			while (i-- && java_u64(t->bytes, t->n * t->stride + t->name))
				t->n++;
			if (i != (size_t)-1)
				return 0;
			break;
		}
	}
	return -EPROTO;
}

/* Extends the range of addresses @low to @high by a name. */
static void vm_cover(uint64_t name, uint64_t *low, uint64_t *high)
{
	if (name < *low)
		*low = name;
	if (name > *high)
		*high = name;
}

/* Reads all names at once: they are constants, and close together. */
static int vm_read_text(int pid, uint64_t low, uint64_t high, char **ret)
{
	size_t n = (size_t)(high - low);
	_cleanup_(freep) char *text = NULL;
	int r;

	if (high < low || high - low > TEXT_SIZE_MAX)
		return -EPROTO;
	text = xcalloc(1, n + NAME_SIZE_MAX + 1);
	r = memory_read(pid, low, text, n);
	if (r >= 0)
		r = memory_text(pid, high, text + n, NAME_SIZE_MAX);
	if (r >= 0)
		*ret = TAKE(text);
	return r;
}

/* The words that give the form of a table, and its place. */
static int vm_read_form(int pid, uint64_t bias, const struct runtime_symbol *from, size_t n,
			uint64_t *ret)
{
	for (size_t i = 0; i < n; i++) {
		int r = from[i].start ? memory_u64(pid, from[i].start + bias, &ret[i]) : -EPROTO;

		if (r < 0)
			return r;
	}
	return ret[0] ? 0 : -EAGAIN;
}

static bool vm_form_fits(const uint64_t *offsets, size_t n, uint64_t stride)
{
	if (!stride || stride > ENTRY_SIZE_MAX)
		return false;
	for (size_t i = 0; i < n; i++)
		if (offsets[i] > stride - sizeof(uint64_t))
			return false;
	return true;
}

enum {
	FIELD_TABLE,
	FIELD_SIZE,
	FIELD_TYPE,
	FIELD_NAME,
	FIELD_STATIC,
	FIELD_OFFSET,
	FIELD_ADDRESS
};
enum {
	TYPE_TABLE,
	TYPE_SIZE,
	TYPE_NAME,
	TYPE_BYTES
};

static void vm_take(struct java_vm *vm, const struct vm_table *fields, const uint64_t *f,
		    const struct vm_table *types, const uint64_t *t, uint64_t low)
{
	vm->fields = xcalloc(fields->n + 1, sizeof(vm->fields[0]));
	for (size_t i = 0; i < fields->n; i++) {
		const uint8_t *e = fields->bytes + i * fields->stride;

		if (!java_u64(e, f[FIELD_NAME]))
			continue;
		vm->fields[vm->n_fields++] = (struct java_vm_field){
			vm->text + (java_u64(e, f[FIELD_TYPE]) - low),
			vm->text + (java_u64(e, f[FIELD_NAME]) - low),
			java_u64(e, f[java_u32(e, f[FIELD_STATIC]) ? FIELD_ADDRESS : FIELD_OFFSET])
		};
	}
	vm->types = xcalloc(types->n + 1, sizeof(vm->types[0]));
	for (size_t i = 0; i < types->n; i++) {
		const uint8_t *e = types->bytes + i * types->stride;

		vm->types[vm->n_types++] = (struct java_vm_type){
			vm->text + (java_u64(e, t[TYPE_NAME]) - low), java_u64(e, t[TYPE_BYTES])
		};
	}
}

/* Reads the names of both tables, and makes them the result. */
static int vm_read_names(int pid, const struct vm_table *fields, const uint64_t *f,
			 const struct vm_table *types, const uint64_t *t, struct java_vm *ret)
{
	uint64_t low = UINT64_MAX, high = 0;
	int r;

	for (size_t i = 0; i < fields->n; i++) {
		const uint8_t *e = fields->bytes + i * fields->stride;

		vm_cover(java_u64(e, f[FIELD_TYPE]), &low, &high);
		if (java_u64(e, f[FIELD_NAME]))
			vm_cover(java_u64(e, f[FIELD_NAME]), &low, &high);
	}
	for (size_t i = 0; i < types->n; i++)
		vm_cover(java_u64(types->bytes + i * types->stride, t[TYPE_NAME]), &low, &high);
	r = vm_read_text(pid, low, high, &ret->text);
	if (r >= 0)
		vm_take(ret, fields, f, types, t, low);
	return r;
}

int java_vm_read(const struct java_symbols *symbols, int pid, uint64_t bias, struct java_vm *ret)
{
	const struct runtime_symbol at_fields[] = {
		symbols->fields,        symbols->field_size,      symbols->field_type,
		symbols->field_name,    symbols->field_is_static, symbols->field_offset,
		symbols->field_address,
	};
	const struct runtime_symbol at_types[] = { symbols->types, symbols->type_size,
						   symbols->type_name, symbols->type_bytes };
	uint64_t f[ARRAY_SIZE(at_fields)], t[ARRAY_SIZE(at_types)];
	struct vm_table fields = { 0 }, types = { 0 };
	int r = vm_read_form(pid, bias, at_fields, ARRAY_SIZE(f), f);

	*ret = (struct java_vm){ 0 };
	if (r >= 0)
		r = vm_read_form(pid, bias, at_types, ARRAY_SIZE(t), t);
	if (r < 0)
		return r;
	if (!vm_form_fits(f + FIELD_TYPE, ARRAY_SIZE(f) - FIELD_TYPE, f[FIELD_SIZE]) ||
	    !vm_form_fits(t + TYPE_NAME, ARRAY_SIZE(t) - TYPE_NAME, t[TYPE_SIZE]))
		return -EPROTO;
	fields = (struct vm_table){ .stride = f[FIELD_SIZE], .name = f[FIELD_TYPE] };
	types = (struct vm_table){ .stride = t[TYPE_SIZE], .name = t[TYPE_NAME] };
	r = vm_read_table(pid, f[FIELD_TABLE], &fields);
	if (r >= 0)
		r = vm_read_table(pid, t[TYPE_TABLE], &types);
	if (r >= 0)
		r = vm_read_names(pid, &fields, f, &types, t, ret);
	free(fields.bytes);
	free(types.bytes);
	return r;
}

void java_vm_done(struct java_vm *vm)
{
	free(vm->fields);
	free(vm->types);
	free(vm->text);
}

bool java_vm_find(const struct java_vm *vm, const char *type, const char *name, uint64_t *ret)
{
	for (size_t i = 0; i < vm->n_fields; i++) {
		const struct java_vm_field *f = &vm->fields[i];

		if (!strcmp(f->name, name) && !strcmp(f->type, type)) {
			*ret = f->value;
			return true;
		}
	}
	return false;
}

bool java_vm_find_size(const struct java_vm *vm, const char *type, uint64_t *ret)
{
	for (size_t i = 0; i < vm->n_types; i++)
		if (!strcmp(vm->types[i].name, type)) {
			*ret = vm->types[i].size;
			return true;
		}
	return false;
}

uint16_t java_u16(const uint8_t *bytes, size_t offset)
{
	uint16_t v;

	memcpy(&v, bytes + offset, sizeof(v));
	return v;
}

uint32_t java_u32(const uint8_t *bytes, size_t offset)
{
	uint32_t v;

	memcpy(&v, bytes + offset, sizeof(v));
	return v;
}

uint64_t java_u64(const uint8_t *bytes, size_t offset)
{
	uint64_t v;

	memcpy(&v, bytes + offset, sizeof(v));
	return v;
}
