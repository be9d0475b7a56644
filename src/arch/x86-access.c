/* SPDX-License-Identifier: MIT */
/*
 * Decodes the effect of an x86 instruction from its encoding (arch/x86-insn.h): the memory that it
 * accesses, the registers that it changes, and its control flow.
 */
#include "arch/access.h"
#include "arch/x86-insn.h"

/* DWARF's register numbers. */
enum {
	RAX = 0,
	RDX = 1,
	RCX = 2,
	RSI = 4,
	RDI = 5,
	RBP = 6,
	RSP = 7,
	R11 = 11,
};

#define BIT(r) (1u << (r))

static uint8_t operand_size(const struct x86_insn *r)
{
	return r->wide ? 8 : r->small ? 2 : 4;
}

/* Returns the register that is a part of the opcode. */
static uint8_t opcode_register(const struct x86_insn *r)
{
	return x86_register((r->opcode & 7u) | (r->rex & 1u) << 3);
}

static void x86_access_writes(struct code_access *a, uint8_t reg)
{
	a->written |= BIT(reg);
}

/* Notes that the operand of ModRM is written, if it is a register. */
static void writes_rm(const struct x86_insn *r, struct code_access *a)
{
	if (!r->is_memory)
		x86_access_writes(a, r->rm);
}

static void set_move(struct code_access *a, enum access_action action, uint8_t to, uint8_t from)
{
	a->action = action;
	a->to = to;
	a->from = from;
}

static void x86_access_set_number(struct code_access *a, uint8_t to, int64_t value)
{
	set_move(a, ACCESS_ADDRESS, to, ACCESS_NONE);
	a->memory = (struct access_memory){
		.base = ACCESS_NONE, .index = ACCESS_NONE, .is_absolute = true, .offset = value
	};
}

/* Sets @to = @from * @n. */
static void set_scale(struct code_access *a, uint8_t to, uint8_t from, uint64_t n)
{
	set_move(a, ACCESS_SCALE, to, from);
	a->scale = n;
}

/* Sets @a to @reg += @value. */
static void set_step(struct code_access *a, uint8_t reg, int64_t value)
{
	set_move(a, ACCESS_ADDRESS, reg, ACCESS_NONE);
	a->memory = (struct access_memory){ .base = reg, .index = ACCESS_NONE, .offset = value };
}

static void set_push(struct code_access *a, uint8_t from)
{
	set_move(a, ACCESS_STORE, ACCESS_NONE, from);
	a->memory = (struct access_memory){ .base = RSP, .index = ACCESS_NONE };
	a->before = -8;
	a->size = 8;
	a->is_stack = a->has_memory = true;
}

static void set_pop(struct code_access *a, uint8_t to)
{
	set_push(a, ACCESS_NONE);
	set_move(a, ACCESS_LOAD, to, ACCESS_NONE);
	a->before = 0;
	a->after = 8;
}

static void x86_access_set_flow(struct x86_insn *r, struct code_access *a, enum access_flow flow,
				uint64_t addr)
{
	a->flow = flow;
	a->has_target = true;
	a->target = addr + r->at + (uint64_t)r->imm;
	a->is_stack = flow == ACCESS_CALL;
}

/* Reads ADD, OR, ADC, SBB, AND, SUB, XOR or CMP, as selected by @which, with registers. */
static void read_arithmetic(const struct x86_insn *r, struct code_access *a, unsigned which,
			    unsigned form)
{
	bool is_wide = r->wide && (form & 1);

	if (which == 7)
		return;
	if (form < 4) {
		uint8_t to = form < 2 ? r->rm : r->reg, other = form < 2 ? r->reg : r->rm;

		if (form < 2 && r->is_memory)
			return;
		if ((which == 0 || which == 5) && is_wide && r->is_memory) {
			set_move(a, which ? ACCESS_SUBTRACT : ACCESS_ADD, to, to);
			return;
		}
		if ((which == 0 || which == 5) && (form & 1) && !r->is_memory && !r->small) {
			set_move(a, which ? ACCESS_SUBTRACT : ACCESS_ADD, to, to);
			a->other = other;
			a->is_narrow = !r->wide;
		} else if (which == 6 && to == other && !r->is_memory && (form & 1)) {
			/* XOR of a register with itself sets it to 0 */
			x86_access_set_number(a, to, 0);
		} else {
			x86_access_writes(a, to);
		}
	} else if (is_wide && (which == 0 || which == 5)) {
		set_step(a, RAX, which ? -r->imm : r->imm);
	} else {
		x86_access_writes(a, RAX);
	}
}

/* Reads the same operations with an immediate: 80, 81, 83. */
static void read_arithmetic_imm(const struct x86_insn *r, struct code_access *a)
{
	if (r->is_memory || r->digit == 7)
		return;
	if (r->wide && r->opcode != 0x80 && (r->digit == 0 || r->digit == 5))
		set_step(a, r->rm, r->digit ? -r->imm : r->imm);
	else
		x86_access_writes(a, r->rm);
}

