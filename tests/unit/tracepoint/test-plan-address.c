/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "plan-text.h"

static void mac_addresses_come_in_four_forms(void **state)
{
	(void)state;
	assert_text("`%pM|%pm|%pMF|%pMR|%20pM|`, REC->mac, REC->mac, REC->mac, REC->mac, REC->mac",
		    "52:54:00:ab:cd:ef|525400abcdef|52-54-00-ab-cd-ef|ef:cd:ab:00:54:52|   "
		    "52:54:00:ab:cd:ef|");
}

static void ip4_addresses_are_in_network_order(void **state)
{
	(void)state;
	assert_text("`%pI4|%pi4|%pI4n|%pI4l|`, REC->ip4, REC->ip4, REC->ip4, REC->ip4",
		    "192.0.2.1|192.000.002.001|192.0.2.1|1.2.0.192|");
	assert_text("`%pI4`, REC->i", "251.255.255.255");
}

static void ip6_addresses_are_shortened_on_request(void **state)
{
	(void)state;
	assert_text("`%pI6|%pi6|%pI6c|`, REC->ip6, REC->ip6, REC->ip6",
		    "2001:0db8:0000:0000:0000:0000:0000:0001|20010db8000000000000000000000001|2001:"
		    "db8::1|");
}

static void ip6_addresses_are_shortened_as_in_the_kernel(void **state)
{
	(void)state;
	static const struct {
		uint8_t ip[16];
		const char *text;
	} cases[] = {
		{ { 0 }, "::" },
		{ { [15] = 1 }, "::1" },
		{ { [10] = 0xff, [11] = 0xff, [12] = 1, [13] = 2, [14] = 3, [15] = 4 },
		  "::ffff:1.2.3.4" },
		{ { [1] = 1, [7] = 2, [15] = 3 }, "1:0:0:2::3" },
		{ { [1] = 1, [5] = 2, [9] = 3, [13] = 4 }, "1:0:2:0:3:0:4:0" },
		{ { 0xfe, 0x80, [10] = 0x5e, [11] = 0xfe, [12] = 1, [13] = 2, [14] = 3, [15] = 4 },
		  "fe80::5efe:1.2.3.4" },
		{ { 0x20, 0x01, 0x0d, 0xb8 }, "2001:db8::" },
		{ { [12] = 1, [13] = 2, [14] = 3, [15] = 4 }, "::102:304" },
		{ { [1] = 1, [3] = 2, [5] = 3, [7] = 4, [9] = 5, [11] = 6, [13] = 7, [15] = 8 },
		  "1:2:3:4:5:6:7:8" },
		{ { [8] = 0xff, [9] = 0xff, [12] = 1, [13] = 2, [14] = 3, [15] = 4 },
		  "::ffff:0:102:304" },
	};
	const struct tracepoint_machine m = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_(freep) uint8_t *record = malloc(sizeof(plan_record));
		_cleanup_(freep) char *text = NULL;

		memcpy(record, plan_record, sizeof(plan_record));
		memcpy(record + 74, cases[i].ip, sizeof(cases[i].ip));
		text = text_of_bytes("`%pI6c`, REC->ip6", &m, record, sizeof(plan_record));
		assert_string_equal(text, cases[i].text);
	}
}

static void sockets_are_printed_by_their_family(void **state)
{
	(void)state;
	const struct tracepoint_machine m = { 0 };
	_cleanup_(freep) uint8_t *record = malloc(sizeof(plan_record));
	_cleanup_(freep) char *ip6 = NULL;
	_cleanup_(freep) char *other = NULL;

	assert_text("`%pIS|%pISp|%pISpc|%piS|`, REC->sa, REC->sa, REC->sa, REC->sa",
		    "1.2.3.4|1.2.3.4:8080|1.2.3.4:8080|001.002.003.004|");
	memcpy(record, plan_record, sizeof(plan_record));
	memset(record + 110, 0, 28);
	memcpy(record + 110, "\x0a\x00\x1f\x90", 4);
	memcpy(record + 118, "\xfe\x80", 2);
	record[133] = 1;
	ip6 = text_of_bytes("`%pISc|%pISpc`, REC->sa, REC->sa", &m, record, sizeof(plan_record));
	assert_string_equal(ip6, "fe80::1|[fe80::1]:8080");
	record[110] = 1;
	other = text_of_bytes("`%pISpc|`, REC->sa", &m, record, sizeof(plan_record));
	assert_string_equal(other, "|");
}

