/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes cached probes, the arguments of markers, and the kernel's list of probes, which are texts
 * from elsewhere. Reading ends, a place that was parsed can be written and reads back as the same,
 * and each cached probe has at least one place.
 */
#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/text.h"
#include "symbol/buildid/sdt-probes.h"
#include "capture/tracing.h"
#include "probe/probe-cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_place(const struct trace_probe *p)
{
	_cleanup_(freep) char *line = trace_probe_text(p);
	struct trace_probe again = { 0 };

	if (trace_probe_parse(line, p->is_user, &again) < 0)
		abort();

	_cleanup_(freep) char *same = trace_probe_text(&again);

	if (strcmp(line, same))
		abort();
	trace_probe_done(&again);
	probe_is_called(p, "sdt_*:x");
}

static void check_cache(const char *text)
{
	_cleanup_(cached_probes_done) struct cached_probes l = { 0 };

	cached_probes_parse(text, &l);
	for (size_t i = 0; i < l.n; i++) {
		if (!l.items[i].places.n)
			abort();
		for (size_t j = 0; j < l.items[i].places.n; j++)
			check_place(&l.items[i].places.items[j]);
	}
}

/* Checks that known probes are kept: adding the result again changes nothing. */
static void check_known(const char *text)
{
	_cleanup_(text_done) struct text once = TEXT_EMPTY, twice = TEXT_EMPTY;

	sdt_probes_add(text, "/bin/x", NULL, &once);
	sdt_probes_add(once.chars, "/bin/x", NULL, &twice);
	if (strcmp(once.chars, twice.chars))
		abort();
}

static bool find_variable(void *arg, const char *name, uint64_t *ret)
{
	(void)arg;
	*ret = strlen(name);
	return *name != 'x';
}

static void check_arguments(const char *text, const struct arch *arch)
{
	const struct sdt_place place = { .arch = arch, .variable = find_variable };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	const char *at = text;

	for (unsigned i = 1; sdt_argument_next(&at, &place, i, &out); i++)
		if (i > strlen(text) + 1)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char format[] = "name: x\nprint fmt: \"(%lx) arg1=0x%Lx arg2=%s\", REC->a\n";
	_cleanup_(freep) char *text = xmalloc(size + 1);

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	check_cache(text);
	check_known(text);
	check_arguments(text, &arch_aarch64);
	check_arguments(text, &arch_x86_64);
	free(probe_registers_show(format, "probe", "x", text));
	return 0;
}
