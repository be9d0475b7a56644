/* SPDX-License-Identifier: MIT */
#include "dwarf/unwind/dwarf-expression.h"

#include "base/cursor.h"

/* DW_OP_*. */
enum {
	OP_ADDR = 0x03,
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONST1S = 0x09,
	OP_CONST2U = 0x0a,
	OP_CONST2S = 0x0b,
	OP_CONST4U = 0x0c,
	OP_CONST4S = 0x0d,
	OP_CONST8U = 0x0e,
	OP_CONST8S = 0x0f,
	OP_CONSTU = 0x10,
	OP_CONSTS = 0x11,
	OP_DUP = 0x12,
	OP_DROP = 0x13,
	OP_OVER = 0x14,
	OP_PICK = 0x15,
	OP_SWAP = 0x16,
	OP_ROT = 0x17,
	OP_ABS = 0x19,
	OP_AND = 0x1a,
	OP_DIV = 0x1b,
	OP_MINUS = 0x1c,
	OP_MOD = 0x1d,
	OP_MUL = 0x1e,
	OP_NEG = 0x1f,
	OP_NOT = 0x20,
	OP_OR = 0x21,
	OP_PLUS = 0x22,
	OP_PLUS_UCONST = 0x23,
	OP_SHL = 0x24,
	OP_SHR = 0x25,
	OP_SHRA = 0x26,
	OP_XOR = 0x27,
	OP_BRA = 0x28,
	OP_EQ = 0x29,
	OP_GE = 0x2a,
	OP_GT = 0x2b,
	OP_LE = 0x2c,
	OP_LT = 0x2d,
	OP_NE = 0x2e,
	OP_SKIP = 0x2f,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70,
	OP_BREG31 = 0x8f,
	OP_BREGX = 0x92,
	OP_DEREF_SIZE = 0x94,
	OP_NOP = 0x96,
};

#define DEPTH_MAX 64
#define STEPS_MAX 1000 /* for expressions that jump backwards */

struct dwarf_expression_machine {
	const struct expression *e;
	const struct expression_env *env;
	struct cursor c;
	uint64_t stack[DEPTH_MAX];
	size_t n;
	bool bad;
};

static void expression_push(struct dwarf_expression_machine *m, uint64_t value)
{
	if (m->n == DEPTH_MAX)
		m->bad = true;
	else
		m->stack[m->n++] = value;
}

static uint64_t expression_pop(struct dwarf_expression_machine *m)
{
	if (!m->n) {
		m->bad = true;
		return 0;
	}
	return m->stack[--m->n];
}

/* Returns the entry @i below the top. */
static uint64_t expression_peek(struct dwarf_expression_machine *m, size_t i)
{
	if (i >= m->n) {
		m->bad = true;
		return 0;
	}
	return m->stack[m->n - 1 - i];
}

static void expression_push_register(struct dwarf_expression_machine *m, uint64_t reg,
				     int64_t offset)
{
	uint64_t value = 0;

	if (!m->env->read_register(m->env->arg, reg, &value))
		m->bad = true;
	expression_push(m, value + (uint64_t)offset);
}

static void expression_deref(struct dwarf_expression_machine *m, unsigned size)
{
	uint64_t addr = expression_pop(m), value = 0;

	if (m->bad || size > 8 || !m->env->read_memory(m->env->arg, addr, size, &value))
		m->bad = true;
	expression_push(m, value);
}

static void expression_jump(struct dwarf_expression_machine *m, int16_t by)
{
	size_t at = (size_t)(m->c.at - m->e->bytes);

	if (by < 0 ? (size_t)-by > at : (size_t)by > cursor_left(&m->c))
		m->bad = true;
	else
		m->c.at += by;
}

static uint64_t dwarf_expression_take_number(struct cursor *c, uint8_t op)
{
	switch (op) {
	case OP_CONST1U:
		return cursor_u8(c);
	case OP_CONST1S:
		return (uint64_t)(int8_t)cursor_u8(c);
	case OP_CONST2U:
		return cursor_u16(c);
	case OP_CONST2S:
		return (uint64_t)(int16_t)cursor_u16(c);
	case OP_CONST4U:
		return cursor_u32(c);
	case OP_CONST4S:
		return (uint64_t)(int32_t)cursor_u32(c);
	case OP_CONST8U:
	case OP_CONST8S:
		return cursor_u64(c);
	case OP_CONSTU:
		return cursor_uleb128(c);
	default:
		return (uint64_t)cursor_sleb128(c);
	}
}

static void expression_move(struct dwarf_expression_machine *m, uint8_t op)
{
	uint64_t a, b, c;

	switch (op) {
	case OP_DUP:
		expression_push(m, expression_peek(m, 0));
		break;
	case OP_DROP:
		expression_pop(m);
		break;
	case OP_OVER:
		expression_push(m, expression_peek(m, 1));
		break;
	case OP_PICK:
		expression_push(m, expression_peek(m, cursor_u8(&m->c)));
		break;
	case OP_SWAP:
		a = expression_pop(m), b = expression_pop(m);
		expression_push(m, a), expression_push(m, b);
		break;
	case OP_ROT: /* the top goes below the next two */
		a = expression_pop(m), b = expression_pop(m), c = expression_pop(m);
		expression_push(m, a), expression_push(m, c), expression_push(m, b);
		break;
	}
}