/* Reads MOV between a register and the operand of ModRM. */
static void read_mov(const struct x86_insn *r, struct code_access *a)
{
	bool to_reg = r->opcode & 2;

	if (!r->is_memory)
		set_move(a, ACCESS_COPY, to_reg ? r->reg : r->rm, to_reg ? r->rm : r->reg);
	else if (to_reg)
		set_move(a, ACCESS_LOAD, r->reg, ACCESS_NONE);
	else
		set_move(a, ACCESS_STORE, ACCESS_NONE, r->reg);
	/* Writing a byte or a word leaves the rest of a register unchanged. */
	if (!r->is_memory && a->size < 4) {
		a->action = ACCESS_OTHER;
		x86_access_writes(a, a->to);
	}
}

static void read_load(const struct x86_insn *r, struct code_access *a, uint8_t size)
{
	a->size = size;
	if (r->is_memory)
		set_move(a, ACCESS_LOAD, r->reg, ACCESS_NONE);
	else
		x86_access_writes(a, r->reg);
}

static void read_group_ff(struct x86_insn *r, struct code_access *a)
{
	switch (r->digit) {
	case 0:
	case 1:
		if (!r->is_memory && r->wide)
			set_step(a, r->rm, r->digit ? -1 : 1);
		else
			writes_rm(r, a);
		break;
	case 2:
	case 3:
		a->flow = ACCESS_CALL;
		a->is_stack = !r->is_memory;
		a->size = 8;
		break;
	case 4:
	case 5:
		a->flow = ACCESS_JUMP;
		a->size = 8;
		break;
	case 6:
		/* The memory that it reads is of more interest than the stack. */
		if (!r->is_memory)
			set_push(a, r->rm);
		else
			a->stack_step = -8;
		break;
	}
}

/* MOVS, CMPS, STOS, LODS, SCAS */
static void x86_access_read_string(struct x86_insn *r, struct code_access *a)
{
	unsigned kind = r->opcode & 0xe;
	bool from_source = kind == 4 || kind == 6 || kind == 0xc;

	a->has_memory = true;
	a->size = r->opcode & 1 ? operand_size(r) : 1;
	a->memory = (struct access_memory){ .base = from_source ? RSI : RDI, .index = ACCESS_NONE };
	a->written = BIT(RSI) | BIT(RDI) | (r->rep || r->repne ? BIT(RCX) : 0);
	if (kind == 0xc)
		a->written |= BIT(RAX);
}

static void read_group_f7(const struct x86_insn *r, struct code_access *a)
{
	if (r->digit == 2 || r->digit == 3)
		writes_rm(r, a);
	else if (r->digit > 3)
		a->written |= BIT(RAX) | BIT(RDX);
}

static void read_shift(const struct x86_insn *r, struct code_access *a)
{
	unsigned bits = r->opcode == 0xc1 ? r->imm & (r->wide ? 63 : 31) : 1;
	bool is_shl = (r->digit == 4 || r->digit == 6) && (r->opcode == 0xc1 || r->opcode == 0xd1);

	if (is_shl && !r->is_memory && !r->small)
		set_scale(a, r->rm, r->rm, (uint64_t)1 << bits);
	else
		writes_rm(r, a);
}

static void read_one_rest(struct x86_insn *r, struct code_access *a, uint64_t addr)
{
	uint8_t op = r->opcode;

	if (op >= 0x91 && op < 0x98)
		a->written |= BIT(opcode_register(r)) | BIT(RAX);
	else if (op >= 0xb0 && op < 0xb8)
		x86_access_writes(a, opcode_register(r));
	else if (op >= 0xb8 && op < 0xc0)
		x86_access_set_number(a, opcode_register(r),
				      r->wide ? r->imm : (int64_t)(uint32_t)r->imm);
	else if ((op >= 0x70 && op < 0x80) || (op >= 0xe0 && op < 0xe4))
		x86_access_set_flow(r, a, ACCESS_BRANCH, addr);
	else if ((op >= 0xa4 && op < 0xa8) || (op >= 0xaa && op < 0xb0))
		x86_access_read_string(r, a);
	else if (op == 0xc0 || op == 0xc1 || (op >= 0xd0 && op < 0xd4))
		read_shift(r, a);
	else if (op >= 0xe4 && op < 0xee)
		x86_access_writes(a, RAX);
}

