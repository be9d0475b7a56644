/* SPDX-License-Identifier: MIT */
/*
 * Encodings are those of the Intel 64 and IA-32 Architectures Software Developer's Manual, volume
 * 2, appendix A.
 */
#include "arch/x86-insn.h"

#include "base/cleanup.h"

/* DWARF's numbers of the registers, indexed by the numbers that instructions use. */
static const uint8_t dwarf_numbers[16] = { 0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15 };

uint8_t x86_register(unsigned number)
{
	return dwarf_numbers[number & 15];
}

static uint8_t x86_insn_byte(struct x86_insn *r)
{
	if (r->at >= r->n) {
		r->failed = true;
		return 0;
	}
	return r->bytes[r->at++];
}

static int64_t x86_insn_number(struct x86_insn *r, unsigned size)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)x86_insn_byte(r) << (8 * i);
	if (size && size < 8 && value >> (8 * size - 1))
		value |= UINT64_MAX << (8 * size);
	return (int64_t)value;
}

/* Sets the fields of a VEX or EVEX prefix, whose bits are inverted. */
static void set_vex(struct x86_insn *r, uint8_t first, uint8_t second, enum x86_map map)
{
	r->is_vex = true;
	r->rex = (uint8_t)(~first >> 5 & 7);
	r->map = map;
	r->wide = second >> 7;
	r->vvvv = (uint8_t)(~second >> 3 & 15);
	r->small = (second & 3) == 1;
	r->rep = (second & 3) == 2;
	r->repne = (second & 3) == 3;
}

static void read_vex(struct x86_insn *r, uint8_t lead)
{
	uint8_t first = x86_insn_byte(r), second = first, third;

	r->vector_size = 16;
	switch (lead) {
	case 0xc5:
		set_vex(r, first | 0x60, second & 0x7f, X86_MAP_0F);
		r->vector_size = second & 4 ? 32 : 16;
		return;
	case 0xc4:
		second = x86_insn_byte(r);
		set_vex(r, first, second,
			(first & 31) < 4 ? (enum x86_map)(first & 31) : X86_MAP_MORE);
		r->vector_size = second & 4 ? 32 : 16;
		return;
	default:
		second = x86_insn_byte(r);
		third = x86_insn_byte(r);
		set_vex(r, first, second,
			(first & 7) < 4 ? (enum x86_map)(first & 7) : X86_MAP_MORE);
		r->is_evex = true;
		r->vector_size = (uint8_t)(16u << (third >> 5 & 3));
		/* A broadcast reads one element only. */
		if (third & 0x10)
			r->vector_size = r->wide ? 8 : 4;
	}
}

/* Reads the prefixes and returns the first byte that is no prefix. */
static uint8_t read_prefixes(struct x86_insn *r)
{
	for (;;) {
		uint8_t b = x86_insn_byte(r);

		switch (b) {
		case 0x66:
			r->small = true;
			break;
		case 0xf3:
			r->rep = true;
			break;
		case 0xf2:
			r->repne = true;
			break;
		case 0x64:
			r->segment = ACCESS_FS;
			break;
		case 0x65:
			r->segment = ACCESS_GS;
			break;
		case 0x26:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x67:
		case 0xf0:
			break;
		default:
			return b;
		}
		if (r->failed)
			return 0;
	}
}

static void read_opcode(struct x86_insn *r)
{
	uint8_t b = read_prefixes(r);

	if ((b & 0xf0) == 0x40) {
		r->rex = b & 7;
		r->wide = b & 8;
		b = x86_insn_byte(r);
	}
	if (b == 0xc4 || b == 0xc5 || b == 0x62) {
		read_vex(r, b);
		b = x86_insn_byte(r);
	} else if (b == 0x0f) {
		r->map = X86_MAP_0F;
		b = x86_insn_byte(r);
		if (b == 0x38 || b == 0x3a) {
			r->map = b == 0x38 ? X86_MAP_0F38 : X86_MAP_0F3A;
			b = x86_insn_byte(r);
		}
	}
	r->opcode = b;
}

