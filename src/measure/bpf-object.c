/* SPDX-License-Identifier: MIT */
#include "measure/bpf-object.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/output-file.h"
#include "bpf/module.h"
#include "bpf/old-maps.h"
#include "bpf/prologue.h"
#include "bpf/refusal.h"
#include "event/ast.h"
#include "kernel/capabilities.h"
#include "kernel/tracefs.h"
#include "probe/kernel-probes.h"

/* The group of probes for programs, under the name that Linux's perf uses. */
#define GROUP "perf_bpf_probe"

#define FILE_MAX ((size_t)64 << 20)

/* The number of characters of a name that the kernel accepts, without the NUL. */
#define OBJECT_NAME 15

static bool bpf_object_is_source(const char *path)
{
	size_t n = strlen(path);

	return n > 2 && !strcmp(path + n - 2, ".c");
}

/* Writes the object of x.c as x.o beside it. */
static int dump_object(struct bpf_object_event *o, struct diag *diag)
{
	_cleanup_(freep) char *path = xstrdup(o->path);
	_cleanup_(output_file_done) struct output_file out = OUTPUT_FILE_NONE;
	int r;

	path[strlen(path) - 1] = 'o';
	r = output_file_begin(&out, path, 0, 0644, diag);
	if (r < 0)
		return r;
	r = output_file_write(&out, o->object.data, o->object.n);
	if (r >= 0)
		r = output_file_commit(&out, false);
	if (r < 0)
		return diag_set(diag, r, "cannot write '%s': %s", path, strerror(-r));
	notes_add(o->options->notes, NOTE_STATUS, "%s was compiled to %s.", o->path, path);
	return 0;
}

static int bpf_object_read(struct bpf_object_event *o, struct diag *diag)
{
	const struct bpf_source_request *rq = o->options->sources;
	char *bytes;
	size_t n;
	int r;

	if (capabilities_are_lent()) {
		diag_set(diag, -EPERM, "%s: BPF programs of users are for root only", o->path);
		diag_hint(diag, "The rights of this perf are its file's (setcap), and not yours to "
				"pass on: run it with sudo.");
		return -EPERM;
	}
	if (bpf_object_is_source(o->path)) {
		r = bpf_compile(&rq->compiler, o->path, &o->object, diag);
		if (r >= 0 && rq->dump_object)
			r = dump_object(o, diag);
		if (r >= 0)
			(void)file_read(AT_FDCWD, o->path, FILE_MAX, &o->source, NULL);
		return r;
	}
	r = file_read(AT_FDCWD, o->path, FILE_MAX, &bytes, &n);
	if (r < 0)
		return diag_set(diag, r, "cannot read the BPF object '%s': %s", o->path,
				strerror(-r));
	bytes_add(&o->object, bytes, n);
	free(bytes);
	return 0;
}

static int bpf_object_open_module(struct bpf_object_event *o, struct diag *diag)
{
	_cleanup_(freep) char *name = NULL;
	const char *slash = strrchr(o->path, '/');
	struct bytes changed = { 0 };
	int r = bpf_old_maps_convert(o->object.data, o->object.n, &changed, diag);

	if (r < 0)
		return r;
	if (r == 1) {
		bytes_done(&o->object);
		o->object = changed;
	}
	name = xstrndup(slash ? slash + 1 : o->path, OBJECT_NAME);
	name[strcspn(name, ".")] = '\0';
	r = bpf_module_open_object(name, o->object.data, o->object.n, &o->module, diag);
	if (r < 0 && r != -EOPNOTSUPP)
		diag_hint(diag, "It is made by: clang -target bpf -g -O2 -c x.c -o x.o");
	return r;
}

static void bpf_object_add_probe(struct bpf_object_event *o, struct bpf_run *run)
{
	const struct bpf_section *s = &run->section;

	run->addition = o->probe_texts.n;
	*ARRAY_ADD(&o->probe_texts) = (struct probe_asked){
		.text = s->definition,
		.program = s->program,
		.module = s->module,
	};
	o->probe_request.no_inlines |= s->no_inlines;
}

