/* SPDX-License-Identifier: MIT */
#include "dwarf/die-scan.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/memory.h"

/* A longer chain of references between entries of a function is circular. */
#define HOPS_MAX 8

/*
 * A limit on memory: a hostile file may have any number of units with the same abbreviations, each
 * of which gets a table of its own. The output of compilers takes some 16 bytes for each byte of
 * abbreviations.
 */
#define TABLES_FLOOR    (UINT64_C(64) << 20)
#define TABLES_PER_BYTE 64

void die_walk_init(struct die_walk *w, const struct die_file *f, const struct die_table *t,
		   uint8_t jumps)
{
	*w = (struct die_walk){
		.file = f,
		.table = t,
		.at = f->info.at + t->unit->entry,
		.end = f->info.at + t->unit->end,
		.jumps = jumps,
	};
}

/* Skips the LEB128 number at @at, which may have more than 64 bits; NULL: it does not end. */
static const uint8_t *pass_leb(const uint8_t *at, const uint8_t *end)
{
	while (at < end)
		if (!(*at++ & 0x80))
			return at;
	return NULL;
}

static const uint8_t *pass_bytes(const uint8_t *at, const uint8_t *end, uint64_t n)
{
	return n <= (uint64_t)(end - at) ? at + n : NULL;
}

/* Skips an attribute of variable size. */
static const uint8_t *pass_open(const struct die_walk *w, enum die_step_kind kind,
				const uint8_t *at)
{
	struct cursor c = { .at = at, .end = w->end, .swap = w->file->swap };
	struct die_step step = { 0, STEP_END };
	const uint8_t *nul;

	switch (kind) {
	case STEP_TEXT:
		nul = memchr(at, 0, (size_t)(w->end - at));
		return nul ? nul + 1 : NULL;
	case STEP_BLOCK1:
		cursor_bytes(&c, cursor_u8(&c));
		break;
	case STEP_BLOCK2:
		cursor_bytes(&c, cursor_u16(&c));
		break;
	case STEP_BLOCK4:
		cursor_bytes(&c, cursor_u32(&c));
		break;
	case STEP_BLOCK_LEB:
		cursor_bytes(&c, cursor_uleb128(&c));
		break;
	case STEP_INDIRECT:
		/* An indirect form that is indirect again is damage. */
		if (!die_form_step(cursor_uleb128(&c), w->table->unit, &step) ||
		    step.kind == STEP_INDIRECT)
			return NULL;
		cursor_bytes(&c, step.fixed);
		if (step.kind != STEP_END && !c.bad)
			return step.kind == STEP_LEB ? pass_leb(c.at, c.end)
						     : pass_open(w, step.kind, c.at);
		break;
	default:
		return NULL;
	}
	return c.bad ? NULL : c.at;
}

/*
 * Returns the sibling whose offset is in the four bytes before @at, if it lies ahead in the unit.
 */
static const uint8_t *die_scan_jump(const struct die_walk *w, const uint8_t *at)
{
	uint32_t offset;
	const uint8_t *unit = w->file->info.at + w->table->unit->start;

	memcpy(&offset, at - sizeof(offset), sizeof(offset));
	offset = w->file->swap ? __builtin_bswap32(offset) : offset;
	return offset >= (uint64_t)(at - unit) && offset <= (uint64_t)(w->end - unit)
		       ? unit + offset
		       : NULL;
}

/* Skips the attributes of an entry, and perhaps its children; NULL: it is damaged. */
static const uint8_t *die_scan_pass(const struct die_walk *w, const struct die_abbrev *a,
				    const uint8_t *at)
{
	for (const struct die_step *s = &w->table->steps.items[a->steps];; s++) {
		at = pass_bytes(at, w->end, s->fixed);
		if (!at || s->kind == STEP_END)
			return at;
		if (s->kind == STEP_LEB) {
			at = pass_leb(at, w->end);
		} else if (s->kind == STEP_SIBLING) {
			at = pass_bytes(at, w->end, 4);
			if (at && a->jump & w->jumps)
				return die_scan_jump(w, at);
		} else {
			at = pass_open(w, s->kind, at);
		}
		if (!at)
			return NULL;
	}
}

