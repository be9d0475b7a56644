/* SPDX-License-Identifier: MIT */
#include "session/trace-machine.h"

#include <stdlib.h>

#include "base/memory.h"
#include "datafile/tracing-data.h"
#include "session/machine.h"
#include "session/session.h"
#include "symbol/symbol.h"
#include "tracepoint/printk-formats.h"

struct trace_machine {
	const struct session *session;
	struct printk_formats *strings; /* NULL: none were recorded */
	struct tracepoint_machine machine;
};

static const char *trace_machine_kernel_symbol(void *arg, uint64_t addr, uint64_t *ret_offset)
{
	const struct trace_machine *m = arg;
	struct location loc;

	if (!machine_resolve(m->session, 0, ADDRESS_KERNEL, addr, 0, &loc) || !loc.sym)
		return NULL;
	*ret_offset = loc.image_addr - loc.sym->start;
	return loc.sym->name;
}

static const char *kernel_string(void *arg, uint64_t addr)
{
	const struct trace_machine *m = arg;

	return printk_formats_find(m->strings, addr);
}

struct trace_machine *trace_machine_new(const struct session *s)
{
	struct trace_machine *m = xcalloc(1, sizeof(*m));
	const struct tracing_data *t = session_tracing_data(s);

	m->session = s;
	m->machine = (struct tracepoint_machine){
		.swap = session_is_swapped(s),
		.symbol = trace_machine_kernel_symbol,
		.arg = m,
	};
	if (t && t->printk) {
		m->strings = printk_formats_new(t->printk, t->printk_length);
		m->machine.string = kernel_string;
	}
	return m;
}

void trace_machine_free(struct trace_machine *m)
{
	if (!m)
		return;
	printk_formats_free(m->strings);
	free(m);
}

const struct tracepoint_machine *trace_machine_get(const struct trace_machine *m)
{
	return &m->machine;
}
