/* SPDX-License-Identifier: MIT */
#include "code/types/access-types.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <version.h>

#include "arch/access.h"
#include "base/arena.h"
#include "base/bisect.h"
#include "base/c-type.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/u64-map.h"
#include "code/types/follow.h"
#include "code/types/type-answers.h"
#include "code/types/typed-image.h"
#include "dwarf/debug-function.h"
#include "symbol/code.h"
#include "symbol/symbol.h"
#include "symbol/symbolizer.h"

const struct data_type data_type_unknown = { .name = "(unknown)" };
const struct data_type data_type_stack = { .name = "(stack operation)" };

/* A function that was followed, or the reason why it could not be. */
struct typed_function {
	uint64_t start, end; /* one of its ranges; link addresses */
	struct followed *accesses;
};

/* A type, and others of the same name. */
struct known_type {
	struct data_type shown;
	struct known_type *next;
};

enum image_state {
	IMAGE_NEW,   /* nothing was searched for yet */
	IMAGE_FOUND, /* its files are known */
	IMAGE_OPEN,  /* its debug information is open */
	IMAGE_EMPTY, /* there is no debug information */
};

struct image_types {
	struct access_types *owner;
	pthread_mutex_t lock;
	struct image *image;
	enum image_state state;
	struct typed_image debug;
	char *kept_path; /* file of @answers; NULL: they are not kept */
	uint64_t identity;
	struct type_answers answers;
	struct {
		struct typed_function *items;
		size_t n, room;
	} functions; /* sorted by @start */
	struct {
		struct followed **items;
		size_t n, room;
	} followed; /* owned */
	struct intern names;
	struct u64_map by_name; /* struct known_type by its name in @names */
	struct u64_map by_type; /* struct known_type by c_type */
	struct arena arena;
};

struct access_types {
	pthread_mutex_t lock;
	struct u64_map by_image; /* struct image_types */
	struct code_store *code;
};

struct access_types *access_types_new(void)
{
	struct access_types *a = xcalloc(1, sizeof(*a));

	pthread_mutex_init(&a->lock, NULL);
	a->code = code_store_new();
	return a;
}

/* Returns the types of an image. The first caller opens the image, under its own lock. */
static struct image_types *access_types_of(struct access_types *a, struct image *im)
{
	struct image_types *t;

	pthread_mutex_lock(&a->lock);
	t = u64_map_find(&a->by_image, (uintptr_t)im);
	if (!t) {
		t = xcalloc(1, sizeof(*t));
		pthread_mutex_init(&t->lock, NULL);
		t->owner = a;
		t->image = im;
		u64_map_put(&a->by_image, (uintptr_t)im, t);
	}
	pthread_mutex_unlock(&a->lock);
	return t;
}

static struct followed *access_types_find_function(const struct image_types *t, uint64_t link)
{
	size_t after = BISECT(k, t->functions.n, t->functions.items[k].start <= link);
	const struct typed_function *f = after ? &t->functions.items[after - 1] : NULL;

	return f && link < f->end ? f->accesses : NULL;
}

static void access_types_add_function(struct image_types *t, struct code_range r,
				      struct followed *accesses)
{
	size_t at;

	at = BISECT(k, t->functions.n, t->functions.items[k].start <= r.start);
	ARRAY_ADD(&t->functions);
	memmove(&t->functions.items[at + 1], &t->functions.items[at],
		(t->functions.n - 1 - at) * sizeof(t->functions.items[0]));
	t->functions.items[at] = (struct typed_function){ r.start, r.end, accesses };
}

/* Follows the function at @link; NULL: it is not in the debug information. */
static struct followed *follow_at(struct image_types *t, uint64_t link)
{
	struct debug_function_types f;
	struct follow_source source = typed_image_source(&t->debug);
	struct followed *accesses;

	if (debug_function_types_read(t->debug.info, link, &f) < 0)
		return NULL;
	accesses = xcalloc(1, sizeof(*accesses));
	*ARRAY_ADD(&t->followed) = accesses;
	follow_function(&source, &f, accesses);
	for (size_t i = 0; i < f.ranges.n; i++)
		access_types_add_function(t, f.ranges.items[i], accesses);
	debug_function_types_done(&f);
	return accesses;
}

/*
 * True if two types have the same layout. Unnamed structures all have the same name, and programs
 * reuse names.
 */
