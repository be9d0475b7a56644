/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * The unwind rules of a session's images, read when they are first asked for. Any thread may ask.
 */
#include <stdbool.h>
#include <stdint.h>

struct arch;
struct cfi_rules;
struct image;
struct image_rules;
struct unwind_rule;

/* A file that is missing is tried @tries times: while recording, it may be found later. */
struct image_rules *image_rules_new(unsigned tries);
void image_rules_free(struct image_rules *r);

/*
 * The rules of @im; NULL: there is nothing to read them from. Valid as long as @r, or until
 * image_rules_forget(). @arch is the machine of JIT code, which has no header to tell it; it may
 * be NULL for files.
 */
struct cfi_rules *image_rules_get(struct image_rules *r, struct image *im, const struct arch *arch);

/*
 * Releases the rules of images for which @keeps returns false, unless they are of a file and were
 * used since the last call. No other thread may use @r meanwhile; rules that were returned before
 * are invalid.
 */
void image_rules_forget(struct image_rules *r, bool (*keeps)(void *arg, const struct image *im),
			void *arg);

/* Whether there are rules of @im, or it is known that there are none. */
bool image_rules_has(const struct image_rules *r, const struct image *im);

/*
 * cfi_rules_find() for the code at @addr of @im, whose rules are @rules. The debug file is asked,
 * too, about code that the image's own file says nothing of.
 */
const struct unwind_rule *image_rules_find(struct image_rules *r, struct image *im,
					   struct cfi_rules *rules, uint64_t addr);
