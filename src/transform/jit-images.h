/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Code that programs made at run time, as files: writes an ELF file jitted-PID-N.so for each
 * function of a jit-PID.dump, beside it, and puts records among the others that map it where and
 * when its code came to lie. The map of the dump itself is left out.
 *
 * Records must come in the order of time.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct diag;
struct jit_images;
struct transform;

/* @any_owner: also dumps of other users. @diag gets the reason when a file cannot be written. */
struct jit_images *jit_images_new(bool any_owner, struct diag *diag);
void jit_images_free(struct jit_images *j);
DEFINE_FREEP(jit_images)

struct transform *jit_images_transform(struct jit_images *j);

/* How many files were written. */
uint64_t jit_images_made(const struct jit_images *j);

/* How many dumps there were, and a sentence about dump @i if it was not as it should be; or NULL.
 */
size_t jit_images_dumps(const struct jit_images *j);
const char *jit_images_remark(const struct jit_images *j, size_t i);