static int bpf_object_add_run(struct bpf_object_event *o, const char *name, const char *section,
			      struct diag *diag)
{
	struct bpf_section s;
	int r = bpf_section_parse(section, &s, diag);

	if (r < 0)
		return r;
	if (s.place == BPF_PLACE_TRACEPOINT)
		r = bpf_module_set_tracepoint(o->module, name);
	else if (s.place == BPF_PLACE_PROBE)
		r = bpf_module_set_probe(o->module, name);
	*ARRAY_ADD(&o->runs) = (struct bpf_run){ .name = xstrdup(name), .section = s };
	if (s.place == BPF_PLACE_PROBE)
		bpf_object_add_probe(o, &o->runs.items[o->runs.n - 1]);
	return r < 0 ? diag_set(diag, r, "%s: the program '%s' cannot run there: %s", o->path, name,
				strerror(-r))
		     : 0;
}

static int find_runs(struct bpf_object_event *o, struct diag *diag)
{
	const char *name, *section;
	int r = 0;

	for (size_t i = 0; r >= 0 && bpf_module_program(o->module, i, &name, &section); i++)
		r = bpf_object_add_run(o, name, section, diag);
	if (r < 0 || o->runs.n)
		return r;
	diag_set(diag, -EINVAL, "%s: there is no BPF program in it", o->path);
	diag_hint(diag, "A program is a function in a section that says where it runs: "
			"SEC(\"tp/sched/sched_switch\"), SEC(\"func=vfs_read\").");
	return -EINVAL;
}

static int bpf_object_find_map(const struct bpf_object_event *o, const char *name,
			       struct bpf_map_shape *ret)
{
	for (size_t i = 0; bpf_module_map(o->module, i, ret); i++)
		if (!ret->is_internal && !strcmp(ret->name, name))
			return 0;
	return -ENOENT;
}

static bool bpf_object_fits(const struct bpf_map_term *t, const struct bpf_map_shape *map)
{
	if (t->kind == BPF_MAP_EVENT)
		return map->type == BPF_MAP_TYPE_PERF_EVENT_ARRAY;
	return map->type == BPF_MAP_TYPE_ARRAY && (map->value_size == 1 || map->value_size == 2 ||
						   map->value_size == 4 || map->value_size == 8);
}

static int check_term(struct bpf_object_event *o, const struct event_term *t,
		      const struct bpf_map_term *term, const char *source, struct diag *diag)
{
	struct bpf_map_shape map;

	if (bpf_object_find_map(o, term->map, &map) < 0)
		return diag_mark(diag, -ENOENT, source, t->name_span.at, t->name_span.length,
				 "%s has no map '%s'", o->path, term->map);
	if (!bpf_object_fits(term, &map)) {
		diag_mark(diag, -EINVAL, source, t->name_span.at, t->name_span.length,
			  "the map '%s' is of another type", term->map);
		diag_hint(diag, ".event is for BPF_MAP_TYPE_PERF_EVENT_ARRAY, .value for "
				"BPF_MAP_TYPE_ARRAY with values of 1, 2, 4 or 8 bytes.");
		return -EINVAL;
	}
	for (size_t i = 0; i < term->indices.n && term->kind == BPF_MAP_VALUE; i++)
		if (term->indices.items[i].last >= map.max_entries)
			return diag_mark(diag, -ERANGE, source, t->name_span.at,
					 t->name_span.length, "the map '%s' has %u entries",
					 term->map, map.max_entries);
	return 0;
}

static int find_terms(struct bpf_object_event *o, const struct event_node *node, const char *source,
		      struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < node->n_terms && r >= 0; i++) {
		const struct event_term *t = &node->terms[i];
		struct bpf_map_term term;

		r = bpf_map_term_parse(t->name, t->value, source, t->name_span.at, &term, diag);
		if (r < 0)
			return r;
		*ARRAY_ADD(&o->terms) = term;
		r = check_term(o, t, &term, source, diag);
	}
	return r;
}

