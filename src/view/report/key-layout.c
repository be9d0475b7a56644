/* SPDX-License-Identifier: MIT */
#include "view/report/key-layout.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "base/digits.h"
#include "base/escape.h"
#include "base/short-name.h"
#include "session/machine.h"
#include "tracepoint/format.h"
#include "view/report/report-view.h"

#define MODE_ROOM "[.] "
#define INLINED   " (inlined)"

/* Digits of an address. */
#define ADDRESS_WIDTH 16

/* Appends a number such as 007 or -001. */
static void key_layout_print_cpu(const struct key_at *at, struct text *out)
{
	int64_t cpu = at->parts[0].signed_number;

	text_add(out, cpu < 0 ? "-" : "");
	text_filled(out, digits_decimal_right(text_room(out, DIGITS_MAX),
					      (uint64_t)(cpu < 0 ? -cpu : cpu), 3, '0'));
}

/* Returns the width of a CPU. An unknown CPU does not take more space than a known one. */
static size_t measure_cpu(const struct key_at *at)
{
	int64_t cpu = at->parts[0].signed_number;

	return cpu < 1000 ? 3 : cpu < 10000 ? 4 : 10;
}

static void key_layout_print_thread(const struct key_at *at, struct text *out)
{
	char *end = digits_signed_right(text_room(out, DIGITS_MAX + 1),
					at->parts[PART_TID].signed_number, 7);

	*end++ = ':';
	text_filled(out, end);
	text_add(out, at->parts[PART_COMM].text);
}

/*
 * Returns the width of a thread's name. The column is as wide as the final names of threads, and
 * longer names are cut, as in Linux's perf, whose text scripts expect.
 */
static size_t measure_comm(const struct key_at *at)
{
	return strlen(key_task_name(at->env, at->cell->task, at->cell->task));
}

static void print_cgroup(const struct key_at *at, struct text *out)
{
	text_add(out, at->parts[0].type == VALUE_TEXT ? at->parts[0].text
		      : at->cell->value               ? "unknown"
						      : "N/A");
}

static void print_cgroup_id(const struct key_at *at, struct text *out)
{
	text_addf(out, "%" PRIu64 "/0x%" PRIx64, at->parts[0].number, at->parts[1].number);
}

/*
 * Returns the width of an image. A place outside of all images has only an address, and takes the
 * width of one.
 */
static size_t measure_image(const struct key_at *at)
{
	return at->parts[0].type == VALUE_TEXT ? strlen(at->parts[0].text) : ADDRESS_WIDTH;
}

/* Returns the width of an image's name. Next to an address there must be space for another one. */
static size_t measure_dso(const struct key_at *at)
{
	uint32_t frame = at->cell->frame;
	size_t width = measure_image(at);

	if (at->view->narrow_images)
		return at->parts[0].type == VALUE_TEXT ? width : strlen("[unknown]");
	if (width >= ADDRESS_WIDTH)
		return width;
	return frame == FRAME_NONE || !frames_get(at->env->frames, frame)->sym ? ADDRESS_WIDTH
									       : width;
}

/* Prints an image. Both ends of its name are kept to distinguish images: "libx…-gnu.so". */
static void print_image(const struct key_at *at, struct text *out)
{
	const char *name = at->parts[0].text, *dots = at->view->form.dots;
	size_t length, cut, head;

	if (at->parts[0].type == VALUE_NONE) {
		text_add(out, "[unknown]");
		return;
	}
	if (at->parts[0].type != VALUE_TEXT || !at->image_room) {
		value_add(out, &at->parts[0]);
		return;
	}
	length = strlen(name);
	cut = escape_columns(dots, strlen(dots));
	/* Columns are counted in bytes here, so names with other characters are not shortened. */
	if (length <= at->image_room || escape_columns(name, length) != length) {
		text_add(out, name);
		return;
	}
	head = (at->image_room - cut + 1) / 2;
	text_add_bytes(out, name, head);
	text_add(out, dots);
	text_add(out, name + length - (at->image_room - cut - head));
}

