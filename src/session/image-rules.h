/* SPDX-License-Identifier: MIT */
#pragma once
/* The unwind rules of a session's images, read at their first use. Any thread may look them up. */
#include <stdbool.h>
#include <stdint.h>

struct arch;
struct cfi_rules;
struct image;
struct image_rules;
struct unwind_rule;

/*
 * Makes a cache of rules. A missing file is tried @tries times, because it may be found later while
 * recording.
 */
struct image_rules *image_rules_new(unsigned tries);
void image_rules_free(struct image_rules *r);

/*
 * Returns the rules of @im; NULL: there is nothing to read them from. Valid as long as @r, or until
 * image_rules_forget(). @arch is the machine of JIT code, which has no header with that
 * information; it may be NULL for files.
 */
struct cfi_rules *image_rules_get(struct image_rules *r, struct image *im, const struct arch *arch);

/*
 * Releases the rules of images for which @keeps returns false, unless they are of a file and were
 * used since the last call. No other thread may use @r in the meantime; rules that were returned
 * before become invalid.
 */
void image_rules_forget(struct image_rules *r, bool (*keeps)(void *arg, const struct image *im),
			void *arg);

/* True if there are rules of @im, or if it is known that there are none. */
bool image_rules_has(const struct image_rules *r, const struct image *im);

/*
 * Does the same as cfi_rules_find() for the code at @addr of @im, whose rules are @rules. The debug
 * file is used too for code about which the image's own file has no rules.
 */
const struct unwind_rule *image_rules_find(struct image_rules *r, struct image *im,
					   struct cfi_rules *rules, uint64_t addr);
