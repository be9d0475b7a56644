/* SPDX-License-Identifier: MIT */
#include "probe/explain-function.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/diag.h"
#include "base/glob.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/name-list.h"
#include "kernel/tracefs.h"
#include "probe/probe-target.h"
#include "probe/target-symbols.h"

#define EXPORTS_SIZE_MAX (16u << 20)

/*
 * Hints that @name is a tracepoint. Users look for the variables of a tracepoint as if it were a
 * function.
 */
static bool hint_tracepoint(const char *name, struct diag *diag)
{
	_cleanup_(tracefs_freep) struct tracefs *fs = NULL;
	_cleanup_(name_list_done) struct name_list systems = { 0 };
	_cleanup_(diag_done) struct diag unused = { 0 };
	uint64_t id;

	if (tracefs_open(NULL, &fs, &unused) < 0 || tracefs_systems(fs, &systems) < 0)
		return false;
	for (size_t i = 0; i < systems.n; i++) {
		const char *system = systems.items[i];

		if (tracefs_event_id(fs, system, name, &id) < 0)
			continue;
		diag_hint(diag,
			  "%s is a tracepoint, which needs no probe: perf record -e %s:%s ...",
			  name, system, name);
		return true;
	}
	return false;
}

struct near {
	struct similar similar;
	char *module;   /* the module that has this exact name, or NULL */
	bool is_kernel; /* the kernel itself has it too */
};

static void explain_function_consider(void *arg, const struct probe_symbol *s)
{
	struct near *n = arg;

	if (!s->is_function)
		return;
	if (!symbol_name_is(s->name, n->similar.typed))
		similar_add(&n->similar, s->name);
	else if (!s->module)
		n->is_kernel = true;
	else if (!n->module)
		n->module = xstrndup(s->module, s->module_length);
}

/*
 * Finds the module in the lines of modules.symbols: "alias symbol:dm_region_hash_destroy
 * dm_region_hash".
 */
static char *module_in_exports(const char *text, const char *name)
{
	_cleanup_(freep) char *wanted = xasprintf("alias symbol:%s ", name);
	const char *line = strstr(text, wanted);
	const char *module = line ? line + strlen(wanted) : NULL;

	return module ? xstrndup(module, strcspn(module, "\n")) : NULL;
}

/* Returns a module that is not loaded, but exports the function. */
static char *module_on_disk(const char *name)
{
	_cleanup_(freep) char *text = NULL, *path = NULL;
	struct utsname host;

	if (uname(&host) < 0)
		return NULL;
	path = xasprintf("/lib/modules/%s/modules.symbols", host.release);
	if (file_read(AT_FDCWD, path, EXPORTS_SIZE_MAX, &text, NULL) < 0)
		return NULL;
	return module_in_exports(text, name);
}

/* Hints that the function is in another module than the user thinks. */
static bool hint_module(const struct near *n, const char *name, struct diag *diag)
{
	const char *loaded = n->module;
	_cleanup_(freep) char *other = loaded || n->is_kernel ? NULL : module_on_disk(name);

	if (n->is_kernel)
		diag_hint(diag, "The kernel itself has it: leave -m out");
	else if (loaded)
		diag_hint(diag, "The module %s has it: -m %s", loaded, loaded);
	else if (other)
		diag_hint(diag, "The module %s has it, which is not loaded: modprobe %s", other,
			  other);
	return n->is_kernel || loaded || other;
}

/* Hints at similar names. @phrase: these names, or NULL. */
static void explain_function_hint_names(const struct probe_target *t, const char *phrase,
					struct diag *diag)
{
	if (phrase)
		diag_hint(diag, "Did you mean %s?", phrase);
	else
		diag_hint(diag, "perf probe -F%s lists the functions.",
			  probe_target_kind(t) == PROBE_PROGRAM  ? " -x FILE"
			  : probe_target_kind(t) == PROBE_MODULE ? " -m MODULE"
								 : "");
}

void explain_function(struct probe_target *t, const char *name, struct diag *diag)
{
	struct near n = { .similar = { .typed = name } };
	bool is_kernel = probe_target_kind(t) != PROBE_PROGRAM && !probe_target_is_offline(t);
	_cleanup_(probe_target_freep) struct probe_target *whole = NULL;
	_cleanup_(diag_done) struct diag unused = { 0 };

	(void)probe_target_functions(t, NULL, explain_function_consider, &n, &unused);
	if (probe_target_kind(t) == PROBE_MODULE &&
	    probe_target_open(&(struct probe_target_options){ 0 }, &whole, &unused) >= 0)
		(void)probe_target_functions(whole, name, explain_function_consider, &n, &unused);

	_cleanup_(freep) char *phrase = similar_phrase(&n.similar);

	if (!is_kernel || (!hint_module(&n, name, diag) && !hint_tracepoint(name, diag)))
		explain_function_hint_names(t, phrase, diag);
	free(n.module);
}

static void pass_over(void *arg, const struct probe_symbol *s)
{
	(void)arg, (void)s;
}

bool explain_name(struct probe_target *t, const char *name, struct diag *diag)
{
	_cleanup_(diag_done) struct diag unused = { 0 };
	const char *where = probe_target_name(t);

	if (!name || glob_is_pattern(name) ||
	    probe_target_functions(t, name, pass_over, NULL, &unused) != 0)
		return false;
	diag_done(diag);
	diag_set(diag, -ENOENT, "there is no function '%s' in %s", name,
		 where ? where : "the kernel");
	explain_function(t, name, diag);
	probe_target_hint_stripped(t, diag);
	return true;
}
