/* SPDX-License-Identifier: MIT */
#include "symbol/kallsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "symbol/kallsyms-index.h"

/* Some hundred are loaded at a time; looking for one among them is linear. */
#define MODULES_MAX       2048
#define LINE_LENGTH_USUAL 40

struct module {
	char *name;
	struct symbol_table table;
};

struct module_slot {
	uint32_t hash;         /* of the name */
	struct module *module; /* a pointer, as tables do not move */
};

/* A symbol whose address is wanted, whatever its type. */
struct reference {
	const char *name;
	size_t length;
	uint64_t addr; /* 0: it was not in the list */
};

struct kallsyms {
	char *text;                   /* names stay in it, */
	struct kallsyms_index *index; /* or in this */
	struct symbol_table kernel;
	struct module_slot *items;
	size_t n, room;
	struct reference references[KALLSYMS_REFERENCES + 1]; /* the last is another */
	const struct reference *reference;                    /* that was asked for; or NULL */
};

#define DIGIT 0x10

/* By character: DIGIT and the value of a hexadecimal digit; 0 for anything else. */
static const uint8_t digits[256] = {
	['0'] = DIGIT | 0,  ['1'] = DIGIT | 1,  ['2'] = DIGIT | 2,  ['3'] = DIGIT | 3,
	['4'] = DIGIT | 4,  ['5'] = DIGIT | 5,  ['6'] = DIGIT | 6,  ['7'] = DIGIT | 7,
	['8'] = DIGIT | 8,  ['9'] = DIGIT | 9,  ['a'] = DIGIT | 10, ['b'] = DIGIT | 11,
	['c'] = DIGIT | 12, ['d'] = DIGIT | 13, ['e'] = DIGIT | 14, ['f'] = DIGIT | 15,
	['A'] = DIGIT | 10, ['B'] = DIGIT | 11, ['C'] = DIGIT | 12, ['D'] = DIGIT | 13,
	['E'] = DIGIT | 14, ['F'] = DIGIT | 15,
};

/* The 16 digits that a 64-bit kernel prints, without a branch for each: this is the hot spot. */
static bool take_16_digits(const char *s, uint64_t *ret)
{
	uint64_t value = 0;
	uint8_t all = DIGIT;

	for (size_t i = 0; i < 16; i++) {
		uint8_t digit = digits[(uint8_t)s[i]];

		all &= digit;
		value = value << 4 | (digit & 15);
	}
	*ret = value;
	return all & DIGIT;
}

/* A number of any length up to 16 digits; returns the character behind it, or NULL. */
static const char *take_digits(const char *s, const char *end, uint64_t *ret)
{
	const char *start = s;
	uint64_t value = 0;

	for (; s < end && digits[(uint8_t)*s]; s++)
		value = value << 4 | (digits[(uint8_t)*s] & 15);
	*ret = value;
	return s == start || s - start > 16 ? NULL : s;
}

/* "\t[nf_tables]" after the name; anything else there belongs to the name. */
static void split_module(struct kallsyms_line *l)
{
	const char *end = l->name + l->name_length;
	const char *tab = end[-1] == ']' ? memchr(l->name, '\t', l->name_length) : NULL;

	if (!tab || end - tab < 4 || tab[1] != '[')
		return;
	l->name_length = (size_t)(tab - l->name);
	l->module = tab + 2;
	l->module_length = (size_t)(end - 1 - l->module);
}

/* False: the line is not "ADDR TYPE NAME". */
static bool parse_line(const char *s, const char *end, struct kallsyms_line *ret)
{
	ret->module = NULL;
	if (end - s > 20 && s[16] == ' ' && take_16_digits(s, &ret->addr))
		s += 16;
	else
		s = take_digits(s, end, &ret->addr);
	if (!s || end - s < 4 || s[0] != ' ' || s[2] != ' ')
		return false;
	ret->type = s[1];
	ret->name = s + 3;
	ret->name_length = (size_t)(end - ret->name);
	split_module(ret);
	return ret->name_length > 0;
}

bool kallsyms_next(const char **at, const char *end, struct kallsyms_line *ret)
{
	while (*at < end) {
		const char *line = *at;
		const char *newline = memchr(line, '\n', (size_t)(end - line));

		*at = newline ? newline + 1 : end;
		if (parse_line(line, newline ? newline : end, ret))
			return true;
	}
	return false;
}

