/* SPDX-License-Identifier: MIT */
#include "symbol/kallsyms.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "symbol/kallsyms-index.h"

/*
 * The maximum number of modules. A few hundred are loaded at a time; the search among them is
 * linear.
 */
#define MODULES_MAX 2048

/* The kernel hands over a page at a time. A line has at most some 600 bytes (KSYM_NAME_LEN). */
#define READ_SIZE (32 << 10)

struct module {
	const char *name; /* in the index */
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

struct references {
	struct reference items[KALLSYMS_REFERENCES + 1]; /* the last is for another name */
	const struct reference *wanted;                  /* the requested one; or NULL */
};

struct kallsyms {
	struct kallsyms_index *index;
	struct symbol_table kernel;
	struct module_slot *items;
	size_t n, room;
	struct references references;
};

struct listed_module {
	uint32_t hash, name; /* the name's offset in the draft's text */
};

/* A list that is being read. */
struct kallsyms_reading {
	struct kallsyms_draft draft;
	struct {
		struct listed_module *items;
		size_t n, room;
	} modules;
	struct references references;
	bool has_hidden; /* some addresses are 0 */
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

	for (size_t i = 0; i < k->n; i++)
		if (k->items[i].hash == hash &&
		    kallsyms_same_module(name, length, k->items[i].module->name))
			return k->items[i].module;
	return NULL;
}

/* Returns the number of the table of a module. 0: there are too many modules. */
static uint32_t kallsyms_module_number(struct kallsyms_reading *r, const struct kallsyms_line *l)
{
	uint32_t hash = hash_module(l->module, l->module_length);
	const char *text = (const char *)r->draft.text.data;

	/* The symbols of a module are adjacent in the list. */
	for (size_t i = r->modules.n; i-- > 0;)
		if (r->modules.items[i].hash == hash &&
		    kallsyms_same_module(l->module, l->module_length,
					 text + r->modules.items[i].name))
			return (uint32_t)i + 1;
	if (r->modules.n == MODULES_MAX)
		return 0;
	*ARRAY_ADD(&r->modules) = (struct listed_module){
		.hash = hash,
		.name = kallsyms_draft_add_table(&r->draft, l->module, l->module_length),
	};
	return (uint32_t)r->modules.n;
}

static char kallsyms_binding(char type)
{
	if (type == 'W' || type == 'w')
		return 'w';
	return type >= 'a' ? 'l' : 'g';
}

static void kallsyms_add_line(struct kallsyms_reading *r, const struct kallsyms_line *l)
{
	uint32_t table = l->module ? kallsyms_module_number(r, l) : 0;

	if (l->module && !table)
		return;
	kallsyms_draft_add(&r->draft, table, l->addr, l->name, l->name_length,
			   kallsyms_binding(l->type));
}

static void references_init(struct references *all, const char *wanted)
{
	for (size_t i = 0; i < ARRAY_SIZE(all->items); i++) {
		struct reference *r = &all->items[i];

		r->name = i < KALLSYMS_REFERENCES ? kallsyms_reference_name(i) : wanted;
		r->length = r->name ? strlen(r->name) : 0;
		if (wanted && !all->wanted && !strcmp(r->name, wanted))
			all->wanted = r;
	}
}

/* Notes a reference. The first symbol of a name counts. */
static void note_reference(struct references *all, const struct kallsyms_line *l)
{
	for (size_t i = 0; i < ARRAY_SIZE(all->items); i++) {
		struct reference *r = &all->items[i];

		if (!r->addr && l->name_length == r->length && !l->module &&
		    memcmp(l->name, r->name, r->length) == 0)
			r->addr = l->addr;
	}
}

static void kallsyms_take_lines(struct kallsyms_reading *r, const char *text, size_t size)
{
	struct kallsyms_line l;

	for (const char *at = text, *end = text + size; kallsyms_next(&at, end, &l);) {
		note_reference(&r->references, &l);
		if (!kallsyms_type_counts(l.type) || kallsyms_is_mapping_mark(&l))
			continue;
		if (l.addr)
			kallsyms_add_line(r, &l);
		else
			r->has_hidden = true;
	}
}

static void kallsyms_reading_init(struct kallsyms_reading *r, const char *reference)
{
	*r = (struct kallsyms_reading){ 0 };
	references_init(&r->references, reference);
	kallsyms_draft_init(&r->draft);
}

static void kallsyms_reading_done(struct kallsyms_reading *r)
{
	kallsyms_draft_done(&r->draft);
	free(r->modules.items);
}

/* Makes the tables, which are views of @index. */
static struct kallsyms *kallsyms_new(struct kallsyms_index *index, const char *reference)
{
	struct kallsyms *k = xcalloc(1, sizeof(*k));
	const char *name;

