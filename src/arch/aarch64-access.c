/* SPDX-License-Identifier: MIT */
/*
 * Encodings are those of the Arm Architecture Reference Manual, "A64 instruction set encoding".
 * Register 31 is the stack pointer as a base; elsewhere it is the zero register, which counts as no
 * register.
 */
#include "arch/aarch64-effect.h"
#include "arch/access.h"

static uint32_t aarch64_access_bits(uint32_t i, unsigned low, unsigned n)
{
	return i >> low & ((1u << n) - 1);
}

static int64_t aarch64_access_signed_bits(uint32_t i, unsigned low, unsigned n)
{
	int64_t value = aarch64_access_bits(i, low, n);

	return value >> (n - 1) ? value - ((int64_t)1 << n) : value;
}

/* Returns a register that is not the stack pointer. */
static uint8_t aarch64_access_reg(uint32_t i, unsigned low)
{
	unsigned r = aarch64_access_bits(i, low, 5);

	return r == 31 ? ACCESS_NONE : (uint8_t)r;
}

static void aarch64_access_writes(struct code_access *a, uint8_t r)
{
	if (r != ACCESS_NONE)
		a->written |= 1u << r;
}

static struct access_memory at_base(uint32_t i, int64_t offset)
{
	return (struct access_memory){ .base = (uint8_t)aarch64_access_bits(i, 5, 5),
				       .index = ACCESS_NONE,
				       .offset = offset };
}

static struct access_memory at_address(uint64_t addr)
{
	return (struct access_memory){ .base = ACCESS_NONE,
				       .index = ACCESS_NONE,
				       .is_absolute = true,
				       .offset = (int64_t)addr };
}

static void set_address(struct code_access *a, uint8_t to, struct access_memory m)
{
	if (to == ACCESS_NONE)
		return;
	a->action = ACCESS_ADDRESS;
	a->to = to;
	a->memory = m;
}

/* Reads MOVZ and MOVK, 16 bits of a constant. */
static void read_constant(uint32_t i, struct code_access *a, uint8_t to)
{
	unsigned shift = 16 * aarch64_access_bits(i, 21, 2);
	uint64_t bits = (uint64_t)aarch64_access_bits(i, 5, 16) << shift;

	set_address(a, to, at_address(bits));
	if (a->action == ACCESS_ADDRESS && aarch64_access_bits(i, 29, 2) == 3) { /* MOVK */
		a->action = ACCESS_INSERT;
		a->scale = shift;
	}
}

static void read_branch(struct code_access *a, enum access_flow flow, uint64_t target)
{
	a->flow = flow;
	a->has_target = true;
	a->target = target;
}

/* Reads BR, BLR, RET, ERET and their forms with pointer authentication. */
static void read_register_branch(uint32_t i, struct code_access *a)
{
	switch (aarch64_access_bits(i, 21, 3)) {
	case 0:
		a->flow = ACCESS_JUMP;
		break;
	case 1:
		a->flow = ACCESS_CALL;
		break;
	default:
		a->flow = ACCESS_END;
	}
}

static void aarch64_access_set_thread(struct code_access *a, uint8_t to)
{
	a->action = ACCESS_THREAD;
	a->to = to;
}

static void read_flow(uint32_t i, uint64_t addr, struct code_access *a)
{
	if (aarch64_access_bits(i, 26, 5) == 5)
		read_branch(a, i >> 31 ? ACCESS_CALL : ACCESS_JUMP,
			    addr + (uint64_t)(aarch64_access_signed_bits(i, 0, 26) * 4));
	else if (aarch64_access_bits(i, 25, 6) == 0x1a || aarch64_access_bits(i, 24, 8) == 0x54)
		read_branch(a, ACCESS_BRANCH,
			    addr + (uint64_t)(aarch64_access_signed_bits(i, 5, 19) * 4));
	else if (aarch64_access_bits(i, 25, 6) == 0x1b)
		read_branch(a, ACCESS_BRANCH,
			    addr + (uint64_t)(aarch64_access_signed_bits(i, 5, 14) * 4));
	else if (aarch64_access_bits(i, 25, 7) == 0x6b)
		read_register_branch(i, a);
	else if ((i & 0xffe00000) == 0xd4200000) /* BRK */
		a->flow = ACCESS_END;
	else if ((i & 0xffffffe0) == 0xd53bd040 && aarch64_access_reg(i, 0) != ACCESS_NONE)
		aarch64_access_set_thread(a, aarch64_access_reg(i, 0)); /* MRS of TPIDR_EL0 */
	else if ((i & 0xfff00000) == 0xd5300000)                        /* MRS */
		aarch64_access_writes(a, aarch64_access_reg(i, 0));
}