/* Reads the entry at w->at; without an abbreviation it is the end of a list of children. */
static inline bool die_scan_take_entry(struct die_walk *w, struct die_entry *ret)
{
	struct cursor c = { .at = w->at, .end = w->end };
	uint64_t code = *c.at < 0x80 ? *c.at++ : cursor_uleb128(&c);

	ret->offset = (uint64_t)(w->at - w->file->info.at);
	ret->abbrev = NULL;
	ret->values = w->at = c.at;
	if (!code)
		return !c.bad;
	ret->abbrev = die_table_find(w->table, code);
	w->at = ret->abbrev ? die_scan_pass(w, ret->abbrev, c.at) : NULL;
	return w->at;
}

bool die_walk_next(struct die_walk *w, uint8_t roles, struct die_entry *ret)
{
	while (w->at && w->at < w->end && die_scan_take_entry(w, ret))
		if (ret->abbrev && ret->abbrev->roles & roles)
			return true;
	w->at = w->end;
	return false;
}

/* Reads the entry at @offset; the walk continues after it. False: there is none. */
static bool walk_at(struct die_walk *w, uint64_t offset, struct die_entry *ret)
{
	const struct die_unit *u = w->table->unit;

	if (offset < u->entry || offset >= u->end)
		return false;
	w->at = w->file->info.at + offset;
	return die_scan_take_entry(w, ret) && ret->abbrev;
}

/* The value of an attribute; @form is resolved if it was indirect. */
struct die_scan_value {
	uint16_t form;
	uint64_t number; /* size of a block */
	const char *text;
	const uint8_t *block; /* NULL: it is not a block */
};

static uint64_t die_scan_load(const uint8_t *bytes, size_t n, bool big)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v |= (uint64_t)bytes[i] << 8 * (big ? n - 1 - i : i);
	return v;
}

static void take_block(struct cursor *c, uint64_t size, struct die_scan_value *v)
{
	v->number = size;
	v->block = cursor_bytes(c, size);
}

static void take_open(struct cursor *c, enum die_step_kind kind, struct die_scan_value *v)
{
	switch (kind) {
	case STEP_LEB:
		v->number = cursor_uleb128(c);
		break;
	case STEP_TEXT:
		v->text = cursor_string(c);
		break;
	case STEP_BLOCK1:
		take_block(c, cursor_u8(c), v);
		break;
	case STEP_BLOCK2:
		take_block(c, cursor_u16(c), v);
		break;
	case STEP_BLOCK4:
		take_block(c, cursor_u32(c), v);
		break;
	case STEP_BLOCK_LEB:
		take_block(c, cursor_uleb128(c), v);
		break;
	default:
		c->bad = true;
	}
}

static void die_scan_take_value(struct cursor *c, const struct die_unit *u,
				const struct die_attribute *a, struct die_scan_value *ret)
{
	struct die_scan_value v = { .form = a->form, .number = (uint64_t)a->constant };
	struct die_step step = a->step;
	bool is_big = c->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	if (a->form == DW_FORM_indirect) {
		uint64_t form = cursor_uleb128(c);

		v.form = (uint16_t)form;
		if (!die_form_step(form, u, &step))
			c->bad = true;
	}

	const uint8_t *bytes = cursor_bytes(c, step.fixed);

	if (bytes && step.fixed && step.fixed <= 8)
		v.number = die_scan_load(bytes, step.fixed, is_big);
	if (step.kind != STEP_END)
		take_open(c, step.kind, &v);
	*ret = v;
}

static struct die_name die_scan_name_in(const struct die_bytes *section, uint64_t offset)
{
	const char *text = die_text_at(section, offset);

	return text ? (struct die_name){ text, section, offset }
		    : (struct die_name){ .text = NULL };
}

static struct die_name name_by_number(const struct die_file *f, const struct die_unit *u,
				      uint64_t i)
{
	const struct die_bytes *table = &f->str_offsets;
	bool is_big = f->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	if (u->str_offsets > table->size || i >= (table->size - u->str_offsets) / u->offset_size)
		return (struct die_name){ .text = NULL };
	return die_scan_name_in(&f->str,
				die_scan_load(table->at + u->str_offsets + i * u->offset_size,
					      u->offset_size, is_big));
}

static struct die_name die_scan_name_of(const struct die_file *f, const struct die_unit *u,
					const struct die_scan_value *v)
{
	switch (v->form) {
	case DW_FORM_string:
		return (struct die_name){ .text = v->text };
	case DW_FORM_strp:
		return die_scan_name_in(&f->str, v->number);
	case DW_FORM_line_strp:
		return die_scan_name_in(&f->line_str, v->number);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		if (f->alt)
			return die_scan_name_in(&f->alt->str, v->number);
		break;
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		return name_by_number(f, u, v->number);
	default:
		break;
	}
	return (struct die_name){ .text = NULL };
}

