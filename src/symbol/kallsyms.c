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

/*
 * The maximum number of modules. A few hundred are loaded at a time; the search among them is
 * linear.
 */
#define MODULES_MAX       2048
#define LINE_LENGTH_USUAL 40

struct module {
	char *name;
	struct symbol_table table;
};

struct module_slot {
	uint32_t hash;         /* the hash of the name */
	struct module *module; /* allocated separately, because tables must not move */
};

/* A symbol whose address is wanted, whatever its type. */
struct reference {
	const char *name;
	size_t length;
	uint64_t addr; /* 0: it was not in the list */
};

struct kallsyms {
	char *text;                   /* the names are in this text, */
	struct kallsyms_index *index; /* or in the index */
	struct symbol_table kernel;
	struct module_slot *items;
	size_t n, room;
	struct reference references[KALLSYMS_REFERENCES + 1]; /* the last is for another name */
	const struct reference *reference;                    /* the requested one; or NULL */
};

/* True for mapping symbols ($x, $d) of ARM kernels. */
static bool kallsyms_is_mapping_mark(const struct kallsyms_line *l)
{
	return l->name_length >= 2 && l->name[0] == '$' && strchr("xdta", l->name[1]) &&
	       (l->name_length == 2 || l->name[2] == '.');
}

/* Returns the FNV-1a hash; - and _ are the same. */
static uint32_t hash_module(const char *name, size_t length)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < length; i++)
		h = (h ^ (uint8_t)(name[i] == '-' ? '_' : name[i])) * 16777619u;
	return h;
}

static bool kallsyms_same_module(const char *a, size_t length, const char *b)
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

	/* The symbols of a module are adjacent in the list. */
	for (size_t i = k->n; i-- > 0;)
		if (k->items[i].hash == hash &&
		    kallsyms_same_module(name, length, k->items[i].module->name))
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

/* Returns the table of a module. NULL: there are too many modules. */
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

static char kallsyms_binding(char type)
{
	if (type == 'W' || type == 'w')
		return 'w';
	return type >= 'a' ? 'l' : 'g';
}

static void kallsyms_add_line(struct kallsyms *k, const struct kallsyms_line *l)
{
	struct symbol s = { .start = l->addr,
			    .end = l->addr,
			    .name = l->name,
			    .binding = kallsyms_binding(l->type) };

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

/* Notes a reference. The first symbol of a name counts. */
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
		if (!kallsyms_type_counts(l.type) || kallsyms_is_mapping_mark(&l))
			continue;
		if (l.addr)
			kallsyms_add_line(k, &l);
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

/* Saves the index. A failure does not matter. */
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

static bool kallsyms_is_usual(const char *reference)
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
	if (reference && !kallsyms_is_usual(reference))
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

bool kallsyms_address(struct kallsyms *k, const char *name, uint64_t *ret)
{
	const struct symbol *s = symbol_table_find_name(&k->kernel, name);

	if (s) {
		*ret = s->start;
		return true;
	}
	for (size_t i = 0; i < KALLSYMS_REFERENCES; i++) {
		const struct reference *r = &k->references[i];

		if (r->addr && !strcmp(r->name, name)) {
			*ret = r->addr + k->kernel.distance;
			return true;
		}
	}
	return false;
}

bool kallsyms_reference(const struct kallsyms *k, uint64_t *ret)
{
	if (!k->reference || !k->reference->addr)
		return false;
	*ret = k->reference->addr;
	return true;
}