	k->index = index;
	references_init(&k->references, reference);
	for (size_t i = 0; i < KALLSYMS_REFERENCES; i++)
		k->references.items[i].addr = kallsyms_index_reference(index, i);
	for (size_t i = 0; i < kallsyms_index_count(index); i++) {
		struct symbol_index table = kallsyms_index_table(index, i, &name);

		if (i) {
			struct module *m = xcalloc(1, sizeof(*m));

			m->name = name;
			*ARRAY_ADD(k) = (struct module_slot){ hash_module(name, strlen(name)), m };
			symbol_table_init_index(&m->table, &table);
		} else {
			symbol_table_init_index(&k->kernel, &table);
		}
	}
	return k;
}

/* Makes the list of the lines that were taken. */
static int kallsyms_reading_end(struct kallsyms_reading *r, struct kallsyms **ret)
{
	const struct reference *others = &r->references.items[KALLSYMS_REFERENCES];

	if (!r->draft.n)
		return r->has_hidden ? -EPERM : -ENODATA;
	for (size_t i = 0; i < KALLSYMS_REFERENCES; i++)
		r->draft.references[i] = r->references.items[i].addr;
	*ret = kallsyms_new(kallsyms_index_new(&r->draft), others->name);
	(*ret)->references.items[KALLSYMS_REFERENCES].addr = others->addr;
	return 0;
}

int kallsyms_parse(const char *text, size_t size, const char *reference, struct kallsyms **ret)
{
	_cleanup_(kallsyms_reading_done) struct kallsyms_reading r;

	kallsyms_reading_init(&r, reference);
	kallsyms_take_lines(&r, text, size);
	return kallsyms_reading_end(&r, ret);
}

/*
 * Takes lines while the kernel makes them: most memory of a reader of the whole text would be for
 * addresses in digits.
 */
static int kallsyms_take_file(struct kallsyms_reading *r, int fd)
{
	_cleanup_(freep) char *buffer = xmalloc(READ_SIZE);
	size_t n = 0, total = 0;
	ssize_t got;

	while ((got = read(fd, buffer + n, READ_SIZE - n)) != 0) {
		const char *newline;
		size_t whole;

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		total += (size_t)got;
		if (total > KALLSYMS_SIZE_MAX)
			return -EFBIG;
		n += (size_t)got;
		newline = memrchr(buffer, '\n', n);
		whole = newline ? (size_t)(newline + 1 - buffer) : n == READ_SIZE ? n : 0;
		kallsyms_take_lines(r, buffer, whole);
		n -= whole;
		memmove(buffer, buffer + whole, n);
	}
	kallsyms_take_lines(r, buffer, n);
	return 0;
}

int kallsyms_read(const char *path, const char *reference, struct kallsyms **ret)
{
	_cleanup_(kallsyms_reading_done) struct kallsyms_reading reading;
	_cleanup_(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	int r = fd < 0 ? -errno : 0;

	kallsyms_reading_init(&reading, reference);
	if (r < 0)
		return r;
	r = kallsyms_take_file(&reading, fd);
	return r < 0 ? r : kallsyms_reading_end(&reading, ret);
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
		*ret = kallsyms_new(index, reference);
		return 0;
	}
	r = kallsyms_read(path, reference, ret);
	/* A failure to save does not matter. */
	if (r >= 0)
		(void)kallsyms_index_save((*ret)->index, beside, &st);
	return r;
}

void kallsyms_free(struct kallsyms *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->n; i++) {
		symbol_table_done(&k->items[i].module->table);
		free(k->items[i].module);
	}
	free(k->items);
	symbol_table_done(&k->kernel);
	kallsyms_index_free(k->index);
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
		const struct reference *r = &k->references.items[i];

		if (r->addr && !strcmp(r->name, name)) {
			*ret = r->addr + k->kernel.distance;
			return true;
		}
	}
	return false;
}

bool kallsyms_reference(const struct kallsyms *k, uint64_t *ret)
{
	const struct reference *wanted = k->references.wanted;

	if (!wanted || !wanted->addr)
		return false;
	*ret = wanted->addr;
	return true;
}