/* Gives event arrays an entry for each possible CPU, whatever the source contains. */
static void size_event_arrays(struct bpf_object_event *o)
{
	int cpus = bpf_module_cpus();
	struct bpf_map_shape map;

	for (size_t i = 0; bpf_module_map(o->module, i, &map); i++)
		if (map.type == BPF_MAP_TYPE_PERF_EVENT_ARRAY && cpus > 0 &&
		    map.max_entries < (uint32_t)cpus)
			bpf_module_size(o->module, map.name, (uint32_t)cpus);
}

int bpf_object_event_open(struct bpf_object_event *o, const struct event_node *node,
			  const char *source, struct diag *diag)
{
	int r;

	o->path = xstrdup(node->name);
	r = bpf_object_read(o, diag);
	if (r >= 0)
		r = bpf_object_open_module(o, diag);
	if (r >= 0)
		r = find_runs(o, diag);
	if (r >= 0)
		r = find_terms(o, node, source, diag);
	if (r >= 0)
		size_event_arrays(o);
	return r;
}

/* Removes probes of a perf that was killed. Those that are being recorded are busy, and stay. */
static void remove_old(struct kernel_probes *k)
{
	_cleanup_(trace_probes_done) struct trace_probes all = { 0 };
	_cleanup_(diag_done) struct diag ignored = { 0 };

	if (kernel_probes_read(k, &all, &ignored) < 0)
		return;
	for (size_t i = 0; i < all.n; i++)
		if (!strcmp(all.items[i].group, GROUP))
			(void)kernel_probes_remove(k, &all.items[i], &ignored);
}

static void bpf_object_clean(void)
{
	_cleanup_(diag_done) struct diag ignored = { 0 };
	struct kernel_probes *k;
	struct tracefs *fs;

	if (tracefs_open(NULL, &fs, &ignored) < 0)
		return;
	k = kernel_probes_new(fs);
	remove_old(k);
	kernel_probes_free(k);
	tracefs_free(fs);
}

static void set_groups(struct probe_additions *a)
{
	for (size_t i = 0; i < a->n; i++)
		for (size_t j = 0; j < a->items[i].probes.n; j++) {
			char **group = &a->items[i].probes.items[j].group;

			free(*group);
			*group = xstrdup(GROUP);
		}
}

int bpf_object_event_find_probes(struct bpf_object_event *o, struct diag *diag)
{
	int r;

	if (!o->probe_texts.n)
		return 0;
	bpf_object_clean();
	o->probe_request.vmlinux = o->options->sources->vmlinux;
	o->probe_request.buildid_dir = o->options->buildid_dir;
	o->probe_request.force = true;
	o->probe_request.max_probes = 128;
	r = probe_additions_resolve(&o->probes, &o->probe_request, &o->probe_texts,
				    o->options->notes, diag);
	set_groups(&o->probes);
	return r;
}

/* True if both fetch the same values. */
static bool same_args(const struct trace_probe *a, const struct trace_probe *b)
{
	bool same = a->n_args == b->n_args;

	for (size_t i = 0; same && i < a->n_args; i++)
		same = !strcmp(a->args[i].value, b->args[i].value) &&
		       !strcmp(a->args[i].type ? a->args[i].type : "",
			       b->args[i].type ? b->args[i].type : "");
	return same;
}

/* Makes the prologue. A program is the same at all places of its probe. */
static int make_prologue(const struct trace_probes *at, struct bpf_prologue *ret, struct diag *diag)
{
	const struct trace_probe *first = &at->items[0];
	struct bpf_prologue_arg args[BPF_PROLOGUE_ARGS_MAX] = { 0 };

	for (size_t i = 1; i < at->n; i++)
		if (!same_args(first, &at->items[i]))
			return diag_set(diag, -EOPNOTSUPP,
					"its arguments are elsewhere in each of %zu places", at->n);
	for (size_t i = 0; i < first->n_args && i < ARRAY_SIZE(args); i++)
		args[i] = (struct bpf_prologue_arg){ first->args[i].value, first->args[i].type };
	return bpf_prologue_make(arch_host(), first->is_user, args, first->n_args, ret, diag);
}