static char key_layout_mode_letter(const struct value *mode)
{
	static const struct {
		const char *mode;
		char letter;
	} letters[] = {
		{ "user", '.' },         { "kernel", 'k' },     { "hypervisor", 'H' },
		{ "guest-kernel", 'g' }, { "guest-user", 'u' },
	};

	for (size_t i = 0; mode->type == VALUE_TEXT && i < ARRAY_SIZE(letters); i++)
		if (!strcmp(letters[i].mode, mode->text))
			return letters[i].letter;
	return 'X';
}

/* Appends an address like %#.16lx, for which 0 has no prefix. */
static void key_layout_add_address(struct text *out, uint64_t addr)
{
	char *at = text_room(out, DIGITS_MAX);

	if (addr) {
		*at++ = '0';
		*at++ = 'x';
	}
	text_filled(out, digits_hex_right(at, addr, ADDRESS_WIDTH, '0'));
}

static size_t columns_behind(const struct value *parts)
{
	return (parts[PART_INLINED].type != VALUE_NONE ? strlen(INLINED) : 0) +
	       (parts[PART_OFFSET].type != VALUE_NONE ? strlen("+0x") + 4 : 0);
}

static void key_layout_add_name(const struct key_at *at, struct text *out)
{
	size_t beside = strlen(MODE_ROOM) + columns_behind(at->parts);
	size_t room = at->name_room > beside ? at->name_room - beside : 1;

	if (!at->view->form.columns)
		text_add(out, at->parts[PART_NAME].text);
	else
		name_shorten(out, at->parts[PART_NAME].text, at->name_room ? room : SIZE_MAX,
			     at->view->form.dots);
}

static void key_layout_print_symbol(const struct key_at *at, struct text *out)
{
	const struct value *parts = at->parts;

	if (parts[PART_ADDR].type != VALUE_NONE)
		text_addf(out, "%-#18lx %s ", parts[PART_ADDR].number, parts[PART_ORIGIN].text);
	text_add_char(out, '[');
	text_add_char(out, key_layout_mode_letter(&parts[PART_MODE]));
	text_add(out, "] ");
	if (parts[PART_NAME].type == VALUE_TEXT)
		key_layout_add_name(at, out);
	else
		key_layout_add_address(out, parts[PART_NAME].number);
	if (parts[PART_INLINED].type != VALUE_NONE)
		text_add(out, INLINED);
	if (parts[PART_OFFSET].type != VALUE_NONE)
		text_addf(out, "+0x%" PRIx64, parts[PART_OFFSET].number);
}

/*
 * Returns the width of a symbol. "(inlined)" and offsets extend beyond the column, as in Linux's
 * perf.
 */
static size_t measure_symbol(const struct key_at *at)
{
	const struct value *name = &at->parts[PART_NAME];

	if (name->type != VALUE_TEXT)
		return strlen("[.] 0x") + ADDRESS_WIDTH;
	/* The width follows from the shown text. */
	if (at->view->form.columns)
		return 0;
	return strlen("[.] ") + strlen(name->text) +
	       (at->env->verbose ? strlen("0x d ") + ADDRESS_WIDTH : 0);
}

/* Prints an offset. Addresses have as many digits as fit under the title, as in Linux's perf. */
static void print_offset(const struct key_at *at, struct text *out)
{
	const struct value *parts = at->parts;

	text_addf(out, "[%c] ", key_layout_mode_letter(&parts[PART_MODE]));
	if (parts[PART_NAME].type != VALUE_TEXT) {
		text_addf(out, "0x%09" PRIx64, parts[PART_NAME].number);
		return;
	}
	text_add(out, parts[PART_NAME].text);
	if (parts[PART_OFFSET].type != VALUE_NONE)
		text_addf(out, "+0x%" PRIx64, parts[PART_OFFSET].number);
}

static void print_tgid(const struct key_at *at, struct text *out)
{
	text_addf(out, "%7d:%s", (int)at->parts[0].signed_number, at->parts[1].text);
}

static size_t measure_data(const struct key_at *at)
{
	size_t width = measure_symbol(at);

	return width && at->parts[PART_NAME].type == VALUE_TEXT ? width + strlen("+0x") + 15
								: width;
}

static void print_physical(const struct key_at *at, struct text *out)
{
	text_add(out, "[.] ");
	key_layout_add_address(out, at->parts[0].number);
}

static void key_layout_print_time(const struct key_at *at, struct text *out)
{
	value_add(out, &at->parts[0]);
	if (!at->view->form.times_in_ns)
		text_filled(out, out->chars + out->length - strlen("000"));
}

