/* SPDX-License-Identifier: MIT */
#pragma once
/* A method of Java in the test's own memory, laid out as in version 17. */
#include <stdalign.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "runtime/java.h"

#define FAKE_CONST_SIZE 48
#define FAKE_POOL_SIZE  72

struct fake_symbol {
	alignas(8) uint8_t bytes[128];
};

struct fake_method {
	alignas(8) uint64_t method[8];
	alignas(8) uint8_t const_method[256];
	alignas(8) uint8_t pool[FAKE_POOL_SIZE + 8 * 8];
	alignas(8) uint8_t tags[16];
	alignas(8) uint8_t klass[256];
	struct fake_symbol class_name, name, file;
};

static const struct java_layout fake_layout = {
	.version = 17,
	.method_const = 8,
	.const_size = FAKE_CONST_SIZE,
	.const_pool = 8,
	.const_words = 24,
	.const_flags = 28,
	.const_code_size = 32,
	.const_names = 34,
	.pool_size = FAKE_POOL_SIZE,
	.pool_tags = 8,
	.pool_holder = 24,
	.pool_file = 54,
	.pool_length = 60,
	.klass_name = 24,
	.klass_pool = 232,
	.symbol_length = 4,
	.symbol_body = 6,
	.array_length = 0,
	.array_bytes = 4,
};

static inline void fake_put(void *to, size_t offset, uint64_t value, size_t n)
{
	memcpy((char *)to + offset, &value, n);
}

static inline void fake_symbol_set(struct fake_symbol *s, const char *text)
{
	fake_put(s->bytes, 4, strlen(text), 2);
	memcpy(s->bytes + 6, text, strlen(text));
}

/* A method with 20 bytes of byte code and the table of lines @lines. */
static inline void fake_method_make(struct fake_method *m, const char *class_name, const char *name,
				    const char *file, const uint8_t *lines, size_t n)
{
	memset(m, 0, sizeof(*m));
	fake_symbol_set(&m->class_name, class_name);
	fake_symbol_set(&m->name, name);
	fake_symbol_set(&m->file, file);
	m->method[1] = (uintptr_t)m->const_method;
	fake_put(m->const_method, 8, (uintptr_t)m->pool, 8);
	fake_put(m->const_method, 24, (FAKE_CONST_SIZE + 20 + n + 7) / 8, 4);
	fake_put(m->const_method, 28, n ? 1 : 0, 2);
	fake_put(m->const_method, 32, 20, 2);
	fake_put(m->const_method, 34, 1, 2);
	if (n)
		memcpy(m->const_method + FAKE_CONST_SIZE + 20, lines, n);
	fake_put(m->pool, 8, (uintptr_t)m->tags, 8);
	fake_put(m->pool, 24, (uintptr_t)m->klass, 8);
	fake_put(m->pool, 54, 2, 2);
	fake_put(m->pool, 60, 3, 4);
	fake_put(m->pool, FAKE_POOL_SIZE + 8, (uintptr_t)&m->name, 8);
	fake_put(m->pool, FAKE_POOL_SIZE + 16, (uintptr_t)&m->file, 8);
	fake_put(m->tags, 0, 3, 4);
	m->tags[4 + 1] = m->tags[4 + 2] = 1;
	fake_put(m->klass, 24, (uintptr_t)&m->class_name, 8);
	fake_put(m->klass, 232, (uintptr_t)m->pool, 8);
}
