/* SPDX-License-Identifier: MIT */
#include "profile/example-keys.h"

#include "profile/key-field.h"
#include "profile/example-tracepoint.h"
#include "view/report/key-layout.h"
#include "view/report/table.h"

static const struct symbol f = { .start = 0x100, .end = 0x110, .name = "f" };

/* Fills in the cell of @k whose parts are @parts, in a row whose first sample was at @frame. */
#define CELL(k, e, p, number, at)                                                                  \
	(struct key_at)                                                                            \
	{                                                                                          \
		.key = k, .env = e, .parts = p, .view = &(struct report_view){ 0 },                \
		.cell = &(struct key_cell)                                                         \
		{                                                                                  \
			.value = number, .frame = at                                               \
		}                                                                                  \
	}

/* Checks the text of @first and @second, parts of the key called @name. */
static void assert_look(const char *name, enum report_mode mode, struct value first,
			struct value second, const char *expected)
{
	const struct value parts[KEY_PARTS_MAX] = { first, second };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct example_keys m;
	const struct key *k;

	example_keys_init(&m, false);
	k = example_key(&m, mode, name);
	key_layout_print(key_layout_of(k), &CELL(k, &m.env, parts, 0, FRAME_NONE), &out);
	assert_string_equal(out.chars, expected);
	example_keys_done(&m);
}

#define assert_one(name, value, expected)                                                          \
	assert_look(name, REPORT_NORMAL, value, VALUE_UNKNOWN, expected)

static void numbers_are_filled_up_as_in_perf(void **state)
{
	(void)state;
	assert_one("cpu", value_signed(7), "007");
	assert_one("cpu", value_signed(12345), "12345");
	assert_one("socket", value_signed(-1), "-001");
	assert_one("time", value_number(VALUE_TIME, 123456789012), "123.456789");
	assert_one("weight", value_unsigned(42), "42");
	assert_one("addr", value_number(VALUE_ADDRESS, 0x10104), "0x10104");
	assert_look("phys_daddr", REPORT_MEMORY, value_number(VALUE_ADDRESS, 0x1000), VALUE_UNKNOWN,
		    "[.] 0x0000000000001000");
}

/* Checks the name of a function in a column with @room columns on a terminal. */
static void assert_name(const char *name, size_t room, const char *expected)
{
	const struct value parts[KEY_PARTS_MAX] = { value_text(name), value_text("user") };
	const struct report_view view = { .form = { .columns = 80, .dots = "…" } };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct example_keys m;
	const struct key *k;
	struct key_at at;

	example_keys_init(&m, false);
	k = example_key(&m, REPORT_NORMAL, "symbol");
	at = CELL(k, &m.env, parts, 0, FRAME_NONE);
	at.view = &view;
	at.name_room = room;
	key_layout_print(key_layout_of(k), &at, &out);
	assert_string_equal(out.chars, expected);
	example_keys_done(&m);
}

/* Checks the name of an image in a column with @room columns on a terminal. */
static void assert_image(const char *name, size_t room, const char *expected)
{
	const struct value parts[KEY_PARTS_MAX] = { value_text(name) };
	const struct report_view view = { .form = { .columns = 80, .dots = "…" } };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct example_keys m;
	const struct key *k;
	struct key_at at;

	example_keys_init(&m, false);
	k = example_key(&m, REPORT_NORMAL, "dso");
	at = CELL(k, &m.env, parts, 0, FRAME_NONE);
	at.view = &view;
	at.image_room = room;
	key_layout_print(key_layout_of(k), &at, &out);
	assert_string_equal(out.chars, expected);
	example_keys_done(&m);
}

static void images_lose_their_middle(void **state)
{
	(void)state;
	assert_image("libsomething.so.1", 0, "libsomething.so.1");
	assert_image("libsomething.so.1", 17, "libsomething.so.1");
	assert_image("libsomething.so.1", 16, "libsomet…ng.so.1");
	assert_image("libsomething.so.1", 15, "libsome…ng.so.1");
	assert_image("libsöme.so.1", 5, "libsöme.so.1");
}

static void names_are_shortened_to_their_column(void **state)
{
	(void)state;
	assert_name("A<B<int> >::put", 0, "[.] A<B<int> >::put");
	assert_name("A<B<int> >::put", 19, "[.] A<B<int> >::put");
	assert_name("A<B<int> >::put", 18, "[.] A<B<…> >::put");
	assert_name("A<B<int> >::put", 14, "[.] A<…>::put");
	assert_name("A<B<int> >::put", 3, "[.] …::put");
}

static void what_is_not_known_has_a_word_for_it(void **state)
{
	(void)state;
	assert_one("dso", VALUE_UNKNOWN, "[unknown]");
	assert_one("parent", VALUE_UNKNOWN, "[other]");
	assert_one("symbol_size", VALUE_UNKNOWN, "unknown");
	assert_one("code_page_size", VALUE_UNKNOWN, "N/A");
	assert_one("cgroup", VALUE_UNKNOWN, "N/A");
	assert_look("cycles", REPORT_BRANCH, VALUE_UNKNOWN, VALUE_UNKNOWN, "-");
	assert_look("ipc_lbr", REPORT_BRANCH, VALUE_UNKNOWN, VALUE_UNKNOWN, "-      -");
}