static void print_transaction(const struct key_at *at, struct text *out)
{
	text_add(out, at->parts[0].text);
	text_add(out, *at->parts[0].text ? " " : "");
	if (at->parts[1].type != VALUE_NONE)
		text_addf(out, ":%" PRIx64 " ", at->parts[1].number);
}

static size_t measure_transaction(const struct key_at *at)
{
	return at->cell->value ? 32 : 27;
}

/* Returns the width of the title, whatever the names of types are, as in Linux's perf. */
static size_t measure_title(const struct key_at *at)
{
	(void)at;
	return 0;
}

static void print_blocked(const struct key_at *at, struct text *out)
{
	text_add_char(out, ' ');
	text_add(out, at->parts[0].text);
}

static bool is_dynamic(const struct tracepoint_field *f)
{
	return f->is_dynamic || f->is_rel_dynamic;
}

/*
 * Returns the width of the largest number of that size with its 0x, or of an array of characters.
 */
static size_t field_width(const struct tracepoint_field *f)
{
	if (is_dynamic(f))
		return 0;
	return f->is_string ? f->size : 2 + 2 * (size_t)f->size;
}

/* Prints a field. Dumps of bytes are cut off at the width of their column. */
static void key_layout_print_field(const struct key_at *at, struct text *out)
{
	const struct tracepoint_field *f = at->key->field;
	const struct value *shown = &at->parts[PART_FIELD];
	size_t from = out->length;

	if (at->parts[PART_FIELD_TEXT].type != VALUE_NONE)
		shown = &at->parts[PART_FIELD_TEXT];
	value_add(out, shown);
	if (f->is_array && !f->is_string && !is_dynamic(f) && out->length - from > field_width(f))
		text_filled(out, out->chars + from + field_width(f));
}

/*
 * Returns the width of a field. Strings of dynamic length also take the width of their NUL, once
 * they were compared.
 */
static size_t measure_field(const struct key_at *at)
{
	const struct tracepoint_field *f = at->key->field;
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	key_layout_print_field(at, &t);
	if (f->is_string && is_dynamic(f))
		return t.length + (at->is_first || at->cell->weight.samples > 1);
	return t.length;
}

#define LEFT .align = ALIGN_LEFT, .title_align = ALIGN_LEFT
#define NAME LEFT, .flags = COLUMN_FILLS | COLUMN_CUTS
#define FILL LEFT, .flags = COLUMN_FILLS
#define CUT  LEFT, .flags = COLUMN_CUTS
#define IMAGE(name)                                                                                \
	{                                                                                          \
		.key = name, NAME, .is_image = true, .print = print_image,                         \
		.measure = measure_image                                                           \
	}

