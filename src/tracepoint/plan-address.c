/* SPDX-License-Identifier: MIT */
/*
 * Formats bytes of a record that are an address or a set: the %pM, %pI, %pU, %*ph and %*pb of the
 * kernel's Documentation/core-api/printk-formats.rst.
 */
#include <string.h>

#include "tracepoint/plan-print.h"
#include "tracepoint/plan.h"

enum {
	MAC_BYTES = 6,
	IP4_BYTES = 4,
	IP6_BYTES = 16,
	UUID_BYTES = 16,
	DUMP_BYTES_MAX = 64, /* the kernel's limit */
};

/* Linux's numbers of families, and the offsets of port and address in a family's sockaddr. */
enum {
	FAMILY_IP4 = 2,
	FAMILY_IP6 = 10,
	PORT_OFFSET = 2,
	SOCKADDR_IP4_OFFSET = 4,
	SOCKADDR_IP6_OFFSET = 8,
};

static bool has_variant(const struct plan_piece *piece, char letter)
{
	return strchr(piece->variant, letter) != NULL;
}

/* Writes %pM as 00:01:02, %pMF with dashes, %pMR reversed, %pm without separators. */
static void put_mac(struct plan_run *run, const struct plan_piece *piece, const uint8_t *mac)
{
	for (unsigned i = 0; i < MAC_BYTES; i++) {
		if (i && piece->flags & PIECE_LONG_FORM)
			text_add_char(run->out, has_variant(piece, 'F') ? '-' : ':');
		put_hex(run->out, mac[has_variant(piece, 'R') ? MAC_BYTES - 1 - i : i], 2);
	}
}

/* Writes 1.2.3.4, or 001.002.003.004 if @padded. */
static void put_ip4(struct plan_run *run, const uint8_t *ip, bool padded, bool reversed)
{
	for (unsigned i = 0; i < IP4_BYTES; i++) {
		uint8_t byte = ip[reversed ? IP4_BYTES - 1 - i : i];

		if (i)
			text_add_char(run->out, '.');
		if (padded && byte < 100)
			text_add_char(run->out, '0');
		if (padded && byte < 10)
			text_add_char(run->out, '0');
		put_decimal(run->out, byte);
	}
}

static bool host_is_big(void)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

static bool machine_is_big(const struct plan_run *run)
{
	return run->machine->swap != host_is_big();
}

/*
 * Writes %pI4, which is in network order, unless h (the machine's order) or l (little endian)
 * follows.
 */
static void put_ip4_piece(struct plan_run *run, const struct plan_piece *piece, const uint8_t *ip)
{
	bool reversed = has_variant(piece, 'l') ||
			(has_variant(piece, 'h') && !machine_is_big(run));

	put_ip4(run, ip, !(piece->flags & PIECE_LONG_FORM), reversed);
}

static unsigned ip6_word(const uint8_t *ip, unsigned i)
{
	return (unsigned)ip[2 * i] << 8 | ip[2 * i + 1];
}

/* True if the last four bytes are an IPv4 address: ::ffff:1.2.3.4, or ISATAP's. */
static bool ip6_ends_in_ip4(const uint8_t *ip)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };

	return memcmp(ip, mapped, sizeof(mapped)) == 0 ||
	       ((ip6_word(ip, 4) & ~0x0200u) == 0 && ip6_word(ip, 5) == 0x5efe);
}

/*
 * Returns the length of the longest run of zero words; among equal ones, the last. A run of one is
 * not replaced by ::.
 */
static unsigned ip6_longest_zeros(const uint8_t *ip, unsigned words, unsigned *ret_start)
{
	unsigned longest = 1, n = 0;

	for (unsigned i = 0; i < words; i++) {
		n = ip6_word(ip, i) ? 0 : n + 1;
		if (n > longest) {
			longest = n;
			*ret_start = i + 1 - n;
		}
	}
	return longest > 1 ? longest : 0;
}

