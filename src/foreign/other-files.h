/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Files that users pass to perf and that it does not read: their formats, and the tools that
 * convert them to something it does read. They are recognized by their first bytes.
 */
#include <stdbool.h>
#include <stddef.h>

struct diag;

/* True if the first @n bytes are those of such a file. */
bool other_file_is(const char *begin, size_t n);

/*
 * Adds a hint to @diag, which rejects @path, if the first @n bytes of it, decompressed, are those
 * of such a file. Standard input has the path "-".
 */
void other_file_hint(const char *path, const char *begin, size_t n, struct diag *diag);
