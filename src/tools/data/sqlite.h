/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording as a SQLite database, with the tables and views of sql-tables.h.
 */
#include "tools/data/format.h"

extern const struct export_format export_sqlite;