static bool is_same_layout(const struct c_type *a, const struct c_type *b)
{
	const struct c_field *x = NULL, *y = NULL;
	size_t n = c_type_fields(c_type_bare(a), &x);

	if (c_type_fields(c_type_bare(b), &y) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (x[i].offset != y[i].offset || x[i].size != y[i].size ||
		    strcmp(x[i].name ? x[i].name : "", y[i].name ? y[i].name : "") != 0)
			return false;
	return true;
}

static struct known_type *access_types_add_type(struct image_types *t, const char *name,
						uint64_t size, const struct c_type *type)
{
	struct known_type *k = arena_alloc(&t->arena, sizeof(*k));

	*k = (struct known_type){
		.shown = {
			.home = t,
			.image = t->image,
			.name = name,
			.size = size,
			.type = type,
		},
		.next = u64_map_find(&t->by_name, (uintptr_t)name),
	};
	u64_map_put(&t->by_name, (uintptr_t)name, k);
	return k;
}

/* Returns the type of a place, without qualifiers; one for all units that describe it. */
static const struct data_type *intern_type(struct image_types *t, const struct c_type *type)
{
	struct known_type *k = u64_map_find(&t->by_type, (uintptr_t)type);
	_cleanup_(freep) char *text = k ? NULL : c_type_name(type);
	uint64_t size = c_type_size(type);
	const char *name;

	if (k)
		return &k->shown;
	name = intern_text(&t->names, text);
	k = u64_map_find(&t->by_name, (uintptr_t)name);
	while (k && !(k->shown.size == size && is_same_layout(k->shown.type, type)))
		k = k->next;
	if (!k)
		k = access_types_add_type(t, name, size, type);
	u64_map_put(&t->by_type, (uintptr_t)type, k);
	return &k->shown;
}

static struct access_type without_type(enum access_status status)
{
	return (struct access_type){
		.type = status == ACCESS_IS_STACK ? &data_type_stack : &data_type_unknown,
		.status = status,
	};
}

static struct access_type access_types_answer_of(struct image_types *t,
						 const struct followed_access *a)
{
	switch (a->status) {
	case FOLLOW_FOUND:
		return (struct access_type){
			.type = intern_type(t, a->place.type),
			.offset = (uint64_t)a->place.offset,
			.size = a->size,
			.is_followed = a->is_followed,
		};
	case FOLLOW_STACK:
		return without_type(ACCESS_IS_STACK);
	case FOLLOW_NO_MEMORY:
		return without_type(ACCESS_NO_MEMORY);
	case FOLLOW_NO_VOID:
		return without_type(ACCESS_NO_TYPEINFO);
	case FOLLOW_BAD_OFFSET:
		return without_type(ACCESS_BAD_OFFSET);
	default:
		return without_type(ACCESS_NO_VARIABLE);
	}
}

static struct access_type answer_followed(struct image_types *t, const struct followed_access *a)
{
	struct access_type ret = access_types_answer_of(t, a);

	ret.preceding = a->preceding;
	return ret;
}

/* Returns the answer for an instruction that no debug information describes. */
static struct access_type answer_alone(const struct image_types *t, uint64_t addr,
				       enum access_status status)
{
	uint8_t bytes[16];
	struct code_access a;
	size_t n = code_read_at(t->owner->code, t->image, addr, bytes, sizeof(bytes));

	if (!n || !t->debug.arch || !code_access_read(t->debug.arch, bytes, n, addr, &a))
		return without_type(n ? status : ACCESS_NO_CODE);
	if (a.is_stack)
		return without_type(ACCESS_IS_STACK);
	return without_type(a.has_memory ? status : ACCESS_NO_MEMORY);
}

/* Adds the version of perf, because another version may follow types in other ways. */
static uint64_t with_version(uint64_t identity)
{
	for (const char *c = PERF_VERSION; identity && *c; c++)
		identity = sealed_identity(identity, (unsigned char)*c);
	return identity;
}

/* Finds the files of the image, and the answers that an earlier run kept for them. */
static enum image_state access_types_find_image(struct image_types *t)
{
	if (typed_image_find(&t->debug, t->owner->code, t->image) < 0)
		return IMAGE_EMPTY;
	t->identity = with_version(typed_image_identity(&t->debug));
	if (t->identity)
		t->kept_path = image_type_answers_path(t->image);
	if (t->kept_path)
		type_answers_open(&t->answers, t->kept_path, t->identity);
	return IMAGE_FOUND;
}

static enum image_state open_image(struct image_types *t)
{
	if (typed_image_open(&t->debug) < 0)
		return IMAGE_EMPTY;
	if (t->kept_path && typed_image_is_split(&t->debug)) {
		free(t->kept_path);
		t->kept_path = NULL;
	}
	return IMAGE_OPEN;
}

/* Keeps an answer that belongs to no function that was followed. */
static struct access_type keep_alone(struct image_types *t, uint64_t link, struct access_type a)
{
	if (t->kept_path)
		type_answers_add(&t->answers,
				 &(struct type_answer){ .link = link, .status = a.status });
	return a;
}

static struct access_type access_types_ask(struct image_types *t, uint64_t addr, uint64_t link)
{
	const struct followed_access *found;
	struct followed *accesses = access_types_find_function(t, link);

	if (!accesses)
		accesses = follow_at(t, link);
	if (!accesses)
		return keep_alone(t, link, answer_alone(t, addr, ACCESS_NO_UNIT));
	found = followed_find(accesses, link);
	return found ? answer_followed(t, found)
		     : keep_alone(t, link, without_type(ACCESS_NO_CODE));
}

static struct access_type answer_kept(struct image_types *t, const struct type_answer *a)
{
	struct access_type ret = without_type(a->status);

	if (a->status == ACCESS_TYPED) {
		ret.type = intern_type(t, a->type);
		ret.offset = a->offset;
		ret.size = a->size;
		ret.is_followed = a->is_followed;
	}
	ret.preceding = a->preceding;
	return ret;
}

/*
 * Finds an answer under the lock. A module's addresses are known once its debug information is
 * open.
 */
static struct access_type find_locked(struct image_types *t, uint64_t addr)
{
	struct type_answer kept;
	uint64_t link;

	if (t->state == IMAGE_NEW)
		t->state = access_types_find_image(t);
	if (t->state == IMAGE_FOUND && t->debug.parts.is_module)
		t->state = open_image(t);
	if (t->state == IMAGE_EMPTY)
		return answer_alone(t, addr, ACCESS_NO_DEBUGINFO);
	if (!typed_image_link(&t->debug, addr, &link))
		return without_type(ACCESS_NO_CODE);
	if (type_answers_find(&t->answers, link, &kept))
		return answer_kept(t, &kept);
	if (t->state == IMAGE_FOUND)
		t->state = open_image(t);
	return t->state == IMAGE_OPEN ? access_types_ask(t, addr, link)
				      : answer_alone(t, addr, ACCESS_NO_DEBUGINFO);
}

static void keep_function(struct image_types *t, const struct followed *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct access_type a = answer_followed(t, &f->items[i]);

		type_answers_add(&t->answers, &(struct type_answer){ .link = f->items[i].addr,
								     .status = a.status,
								     .is_followed = a.is_followed,
								     .type = a.type->type,
								     .offset = a.offset,
								     .size = a.size,
								     .preceding = a.preceding });
	}
}