static void put_ip6_compressed(struct plan_run *run, const uint8_t *ip)
{
	unsigned words = ip6_ends_in_ip4(ip) ? 6 : 8, start = words;
	unsigned zeros = ip6_longest_zeros(ip, words, &start);
	bool wants_colon = false;

	for (unsigned i = 0; i < words; i++) {
		if (zeros && i == start) {
			text_add_bytes(run->out, "::", 2);
			wants_colon = false;
			i += zeros - 1;
			continue;
		}
		if (wants_colon)
			text_add_char(run->out, ':');
		put_hex(run->out, ip6_word(ip, i), 1);
		wants_colon = true;
	}
	if (words == 8)
		return;
	if (wants_colon)
		text_add_char(run->out, ':');
	put_ip4(run, ip + 12, false, false);
}

static void put_ip6(struct plan_run *run, const uint8_t *ip, bool colons, bool compressed)
{
	if (colons && compressed) {
		put_ip6_compressed(run, ip);
		return;
	}
	for (unsigned i = 0; i < 8; i++) {
		if (i && colons)
			text_add_char(run->out, ':');
		put_hex(run->out, ip6_word(ip, i), 4);
	}
}

static void put_port(struct plan_run *run, const uint8_t *sockaddr)
{
	text_add_char(run->out, ':');
	put_decimal(run->out, (unsigned)sockaddr[PORT_OFFSET] << 8 | sockaddr[PORT_OFFSET + 1]);
}

/* Writes a sockaddr by its family: 1.2.3.4:80 or [::1]:80. Other families have no text. */
static void put_sockaddr(struct plan_run *run, const struct plan_piece *piece, struct raw_span s)
{
	uint64_t family = s.size >= 2 ? integer_at(run, s.bytes, 2) : 0;
	bool colons = piece->flags & PIECE_LONG_FORM, port = colons && has_variant(piece, 'p');

	if (family == FAMILY_IP4 && s.size >= SOCKADDR_IP4_OFFSET + IP4_BYTES) {
		put_ip4(run, s.bytes + SOCKADDR_IP4_OFFSET, !colons, false);
		if (port)
			put_port(run, s.bytes);
	} else if (family == FAMILY_IP6 && s.size >= SOCKADDR_IP6_OFFSET + IP6_BYTES) {
		if (port)
			text_add_char(run->out, '[');
		put_ip6(run, s.bytes + SOCKADDR_IP6_OFFSET, colons, has_variant(piece, 'c'));
		if (port) {
			text_add_char(run->out, ']');
			put_port(run, s.bytes);
		}
	}
}

/*
 * Writes %pU in the order of the bytes; for %pUl its first three groups are little endian; %pUB,
 * %pUL are in upper case.
 */