/*
 * Reads SBFM and UBFM. LSL counts as a product; an extension (SXTW) or a part of a register counts
 * as a number.
 */
static void read_bitfield(uint32_t i, struct code_access *a, uint8_t to)
{
	unsigned width = i >> 31 ? 64 : 32, right = aarch64_access_bits(i, 16, 6),
		 last = aarch64_access_bits(i, 10, 6);

	/* BFM keeps some bits of the register. 32 bits shifted by more are no instruction. */
	if (aarch64_access_bits(i, 29, 2) == 1 || to == ACCESS_NONE || right >= width ||
	    (right && last >= right)) {
		aarch64_access_writes(a, to);
		return;
	}
	a->action = ACCESS_SCALE;
	a->to = to;
	a->from = aarch64_access_reg(i, 5);
	a->scale = (uint64_t)1 << (right ? width - right : 0);
}

static void read_immediate(uint32_t i, uint64_t addr, struct code_access *a)
{
	uint8_t to = aarch64_access_reg(i, 0);
	int64_t imm;

	switch (aarch64_access_bits(i, 23, 3)) {
	case 0:
	case 1: /* ADR, ADRP */
		imm = aarch64_access_signed_bits(i, 5, 19) * 4 + aarch64_access_bits(i, 29, 2);
		set_address(a, to,
			    at_address(i >> 31 ? (addr & ~(uint64_t)4095) + (uint64_t)(imm * 4096)
					       : addr + (uint64_t)imm));
		return;
	case 2: /* ADD, SUB; with flags, register 31 is the zero register */
		imm = (int64_t)aarch64_access_bits(i, 10, 12)
		      << (aarch64_access_bits(i, 22, 1) ? 12 : 0);
		to = aarch64_access_bits(i, 29, 1) ? to : (uint8_t)aarch64_access_bits(i, 0, 5);
		if (i >> 31)
			set_address(a, to, at_base(i, aarch64_access_bits(i, 30, 1) ? -imm : imm));
		else
			aarch64_access_writes(a, to);
		return;
	case 6:
		read_bitfield(i, a, to);
		return;
	case 5:
		if (aarch64_access_bits(i, 29, 2) >= 2) {
			read_constant(i, a, to);
			return;
		}
		break;
	case 4: /* AND and the like may write the stack pointer */
		to = aarch64_access_bits(i, 29, 2) == 3 ? to
							: (uint8_t)aarch64_access_bits(i, 0, 5);
	}
	aarch64_access_writes(a, to);
}

/* Reads ADD and SUB of registers, the second one shifted to the left or extended. */
static void read_sum(uint32_t i, struct code_access *a, uint8_t to, bool is_extended)
{
	unsigned shift = aarch64_access_bits(i, 10, is_extended ? 3 : 6);

	a->action = aarch64_access_bits(i, 30, 1) ? ACCESS_SUBTRACT : ACCESS_ADD;
	a->to = to;
	a->from = is_extended ? (uint8_t)aarch64_access_bits(i, 5, 5) : aarch64_access_reg(i, 5);
	a->other = aarch64_access_reg(i, 16);
	a->scale = (uint64_t)1 << shift;
	a->is_narrow = !(i >> 31);
}

/* Reads MADD, SMADDL and UMADDL; SMULL and the like add the zero register. */
static void read_product(uint32_t i, struct code_access *a, uint8_t to)
{
	a->action = ACCESS_MULTIPLY;
	a->to = to;
	a->from = aarch64_access_reg(i, 5);
	a->other = aarch64_access_reg(i, 16);
	a->second = aarch64_access_reg(i, 10);
	a->is_narrow = !(i >> 31);
}

static bool is_product(uint32_t i)
{
	uint32_t form = i & 0x7fe08000;

	return form == 0x1b000000 || form == 0x1b200000 || form == 0x1ba00000;
}