/*
 * Keeps the answers for all instructions of the functions that were followed: other samples will
 * hit other instructions.
 */
static void access_types_keep_answers(struct image_types *t)
{
	if (!t->kept_path)
		return;
	for (size_t i = 0; i < t->followed.n; i++)
		keep_function(t, t->followed.items[i]);
	(void)type_answers_write(&t->answers, t->kept_path, t->identity);
}

static void access_types_free_image(void *arg, uint64_t key, void *value)
{
	struct image_types *t = value;

	(void)arg, (void)key;
	access_types_keep_answers(t);
	for (size_t i = 0; i < t->followed.n; i++) {
		followed_done(t->followed.items[i]);
		free(t->followed.items[i]);
	}
	free(t->followed.items);
	free(t->functions.items);
	u64_map_done(&t->by_name);
	u64_map_done(&t->by_type);
	intern_done(&t->names);
	typed_image_done(&t->debug);
	type_answers_done(&t->answers);
	arena_done(&t->arena);
	pthread_mutex_destroy(&t->lock);
	free(t->kept_path);
	free(t);
}

void access_types_free(struct access_types *a)
{
	if (!a)
		return;
	u64_map_for_each(&a->by_image, access_types_free_image, NULL);
	u64_map_done(&a->by_image);
	code_store_free(a->code);
	pthread_mutex_destroy(&a->lock);
	free(a);
}

struct access_type access_types_find(struct access_types *a, struct image *im,
				     const struct symbol *sym, uint64_t addr)
{
	struct image_types *t;
	struct access_type ret;

	if (!im || !sym)
		return without_type(ACCESS_NO_SYMBOL);
	t = access_types_of(a, im);
	pthread_mutex_lock(&t->lock);
	ret = find_locked(t, addr);
	pthread_mutex_unlock(&t->lock);
	return ret;
}

struct access_type access_types_find_skidded(struct access_types *a, struct image *im,
					     const struct symbol *sym, uint64_t addr)
{
	struct access_type own = access_types_find(a, im, sym, addr), before;

	if (own.status != ACCESS_NO_MEMORY || !own.preceding)
		return own;
	before = access_types_find(a, im, sym, addr - own.preceding);
	return before.status == ACCESS_NO_MEMORY ? own : before;
}

/* Members are read when they are first needed. */
void access_type_field(const struct access_type *a, struct text *out)
{
	const struct data_type *t = a->type;
	struct object_place p = { .type = t->type, .offset = (int64_t)a->offset };

	if (!t->type)
		return;
	if (t->home)
		pthread_mutex_lock(&t->home->lock);
	object_field_text(&p, a->size, out);
	if (t->home)
		pthread_mutex_unlock(&t->home->lock);
}