static struct die_reference reference_of(const struct die_file *f, const struct die_unit *u,
					 const struct die_scan_value *v)
{
	switch (v->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		if (v->number < u->end - u->start)
			return (struct die_reference){ f, u->start + v->number };
		break;
	case DW_FORM_ref_addr:
		return (struct die_reference){ f, v->number };
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_GNU_ref_alt:
		return (struct die_reference){ f->alt, v->number };
	default:
		break;
	}
	return (struct die_reference){ .file = NULL };
}

static void take_attribute(const struct die_file *f, const struct die_unit *u, unsigned name,
			   const struct die_scan_value *v, struct die_function *fn)
{
	switch (name) {
	case DW_AT_name:
		fn->name = die_scan_name_of(f, u, v);
		break;
	case DW_AT_linkage_name:
	case DW_AT_MIPS_linkage_name:
		fn->linkage = die_scan_name_of(f, u, v);
		break;
	case DW_AT_low_pc:
	case DW_AT_ranges:
		fn->has_code = true;
		break;
	case DW_AT_declaration:
		fn->is_declaration = v->form == DW_FORM_flag_present || v->number;
		break;
	case DW_AT_decl_file:
		fn->file = v->number;
		break;
	case DW_AT_call_file:
		fn->call_file = v->number;
		break;
	case DW_AT_decl_line:
		fn->line = v->number;
		break;
	case DW_AT_call_line:
		fn->call_line = v->number;
		break;
	case DW_AT_abstract_origin:
	case DW_AT_specification:
		fn->origin = reference_of(f, u, v);
		break;
	default:
		break;
	}
}

bool die_function_read(const struct die_file *f, const struct die_table *t,
		       const struct die_entry *e, struct die_function *ret)
{
	const struct die_attribute *a = &t->attributes.items[e->abbrev->attributes];
	struct cursor c = { .at = e->values, .end = f->info.at + t->unit->end, .swap = f->swap };
	struct die_function fn = { .file = DIE_NONE, .call_file = DIE_NONE };

	for (size_t i = 0; i < e->abbrev->n_attributes; i++) {
		struct die_scan_value v;

		die_scan_take_value(&c, t->unit, &a[i], &v);
		if (c.bad)
			return false;
		take_attribute(f, t->unit, a[i].name, &v, &fn);
	}
	*ret = fn;
	return true;
}

/* Returns the place given by an expression that is one operation with an address. */
static enum die_place die_scan_place_of(const struct die_file *f, const struct die_unit *u,
					const struct die_scan_value *v, uint64_t *ret_addr)
{
	bool is_big = f->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	size_t n = v->block && v->number ? v->number - 1 : 0;

	switch (n ? v->block[0] : 0) {
	case DW_OP_addr:
		if (n != u->address_size || n > 8)
			return DIE_NOWHERE;
		break;
	case DW_OP_const4u:
	case DW_OP_const8u:
		if (n != (v->block[0] == DW_OP_const4u ? 4 : 8))
			return DIE_NOWHERE;
		break;
	case DW_OP_addrx:
	case DW_OP_constx:
	case DW_OP_GNU_addr_index:
	case DW_OP_GNU_const_index:
		return DIE_AT_INDEX;
	default:
		return DIE_NOWHERE;
	}
	*ret_addr = die_scan_load(v->block + 1, n, is_big);
	return DIE_AT_ADDRESS;
}

enum die_place die_variable_place(const struct die_file *f, const struct die_table *t,
				  const struct die_entry *e, uint64_t *ret_addr)
{
	const struct die_attribute *a = &t->attributes.items[e->abbrev->attributes];
	struct cursor c = { .at = e->values, .end = f->info.at + t->unit->end, .swap = f->swap };

	for (size_t i = 0; i < e->abbrev->n_attributes; i++) {
		struct die_scan_value v;

		die_scan_take_value(&c, t->unit, &a[i], &v);
		if (c.bad)
			break;
		if (a[i].name == DW_AT_location)
			return die_scan_place_of(f, t->unit, &v, ret_addr);
	}
	return DIE_NOWHERE;
}