static void read_register(uint32_t i, struct code_access *a)
{
	uint8_t to = aarch64_access_reg(i, 0);
	bool is_extended = (i & 0x1f200000) == 0x0b200000;
	bool shifts_left = is_extended || !aarch64_access_bits(i, 22, 2);

	if ((i & 0x7fe0ffe0) == 0x2a0003e0 && to != ACCESS_NONE &&
	    aarch64_access_reg(i, 16) != ACCESS_NONE) {
		a->action = ACCESS_COPY; /* ORR with the zero register: MOV */
		a->to = to;
		a->from = aarch64_access_reg(i, 16);
	} else if ((i & 0x1f000000) == 0x0b000000 && shifts_left && to != ACCESS_NONE) {
		read_sum(i, a, to, is_extended);
	} else if (is_product(i) && to != ACCESS_NONE) {
		read_product(i, a, to);
	} else if ((i & 0x7fe00c00) == 0x1a800000 && to != ACCESS_NONE) { /* CSEL */
		a->action = ACCESS_CHOOSE;
		a->to = to;
		a->from = aarch64_access_reg(i, 5);
		a->other = aarch64_access_reg(i, 16);
	} else if ((i & 0x1fe00000) != 0x1a400000) { /* all except conditional compares */
		if (is_extended && !aarch64_access_bits(i, 29, 1))
			to = (uint8_t)aarch64_access_bits(i, 0, 5);
		aarch64_access_writes(a, to);
	}
}

/* Reads moves between vector and general registers. */
static void read_vector(uint32_t i, struct code_access *a)
{
	bool converts = (i & 0x5f20fc00) == 0x1e200000 && aarch64_access_bits(i, 16, 3) != 2 &&
			aarch64_access_bits(i, 16, 3) != 3 && aarch64_access_bits(i, 16, 3) != 7;
	bool takes = (i & 0xbfe0fc00) == 0x0e003c00 || (i & 0xbfe0fc00) == 0x0e002c00;

	if (converts || takes)
		aarch64_access_writes(a, aarch64_access_reg(i, 0));
}

/*
 * Sets the registers of a load or a store. The contents of vector registers are not followed, but
 * what such instructions overwrite is noted.
 */
static void set_transfer(struct code_access *a, bool is_load, bool is_vector, uint8_t first,
			 uint8_t second)
{
	a->has_memory = true;
	if (is_vector) {
		a->action = is_load ? ACCESS_OTHER : ACCESS_STORE;
		return;
	}
	a->action = is_load ? ACCESS_LOAD : ACCESS_STORE;
	*(is_load ? &a->to : &a->from) = first;
	a->second = second;
}

/* Sets the memory operand, and the change of its base by a pre- or post-index. */
static void set_index(uint32_t i, struct code_access *a, unsigned mode, int32_t offset)
{
	a->memory = at_base(i, mode == 1 || mode == 3 ? 0 : offset);
	a->before = mode == 3 ? offset : 0;
	a->after = mode == 1 ? offset : 0;
}

static void read_pair(uint32_t i, struct code_access *a)
{
	bool is_vector = aarch64_access_bits(i, 26, 1), is_load = aarch64_access_bits(i, 22, 1);
	unsigned opc = aarch64_access_bits(i, 30, 2);

	a->size = (uint8_t)(is_vector ? 4u << opc : opc & 2 ? 8u : 4u);
	set_index(i, a, aarch64_access_bits(i, 23, 2),
		  (int32_t)aarch64_access_signed_bits(i, 15, 7) * a->size);
	set_transfer(a, is_load, is_vector, aarch64_access_reg(i, 0), aarch64_access_reg(i, 10));
}

/* Reads an atomic operation, which loads the old value. */
static void read_atomic(uint32_t i, struct code_access *a)
{
	a->memory = at_base(i, 0);
	set_transfer(a, true, aarch64_access_bits(i, 26, 1), aarch64_access_reg(i, 0), ACCESS_NONE);
}

static void set_scaled_index(uint32_t i, struct code_access *a)
{
	a->memory = at_base(i, 0);
	a->memory.index = aarch64_access_reg(i, 16);
	a->memory.scale = aarch64_access_bits(i, 12, 1) ? a->size : 1;
}

