/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The kernel's list of its symbols, /proc/kallsyms or a copy of it: "ADDR TYPE NAME[\t[MODULE]]".
 *
 * Addresses are those of the boot in which the list was read. Functions and data (types T, W, D and
 * B in either case) are used. Of aliases the last one is used, as in Linux's perf.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "kernel/kallsyms-text.h"
#include "symbol/table.h"

struct kallsyms;

/*
 * This command shows the addresses to all users. Without a capability, kptr_restrict=0 shows them
 * only to users that may profile the kernel (kallsyms_show_value()).
 */
#define KALLSYMS_SHOW "sysctl kernel.kptr_restrict=0 kernel.perf_event_paranoid=1"

/*
 * Reads the file @path. @reference is the name of the symbol for kallsyms_reference(), or NULL.
 * -EPERM: all addresses are 0, because kptr_restrict hides them; -ENODATA: no symbols.
 */
int kallsyms_read(const char *path, const char *reference, struct kallsyms **ret);

/*
 * Does the same for a file that changes rarely: the result is cached beside it, in @path.index, if
 * that can be written.
 */
int kallsyms_read_indexed(const char *path, const char *reference, struct kallsyms **ret);

/* Does the same for @size bytes of text. */
int kallsyms_parse(const char *text, size_t size, const char *reference, struct kallsyms **ret);

void kallsyms_free(struct kallsyms *k);
DEFINE_FREEP(kallsyms)

/* Returns the symbols of the kernel itself. */
struct symbol_table *kallsyms_kernel(struct kallsyms *k);

/* Returns the symbols of the module @name ("nf_tables"; - and _ are the same), or NULL. */
struct symbol_table *kallsyms_module(struct kallsyms *k, const char *name);

/* Returns the symbols of module number @i, and its name; NULL if there are no more. */
struct symbol_table *kallsyms_module_at(struct kallsyms *k, size_t i, const char **ret_name);

/*
 * Finds the address of the symbol @name of the kernel itself. A symbol that shares its address with
 * another one is known only if it marks a place (kallsyms_reference_name()). Returns false if it is
 * not in the list.
 */
bool kallsyms_address(struct kallsyms *k, const char *name, uint64_t *ret);

/* Finds the address of the reference symbol; false if it was not in the list. */
bool kallsyms_reference(const struct kallsyms *k, uint64_t *ret);
