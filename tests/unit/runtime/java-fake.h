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

#define FAKE_CODE     JAVA_CODE_BYTES
#define FAKE_METADATA 768
#define FAKE_DATA     832
#define FAKE_PCS      896

/* Compiled code of version 17, in which everything is in one piece. */
struct fake_code {
	alignas(8) uint8_t bytes[1280];
	struct fake_method outer, inner;
};

static inline struct java_layout fake_code_layout(void)
{
	struct java_layout y = fake_layout;

	y.blob_size = 16;
	y.blob_complete = 20;
	y.blob_code = 32;
	y.code_method = 64;
	y.code_pcs = 40;
	y.code_pcs_end = 44;
	y.code_metadata = 48;
	y.code_scopes = 56;
	y.pc_size = 16;
	return y;
}

/*
 * Makes code that is complete at 4. The scope at 1 of the data is outer() at byte code 7, that at 4
 * inner() at 9 inlined there.
 */
static inline void fake_code_make(struct fake_code *c, const uint32_t (*pcs)[2], size_t n)
{
	static const uint8_t data[] = { 0, 0, 1, 8, 1, 2, 10 };

	memset(c, 0, sizeof(*c));
	fake_method_make(&c->outer, "Load", "outer", "Load.java", NULL, 0);
	fake_method_make(&c->inner, "Load", "inner", "Load.java", NULL, 0);
	fake_put(c->bytes, 16, FAKE_CODE + 128, 4);
	fake_put(c->bytes, 20, 4, 4);
	fake_put(c->bytes, 32, (uintptr_t)c->bytes + FAKE_CODE, 8);
	fake_put(c->bytes, 40, FAKE_PCS, 4);
	fake_put(c->bytes, 44, FAKE_PCS + n * 16, 4);
	fake_put(c->bytes, 48, FAKE_METADATA, 4);
	fake_put(c->bytes, 56, (uintptr_t)c->bytes + FAKE_DATA, 8);
	fake_put(c->bytes, 64, (uintptr_t)c->outer.method, 8);
	fake_put(c->bytes, FAKE_METADATA, (uintptr_t)c->outer.method, 8);
	fake_put(c->bytes, FAKE_METADATA + 8, (uintptr_t)c->inner.method, 8);
	memcpy(c->bytes + FAKE_DATA, data, sizeof(data));
	for (size_t i = 0; i < n; i++) {
		fake_put(c->bytes, FAKE_PCS + i * 16, pcs[i][0], 4);
		fake_put(c->bytes, FAKE_PCS + i * 16 + 4, pcs[i][1], 4);
	}
}
