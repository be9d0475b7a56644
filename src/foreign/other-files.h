/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Files that people give to perf and that it does not read: what they are, and what makes something
 * of them that it does read. Told by their first bytes.
 */
#include <stdbool.h>
#include <stddef.h>

struct diag;

/* Whether the first @n bytes are those of such a file. */
bool other_file_is(const char *begin, size_t n);

/*
 * Adds a hint to @diag, which refuses @path, if the first @n bytes of it, unpacked, are those of
 * such a file. Standard input has the path "-".
 */
void other_file_hint(const char *path, const char *begin, size_t n, struct diag *diag);
