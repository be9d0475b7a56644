/* SPDX-License-Identifier: MIT */
#include "profile/shared-values.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/shared-map.h"

struct shared_values_entry {
	_Atomic(struct shared_values_entry *) next; /* the next entry with the same hash */
	uint64_t salt, value;                       /* for a note */
	uint64_t n;
	_Alignas(16) char bytes[];
};

struct shared_values {
	struct shared_values *base; /* the owner of the values; NULL: this object */
	atomic_uint owners;
	atomic_size_t bytes;
	struct shared_map values, notes; /* keyed by hash */
	pthread_mutex_t lock;            /* held by the thread that adds */
	struct arena arena;
	uint64_t seed; /* for base/hash.h */
};

struct shared_values *shared_values_new(void)
{
	struct shared_values *v = xcalloc(1, sizeof(*v));

	v->seed = hash_seed();
	v->owners = 1;
	pthread_mutex_init(&v->lock, NULL);
	return v;
}

/* Returns the owner of the values of @v. */
static struct shared_values *base_of(struct shared_values *v)
{
	return v->base ? v->base : v;
}

struct shared_values *shared_values_share(struct shared_values *v)
{
	struct shared_values *other = shared_values_new();

	other->base = base_of(v);
	other->base->owners++;
	return other;
}

size_t shared_values_bytes(const struct shared_values *v)
{
	return v->bytes + (v->base ? v->base->bytes : 0);
}

void shared_values_free(struct shared_values *v)
{
	if (!v || --v->owners)
		return;
	shared_values_free(v->base);
	shared_map_done(&v->values);
	shared_map_done(&v->notes);
	arena_done(&v->arena);
	pthread_mutex_destroy(&v->lock);
	free(v);
}

static uint64_t shared_values_hash_of(const struct shared_values *v, const void *bytes, size_t n,
				      uint64_t salt)
{
	return hash_u64(v->seed, hash_bytes(v->seed, bytes, n) ^ salt);
}

static struct shared_values_entry *shared_values_find(const struct shared_map *m, uint64_t hash,
						      const void *bytes, size_t n, uint64_t salt)
{
	struct shared_values_entry *e = shared_map_find(m, hash);

	while (e && (e->n != n || e->salt != salt || (n && memcmp(e->bytes, bytes, n))))
		e = atomic_load_explicit(&e->next, memory_order_acquire);
	return e;
}

/* Puts @e after the entries with the same hash, if there are any. */
static void shared_values_put(struct shared_map *m, uint64_t hash, struct shared_values_entry *e)
{
	struct shared_values_entry *last = shared_map_find(m, hash), *next;

	if (!last) {
		shared_map_put(m, hash, e);
		return;
	}
	while ((next = atomic_load_explicit(&last->next, memory_order_relaxed)))
		last = next;
	atomic_store_explicit(&last->next, e, memory_order_release);
}

static struct shared_values_entry *shared_values_get(struct shared_values *v, struct shared_map *m,
						     const void *bytes, size_t n, uint64_t salt,
						     uint64_t value)
{
	uint64_t hash = shared_values_hash_of(v, bytes, n, salt);
	struct shared_values_entry *e = shared_values_find(m, hash, bytes, n, salt);

	if (e)
		return e;
	pthread_mutex_lock(&v->lock);
	e = shared_values_find(m, hash, bytes, n, salt);
	if (!e) {
		e = arena_alloc(&v->arena, sizeof(*e) + n + 1);
		v->bytes += sizeof(*e) + n + 1;
		e->salt = salt;
		e->value = value;
		e->n = n;
		if (n)
			memcpy(e->bytes, bytes, n);
		shared_values_put(m, hash, e);
	}
	pthread_mutex_unlock(&v->lock);
	return e;
}

uint64_t shared_values_add(struct shared_values *v, const void *bytes, size_t n)
{
	struct shared_values *base = base_of(v);

	return (uintptr_t)shared_values_get(base, &base->values, bytes, n, 0, 0)->bytes;
}

uint64_t shared_values_add_text(struct shared_values *v, const char *text)
{
	return shared_values_add(v, text, strlen(text));
}

const void *shared_value(uint64_t number, size_t *ret_n)
{
	const char *bytes = (const char *)(uintptr_t)number;
	const size_t at = offsetof(struct shared_values_entry, bytes);

	*ret_n = ((const struct shared_values_entry *)(bytes - at))->n;
	return bytes;
}

const char *shared_value_text(uint64_t number)
{
	return (const char *)(uintptr_t)number;
}

uint64_t shared_values_noted(const struct shared_values *v, const void *bytes, size_t n,
			     uint64_t salt)
{
	const struct shared_values_entry *e = shared_values_find(
		&v->notes, shared_values_hash_of(v, bytes, n, salt), bytes, n, salt);

	return e ? e->value : 0;
}

uint64_t shared_values_note(struct shared_values *v, const void *bytes, size_t n, uint64_t salt,
			    uint64_t value)
{
	return shared_values_get(v, &v->notes, bytes, n, salt, value)->value;
}