static void read_single(uint32_t i, struct code_access *a)
{
	bool is_vector = aarch64_access_bits(i, 26, 1);
	unsigned size = aarch64_access_bits(i, 30, 2), opc = aarch64_access_bits(i, 22, 2);
	bool is_load = is_vector ? opc & 1 : opc != 0;

	a->size = (uint8_t)(is_vector && opc & 2 ? 16u : 1u << size);
	if (aarch64_access_bits(i, 24, 1)) {
		a->memory = at_base(i, (int64_t)aarch64_access_bits(i, 10, 12) * a->size);
	} else if (!aarch64_access_bits(i, 21, 1)) {
		set_index(i, a,
			  aarch64_access_bits(i, 10, 2) == 2 ? 0 : aarch64_access_bits(i, 10, 2),
			  (int32_t)aarch64_access_signed_bits(i, 12, 9));
	} else if (aarch64_access_bits(i, 10, 2) == 2) {
		set_scaled_index(i, a);
	} else {
		read_atomic(i, a);
		return;
	}
	set_transfer(a, is_load, is_vector, aarch64_access_reg(i, 0), ACCESS_NONE);
	/* PRFM names memory and has no register. */
	if (!is_vector && size == 3 && opc == 2) {
		a->action = ACCESS_OTHER;
		a->to = ACCESS_NONE;
	}
}

/* Reads exclusive and ordered accesses, and compare and swap. */
static void read_exclusive(uint32_t i, struct code_access *a)
{
	bool is_pair = aarch64_access_bits(i, 21, 1), is_ordered = aarch64_access_bits(i, 23, 1),
	     is_load = aarch64_access_bits(i, 22, 1);

	a->size = (uint8_t)(1u << aarch64_access_bits(i, 30, 2));
	a->memory = at_base(i, 0);
	if (is_pair && is_ordered) { /* CAS */
		a->has_memory = true;
		aarch64_access_writes(a, aarch64_access_reg(i, 16));
		return;
	}
	set_transfer(a, is_load, false, aarch64_access_reg(i, 0),
		     is_pair ? aarch64_access_reg(i, 10) : ACCESS_NONE);
	if (!is_load && !is_ordered) /* the status of STXR: whether it was stored */
		aarch64_access_writes(a, aarch64_access_reg(i, 16));
}

static void read_memory(uint32_t i, uint64_t addr, struct code_access *a)
{
	switch (aarch64_access_bits(i, 28, 2)) {
	case 0:
		if (aarch64_access_bits(i, 26, 1)) { /* LD1 and the like */
			a->has_memory = true;
			a->memory = at_base(i, 0);
			a->size = aarch64_access_bits(i, 30, 1) ? 16 : 8;
		} else {
			read_exclusive(i, a);
		}
		return;
	case 1:
		if (aarch64_access_bits(i, 24, 1)) { /* LDAPUR, STLUR */
			a->size = (uint8_t)(1u << aarch64_access_bits(i, 30, 2));
			a->memory = at_base(i, aarch64_access_signed_bits(i, 12, 9));
			set_transfer(a, aarch64_access_bits(i, 22, 2) != 0, false,
				     aarch64_access_reg(i, 0), ACCESS_NONE);
			return;
		}
		a->size = aarch64_access_bits(i, 30, 2) == 1 ? 8 : 4;
		a->memory = at_address(addr + (uint64_t)(aarch64_access_signed_bits(i, 5, 19) * 4));
		set_transfer(a, true, aarch64_access_bits(i, 26, 1), aarch64_access_reg(i, 0),
			     ACCESS_NONE);
		return;
	case 2:
		read_pair(i, a);
		return;
	default:
		read_single(i, a);
	}
}

bool aarch64_access_read(uint32_t i, uint64_t addr, struct code_access *ret)
{
	struct code_access a = {
		.length = AARCH64_INSTRUCTION_SIZE,
		.memory = { .base = ACCESS_NONE, .index = ACCESS_NONE },
		.to = ACCESS_NONE,
		.second = ACCESS_NONE,
		.from = ACCESS_NONE,
		.other = ACCESS_NONE,
	};

	switch (aarch64_access_bits(i, 25, 4)) {
	case 0:
	case 1:
	case 3: /* not allocated */
		if (!aarch64_access_bits(i, 16, 16))
			a.flow = ACCESS_END; /* UDF */
		break;
	case 2: /* SVE: memory operands are not decoded */
		break;
	case 8:
	case 9:
		read_immediate(i, addr, &a);
		break;
	case 10:
	case 11:
		read_flow(i, addr, &a);
		break;
	case 5:
	case 13:
		read_register(i, &a);
		break;
	case 7:
	case 15:
		read_vector(i, &a);
		break;
	default:
		read_memory(i, addr, &a);
	}
	*ret = a;
	return true;
}
