/* SPDX-License-Identifier: MIT */
#include "wire/attr-codec.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"

#define FLAGS 0 /* the width of the flag word in the table below */

/*
 * The widths of the fields in order. There are no holes between them, so swapping needs nothing
 * else.
 */
static const uint8_t widths[] = {
	4,     4, 8, 8, 8, 8, /* type, size, config, period, sample_type, read_format */
	FLAGS, 4, 4, 8, 8,    /* wakeup, bp_type, config1, config2 */
	8,     8, 4, 4, 8,    /* branches, regs_user, stack_user, clockid, regs_intr */
	4,     2, 2, 4, 4, 8,
	8,     8, /* aux_watermark, max_stack, -, aux size and action, sig_data, … */
};

static void attr_codec_reverse(uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		uint8_t other = p[n - 1 - i];

		p[n - 1 - i] = p[i];
		p[i] = other;
	}
}

static uint8_t reversed_bits(uint8_t v)
{
	uint8_t r = 0;

	for (unsigned i = 0; i < 8; i++)
		r = (uint8_t)(r << 1 | ((v >> i) & 1));
	return r;
}

/*
 * Swaps the fields. The flags are a bitfield: compilers for the other byte order fill each byte
 * from its other end and keep the order of the bytes.
 */
static void swap_fields(uint8_t *p)
{
	for (size_t i = 0; i < ARRAY_SIZE(widths); i++) {
		if (widths[i] != FLAGS) {
			attr_codec_reverse(p, widths[i]);
			p += widths[i];
			continue;
		}
		for (unsigned k = 0; k < sizeof(uint64_t); k++, p++)
			*p = reversed_bits(*p);
	}
}

static bool all_zero(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

int attr_decode(const void *bytes, size_t size, bool swap, struct attr *ret, bool *ret_unknown)
{
	uint8_t image[sizeof(struct attr)] = { 0 };
	uint32_t claimed;
	size_t known;

	if (size < ATTR_SIZE_MIN)
		return -EBADMSG;
	memcpy(&claimed, (const uint8_t *)bytes + offsetof(struct attr, size), sizeof(claimed));
	if (swap)
		claimed = __builtin_bswap32(claimed);
	if (!claimed)
		claimed = ATTR_SIZE_MIN;
	if (claimed < ATTR_SIZE_MIN || claimed > size || claimed % sizeof(uint64_t))
		return -EBADMSG;

	known = claimed < sizeof(image) ? claimed : sizeof(image);
	memcpy(image, bytes, known);
	if (swap)
		swap_fields(image);
	memcpy(ret, image, sizeof(image));
	*ret_unknown = !all_zero((const uint8_t *)bytes + known, claimed - known);
	return 0;
}

uint32_t attr_size_needed(const struct attr *attr)
{
	static const uint32_t sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136 };
	const uint8_t *p = (const uint8_t *)attr;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		if (all_zero(p + sizes[i], sizeof(*attr) - sizes[i]))
			return sizes[i];
	return sizeof(*attr);
}
