/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The code of functions: the bytes that ran, out of the image's file, the kernel's or a jitdump.
 *
 * A function is looked up by its symbol. Its code has link addresses, as every tool shows them;
 * code_place() translates these to the addresses by which symbols are found. A store keeps the
 * files open; any thread may use it.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct code_file;
struct code_store;
struct diag;
struct image;
struct symbol;
struct symbolizer;

struct code_store *code_store_new(void);
void code_store_free(struct code_store *s);
DEFINE_FREEP(code_store)

/* At most this much of a function is shown. */
#define CODE_SIZE_MAX (2u << 20)

struct code {
	const struct arch *arch;
	uint64_t start; /* the link address */
	uint8_t *bytes; /* owned */
	size_t n;
	const char *section; /* ".text"; belongs to the store */
	struct code_file *file;
};

/*
 * Reads the code of @sym, a function of @im. Returns a negative errno with @diag, which says why
 * there is no code, and what helps.
 */
int code_read(struct code_store *s, struct image *im, const struct symbol *sym, struct code *ret,
	      struct diag *diag);
void code_done(struct code *c);

/*
 * Reads @n bytes at @addr, an address as for image_symbol_find(); for code in a jitdump, it reads
 * nothing. Returns how many bytes there are.
 */
size_t code_read_at(struct code_store *s, struct image *im, uint64_t addr, void *bytes, size_t n);

/*
 * Returns a number that changes if the file with the code of @im has changed; 0: there is none, or
 * the code may change while it runs, like the kernel's.
 */
uint64_t code_identity(struct code_store *s, struct image *im);

/*
 * Translates @addr, a link address of @c, to an address for image_symbol_find(). Returns false if
 * it is not in the file.
 */
bool code_place(const struct code *c, uint64_t addr, uint64_t *ret);