static void read_one(struct x86_insn *r, struct code_access *a, uint64_t addr)
{
	uint8_t op = r->opcode;

	if (op < 0x40) {
		read_arithmetic(r, a, op >> 3, op & 7);
		return;
	}
	if (op >= 0x50 && op < 0x60) {
		if (op < 0x58)
			set_push(a, opcode_register(r));
		else
			set_pop(a, opcode_register(r));
		return;
	}
	switch (op) {
	case 0x63: /* MOVSXD */
		read_load(r, a, 4);
		if (!r->is_memory) {
			a->written = 0;
			set_scale(a, r->reg, r->rm, 1);
		}
		break;
	case 0x68:
	case 0x6a:
		set_push(a, ACCESS_NONE);
		break;
	case 0x69:
	case 0x6b: /* IMUL with an immediate */
		if (!r->is_memory && r->imm > 0 && !r->small)
			set_scale(a, r->reg, r->rm, (uint64_t)r->imm);
		else
			x86_access_writes(a, r->reg);
		break;
	case 0x80:
	case 0x81:
	case 0x83:
		read_arithmetic_imm(r, a);
		break;
	case 0x86:
	case 0x87:
		x86_access_writes(a, r->reg);
		writes_rm(r, a);
		break;
	case 0x88:
	case 0x89:
	case 0x8a:
	case 0x8b:
		read_mov(r, a);
		break;
	case 0x8c:
		writes_rm(r, a);
		break;
	case 0x8d:
		set_move(a, ACCESS_ADDRESS, r->reg, ACCESS_NONE);
		a->has_memory = false;
		break;
	case 0x8f:
		if (r->is_memory)
			a->stack_step = 8;
		else
			set_pop(a, r->rm);
		break;
	case 0x98:
		x86_access_writes(a, RAX);
		break;
	case 0x99:
		x86_access_writes(a, RDX);
		break;
	case 0xc3:
	case 0xc2:
		a->flow = ACCESS_END;
		a->is_stack = true;
		break;
	case 0xc7:
		if (!r->is_memory)
			x86_access_set_number(a, r->rm, r->imm);
		break;
	case 0xc6:
		writes_rm(r, a);
		break;
	case 0xc9:
		a->written |= BIT(RSP) | BIT(RBP);
		a->is_stack = true;
		break;
	case 0xcc:
	case 0xcb:
	case 0xcf:
	case 0xf4:
		a->flow = ACCESS_END;
		break;
	case 0xe8:
		x86_access_set_flow(r, a, ACCESS_CALL, addr);
		break;
	case 0xe9:
	case 0xeb:
		x86_access_set_flow(r, a, ACCESS_JUMP, addr);
		break;
	case 0xf6:
	case 0xf7:
		read_group_f7(r, a);
		break;
	case 0xfe:
		writes_rm(r, a);
		break;
	case 0xff:
		read_group_ff(r, a);
		break;
	default:
		read_one_rest(r, a, addr);
	}
}

/*
 * Returns the number of bytes that a vector instruction reads; with a prefix, the size of one
 * number.
 */
static uint8_t vector_operand(const struct x86_insn *r)
{
	if (r->rep)
		return 4;
	if (r->repne)
		return 8;
	return r->vector_size ? r->vector_size : 16;
}

static bool stores_vector(const struct x86_insn *r)
{
	switch (r->opcode) {
	case 0x11:
	case 0x13:
	case 0x17:
	case 0x29:
	case 0x2b:
	case 0x7f:
	case 0xd6:
	case 0xe7:
		return r->is_memory;
	case 0x7e:
		return r->is_memory && !r->rep;
	default:
		return false;
	}
}

static void read_0f_vector(const struct x86_insn *r, struct code_access *a)
{
	uint8_t op = r->opcode;

	if (stores_vector(r))
		a->action = ACCESS_STORE;

	a->size = vector_operand(r);
	switch (op) {
	case 0x12:
	case 0x13:
	case 0x16:
	case 0x17:
		a->size = 8;
		break;
	case 0x6e:
		a->size = r->wide ? 8 : 4;
		break;
	case 0x7e:
		a->size = r->rep || r->wide ? 8 : 4;
		if (!r->rep)
			writes_rm(r, a);
		break;
	case 0xd6:
		a->size = 8;
		break;
	case 0x6f:
	case 0x7f:
		a->size = r->vector_size ? r->vector_size : 16;
		break;
	case 0x2c:
	case 0x2d:
	case 0x50:
	case 0xc5:
	case 0xd7:
		x86_access_writes(a, r->reg);
	}
}

