/* SPDX-License-Identifier: MIT */
#include "tools/trace/call-model.h"

const struct call_data *trace_call_data(const struct trace_call *c, unsigned arg, unsigned part)
{
	for (size_t i = 0; i < c->n_data; i++)
		if (c->data[i].arg == arg && c->data[i].part == part)
			return &c->data[i];
	return NULL;
}