static bool modrm_of_one(uint8_t op)
{
	if (op < 0x40)
		return (op & 7) < 4;
	return op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op < 0x90) || op == 0xc0 ||
	       op == 0xc1 || op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op < 0xd4) ||
	       (op >= 0xd8 && op < 0xe0) || op == 0xf6 || op == 0xf7 || op == 0xfe || op == 0xff;
}

static bool modrm_of_0f(uint8_t op)
{
	return !((op >= 0x05 && op <= 0x09) || op == 0x0b || op == 0x0e ||
		 (op >= 0x30 && op < 0x38) || op == 0x77 || (op >= 0x80 && op < 0x90) ||
		 op == 0xa0 || op == 0xa1 || op == 0xa2 || op == 0xa8 || op == 0xa9 || op == 0xaa ||
		 op >= 0xff || (op >= 0xc8 && op < 0xd0));
}

static bool has_modrm(const struct x86_insn *r)
{
	switch (r->map) {
	case X86_MAP_ONE:
		return modrm_of_one(r->opcode);
	case X86_MAP_0F:
		return modrm_of_0f(r->opcode);
	default:
		return true;
	}
}

/* Reads the displacement; that of EVEX is a multiple of the operand's size. */
static int64_t x86_insn_displacement(struct x86_insn *r)
{
	if (r->mod == 1)
		return x86_insn_number(r, 1) * (r->is_evex ? r->vector_size : 1);
	return x86_insn_number(r, 4);
}

static void read_sib(struct x86_insn *r)
{
	uint8_t sib = x86_insn_byte(r);
	unsigned index = (sib >> 3 & 7u) | (r->rex & 2u) << 2;
	unsigned base = (sib & 7u) | (r->rex & 1u) << 3;

	r->memory.scale = (uint8_t)(1u << (sib >> 6));
	r->memory.index = index == 4 ? ACCESS_NONE : dwarf_numbers[index];
	r->memory.base = dwarf_numbers[base];
	if ((base & 7) == 5 && r->mod == 0) {
		r->memory.base = ACCESS_NONE;
		r->memory.is_absolute = r->memory.index == ACCESS_NONE;
		r->memory.offset = x86_insn_number(r, 4);
	}
}

static void read_modrm(struct x86_insn *r)
{
	uint8_t b = x86_insn_byte(r), rm = b & 7;

	r->has_modrm = true;
	r->mod = b >> 6;
	r->digit = b >> 3 & 7;
	r->reg = dwarf_numbers[r->digit | (r->rex & 4u) << 1];
	r->rm = dwarf_numbers[rm | (r->rex & 1u) << 3];
	r->is_memory = r->mod != 3;
	if (!r->is_memory)
		return;
	r->memory.segment = r->segment;
	r->memory.base = r->rm;
	if (rm == 4)
		read_sib(r);
	if (rm == 5 && r->mod == 0) {
		r->memory.base = ACCESS_NONE;
		r->memory.is_absolute = r->is_rip = true;
		r->memory.offset = x86_insn_number(r, 4);
	}
	if (r->mod == 1 || r->mod == 2)
		r->memory.offset = x86_insn_displacement(r);
}

/* Returns the size of an immediate: the operand's size, but at most 4 bytes. */
static unsigned full_size(const struct x86_insn *r)
{
	return r->small ? 2 : 4;
}

static unsigned imm_of_one(const struct x86_insn *r)
{
	uint8_t op = r->opcode;

	if (op < 0x40)
		return (op & 7) == 4 ? 1 : (op & 7) == 5 ? full_size(r) : 0;
	if (op >= 0x70 && op < 0x80)
		return 1;
	if (op >= 0xb0 && op < 0xc0)
		return op < 0xb8 ? 1 : r->wide ? 8 : full_size(r);
	if (op >= 0xa0 && op < 0xa4)
		return 8;
	switch (op) {
	case 0x68:
	case 0x69:
	case 0x81:
	case 0xa9:
	case 0xc7:
		return full_size(r);
	case 0xe8:
	case 0xe9:
		return 4;
	case 0x6a:
	case 0x6b:
	case 0x80:
	case 0x83:
	case 0xa8:
	case 0xc0:
	case 0xc1:
	case 0xc6:
	case 0xcd:
	case 0xe0:
	case 0xe1:
	case 0xe2:
	case 0xe3:
	case 0xe4:
	case 0xe5:
	case 0xe6:
	case 0xe7:
	case 0xeb:
		return 1;
	case 0xc2:
	case 0xca:
		return 2;
	case 0xc8:
		return 3;
	case 0xf6:
		return r->digit < 2 ? 1 : 0;
	case 0xf7:
		return r->digit < 2 ? full_size(r) : 0;
	default:
		return 0;
	}
}

