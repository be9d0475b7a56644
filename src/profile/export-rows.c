/* SPDX-License-Identifier: MIT */
#include "profile/export-rows.h"

#include <assert.h>
#include <string.h>

int export_new_row(struct export_rows *x, enum export_table table,
		   const struct export_value *values, size_t n, uint64_t *ret_id)
{
	struct export_value numbered[EXPORT_COLUMNS_MAX];

	assert(n && n <= EXPORT_COLUMNS_MAX);
	memcpy(numbered, values, n * sizeof(*values));
	numbered[0].number = (int64_t)++x->last[table];
	*ret_id = x->last[table];
	return export_row(x, table, numbered, n);
}