bool kallsyms_type_counts(char type)
{
	switch (type | 0x20) {
	case 't':
	case 'w':
	case 'd':
	case 'b':
		return true;
	default:
		return false;
	}
}

/* $x and $d mark where code and data change in ARM kernels. */
static bool is_mapping_mark(const struct kallsyms_line *l)
{
	return l->name_length >= 2 && l->name[0] == '$' && strchr("xdta", l->name[1]) &&
	       (l->name_length == 2 || l->name[2] == '.');
}

/* FNV-1a; - and _ are the same. */
static uint32_t hash_module(const char *name, size_t length)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < length; i++)
		h = (h ^ (uint8_t)(name[i] == '-' ? '_' : name[i])) * 16777619u;
	return h;
}

static bool same_module(const char *a, size_t length, const char *b)
{
	for (size_t i = 0; i < length; i++) {
		char x = a[i] == '-' ? '_' : a[i], y = b[i] == '-' ? '_' : b[i];

		if (x != y || !y)
			return false;
	}
	return b[length] == '\0';
}

static struct module *find_module(struct kallsyms *k, const char *name, size_t length)
{
	uint32_t hash = hash_module(name, length);

	/* The symbols of a module follow one another. */
	for (size_t i = k->n; i-- > 0;)
		if (k->items[i].hash == hash && same_module(name, length, k->items[i].module->name))
			return k->items[i].module;
	return NULL;
}

static struct module *module_add(struct kallsyms *k, const char *name, size_t length)
{
	struct module *m = xcalloc(1, sizeof(*m));

	m->name = xstrndup(name, length);
	*ARRAY_ADD(k) = (struct module_slot){ .hash = hash_module(name, length), .module = m };
	return m;
}

/* NULL: there are too many. */
static struct symbol_table *module_table(struct kallsyms *k, const struct kallsyms_line *l)
{
	struct module *m = find_module(k, l->module, l->module_length);

	if (!m && k->n == MODULES_MAX)
		return NULL;
	if (!m) {
		m = module_add(k, l->module, l->module_length);
		symbol_table_init(&m->table, NULL);
	}
	return &m->table;
}

static char binding(char type)
{
	if (type == 'W' || type == 'w')
		return 'w';
	return type >= 'a' ? 'l' : 'g';
}

static void add_line(struct kallsyms *k, const struct kallsyms_line *l)
{
	struct symbol s = {
		.start = l->addr, .end = l->addr, .name = l->name, .binding = binding(l->type)
	};

	struct symbol_table *t = l->module ? module_table(k, l) : &k->kernel;

	if (!t)
		return;
	k->text[l->name - k->text + (ptrdiff_t)l->name_length] = '\0';
	symbol_table_add_borrowed(t, s);
}

static void want_reference(struct kallsyms *k, const char *wanted)
{
	for (size_t i = 0; i < ARRAY_SIZE(k->references); i++) {
		struct reference *r = &k->references[i];

		r->name = i < KALLSYMS_REFERENCES ? kallsyms_reference_name(i) : wanted;
		r->length = r->name ? strlen(r->name) : 0;
		if (wanted && !k->reference && !strcmp(r->name, wanted))
			k->reference = r;
	}
}

/* The first of a name counts. */
static void note_reference(struct kallsyms *k, const struct kallsyms_line *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(k->references); i++) {
		struct reference *r = &k->references[i];

		if (!r->addr && l->name_length == r->length && !l->module &&
		    memcmp(l->name, r->name, r->length) == 0)
			r->addr = l->addr;
	}
}

int kallsyms_parse(char *text, size_t size, const char *reference, struct kallsyms **ret)
{
	_cleanup_(kallsyms_freep) struct kallsyms *k = xcalloc(1, sizeof(*k));
	struct kallsyms_line l;
	size_t hidden = 0;

	k->text = text;
	want_reference(k, reference);
	symbol_table_init(&k->kernel, NULL);
	symbol_table_expect(&k->kernel, size / LINE_LENGTH_USUAL);
	for (const char *at = text, *end = text + size; kallsyms_next(&at, end, &l);) {
		note_reference(k, &l);
		if (!kallsyms_type_counts(l.type) || is_mapping_mark(&l))
			continue;
		if (l.addr)
			add_line(k, &l);
		else
			hidden++;
	}
	if (!k->kernel.n && !k->n)
		return hidden ? -EPERM : -ENODATA;
	symbol_table_settle(&k->kernel, SYMBOL_RULES_LINKER);
	for (size_t i = 0; i < k->n; i++)
		symbol_table_settle(&k->items[i].module->table, SYMBOL_RULES_LINKER);
	*ret = TAKE(k);
	return 0;
}