static void put_uuid(struct plan_run *run, const struct plan_piece *piece, const uint8_t *uuid)
{
	static const uint8_t big[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	static const uint8_t little[] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	bool is_little = has_variant(piece, 'l') || has_variant(piece, 'L');
	bool is_upper = has_variant(piece, 'B') || has_variant(piece, 'L');
	const char *digits = is_upper ? "0123456789ABCDEF" : "0123456789abcdef";

	for (unsigned i = 0; i < UUID_BYTES; i++) {
		uint8_t byte = uuid[is_little ? little[i] : big[i]];

		if (i == 4 || i == 6 || i == 8 || i == 10)
			text_add_char(run->out, '-');
		text_add_char(run->out, digits[byte >> 4]);
		text_add_char(run->out, digits[byte & 15]);
	}
}

/*
 * Writes %*ph: the number of bytes is the width. They are separated by blanks, or, for C, D and N,
 * by ":", by "-" and by nothing.
 */
static void plan_address_put_dump(struct plan_run *run, const struct plan_piece *piece,
				  struct raw_span s, int width)
{
	char separator = has_variant(piece, 'C') ? ':' : has_variant(piece, 'D') ? '-' : ' ';
	size_t n = width > 0 ? (size_t)width : 1;

	n = n < s.size ? n : s.size;
	n = n < DUMP_BYTES_MAX ? n : DUMP_BYTES_MAX;
	for (size_t i = 0; i < n; i++) {
		if (i && !has_variant(piece, 'N'))
			text_add_char(run->out, separator);
		put_hex(run->out, s.bytes[i], 2);
	}
}

/*
 * Returns the byte with bits 8n to 8n + 7, on a machine of either byte order, because bitmaps
 * consist of longs.
 */
static uint8_t bitmap_byte(const struct plan_run *run, struct raw_span s, size_t n)
{
	size_t word = run->plan->long_size, at = n;

	if (machine_is_big(run))
		at = n / word * word + word - 1 - n % word;
	return at < s.size ? s.bytes[at] : 0;
}

static bool bitmap_bit(const struct plan_run *run, struct raw_span s, size_t n)
{
	return bitmap_byte(run, s, n / 8) >> n % 8 & 1;
}

void put_bitmask(struct plan_run *run, struct raw_span s)
{
	for (size_t i = s.size; i-- > 0;) {
		put_hex(run->out, bitmap_byte(run, s, i), 2);
		if (i && i % 4 == 0)
			text_add_char(run->out, ',');
	}
}

/* Writes a list of bits like %*pbl: "0-3,7". */
static void put_bit_list(struct plan_run *run, struct raw_span s, size_t bits)
{
	bool first = true;

	for (size_t i = 0; i < bits; i++) {
		size_t start = i;

		if (!bitmap_bit(run, s, i))
			continue;
		while (i + 1 < bits && bitmap_bit(run, s, i + 1))
			i++;
		if (!first)
			text_add_char(run->out, ',');
		first = false;
		put_decimal(run->out, start);
		if (i > start) {
			text_add_char(run->out, '-');
			put_decimal(run->out, i);
		}
	}
}

static void put_bitmap(struct plan_run *run, const struct plan_piece *piece, struct raw_span s,
		       int width)
{
	size_t bits = width > 0 && (size_t)width < s.size * 8 ? (size_t)width : s.size * 8;

	if (has_variant(piece, 'l')) {
		put_bit_list(run, s, bits);
		return;
	}
	s.size = (bits + 7) / 8;
	put_bitmask(run, s);
}

/* True if there are enough bytes for such an address. Otherwise writes a message. */
static bool has_bytes(struct plan_run *run, struct raw_span s, size_t wanted, const char *kind)
{
	if (s.size >= wanted)
		return true;
	text_add(run->out, "INVALID");
	text_add(run->out, kind);
	return false;
}

/* Returns the place of an address: an array, or an integer of the record that contains one. */
static struct raw_span address_span(struct plan_run *run, uint32_t node)
{
	const struct plan_node *n = &run->plan->nodes.items[node];

	if (n->op == NODE_LOAD && n->a + n->bytes <= run->size)
		return raw_span_at(run->raw, run->size, n->a, n->bytes);
	return node_locate(run, node);
}

void put_address(struct plan_run *run, const struct plan_piece *piece, int width)
{
	struct raw_span s = address_span(run, piece->node);

	switch (piece->kind) {
	case PIECE_MAC:
		if (has_bytes(run, s, MAC_BYTES, "MAC"))
			put_mac(run, piece, s.bytes);
		return;
	case PIECE_IP4:
		if (has_bytes(run, s, IP4_BYTES, "IPv4"))
			put_ip4_piece(run, piece, s.bytes);
		return;
	case PIECE_IP6:
		if (has_bytes(run, s, IP6_BYTES, "IPv6"))
			put_ip6(run, s.bytes, piece->flags & PIECE_LONG_FORM,
				has_variant(piece, 'c'));
		return;
	case PIECE_SOCKADDR:
		put_sockaddr(run, piece, s);
		return;
	case PIECE_UUID:
		if (has_bytes(run, s, UUID_BYTES, "UUID"))
			put_uuid(run, piece, s.bytes);
		return;
	case PIECE_DUMP:
		plan_address_put_dump(run, piece, s, width);
		return;
	default:
		put_bitmap(run, piece, s, width);
		return;
	}
}
