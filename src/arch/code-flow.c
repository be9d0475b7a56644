/* SPDX-License-Identifier: MIT */
#include "arch/code-flow.h"

#include <string.h>

#include "base/cleanup.h"

/* Bits @low to @low + @n - 1 of @word, as a signed number. */
static int64_t signed_bits(uint32_t word, unsigned low, unsigned n)
{
	return (int64_t)((uint64_t)word << (64 - low - n)) >> (64 - n);
}

static struct code_flow to(enum code_flow_kind kind, uint64_t target)
{
	return (struct code_flow){ .kind = kind, .has_target = true, .target = target };
}

/* Fixed bits and what they mean; the first that fits counts. Arm ARM, C4.1 and C6.2. */
static const struct {
	uint32_t mask, value;
	enum code_flow_kind kind;
	unsigned low, bits; /* of the distance in words; 0 bits: there is none */
} aarch64_flows[] = {
	{ 0xfc000000, 0x14000000, FLOW_JUMP, 0, 26 },  /* b */
	{ 0xfc000000, 0x94000000, FLOW_CALL, 0, 26 },  /* bl */
	{ 0xff000000, 0x54000000, FLOW_JUMP, 5, 19 },  /* b.cond, bc.cond */
	{ 0x7e000000, 0x34000000, FLOW_JUMP, 5, 19 },  /* cbz, cbnz */
	{ 0x7e000000, 0x36000000, FLOW_JUMP, 5, 14 },  /* tbz, tbnz */
	{ 0x3b000000, 0x18000000, FLOW_ON, 5, 19 },    /* ldr, ldrsw, prfm: literal */
	{ 0xfefff000, 0xd61f0000, FLOW_JUMP, 0, 0 },   /* br, braa, brab, braaz, brabz */
	{ 0xfefff000, 0xd63f0000, FLOW_CALL, 0, 0 },   /* blr and the like */
	{ 0xfffff000, 0xd65f0000, FLOW_RETURN, 0, 0 }, /* ret, retaa, retab */
	{ 0xfffff000, 0xd69f0000, FLOW_RETURN, 0, 0 }, /* eret, eretaa */
};

static struct code_flow of_aarch64(const uint8_t *bytes, size_t n, uint64_t addr)
{
	uint32_t word;

	if (n < 4)
		return (struct code_flow){ .kind = FLOW_ON };
	word = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[3] << 24;
	for (size_t i = 0; i < ARRAY_SIZE(aarch64_flows); i++) {
		unsigned bits = aarch64_flows[i].bits;

		if ((word & aarch64_flows[i].mask) != aarch64_flows[i].value)
			continue;
		if (!bits)
			return (struct code_flow){ .kind = aarch64_flows[i].kind };
		return to(aarch64_flows[i].kind,
			  addr + (uint64_t)signed_bits(word, aarch64_flows[i].low, bits) * 4);
	}
	if ((word & 0x1f000000) == 0x10000000) {
		int64_t distance = signed_bits(word, 5, 19) * 4 | (word >> 29 & 3);

		/* adrp names a page, adr a byte. */
		return to(FLOW_ON, word >> 31 ? (addr & ~0xfffull) + (uint64_t)distance * 4096
					      : addr + (uint64_t)distance);
	}
	return (struct code_flow){ .kind = FLOW_ON };
}

static bool is_x86_prefix(uint8_t byte)
{
	static const uint8_t prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
					    0x66, 0x67, 0xf0, 0xf2, 0xf3 };

	/* 0x40 to 0x4f is REX. */
	return (byte & 0xf0) == 0x40 || memchr(prefixes, byte, sizeof(prefixes));
}

/* The last @size bytes are the distance from the end of the instruction. */
static struct code_flow x86_relative(enum code_flow_kind kind, const uint8_t *bytes, size_t n,
				     size_t size, uint64_t addr)
{
	uint32_t word = 0;

	if (n < size + 1)
		return (struct code_flow){ .kind = kind };
	for (size_t i = 0; i < size; i++)
		word |= (uint32_t)bytes[n - size + i] << (8 * i);
	return to(kind, addr + n + (uint64_t)signed_bits(word, 0, (unsigned)size * 8));
}

/* ff /2, /3: call; /4, /5: jmp, through a register or memory. */
static struct code_flow x86_indirect(uint8_t modrm)
{
	unsigned operation = modrm >> 3 & 7;

	return (struct code_flow){ .kind = operation == 2 || operation == 3   ? FLOW_CALL
					   : operation == 4 || operation == 5 ? FLOW_JUMP
									      : FLOW_ON };
}

static struct code_flow of_x86(const uint8_t *bytes, size_t n, uint64_t addr)
{
	size_t at = 0;
	uint8_t op, next;

	while (at < n && is_x86_prefix(bytes[at]))
		at++;
	if (at == n)
		return (struct code_flow){ .kind = FLOW_ON };
	op = bytes[at];
	next = at + 1 < n ? bytes[at + 1] : 0;
	if (op == 0xe8)
		return x86_relative(FLOW_CALL, bytes, n, 4, addr);
	if (op == 0xe9 || (op == 0x0f && (next & 0xf0) == 0x80) || (op == 0xc7 && next == 0xf8))
		return x86_relative(FLOW_JUMP, bytes, n, 4, addr);
	/* jcc; loop, loope, loopne, jrcxz; jmp */
	if ((op & 0xf0) == 0x70 || (op & 0xfc) == 0xe0 || op == 0xeb)
		return x86_relative(FLOW_JUMP, bytes, n, 1, addr);
	if (op == 0xff)
		return x86_indirect(next);
	/* ret, lret, iret; sysret, sysexit */
	if (op == 0xc2 || op == 0xc3 || op == 0xca || op == 0xcb || op == 0xcf ||
	    (op == 0x0f && (next == 0x07 || next == 0x35)))
		return (struct code_flow){ .kind = FLOW_RETURN };
	return (struct code_flow){ .kind = FLOW_ON };
}

struct code_flow code_flow_of(enum machine_type machine, const uint8_t *bytes, size_t n,
			      uint64_t addr)
{
	switch (machine) {
	case MACHINE_AARCH64:
		return of_aarch64(bytes, n, addr);
	case MACHINE_X86_64:
		return of_x86(bytes, n, addr);
	case MACHINE_UNKNOWN:
		break;
	}
	return (struct code_flow){ .kind = FLOW_ON };
}
