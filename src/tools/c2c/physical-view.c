/* SPDX-License-Identifier: MIT */
#include "tools/c2c/physical-view.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "base/text.h"
#include "tools/c2c/lines-model.h"

void c2c_physical_print(const struct c2c_physical *p, FILE *out)
{
	_cleanup_(text_done) struct text nodes = TEXT_EMPTY;

	for (uint32_t i = 0; i < p->nodes.n; i++)
		text_addf(&nodes, "%s%" PRIu32, i ? "," : "", p->nodes.items[i]);
	fprintf(out, "%4s  %6" PRIu32, p->nodes.n ? nodes.chars : "N/A", p->changes);
}