static unsigned imm_of_0f(uint8_t op)
{
	if (op >= 0x80 && op < 0x90)
		return 4;
	return (op >= 0x70 && op < 0x74) || op == 0x0f || op == 0xa4 || op == 0xac || op == 0xba ||
	       op == 0xc2 || (op >= 0xc4 && op < 0xc7);
}

static unsigned imm_size(const struct x86_insn *r)
{
	switch (r->map) {
	case X86_MAP_ONE:
		return imm_of_one(r);
	case X86_MAP_0F:
		return imm_of_0f(r->opcode);
	case X86_MAP_0F3A:
		return 1;
	default:
		return 0;
	}
}

bool x86_insn_read(const uint8_t *bytes, size_t n, struct x86_insn *ret)
{
	*ret = (struct x86_insn){
		.bytes = bytes,
		.n = n < 15 ? n : 15,
		.memory = { .base = ACCESS_NONE, .index = ACCESS_NONE },
	};
	read_opcode(ret);
	if (has_modrm(ret))
		read_modrm(ret);
	ret->imm = x86_insn_number(ret, imm_size(ret));
	return !ret->failed;
}

/* Ranges of opcodes of branches. */
static const struct {
	enum x86_map map;
	uint8_t first, last;
	enum x86_branch kind;
	bool is_relative;
} branches[] = {
	{ X86_MAP_ONE, 0x70, 0x7f, X86_CONDITIONAL, true },
	{ X86_MAP_ONE, 0xe0, 0xe3, X86_CONDITIONAL, true },
	{ X86_MAP_0F, 0x80, 0x8f, X86_CONDITIONAL, true },
	{ X86_MAP_ONE, 0xe8, 0xe8, X86_CALL, true },
	{ X86_MAP_ONE, 0xe9, 0xe9, X86_JUMP, true },
	{ X86_MAP_ONE, 0xeb, 0xeb, X86_JUMP, true },
	{ X86_MAP_ONE, 0xc2, 0xc3, X86_RETURN, false },
	{ X86_MAP_ONE, 0xca, 0xcb, X86_RETURN, false },
	{ X86_MAP_ONE, 0xcc, 0xcd, X86_INTERRUPT, false },
	{ X86_MAP_ONE, 0xcf, 0xcf, X86_INTERRUPT_RETURN, false },
	{ X86_MAP_0F, 0x05, 0x05, X86_SYSCALL, false },
	{ X86_MAP_0F, 0x34, 0x34, X86_SYSCALL, false },
	{ X86_MAP_0F, 0x07, 0x07, X86_SYSCALL_RETURN, false },
	{ X86_MAP_0F, 0x35, 0x35, X86_SYSCALL_RETURN, false },
};

enum x86_branch x86_insn_branch(const struct x86_insn *r, bool *ret_is_relative)
{
	*ret_is_relative = false;
	if (r->is_vex)
		return X86_NO_BRANCH;
	for (size_t i = 0; i < ARRAY_SIZE(branches); i++)
		if (r->map == branches[i].map && r->opcode >= branches[i].first &&
		    r->opcode <= branches[i].last) {
			*ret_is_relative = branches[i].is_relative;
			return branches[i].kind;
		}
	if (r->map != X86_MAP_ONE)
		return X86_NO_BRANCH;
	if (r->opcode == 0xff && r->digit >= 2 && r->digit <= 5)
		return r->digit < 4 ? X86_CALL : X86_JUMP;
	if (r->opcode == 0xc7 && r->mod == 3 && r->digit == 7) {
		*ret_is_relative = true;
		return X86_TRANSACTION;
	}
	return X86_NO_BRANCH;
}
