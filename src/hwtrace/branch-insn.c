/* SPDX-License-Identifier: MIT */
#include "hwtrace/branch-insn.h"

#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "hwtrace/decoder.h"

#define B AUX_FLAG_BRANCH

/* Ranges of opcodes; those after 0f have it as their high byte. */
static const struct {
	uint16_t first, last;
	uint8_t more; /* bytes after the opcode */
	uint32_t flags;
} branches[] = {
	{ 0x70, 0x7f, 1, B | AUX_FLAG_CONDITIONAL },
	{ 0xe0, 0xe3, 1, B | AUX_FLAG_CONDITIONAL },
	{ 0x0f80, 0x0f8f, 4, B | AUX_FLAG_CONDITIONAL },
	{ 0xe8, 0xe8, 4, B | AUX_FLAG_CALL },
	{ 0xe9, 0xe9, 4, B },
	{ 0xeb, 0xeb, 1, B },
	{ 0xc2, 0xc2, 2, B | AUX_FLAG_RETURN },
	{ 0xc3, 0xc3, 0, B | AUX_FLAG_RETURN },
	{ 0xca, 0xca, 2, B | AUX_FLAG_RETURN },
	{ 0xcb, 0xcb, 0, B | AUX_FLAG_RETURN },
	{ 0xcc, 0xcc, 0, B | AUX_FLAG_CALL | AUX_FLAG_INTERRUPT },
	{ 0xcd, 0xcd, 1, B | AUX_FLAG_CALL | AUX_FLAG_INTERRUPT },
	{ 0xcf, 0xcf, 0, B | AUX_FLAG_RETURN | AUX_FLAG_INTERRUPT },
	{ 0x0f05, 0x0f05, 0, B | AUX_FLAG_CALL | AUX_FLAG_SYSCALLRET },
	{ 0x0f34, 0x0f34, 0, B | AUX_FLAG_CALL | AUX_FLAG_SYSCALLRET },
	{ 0x0f07, 0x0f07, 0, B | AUX_FLAG_RETURN | AUX_FLAG_SYSCALLRET },
	{ 0x0f35, 0x0f35, 0, B | AUX_FLAG_RETURN | AUX_FLAG_SYSCALLRET },
};

static bool branch_insn_is_prefix(uint8_t b)
{
	static const uint8_t prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65,
					    0x66, 0x67, 0xf0, 0xf2, 0xf3 };

	/* 0x40 to 0x4f is REX. */
	return (b & 0xf0) == 0x40 || memchr(prefixes, b, sizeof(prefixes));
}

/*
 * Returns the size of the data after ModRM: SIB and a displacement. 0 is a possible size; @n: there
 * is no ModRM byte.
 */
static size_t address_size(const uint8_t *modrm, size_t n)
{
	unsigned mod = modrm[0] >> 6, rm = modrm[0] & 7;
	bool has_sib = mod != 3 && rm == 4;

	if (has_sib && n < 2)
		return n;
	if (mod == 1)
		return has_sib + 1U;
	if (mod == 2 || (mod == 0 && (rm == 5 || (has_sib && (modrm[1] & 7) == 5))))
		return has_sib + 4U;
	return has_sib;
}

/* Decodes ff /2, /3: call; /4, /5: jmp, through a register or memory. */
static size_t branch_insn_indirect(const uint8_t *modrm, size_t n, uint32_t *ret_flags)
{
	unsigned operation;

	if (!n)
		return 0;
	operation = modrm[0] >> 3 & 7;
	if (operation < 2 || operation > 5)
		return 0;
	*ret_flags = operation < 4 ? B | AUX_FLAG_CALL : B;
	return 1 + address_size(modrm, n);
}

static size_t by_opcode(const uint8_t *bytes, size_t n, uint32_t *ret_flags)
{
	bool two = bytes[0] == 0x0f && n > 1;
	uint16_t opcode = two ? 0x0f00 | bytes[1] : bytes[0];

	for (size_t i = 0; i < ARRAY_SIZE(branches); i++)
		if (opcode >= branches[i].first && opcode <= branches[i].last) {
			*ret_flags = branches[i].flags;
			return 1U + two + branches[i].more;
		}
	return 0;
}

size_t branch_insn(const uint8_t *bytes, size_t n, uint32_t *ret_flags)
{
	size_t at = 0, size;
	uint32_t flags = 0;

	while (at < n && branch_insn_is_prefix(bytes[at]))
		at++;
	if (at == n)
		return 0;
	if (bytes[at] == 0xff) {
		size = branch_insn_indirect(bytes + at + 1, n - at - 1, &flags);
		size += size != 0;
	} else {
		size = by_opcode(bytes + at, n - at, &flags);
	}
	if (!size || at + size > n)
		return 0;
	*ret_flags = flags;
	return at + size;
}
