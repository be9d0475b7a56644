/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Build-ids: the identifiers that linkers give to the files that they make, independent of name and
 * place.
 *
 * A plain value. Files and notes may be hostile; nothing here trusts a length in them. Reading a
 * build-id from an ELF file needs libelf; a build without it gets -ENOTSUP.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build-id.h"

#define BUILD_ID_TEXT_MAX (2 * BUILD_ID_SIZE_MAX + 1)

/* Makes a build-id of @size bytes; bytes beyond BUILD_ID_SIZE_MAX are dropped. */
struct build_id build_id_make(const void *bytes, size_t size);

bool build_id_equal(const struct build_id *a, const struct build_id *b);

/* Writes the hexadecimal text of @id to @ret, "" if it is empty. Returns @ret. */
char *build_id_format(const struct build_id *id, char ret[BUILD_ID_TEXT_MAX]);

/*
 * Does the opposite: the whole text must be hexadecimal pairs. -EINVAL otherwise, or if it is too
 * long.
 */
int build_id_parse(const char *text, struct build_id *ret);

/*
 * Finds the first build-id among ELF notes in the byte order of this machine. -ENODATA: there is
 * none.
 */
int build_id_from_notes(const void *notes, size_t size, struct build_id *ret);