static void read_0f(struct x86_insn *r, struct code_access *a, uint64_t addr)
{
	uint8_t op = r->opcode;

	if (op >= 0x40 && op < 0x50 && !r->is_vex) {
		set_move(a, r->is_memory ? ACCESS_LOAD : ACCESS_CHOOSE, r->reg,
			 r->is_memory ? ACCESS_NONE : r->rm);
		a->other = r->is_memory ? ACCESS_NONE : r->reg;
	} else if (op >= 0x80 && op < 0x90) {
		x86_access_set_flow(r, a, ACCESS_BRANCH, addr);
	} else if (op >= 0x90 && op < 0xa0) {
		a->size = 1;
		writes_rm(r, a);
	} else if (op >= 0xc8 && op < 0xd0) {
		x86_access_writes(a, opcode_register(r));
	} else {
		switch (op) {
		case 0x05: /* SYSCALL */
			a->written |= BIT(RAX) | BIT(RCX) | BIT(R11);
			break;
		case 0x07:
		case 0x0b: /* SYSRET, UD2 */
			a->flow = ACCESS_END;
			break;
		case 0x1e: /* ENDBR64; RDSSP */
		case 0x1f: /* NOP */
			a->has_memory = false;
			break;
		case 0x31:
		case 0x32:
			a->written |= BIT(RAX) | BIT(RDX);
			break;
		case 0xa2: /* CPUID */
			a->written |= BIT(RAX) | BIT(RDX) | BIT(RCX) | BIT(3);
			break;
		case 0xaf:
		case 0xb8:
		case 0xbc:
		case 0xbd:
			x86_access_writes(a, r->reg);
			break;
		case 0xb0:
		case 0xb1: /* CMPXCHG */
			a->written |= BIT(RAX);
			writes_rm(r, a);
			break;
		case 0xc7: /* CMPXCHG8B and related instructions */
			a->written |= BIT(RAX) | BIT(RDX);
			break;
		case 0xc0:
		case 0xc1: /* XADD */
			x86_access_writes(a, r->reg);
			writes_rm(r, a);
			break;
		case 0xa4:
		case 0xa5:
		case 0xac:
		case 0xad:
		case 0xab:
		case 0xb3:
		case 0xbb:
		case 0xba:
			writes_rm(r, a);
			break;
		case 0xa3:
		case 0xae:
		case 0xc3:
		case 0x18:
		case 0x0d:
		case 0x01:
			break;
		case 0xb6:
		case 0xbe:
			read_load(r, a, 1);
			break;
		case 0xb7:
		case 0xbf:
			read_load(r, a, 2);
			break;
		default:
			read_0f_vector(r, a);
		}
	}
}

/* Reads BMI instructions, and moves out of vectors. */
static void read_0f38(const struct x86_insn *r, struct code_access *a)
{
	a->size = vector_operand(r);
	if (r->map == X86_MAP_0F38 && r->opcode >= 0xf0 && r->opcode < 0xf8) {
		a->size = operand_size(r);
		if (r->is_vex)
			x86_access_writes(a, x86_register(r->vvvv));
		if (r->opcode != 0xf3)
			x86_access_writes(a, r->reg);
	} else if (r->map == X86_MAP_0F3A && r->opcode >= 0x14 && r->opcode < 0x18) {
		writes_rm(r, a);
	} else if (r->map == X86_MAP_0F3A && r->opcode == 0xf0) {
		x86_access_writes(a, r->reg);
	}
}

static bool is_byte_opcode(const struct x86_insn *r)
{
	return r->map == X86_MAP_ONE && !(r->opcode & 1) && r->opcode != 0x62 && r->opcode < 0xd8;
}

static void set_operands(struct x86_insn *r, struct code_access *a, uint64_t addr)
{
	a->size = is_byte_opcode(r) || (r->map == X86_MAP_ONE &&
					(r->opcode == 0xf6 || r->opcode == 0xfe))
			  ? 1
			  : operand_size(r);
	a->has_memory = r->is_memory;
	a->memory = r->memory;
	if (r->is_rip)
		a->memory.offset = (int64_t)((uint64_t)a->memory.offset + addr + r->at);
	if (r->map == X86_MAP_ONE && r->opcode >= 0xa0 && r->opcode < 0xa4) {
		a->has_memory = true;
		a->memory.is_absolute = true;
		a->memory.offset = r->imm;
		a->memory.segment = r->segment;
		if (r->opcode < 0xa2)
			x86_access_writes(a, RAX);
	}
}

bool x86_access_read(const uint8_t *bytes, size_t n, uint64_t addr, struct code_access *ret)
{
	struct x86_insn r;
	struct code_access a = {
		.to = ACCESS_NONE,
		.second = ACCESS_NONE,
		.from = ACCESS_NONE,
		.other = ACCESS_NONE,
	};

	if (!x86_insn_read(bytes, n, &r))
		return false;
	a.length = (uint8_t)r.at;
	set_operands(&r, &a, addr);
	switch (r.map) {
	case X86_MAP_ONE:
		if (r.is_vex)
			return false;
		read_one(&r, &a, addr);
		break;
	case X86_MAP_0F:
		read_0f(&r, &a, addr);
		break;
	default:
		read_0f38(&r, &a);
	}
	*ret = a;
	return true;
}
