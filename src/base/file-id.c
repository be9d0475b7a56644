/* SPDX-License-Identifier: MIT */
#include "base/file-id.h"

bool file_id_differs(const struct file_id *a, const struct file_id *b)
{
	if (!a->ino || !b->ino)
		return false;
	return a->ino != b->ino || a->maj != b->maj || a->min != b->min ||
	       (a->generation && b->generation && a->generation != b->generation);
}