void die_unit_read(const struct die_file *f, struct die_table *scratch, struct die_unit *u)
{
	struct cursor code = cursor_over(f->info.at + u->entry, u->end - u->entry, f->swap);
	struct die_walk w;
	struct die_entry e;

	if (!die_table_compile_until(scratch, f, u, cursor_uleb128(&code)))
		return;
	die_walk_init(&w, f, scratch, 0);
	if (!walk_at(&w, u->entry, &e) || !(e.abbrev->roles & DIE_UNIT))
		return;

	const struct die_attribute *a = &scratch->attributes.items[e.abbrev->attributes];
	struct cursor c = { .at = e.values, .end = w.end, .swap = f->swap };

	for (size_t i = 0; i < e.abbrev->n_attributes; i++) {
		struct die_scan_value v;

		die_scan_take_value(&c, u, &a[i], &v);
		if (c.bad)
			return;
		if (a[i].name == DW_AT_stmt_list)
			u->lines = v.number;
		else if (a[i].name == DW_AT_language)
			u->language = (uint16_t)v.number;
		else if (a[i].name == DW_AT_str_offsets_base)
			u->str_offsets = v.number;
		else if (a[i].name == DW_AT_dwo_name || a[i].name == DW_AT_GNU_dwo_name)
			u->is_split = true;
	}
}

static void free_table(void *arg, uint64_t key, void *value)
{
	(void)key;
	if (value == arg)
		return;
	die_table_done(value);
	free(value);
}

void die_tables_done(struct die_tables *t)
{
	u64_map_for_each(&t->map, free_table, &t->empty);
	u64_map_done(&t->map);
}

const struct die_table *die_tables_get(struct die_tables *tables, const struct die_file *f,
				       const struct die_unit *u)
{
	uint64_t key = (uintptr_t)u;
	struct die_table *t = u64_map_find(&tables->map, key);

	if (t)
		return t == &tables->empty ? NULL : t;
	if (!tables->map.n) {
		tables->memory.left = TABLES_FLOOR;
		budget_add(&tables->memory, f->abbrev.size, TABLES_PER_BYTE);
	}
	t = xcalloc(1, sizeof(*t));
	if (!tables->memory.left || !die_table_compile(t, f, u) ||
	    !budget_take(&tables->memory, die_table_memory(t))) {
		die_table_done(t);
		free(t);
		t = &tables->empty;
	}
	u64_map_put(&tables->map, key, t);
	return t == &tables->empty ? NULL : t;
}

/* Reads the function entry at @r; @t may be the table of its unit, or NULL. */
static bool die_scan_read_at(struct die_reference r, const struct die_table *t,
			     struct die_tables *tables, const struct die_table **ret_table,
			     struct die_function *ret)
{
	const struct die_unit *u = t ? t->unit : NULL;
	struct die_walk w;
	struct die_entry e;

	if (!u || r.offset < u->entry || r.offset >= u->end || u < r.file->units ||
	    u >= r.file->units + r.file->n_units) {
		u = die_file_unit(r.file, r.offset);
		t = u ? die_tables_get(tables, r.file, u) : NULL;
	}
	if (!t || t->unit != u)
		return false;
	die_walk_init(&w, r.file, t, 0);
	*ret_table = t;
	return walk_at(&w, r.offset, &e) &&
	       e.abbrev->roles & (DIE_FUNCTION | DIE_DECLARATION | DIE_INLINED) &&
	       die_function_read(r.file, t, &e, ret);
}

void die_function_inherit(struct die_function *fn, const struct die_table *t,
			  struct die_tables *others)
{
	struct die_reference next = fn->origin;

	for (unsigned i = 0; i < HOPS_MAX && next.file; i++) {
		struct die_function from;

		if ((fn->name.text && fn->linkage.text) ||
		    !die_scan_read_at(next, t, others, &t, &from))
			return;
		if (!fn->name.text)
			fn->name = from.name;
		if (!fn->linkage.text)
			fn->linkage = from.linkage;
		next = from.origin;
	}
}

bool die_function_at(const struct die_file *f, uint64_t offset, struct die_tables *tables,
		     struct die_function *ret)
{
	const struct die_table *t = NULL;

	if (!die_scan_read_at((struct die_reference){ f, offset }, NULL, tables, &t, ret))
		return false;
	die_function_inherit(ret, t, tables);
	return true;
}
