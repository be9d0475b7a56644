/* SPDX-License-Identifier: MIT */
#include "tools/kmem/frame-view.h"

#include "base/text.h"

#define WIDTH 105

void kmem_print_rule(struct text *out)
{
	text_addf(out, "%.*s\n", WIDTH,
		  "--------------------------------------------------------------------------------"
		  "-------------------------");
}

size_t kmem_rows_shown(size_t n, int64_t lines)
{
	return lines >= 0 && (uint64_t)lines < n ? (size_t)lines : n;
}

bool kmem_rows_are_cut(size_t n, int64_t lines)
{
	return lines < 0 ? !n : n > (uint64_t)lines;
}
