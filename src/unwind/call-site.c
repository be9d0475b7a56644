/* SPDX-License-Identifier: MIT */
#include "unwind/call-site.h"

/* BL; BLR; BLRAAZ, BLRABZ; BLRAA, BLRAB. Instructions are little-endian, whatever the data. */
static bool is_aarch64_call(const uint8_t *code)
{
	uint32_t op = code[0] | code[1] << 8 | code[2] << 16 | (uint32_t)code[3] << 24;

	return (op & 0xfc000000) == 0x94000000 || (op & 0xfffffc1f) == 0xd63f0000 ||
	       (op & 0xfffff81f) == 0xd63f081f || (op & 0xfffff800) == 0xd73f0800;
}

/* The length of FF /2 whose ModRM byte is @modrm, followed by @sib; 0: another instruction. */
static size_t indirect_call_size(uint8_t modrm, uint8_t sib)
{
	unsigned mod = modrm >> 6, rm = modrm & 7;
	size_t n = 2;

	if ((modrm >> 3 & 7) != 2)
		return 0;
	if (mod == 3)
		return n;
	n += rm == 4;
	if (mod == 1)
		return n + 1;
	if (mod == 2 || rm == 5 || (rm == 4 && (sib & 7) == 5))
		return n + 4;
	return n;
}

/* Instructions are read backwards, so that other ones may look like a call; few do. */
static bool is_x86_call(const uint8_t *code, size_t n)
{
	if (n >= 5 && code[n - 5] == 0xe8)
		return true;
	for (size_t size = 2; size <= 7 && size <= n; size++) {
		const uint8_t *c = code + n - size;

		if (c[0] == 0xff && indirect_call_size(c[1], size > 2 ? c[2] : 0) == size)
			return true;
	}
	return false;
}

bool call_site_ends(enum machine_type machine, const uint8_t *code, size_t n)
{
	switch (machine) {
	case MACHINE_AARCH64:
		return n >= 4 && is_aarch64_call(code + n - 4);
	case MACHINE_X86_64:
		return is_x86_call(code, n);
	default:
		return false;
	}
}