static uint64_t expression_divide(struct dwarf_expression_machine *m, int64_t a, int64_t b)
{
	if (!b) {
		m->bad = true;
		return 0;
	}
	return b == -1 ? -(uint64_t)a : (uint64_t)(a / b);
}

static uint64_t expression_modulo(struct dwarf_expression_machine *m, uint64_t a, uint64_t b)
{
	if (!b) {
		m->bad = true;
		return 0;
	}
	return a % b;
}

static uint64_t expression_shift(uint8_t op, uint64_t a, uint64_t by)
{
	bool is_negative = op == OP_SHRA && (int64_t)a < 0;

	if (by >= 64)
		return is_negative ? UINT64_MAX : 0;
	if (op == OP_SHL)
		return a << by;
	return a >> by | (is_negative && by ? UINT64_MAX << (64 - by) : 0);
}

static uint64_t expression_compare(uint8_t op, int64_t a, int64_t b)
{
	switch (op) {
	case OP_EQ:
		return a == b;
	case OP_GE:
		return a >= b;
	case OP_GT:
		return a > b;
	case OP_LE:
		return a <= b;
	case OP_LT:
		return a < b;
	default:
		return a != b;
	}
}

/* Combines two numbers; @b was on top of the stack. */
static uint64_t expression_combine(struct dwarf_expression_machine *m, uint8_t op, uint64_t a,
				   uint64_t b)
{
	switch (op) {
	case OP_AND:
		return a & b;
	case OP_DIV:
		return expression_divide(m, (int64_t)a, (int64_t)b);
	case OP_MINUS:
		return a - b;
	case OP_MOD:
		return expression_modulo(m, a, b);
	case OP_MUL:
		return a * b;
	case OP_OR:
		return a | b;
	case OP_PLUS:
		return a + b;
	case OP_SHL:
	case OP_SHR:
	case OP_SHRA:
		return expression_shift(op, a, b);
	case OP_XOR:
		return a ^ b;
	default:
		return expression_compare(op, (int64_t)a, (int64_t)b);
	}
}

static void expression_compute(struct dwarf_expression_machine *m, uint8_t op)
{
	uint64_t a, b;

	switch (op) {
	case OP_ABS:
		a = expression_pop(m);
		expression_push(m, (int64_t)a < 0 ? -a : a);
		break;
	case OP_NEG:
		expression_push(m, -expression_pop(m));
		break;
	case OP_NOT:
		expression_push(m, ~expression_pop(m));
		break;
	case OP_PLUS_UCONST:
		a = expression_pop(m);
		expression_push(m, a + cursor_uleb128(&m->c));
		break;
	default:
		b = expression_pop(m), a = expression_pop(m);
		expression_push(m, expression_combine(m, op, a, b));
	}
}

static void expression_take_other(struct dwarf_expression_machine *m, uint8_t op)
{
	uint64_t reg;
	int16_t by;

	switch (op) {
	case OP_ADDR:
		expression_push(m, m->e->is_64 ? cursor_u64(&m->c) : cursor_u32(&m->c));
		break;
	case OP_DEREF:
		expression_deref(m, m->e->is_64 ? 8 : 4);
		break;
	case OP_DEREF_SIZE:
		expression_deref(m, cursor_u8(&m->c));
		break;
	case OP_BRA:
		by = (int16_t)cursor_u16(&m->c);
		if (expression_pop(m))
			expression_jump(m, by);
		break;
	case OP_SKIP:
		expression_jump(m, (int16_t)cursor_u16(&m->c));
		break;
	case OP_BREGX:
		reg = cursor_uleb128(&m->c);
		expression_push_register(m, reg, cursor_sleb128(&m->c));
		break;
	case OP_NOP:
		break;
	default:
		m->bad = true;
	}
}

static void expression_step(struct dwarf_expression_machine *m)
{
	uint8_t op = cursor_u8(&m->c);

	switch (op) {
	case OP_CONST1U ... OP_CONSTS:
		expression_push(m, dwarf_expression_take_number(&m->c, op));
		break;
	case OP_DUP ... OP_ROT:
		expression_move(m, op);
		break;
	case OP_ABS ... OP_XOR:
	case OP_EQ ... OP_NE:
		expression_compute(m, op);
		break;
	case OP_LIT0 ... OP_LIT31:
		expression_push(m, op - OP_LIT0);
		break;
	case OP_BREG0 ... OP_BREG31:
		expression_push_register(m, op - OP_BREG0, cursor_sleb128(&m->c));
		break;
	default:
		expression_take_other(m, op);
	}
}

bool expression_value(const struct expression *e, const struct expression_env *env,
		      const uint64_t *first, uint64_t *ret)
{
	struct dwarf_expression_machine m;

	m.e = e;
	m.env = env;
	m.c = cursor_over(e->bytes, e->size, e->swap);
	m.n = 0;
	m.bad = false;
	if (first)
		expression_push(&m, *first);
	for (unsigned steps = 0; cursor_left(&m.c) && !m.bad; steps++) {
		if (steps == STEPS_MAX)
			return false;
		expression_step(&m);
		m.bad |= m.c.bad;
	}
	if (m.bad || !m.n)
		return false;
	*ret = m.stack[m.n - 1];
	return true;
}