/*
 * Passes the values of probes on. A program whose section names arguments may have them as
 * parameters of its function. For one that does not, it does not matter whether they can be passed
 * to it.
 */
static void hand_arguments(struct bpf_object_event *o, const struct bpf_run *run)
{
	const struct trace_probes *at = &o->probes.items[run->addition].probes;
	_cleanup_(bpf_prologue_done) struct bpf_prologue p = { 0 };
	_cleanup_(diag_done) struct diag why = { 0 };

	if (!at->n || !at->items[0].n_args)
		return;
	if (make_prologue(at, &p, &why) >= 0)
		bpf_module_prepend(o->module, run->name, p.insns, p.n);
	else
		notes_add(o->options->notes, NOTE_WARNING,
			  "%s: the function '%s' gets no arguments, only the registers: %s",
			  o->path, run->name, why.message);
}

static void hand_all_arguments(struct bpf_object_event *o)
{
	for (size_t i = 0; i < o->runs.n; i++)
		if (o->runs.items[i].section.place == BPF_PLACE_PROBE)
			hand_arguments(o, &o->runs.items[i]);
}

static int put_values(struct bpf_object_event *o, const struct bpf_map_term *t, struct diag *diag)
{
	struct bpf_map_shape map = { 0 };
	int64_t value = t->value;
	int r = bpf_object_find_map(o, t->map, &map);

	/* Takes the last bytes of the number, because its first bytes are at the other end. */
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && r >= 0)
		value = (int64_t)((uint64_t)value << (8 * (8 - map.value_size)));
	for (uint32_t i = 0; i < map.max_entries && r >= 0; i++)
		if (bpf_map_term_covers(t, i))
			r = bpf_module_put(o->module, t->map, &i, &value, diag);
	return r;
}

int bpf_object_event_load(struct bpf_object_event *o, struct diag *diag)
{
	int r;

	hand_all_arguments(o);
	r = bpf_module_try_load(o->module);
	if (r < 0) {
		const char *log = bpf_module_log(o->module);

		if (o->options->verbose && *log)
			notes_add(o->options->notes, NOTE_DETAIL, "%s", log);
		r = bpf_refusal_explain(r, log, o->path, o->source, diag);
		if (*log && !o->options->verbose)
			diag_hint(diag, "-v shows the whole log of the verifier.");
		return r;
	}
	for (size_t i = 0; i < o->terms.n && r >= 0; i++)
		if (o->terms.items[i].kind == BPF_MAP_VALUE)
			r = put_values(o, &o->terms.items[i], diag);
	return r;
}

int bpf_object_event_probe(struct bpf_object_event *o, struct diag *diag)
{
	int r;

	if (!o->probe_texts.n)
		return 0;
	r = probe_additions_write(&o->probes, diag);
	o->probes_set = r >= 0;
	return r;
}

void bpf_object_event_done(struct bpf_object_event *o)
{
	for (size_t i = 0; i < o->probes.n && o->probes_set; i++)
		kernel_probes_undo(o->probes.kernel, &o->probes.items[i].probes);
	probe_additions_done(&o->probes);
	free(o->probe_texts.items);
	bpf_module_free(o->module);
	for (size_t i = 0; i < o->runs.n; i++) {
		free(o->runs.items[i].name);
		bpf_section_done(&o->runs.items[i].section);
	}
	free(o->runs.items);
	for (size_t i = 0; i < o->terms.n; i++)
		bpf_map_term_done(&o->terms.items[i]);
	free(o->terms.items);
	bytes_done(&o->object);
	free(o->source);
	free(o->path);
	free(o->text);
}
