/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Names of functions as the source qualifies them: the namespaces, classes and functions around a
 * declaration come before its name. For functions to which the compiler gave no linkage name; gcc
 * gives none to lambdas and to many functions that are only inlined.
 */
#include <elfutils/libdw.h>

struct dwarf_unit;

/*
 * Returns the qualified name of function @die, an entry to which @u refers; NULL: it has none. In
 * languages without namespaces it is the plain name. The text lives as long as the unit. O(log n)
 * in the entries of a unit, each of which is visited once.
 */
const char *dwarf_qualified_name(struct dwarf_unit *u, Dwarf_Die *die);

void dwarf_unit_names_done(struct dwarf_unit *u);
