/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names of functions as the source qualifies them: namespaces, classes and functions around a
 * declaration come before its name. For functions to which the compiler gave no linkage name, as
 * gcc does with lambdas and many functions that are only inlined.
 */
#include <elfutils/libdw.h>

struct dwarf_unit;

/*
 * The qualified name of function @die, an entry that @u refers to; NULL: it has none. In languages
 * without namespaces it is the plain name. The text lives as long as the unit. O(log n) in the
 * entries of a unit, of which each is passed over once.
 */
const char *dwarf_qualified_name(struct dwarf_unit *u, Dwarf_Die *die);

void dwarf_unit_names_done(struct dwarf_unit *u);