int kallsyms_read(const char *path, const char *reference, struct kallsyms **ret)
{
	char *text;
	size_t size;
	int r = file_read(AT_FDCWD, path, KALLSYMS_SIZE_MAX, &text, &size);

	return r < 0 ? r : kallsyms_parse(text, size, reference, ret);
}

static struct kallsyms *from_index(struct kallsyms_index *index, const char *reference)
{
	struct kallsyms *k = xcalloc(1, sizeof(*k));
	const char *name;

	k->index = index;
	want_reference(k, reference);
	for (size_t i = 0; i < KALLSYMS_REFERENCES; i++)
		k->references[i].addr = kallsyms_index_reference(index, i);
	for (size_t i = 0; i < kallsyms_index_count(index); i++) {
		struct symbol_index table = kallsyms_index_table(index, i, &name);

		symbol_table_init_index(i ? &module_add(k, name, strlen(name))->table : &k->kernel,
					&table);
	}
	return k;
}

/* An index that cannot be written is none that is missed. */
static void save_index(const struct kallsyms *k, const char *path, const struct stat *source)
{
	_cleanup_(freep) struct kallsyms_part *parts = xcalloc(k->n + 1, sizeof(parts[0]));
	struct kallsyms_contents c = { .parts = parts, .n = k->n + 1 };

	parts[0] = (struct kallsyms_part){ .name = "", .table = &k->kernel };
	for (size_t i = 0; i < k->n; i++)
		parts[i + 1] = (struct kallsyms_part){ .name = k->items[i].module->name,
						       .table = &k->items[i].module->table };
	for (size_t i = 0; i < KALLSYMS_REFERENCES; i++)
		c.references[i] = k->references[i].addr;
	(void)kallsyms_index_save(path, source, &c);
}

static bool is_usual(const char *reference)
{
	for (size_t i = 0; i < KALLSYMS_REFERENCES; i++)
		if (!strcmp(reference, kallsyms_reference_name(i)))
			return true;
	return false;
}

int kallsyms_read_indexed(const char *path, const char *reference, struct kallsyms **ret)
{
	_cleanup_(freep) char *beside = xasprintf("%s.index", path);
	struct kallsyms_index *index;
	struct stat st;
	int r;

	if (stat(path, &st) < 0)
		return -errno;
	if (reference && !is_usual(reference))
		return kallsyms_read(path, reference, ret);
	if (kallsyms_index_open(beside, &st, &index) >= 0) {
		*ret = from_index(index, reference);
		return 0;
	}
	r = kallsyms_read(path, reference, ret);
	if (r >= 0)
		save_index(*ret, beside, &st);
	return r;
}

void kallsyms_free(struct kallsyms *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->n; i++) {
		symbol_table_done(&k->items[i].module->table);
		free(k->items[i].module->name);
		free(k->items[i].module);
	}
	free(k->items);
	symbol_table_done(&k->kernel);
	kallsyms_index_free(k->index);
	free(k->text);
	free(k);
}

struct symbol_table *kallsyms_kernel(struct kallsyms *k)
{
	return &k->kernel;
}

struct symbol_table *kallsyms_module(struct kallsyms *k, const char *name)
{
	struct module *m = find_module(k, name, strlen(name));

	return m ? &m->table : NULL;
}

struct symbol_table *kallsyms_module_at(struct kallsyms *k, size_t i, const char **ret_name)
{
	if (i >= k->n)
		return NULL;
	*ret_name = k->items[i].module->name;
	return &k->items[i].module->table;
}

bool kallsyms_reference(const struct kallsyms *k, uint64_t *ret)
{
	if (!k->reference || !k->reference->addr)
		return false;
	*ret = k->reference->addr;
	return true;
}