static void flags_are_letters(void **state)
{
	static const struct {
		const char *key, *no, *yes;
	} flags[] = { { "mispredict", "N", "Y" }, { "in_tx", ".", "T" }, { "abort", ".", "A" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++) {
		assert_look(flags[i].key, REPORT_BRANCH, value_flag(false), VALUE_UNKNOWN,
			    flags[i].no);
		assert_look(flags[i].key, REPORT_BRANCH, value_flag(true), VALUE_UNKNOWN,
			    flags[i].yes);
	}
}

static void parts_stand_in_one_cell(void **state)
{
	(void)state;
	assert_one("cgroup_id", value_unsigned(4), "4/0x0");
	assert_look("cgroup_id", REPORT_NORMAL, value_unsigned(4), value_unsigned(31), "4/0x1f");
	assert_one("transaction", value_text(""), "");
	assert_look("transaction", REPORT_NORMAL, value_text("TX NEITHER"), value_unsigned(5),
		    "TX NEITHER :5 ");
	assert_look("blocked", REPORT_MEMORY, value_text("N/A"), VALUE_UNKNOWN, " N/A");
}

static void assert_key(struct example_keys *m, const char *name, uint64_t number, uint32_t frame,
		       const char *text, size_t width)
{
	const struct key *k = example_key(m, REPORT_NORMAL, name);
	const struct key_layout *l = key_layout_of(k);
	const struct key_cell cell = { .value = number, .frame = frame };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	struct value parts[KEY_PARTS_MAX];

	key_value(k, &m->env, &cell, &m->text, parts);
	key_layout_print(l, &CELL(k, &m->env, parts, number, frame), &out);
	assert_string_equal(out.chars, text);
	if (l->measure)
		assert_int_equal(l->measure(&CELL(k, &m->env, parts, number, frame)), width);
}

static void threads_have_their_number_and_their_last_name(void **state)
{
	struct example_keys m;

	(void)state;
	example_keys_init(&m, false);
	assert_key(&m, "pid", 8ULL << 32 | 7, FRAME_NONE, "      8:worker", 0);
	example_keys_done(&m);
}

static void functions_have_a_mark(void **state)
{
	static const struct symbol inlined = { .name = "f", .is_inlined = true };
	struct example_keys m;
	struct map a;
	uint32_t here, bare, inner;

	(void)state;
	example_keys_init(&m, true);
	a = example_map(&m, "/x/prog", 0x10000);
	here = example_frame(&m, &a, &f, 0x104);
	bare = example_frame(&m, &a, NULL, 0x20);
	inner = example_frame(&m, &a, &inlined, 0x84);
	assert_key(&m, "sym", here, here, "[.] f", 5);
	assert_key(&m, "sym", bare, bare, "[.] 0x0000000000000020", 22);
	assert_key(&m, "sym", inner, inner, "[.] f (inlined)", 5);
	assert_key(&m, "sym", FRAME_NONE, FRAME_NONE, "[.] 0000000000000000", 22);
	m.env.verbose = 1;
	assert_key(&m, "sym", here, here, "0x104              ! [.] f", 26);
	example_keys_done(&m);
}

static void beside_an_address_there_is_room_for_one(void **state)
{
	struct example_keys m;
	uint64_t image;
	struct map a;
	uint32_t bare;

	(void)state;
	example_keys_init(&m, false);
	a = example_map(&m, "/x/prog", 0x10000);
	bare = example_frame(&m, &a, NULL, 1);
	image = shared_values_add_text(m.env.values, "prog");
	assert_key(&m, "dso", image, example_frame(&m, &a, &f, 0x104), "prog", 4);
	assert_key(&m, "dso", image, bare, "prog", 16);
	assert_key(&m, "dso", 0, FRAME_NONE, "[unknown]", 16);
	example_keys_done(&m);
}

static void fields_have_room_for_their_type_and_dumps_are_cut(void **state)
{
	static const struct {
		const char *field;
		size_t width;
	} fields[] = { { "i", 10 }, { "ul", 18 }, { "s", 8 }, { "name", 0 }, { "shorts", 18 } };
	struct value parts[KEY_PARTS_MAX];
	struct example_tracepoint t;
	struct keys *keys;

	(void)state;
	example_tracepoint_init(&t, "`x`");
	keys = &t.keys.keys;
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		keys_add_field_of(keys, &t.keys.env, &t.event,
				  tracepoint_field_find(t.format, fields[i].field), false);
		assert_int_equal(key_layout_width(&keys->items[i], NULL), fields[i].width);
	}

	const struct key *k = &keys->items[4];
	uint64_t number = example_value(&t.keys, k, &t.s);
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	key_value(k, &t.keys.env, &(struct key_cell){ .value = number }, &t.keys.text, parts);
	key_layout_print(key_layout_of(k), &CELL(k, &t.keys.env, parts, number, FRAME_NONE), &out);
	assert_string_equal(out.chars, "ARRAY[01, 00, 02, ");
	example_tracepoint_done(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_filled_up_as_in_perf),
		cmocka_unit_test(images_lose_their_middle),
		cmocka_unit_test(names_are_shortened_to_their_column),
		cmocka_unit_test(what_is_not_known_has_a_word_for_it),
		cmocka_unit_test(flags_are_letters),
		cmocka_unit_test(parts_stand_in_one_cell),
		cmocka_unit_test(threads_have_their_number_and_their_last_name),
		cmocka_unit_test(functions_have_a_mark),
		cmocka_unit_test(beside_an_address_there_is_room_for_one),
		cmocka_unit_test(fields_have_room_for_their_type_and_dumps_are_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
