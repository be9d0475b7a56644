/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the decoder of memory accesses: each instruction has a length within the bytes and
 * registers that exist, and following types through the code ends, with an answer for each
 * instruction. The first byte chooses the machine, the next four the places of variables; the rest
 * is code.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arch/access.h"
#include "arch/arch.h"
#include "base/c-type.h"
#include "base/cleanup.h"
#include "dwarf/debug-function.h"
#include "code/types/follow.h"

#define HEAD 5
#define AT   0x401000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *code;
	size_t n;
};

static const struct c_type *target_of(const struct c_type_source *s, const struct c_type *t);
static size_t fields_of(const struct c_type_source *s, const struct c_type *t,
			const struct c_field **ret);

static const struct c_type_source source = {
	.pointer_size = 8,
	.target = target_of,
	.fields = fields_of,
};

/* struct node { struct node *next; }; */
static const struct c_type node = { .source = &source, .kind = C_STRUCT, .name = "n", .size = 8 };
static const struct c_type pointer = { .source = &source, .kind = C_POINTER, .size = 8 };
static const struct c_field next = { .name = "next", .type = &pointer, .offset = 0, .size = 8 };

static const struct c_type *target_of(const struct c_type_source *s, const struct c_type *t)
{
	(void)s;
	return t == &pointer ? &node : NULL;
}

static size_t fields_of(const struct c_type_source *s, const struct c_type *t,
			const struct c_field **ret)
{
	(void)s, (void)t;
	*ret = &next;
	return 1;
}

static size_t read_code(void *arg, uint64_t addr, void *bytes, size_t n)
{
	const struct input *in = arg;

	if (addr != AT || n > in->n)
		abort();
	if (n)
		memcpy(bytes, in->code, n);
	return n;
}

static const struct c_type *static_type(void *arg, uint64_t pc, uint64_t addr, uint64_t *ret_start)
{
	(void)arg, (void)pc;
	*ret_start = addr & ~(uint64_t)7;
	return addr & 8 ? &node : NULL;
}

static bool never_returns(void *arg, uint64_t addr)
{
	(void)arg;
	return addr & 2;
}

static bool constant(void *arg, uint64_t pc, uint64_t addr, struct held *ret)
{
	(void)arg, (void)pc;
	*ret = (struct held){ .kind = HELD_ADDRESS, .offset = (int64_t)(addr ^ 0x18) };
	return addr & 16;
}

static const struct c_type *returned(void *arg, uint64_t addr)
{
	(void)arg;
	return addr & 1 ? &pointer : NULL;
}

static bool is_register(uint8_t r)
{
	return r < ACCESS_REGISTERS || r == ACCESS_NONE;
}

/* Returns the number of instructions. */
static size_t check_instructions(const struct arch *arch, const struct input *in)
{
	struct code_access a;
	size_t at = 0, n = 0;

	for (; at < in->n && code_access_read(arch, in->code + at, in->n - at, AT + at, &a); n++) {
		if (!a.length || a.length > in->n - at || !is_register(a.to) ||
		    !is_register(a.from) || !is_register(a.second) || !is_register(a.other) ||
		    !is_register(a.memory.base) || !is_register(a.memory.index))
			abort();
		at += a.length;
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { .code = data + HEAD, .n = size - HEAD };
	struct typed_variable variables[4];
	struct code_range range = { AT, AT + in.n };
	struct debug_function_types f = {
		.entry = AT,
		.ranges = { .items = &range, .n = 1 },
		.variables = { .items = variables, .n = ARRAY_SIZE(variables) },
	};
	struct follow_source s = {
		.code = read_code,
		.static_type = static_type,
		.thread_type = static_type,
		.constant = constant,
		.returned = returned,
		.never_returns = never_returns,
		.arg = &in,
	};
	struct followed all;

	if (size <= HEAD || size > 4096)
		return 0;
	s.arch = data[0] & 1 ? &arch_aarch64 : &arch_x86_64;
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++)
		variables[i] = (struct typed_variable){
			.where = (enum typed_where)(data[1 + i] % 6),
			.reg = data[1 + i] % ACCESS_REGISTERS,
			.offset = (int8_t)data[1 + i],
			.start = AT + i,
			.end = AT + i + data[1 + i],
			.type = i & 1 ? &node : &pointer,
		};
	follow_function(&s, &f, &all);
	if (all.n != check_instructions(s.arch, &in))
		abort();
	followed_done(&all);
	return 0;
}
