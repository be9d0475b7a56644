/* SPDX-License-Identifier: MIT */
/* Probes: added, counted and removed again. Their group contains our process number. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "elf/file.h"
#include "elf/sdt.h"
#include "elf/symbols.h"
#include "kernel/tracefs.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"

static enum selftest_outcome need_probes(struct selftest_run *t, const char *file,
					 const char *option)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	_cleanup_(freep) char *path = NULL;

	NEED(kit_need_root(t, "add probes"));
	NEED(kit_need_whole_machine(t));
	NEED(kit_need_tracefs(t, &tracefs));
	path = xasprintf("%s/%s", tracefs_path(tracefs), file);
	if (access(path, W_OK) < 0)
		return selftest_skip(t, "this kernel was built without %s", option);
	return SELFTEST_OK;
}

/* Adds the probe @add, counts @event with `perf stat COMMAND`, and removes it. */
static enum selftest_outcome count_probe(struct selftest_run *t, const char *const *add,
					 const char *event, const char *const *command, double *ret)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	const char *stat[16] = { "stat", "-x;", "--log-fd", "1", "-e", event, "--" };
	_cleanup_(freep) char *pattern = xasprintf("%.*s:*", (int)strcspn(event, ":"), event);
	int r;

	for (size_t i = 0; command[i] && i + 8 < ARRAY_SIZE(stat); i++)
		stat[7 + i] = command[i];
	r = kit_perf(t, NULL, add);
	EXPECT(t, r == 0, "perf probe cannot add the probe");
	r = kit_perf(t, &out, stat);
	PERF(t, NULL, "probe", "-q", "-d", pattern);
	EXPECT(t, r == 0, "perf stat cannot count the probe");
	*ret = strtod(out.chars, NULL);
	return SELFTEST_OK;
}

static enum selftest_outcome test_uprobe(struct selftest_run *t)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	_cleanup_(freep) char *event = NULL;
	_cleanup_(freep) char *definition = NULL;
	double n = 0;

	NEED(need_probes(t, "uprobe_events", "CONFIG_UPROBE_EVENTS"));
	if (elf_file_open(t->perf, &f) < 0 || !elf_has_symtab(f))
		return selftest_skip(t, "perf itself is stripped, so it has no function to probe");
	event = xasprintf("perf_test_%d:leafloop", (int)getpid());
	definition = xasprintf("%s=leafloop", event);
	NEED(count_probe(
		t, (const char *const[]){ "probe", "-q", "-x", t->perf, "-a", definition, NULL },
		event, (const char *const[]){ t->perf, "test", "-w", "leafloop", "1", NULL }, &n));
	EXPECT(t, n == 1, "a function that is called once was counted %g times", n);
	return SELFTEST_OK;
}

static enum selftest_outcome test_kprobe(struct selftest_run *t)
{
	_cleanup_(freep) char *event = NULL;
	_cleanup_(freep) char *definition = NULL;
	double n = 0;

	NEED(need_probes(t, "kprobe_events", "CONFIG_KPROBE_EVENTS"));
	event = xasprintf("perf_test_%d:clone", (int)getpid());
	definition = xasprintf("%s=kernel_clone", event);
	NEED(count_probe(t, (const char *const[]){ "probe", "-q", "-a", definition, NULL }, event,
			 (const char *const[]){ "sh", "-c", "true | true", NULL }, &n));
	EXPECT(t, n >= 2, "a function of the kernel that ran at least twice was counted %g times",
	       n);
	return SELFTEST_OK;
}

static const struct selftest_case probe_cases[] = {
	{ "Functions of programs (uprobes)", test_uprobe },
	{ "Functions of the kernel (kprobes)", test_kprobe },
	{ NULL, NULL },
};

const struct selftest check_probes = {
	.name = "Probes",
	.why = "perf probe cannot add events to functions",
	.cases = probe_cases,
	.flags = SELFTEST_ALONE,
};

struct marker {
	char *name; /* "provider:name" */
};

static void check_probes_take_marker(const struct sdt_note *n, void *arg)
{
	struct marker *m = arg;

	if (!m->name)
		m->name = xasprintf("sdt_%s:%s", n->provider, n->name);
}

/* Finds a library with markers that most systems have. */
static char *find_markers(struct marker *ret)
{
	static const char *const places[] = {
		"/lib/x86_64-linux-gnu/libc.so.6",
		"/lib/aarch64-linux-gnu/libc.so.6",
		"/lib64/libc.so.6",
		"/usr/lib/libc.so.6",
		"/lib/x86_64-linux-gnu/libstdc++.so.6",
		"/lib/aarch64-linux-gnu/libstdc++.so.6",
		"/lib64/libstdc++.so.6",
		"/usr/bin/python3",
	};

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		_cleanup_(elf_file_freep) struct elf_file *f = NULL;

		if (elf_file_open(places[i], &f) >= 0)
			elf_sdt_for_each(f, check_probes_take_marker, ret);
		if (ret->name)
			return realpath(places[i], NULL);
	}
	return NULL;
}

static enum selftest_outcome test_sdt(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(freep) char *path = NULL;
	_cleanup_(freep) char *name = NULL;
	struct marker m = { 0 };

	path = find_markers(&m);
	name = m.name;
	if (!path)
		return selftest_skip(t,
				     "no library here was built with markers (systemtap-sdt-dev)");
	EXPECT(t, PERF(t, NULL, "--buildid-dir", "cache", "buildid-cache", "-a", path) == 0,
	       "%s cannot be added to the build-id cache", path);
	EXPECT(t, PERF(t, &out, "--buildid-dir", "cache", "list", "sdt") == 0,
	       "perf list sdt fails");
	EXPECT(t, strstr(out.chars, name), "the marker %s of %s is not listed", name, path);
	return SELFTEST_OK;
}

const struct selftest check_sdt = {
	.name = "Probe SDT events",
	.why = "markers that programs define (USDT) cannot be used as events",
	.run = test_sdt,
};
