/* SPDX-License-Identifier: MIT */
#include "tools/lock/type-model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"

/* A filter may name each of these. Several rows have the same name. */
static const struct {
	uint32_t flags;
	const char *name;
	const char *lock;       /* the lock itself, the same for readers and writers */
	const char *short_lock; /* a shorter name, or NULL */
} types[] = {
	{ 0, "semaphore", "semaphore", NULL },
	{ LOCK_SPIN, "spinlock", "spinlock", NULL },
	{ LOCK_SPIN | LOCK_READ, "rwlock:R", "rwlock", NULL },
	{ LOCK_SPIN | LOCK_WRITE, "rwlock:W", "rwlock", NULL },
	{ LOCK_READ, "rwsem:R", "rwsem", NULL },
	{ LOCK_WRITE, "rwsem:W", "rwsem", NULL },
	{ LOCK_RT, "rtmutex", "rt-mutex", NULL },
	{ LOCK_RT | LOCK_READ, "rwlock-rt:R", "rwlock-rt", NULL },
	{ LOCK_RT | LOCK_WRITE, "rwlock-rt:W", "rwlock-rt", NULL },
	{ LOCK_PERCPU | LOCK_READ, "pcpu-sem:R", "percpu-rwsem", "pcpu-sem" },
	{ LOCK_PERCPU | LOCK_WRITE, "pcpu-sem:W", "percpu-rwsem", "pcpu-sem" },
	{ LOCK_MUTEX, "mutex", "mutex", NULL },
	{ LOCK_MUTEX | LOCK_SPIN, "mutex", "mutex", NULL },
	{ LOCK_USER, "futex", "futex", NULL },
	{ LOCK_USER | LOCK_RT, "futex:pi", "futex", NULL },
	{ LOCK_USER | LOCK_CONDITION, "futex:cond", "futex", NULL },
};

const char *lock_type_name(uint32_t flags)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].flags == flags)
			return types[i].name;
	return "unknown";
}

const char *lock_type_of_lock(uint32_t flags)
{
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].flags == flags)
			return types[i].lock;
	return "unknown";
}

static void lock_type_add(struct lock_types *t, uint32_t flags)
{
	t->items = array_reserve(t->items, &t->room, t->n + 1, sizeof(*t->items));
	t->items[t->n++] = flags;
}

static int lock_type_refuse(const char *word, struct diag *diag)
{
	struct similar near = { .typed = word };
	_cleanup_(text_done) struct text all = TEXT_EMPTY;
	_cleanup_(freep) char *phrase = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		similar_add(&near, types[i].name);
		if (!i || strcmp(types[i].name, types[i - 1].name) != 0)
			text_addf(&all, "%s%s", i ? ", " : "", types[i].name);
	}
	phrase = similar_phrase(&near);
	diag_set(diag, -EINVAL, "'%s' is not a type of lock", word);
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	diag_hint(diag, "There are: %s. Without :R or :W, both are meant.", all.chars);
	return -EINVAL;
}

static int lock_type_parse_word(struct lock_types *t, const char *word, struct diag *diag)
{
	size_t before = t->n;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i].name, word) || !strcmp(types[i].lock, word) ||
		    (types[i].short_lock && !strcmp(types[i].short_lock, word)))
			lock_type_add(t, types[i].flags);
	return t->n > before ? 0 : lock_type_refuse(word, diag);
}

int lock_types_parse(struct lock_types *t, const char *list, struct diag *diag)
{
	_cleanup_(freep) char *copy = xstrdup(list);
	char *rest = copy, *word;
	int r = 0;

	while (r >= 0 && (word = strtok_r(rest, ", ", &rest)))
		r = lock_type_parse_word(t, word, diag);
	return r;
}

void lock_types_done(struct lock_types *t)
{
	free(t->items);
	*t = (struct lock_types){ 0 };
}

bool lock_types_have(const struct lock_types *t, uint32_t flags)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->items[i] == flags)
			return true;
	return false;
}

bool lock_types_have_user(const struct lock_types *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->items[i] & LOCK_USER)
			return true;
	return false;
}
