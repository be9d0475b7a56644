/* SPDX-License-Identifier: MIT */
/*
 * Capstone, for machines without LLVM. It supports fewer instructions; others are shown as bytes.
 * The part of its interface (capstone/capstone.h) that is used is declared here.
 */
#include <config.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "code/decoder.h"
#include "code/target.h"

/* cs_opt_type, cs_opt_value */
#define CS_OPT_SYNTAX     1
#define CS_OPT_SYNTAX_ATT 2u
#define CS_MNEMONIC_SIZE  32
#define CS_OPERANDS_SIZE  160
#define CS_INSN_MNEMONIC(v)                                                                        \
	((v) >= 5 ? 42u : 34u) /* after the instruction's bytes, an array of 24 or 16 */
#define CS_INSN_SIZE_OFFSET 16

/* The versions differ only in the offset of the texts in cs_insn, as far as it matters here. */
static const int versions[] = { 5, 4 };

struct capstone {
	uintptr_t handle;
	void *instruction;
	int version;
	int (*close)(uintptr_t *handle);
	void (*free_instruction)(void *instruction, size_t n);
	bool (*next)(uintptr_t handle, const uint8_t **code, size_t *n, uint64_t *addr,
		     void *instruction);
};

static void *decoder_capstone_open_newest(int *ret_version)
{
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++) {
		char name[32];

		snprintf(name, sizeof(name), "libcapstone.so.%d", versions[i]);

		void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);

		if (!library)
			continue;
		*ret_version = versions[i];
		return library;
	}
	return NULL;
}

static void capstone_free(void *decoder)
{
	struct capstone *c = decoder;

	if (c->instruction)
		c->free_instruction(c->instruction, 1);
	if (c->handle)
		c->close(&c->handle);
	free(c);
}

static bool decoder_capstone_connect(struct capstone *c, void *library,
				     const struct disasm_target *t, bool intel)
{
	int (*open)(int arch, int mode, uintptr_t *handle) = dlsym(library, "cs_open");
	int (*option)(uintptr_t handle, int type, size_t value) = dlsym(library, "cs_option");
	void *(*make)(uintptr_t handle) = dlsym(library, "cs_malloc");

	c->close = dlsym(library, "cs_close");
	c->free_instruction = dlsym(library, "cs_free");
	c->next = dlsym(library, "cs_disasm_iter");
	if (!open || !option || !make || !c->close || !c->free_instruction || !c->next)
		return false;
	if (open(t->capstone.arch, t->capstone.mode, &c->handle)) {
		c->handle = 0;
		return false;
	}
	if (t->has_syntaxes && !intel)
		option(c->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	c->instruction = make(c->handle);
	return c->instruction;
}

static void *capstone_make(const struct disasm_target *t, bool intel)
{
	int version = 0;
	void *library = HAVE_LLVM ? decoder_capstone_open_newest(&version) : NULL;

	if (!library)
		return NULL;

	struct capstone *c = xcalloc(1, sizeof(*c));

	c->version = version;
	if (!decoder_capstone_connect(c, library, t, intel)) {
		capstone_free(c);
		return NULL;
	}
	return c;
}

static size_t capstone_decode(void *decoder, const uint8_t *bytes, size_t n, uint64_t addr,
			      char *text, size_t room)
{
	struct capstone *c = decoder;
	const char *mnemonic = (const char *)c->instruction + CS_INSN_MNEMONIC(c->version);
	const char *operands = mnemonic + CS_MNEMONIC_SIZE;
	uint16_t size;

	if (!c->next(c->handle, &bytes, &n, &addr, c->instruction))
		return 0;
	memcpy(&size, (const char *)c->instruction + CS_INSN_SIZE_OFFSET, sizeof(size));
	snprintf(text, room, "%.*s%s%.*s", CS_MNEMONIC_SIZE, mnemonic, *operands ? "\t" : "",
		 CS_OPERANDS_SIZE, operands);
	return size;
}

const struct decoder_type decoder_capstone = {
	.make = capstone_make,
	.free = capstone_free,
	.decode = capstone_decode,
};