/* By name: the differences from the layout of the key's type. */
static const struct key_layout layouts[] = {
	{ .key = "abort", FILL, .marks = ".A" },
	{ .key = "addr", FILL, .width = 18 },
	{ .key = "addr_from", LEFT, .print = key_layout_print_symbol, .measure = measure_symbol },
	{ .key = "addr_to", LEFT, .print = key_layout_print_symbol, .measure = measure_symbol },
	{ .key = "blocked", LEFT, .width = 10, .print = print_blocked },
	{ .key = "cgroup", LEFT, .print = print_cgroup },
	{ .key = "cgroup_id", LEFT, .print = print_cgroup_id },
	{ .key = "code_page_size", FILL, .none = "N/A" },
	{ .key = "comm", NAME, .measure = measure_comm },
	{ .key = "comm_nodigit", NAME },
	{ .key = "cpu",
	  .title_align = ALIGN_LEFT,
	  .print = key_layout_print_cpu,
	  .measure = measure_cpu },
	{ .key = "cycles", FILL, .none = "-" },
	{ .key = "data_page_size", FILL, .width = 22, .none = "N/A" },
	{ .key = "dcacheline", LEFT, .print = key_layout_print_symbol },
	{ .key = "dso", NAME, .is_image = true, .print = print_image, .measure = measure_dso },
	IMAGE("dso_daddr"),
	IMAGE("dso_from"),
	{ .key = "dso_size", .title_align = ALIGN_LEFT, .none = "unknown" },
	IMAGE("dso_to"),
	{ .key = "in_tx", FILL, .marks = ".T" },
	{ .key = "ins_lat", FILL },
	{ .key = "ipc_lbr", FILL, .none = "-      -" },
	{ .key = "ipc_null", FILL, .none = "-      -" },
	{ .key = "local_ins_lat", FILL },
	{ .key = "local_p_stage_cyc", FILL },
	{ .key = "local_retire_lat", FILL },
	{ .key = "local_weight", FILL },
	{ .key = "locked", LEFT },
	{ .key = "mem", FILL, .width = 24 },
	{ .key = "mispredict", FILL, .marks = "NY" },
	{ .key = "p_stage_cyc", FILL },
	{ .key = "parent", NAME, .none = "[other]" },
	{ .key = "phys_daddr", LEFT, .print = print_physical },
	{ .key = "pid", .title = "    Pid:Command", NAME, .print = key_layout_print_thread },
	{ .key = "retire_lat", FILL },
	{ .key = "simd", LEFT, .width = 7 },
	{ .key = "snoop", FILL, .width = 12 },
	{ .key = "socket",
	  .title_align = ALIGN_LEFT,
	  .print = key_layout_print_cpu,
	  .measure = measure_cpu },
	{ .key = "srcline_from", NAME },
	{ .key = "srcline_to", NAME },
	{ .key = "symbol",
	  LEFT,
	  .is_name = true,
	  .cuts_names = true,
	  .print = key_layout_print_symbol,
	  .measure = measure_symbol },
	{ .key = "symbol_daddr",
	  LEFT,
	  .is_name = true,
	  .cuts_names = true,
	  .print = key_layout_print_symbol,
	  .measure = measure_data },
	{ .key = "symbol_from",
	  CUT,
	  .is_name = true,
	  .print = key_layout_print_symbol,
	  .measure = measure_symbol },
	{ .key = "symbol_iaddr",
	  LEFT,
	  .is_name = true,
	  .cuts_names = true,
	  .print = key_layout_print_symbol,
	  .measure = measure_data },
	{ .key = "symbol_size", .title_align = ALIGN_LEFT, .cuts_names = true, .none = "unknown" },
	{ .key = "symbol_to",
	  CUT,
	  .is_name = true,
	  .print = key_layout_print_symbol,
	  .measure = measure_symbol },
	{ .key = "symoff", LEFT, .flags = COLUMN_FIXED, .width = 13, .print = print_offset },
	{ .key = "tgid",
	  .title = "   Tgid:Command",
	  LEFT,
	  .flags = COLUMN_FILLS | COLUMN_CUTS | COLUMN_FIXED,
	  .width = 15,
	  .print = print_tgid },
	{ .key = "time", CUT, .print = key_layout_print_time },
	{ .key = "tlb", FILL, .width = 22 },
	{ .key = "transaction", FILL, .print = print_transaction, .measure = measure_transaction },
	{ .key = "type", FILL, .measure = measure_title },
	{ .key = "typecln", LEFT, .measure = measure_title },
	{ .key = "typeoff", LEFT, .measure = measure_title },
	{ .key = "weight", FILL, .width = 12 },
};

const struct key_layout *key_layout_of(const struct key *k)
{
	static const struct key_layout field = { .align = ALIGN_RIGHT,
						 .title_align = ALIGN_RIGHT,
						 .print = key_layout_print_field,
						 .measure = measure_field };
	static const struct key_layout usual = { .flags = COLUMN_CUTS };

	for (size_t i = 0; i < ARRAY_SIZE(layouts) && !k->field; i++)
		if (!strcmp(layouts[i].key, k->type->name))
			return &layouts[i];
	return k->field ? &field : &usual;
}

size_t key_layout_width(const struct key *k, const struct report_view *v)
{
	if (k->field)
		return field_width(k->field);
	if (k->parts[0].type == VALUE_TIME)
		return v->form.times_in_ns ? 16 : 12;
	return key_layout_of(k)->width;
}

void key_layout_print(const struct key_layout *l, const struct key_at *at, struct text *out)
{
	if (l->print)
		l->print(at, out);
	else if (at->parts[0].type == VALUE_NONE)
		text_add(out, l->none ? l->none : "");
	else if (l->marks)
		text_add_char(out, l->marks[at->parts[0].flag]);
	else
		value_add(out, &at->parts[0]);
}
