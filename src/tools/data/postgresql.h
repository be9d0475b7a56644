/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A recording as SQL for PostgreSQL's psql: tables and views of sql-tables.h, rows by COPY.
 */
#include "tools/data/format.h"

extern const struct export_format export_postgresql;