static void uuids_have_two_orders_and_two_cases(void **state)
{
	(void)state;
	assert_text("`%pU|%pUb|%pUB|%pUl|%pUL`, REC->ip6, REC->ip6, REC->ip6, REC->ip6, REC->ip6",
		    "20010db8-0000-0000-0000-000000000001|20010db8-0000-0000-0000-000000000001|"
		    "20010DB8-0000-0000-0000-000000000001|b80d0120-0000-0000-0000-000000000001|"
		    "B80D0120-0000-0000-0000-000000000001");
}

static void dumps_have_as_many_bytes_as_their_width(void **state)
{
	(void)state;
	assert_text("`%*ph|%4phC|%4phD|%4phN|%ph|%100ph`, 4, REC->mac, REC->mac, REC->mac, "
		    "REC->mac, REC->mac, REC->mac",
		    "52 54 00 ab|52:54:00:ab|52-54-00-ab|525400ab|52|52 54 00 ab cd ef");
}

static void bitmaps_are_masks_and_lists(void **state)
{
	(void)state;
	assert_text("`%s %s`, __get_bitmask(words), __get_rel_bitmask(rel)",
		    "ffffffff,00000002,00000001 ffff,0014000a");
	assert_text("`%*pbl|%*pb|%100pbl|`, 64, REC->shorts, 16, REC->shorts, REC->mac",
		    "0,17,32-33,48-63|0001|1,4,6,10,12,14,24-25,27,29,31-32,34-35,38-43,45-47|");
}

static void bitmaps_of_a_big_machine_are_long_by_long(void **state)
{
	(void)state;
	const struct tracepoint_machine big = { .swap = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };
	_cleanup_(freep) uint8_t *record = malloc(sizeof(plan_record));
	_cleanup_(freep) char *text = NULL;

	memcpy(record, plan_record, sizeof(plan_record));
	memcpy(record + 66, "\x00\x00\x00\x00\x00\x00\x01\x03", 8);
	text = text_of_bytes("`%*pbl|%*pb`, 64, REC->shorts, 64, REC->shorts", &big, record,
			     sizeof(plan_record));
	assert_string_equal(text, "0-1,8|00000000,00000103");
}

static void addresses_that_are_too_short_are_called_invalid(void **state)
{
	(void)state;
	assert_text("`%pM|%pI4|%pI6c|%pU|%pISp|`, REC->ip4, REC->h, REC->mac, REC->mac, REC->h",
		    "INVALIDMAC|INVALIDIPv4|INVALIDIPv6|INVALIDUUID||");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mac_addresses_come_in_four_forms),
		cmocka_unit_test(ip4_addresses_are_in_network_order),
		cmocka_unit_test(ip6_addresses_are_shortened_on_request),
		cmocka_unit_test(ip6_addresses_are_shortened_as_in_the_kernel),
		cmocka_unit_test(sockets_are_printed_by_their_family),
		cmocka_unit_test(uuids_have_two_orders_and_two_cases),
		cmocka_unit_test(dumps_have_as_many_bytes_as_their_width),
		cmocka_unit_test(bitmaps_are_masks_and_lists),
		cmocka_unit_test(bitmaps_of_a_big_machine_are_long_by_long),
		cmocka_unit_test(addresses_that_are_too_short_are_called_invalid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
