/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Symbol names as programmers wrote them: C++, Rust, D and OCaml. The first three need libiberty;
 * without it their names stay mangled.
 */

/*
 * Returns the readable form of @name without parameters ("std::foo<int>::bar"), or NULL if it is
 * not mangled. The caller frees it.
 */
char *demangle(const char *name);

/* Does the same with parameters: "std::foo<int>::bar(int)". */
char *demangle_with_parameters(const char *name);
