/* SPDX-License-Identifier: MIT */
/* perf buildid-list: the build-ids of the images of a profile, a kernel or a file. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "cli/command.h"
#include "elf/build-id.h"
#include "elf/file.h"
#include "foreign/any-session.h"
#include "kernel/kernel-notes.h"
#include "kernel/kernel-text.h"
#include "options/input.h"
#include "options/verbosity.h"
#include "session/consumer.h"
#include "session/machine.h"
#include "session/reading.h"
#include "symbol/symbolizer.h"

struct opts {
	const char *input;
	bool force, with_hits, kernel, kernel_maps;
};

static const struct option options[] = {
	OPT_STRING('i', "input", struct opts, input, "file",
		   "profile or ELF file to read (default: perf.data; - is standard input)"),
	OPT_FORCE(struct opts, force),
	OPT_FLAG('H', "with-hits", struct opts, with_hits, "leave out images without samples"),
	OPT_FLAG('k', "kernel", struct opts, kernel, "show the build-id of the running kernel"),
	OPT_FLAG('m', "kernel-maps", struct opts, kernel_maps,
		 "show where the running kernel and its modules lie, and their build-ids"),
	OPT_VERBOSE_NOTHING,
	OPT_END,
};

static const char *const usage[] = { "[<options>]", NULL };

/* Prints a row. Images without a build-id leave the column blank. */
static void buildid_list_print_row(FILE *out, const struct build_id *id, const char *name)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;
	char hex[BUILD_ID_TEXT_MAX];

	escape_terminal(&t, name, strlen(name));
	fprintf(out, "%-40s %s\n", build_id_format(id, hex), t.chars);
}

static int show_kernel(const struct invocation *inv)
{
	char hex[BUILD_ID_TEXT_MAX];
	struct build_id id;
	int r = build_id_of_kernel(&id);

	if (r < 0)
		return command_failf(inv, "cannot read the build-id of the kernel: %s",
				     strerror(-r));
	fprintf(inv->out, "%s\n", build_id_format(&id, hex));
	return EXIT_OK;
}

static void buildid_list_print_range(FILE *out, const struct build_id *id, uint64_t start,
				     uint64_t end, const char *name)
{
	char hex[BUILD_ID_TEXT_MAX];

	fprintf(out, "%-40s %16" PRIx64 " %16" PRIx64 " %s\n", build_id_format(id, hex), start, end,
		name);
}

static void print_module(FILE *out, const struct kernel_module *m)
{
	_cleanup_(freep) char *name = m->path ? xstrdup(m->path) : xasprintf("[%s]", m->name);
	struct build_id id = { 0 };

	build_id_of_module(m->name, &id);
	buildid_list_print_range(out, &id, m->start, m->start + m->size_bytes, name);
}

static int show_kernel_maps(const struct invocation *inv)
{
	_cleanup_(kernel_module_list_done) struct kernel_module_list modules = { 0 };
	struct build_id id = { 0 };
	struct kernel_text text;
	struct utsname u;
	int r = kernel_text_read("", &text);

	if (r < 0)
		return command_failf(inv, "cannot see where the kernel lies: %s%s", strerror(-r),
				     r == -EACCES ? " (kptr_restrict hides it)" : "");
	build_id_of_kernel(&id);
	buildid_list_print_range(inv->out, &id, text.start, text.end, "[kernel.kallsyms]");
	if (uname(&u) == 0 && kernel_modules_read("", u.release, &modules) >= 0)
		for (size_t i = 0; i < modules.n; i++)
			print_module(inv->out, &modules.items[i]);
	return EXIT_OK;
}

/* The images of a profile that have samples. */
struct hits {
	struct session *session;
	struct image **items;
	size_t n, room;
};

static void hits_done(struct hits *h)
{
	free(h->items);
}

/*
 * Adds an image. The last one found goes to the front, because most samples follow another one of
 * the same image.
 */
static void hits_add(struct hits *h, struct image *im)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->items[i] == im) {
			h->items[i] = h->items[0];
			h->items[0] = im;
			return;
		}
	*ARRAY_ADD(h) = im;
}

static int count_hits(void *arg, const struct sample_batch *b)
{
	struct hits *h = arg;
	struct location l;

	for (size_t i = 0; i < b->n; i++) {
		const struct sample *s = b->items[i].sample;

		if (machine_locate(h->session, s->pid, address_mode_of(s->misc), s->ip, s->time,
				   &l))
			hits_add(h, l.map->image);
	}
	return 0;
}

/* Returns the name. Modules go by the name in their map, which has the path. */
static const char *listed_name(const struct image *im)
{
	return image_kind(im) == IMAGE_MODULE ? image_name(im) : image_long_name(im);
}

static bool buildid_list_is_named(const struct image *im, const char *name)
{
	return !strcmp(image_name(im), name) || !strcmp(image_long_name(im), name);
}

static bool has_hits(const struct hits *h, const char *name)
{
	for (size_t i = 0; i < h->n; i++)
		if (buildid_list_is_named(h->items[i], name))
			return true;
	return false;
}

struct unlisted {
	const struct features *features;
	const struct hits *hits;
	FILE *out;
	struct image **items; /* images printed so far */
	size_t n, room;
};

static void unlisted_done(struct unlisted *u)
{
	free(u->items);
}

static bool buildid_list_is_listed(const struct features *f, const struct image *im)
{
	for (size_t i = 0; i < f->build_ids.n; i++)
		if (buildid_list_is_named(im, f->build_ids.items[i].filename))
			return true;
	return false;
}

/*
 * True if the image is printed already. A memfd is a separate image in each process, because it may
 * hold JIT code; one row is enough.
 */
static bool is_printed(const struct unlisted *u, const struct image *im)
{
	for (size_t i = 0; i < u->n; i++)
		if (!strcmp(listed_name(u->items[i]), listed_name(im)) &&
		    build_id_equal(image_build_id(u->items[i]), image_build_id(im)))
			return true;
	return false;
}

static void print_unlisted(void *arg, struct image *im)
{
	struct unlisted *u = arg;

	for (size_t i = 0; i < u->hits->n; i++)
		if (u->hits->items[i] == im && !buildid_list_is_listed(u->features, im) &&
		    !is_printed(u, im)) {
			buildid_list_print_row(u->out, image_build_id(im), listed_name(im));
			*ARRAY_ADD(u) = im;
		}
}

static void print_list(const struct features *f, const struct hits *h, FILE *out)
{
	for (size_t i = 0; i < f->build_ids.n; i++) {
		const struct build_id_entry *e = &f->build_ids.items[i];

		if (!h || has_hits(h, e->filename))
			buildid_list_print_row(out, &e->build_id, e->filename);
	}
}

/* Prints the recorder's list, if there is one; with -H only, and all, images that have samples. */
static int show_profile(struct invocation *inv, const char *path, struct diag *d)
{
	const struct opts *o = inv->opts;
	_cleanup_(symbolizer_freep) struct symbolizer *names =
		symbolizer_new(&(struct symbolizer_options){ 0 });
	_cleanup_(session_freep) struct session *s = NULL;
	_cleanup_(hits_done) struct hits h = { 0 };
	const struct consumer consumer = { .undivided = true, .samples = count_hits, .arg = &h };
	const struct session_options how = { .path = path,
					     .force = o->force,
					     .symbolizer = names,
					     .progress = command_progress(inv, false, false) };
	struct notes notes = command_notes(inv);
	int r = any_session_open(&how, &s, d);

	if (r < 0)
		return r;

	const struct features *f = session_features(s);

	if (f->build_ids.n && !o->with_hits) {
		print_list(f, NULL, inv->out);
		reading_note_damage(s, &notes);
		return 0;
	}
	h.session = s;
	r = session_feed(s, NULL, &consumer, d);
	if (r < 0)
		return r;
	print_list(f, &h, inv->out);

	_cleanup_(unlisted_done) struct unlisted u = { .features = f, .hits = &h, .out = inv->out };

	machine_images(s, print_unlisted, &u);
	reading_note_damage(s, &notes);
	return 0;
}

static int buildid_list_run(struct invocation *inv)
{
	const struct opts *o = inv->opts;
	const char *path = input_path(o->input);
	_cleanup_(diag_done) struct diag d = { 0 };
	char hex[BUILD_ID_TEXT_MAX];
	struct build_id id;
	int r;

	if (o->kernel)
		return show_kernel(inv);
	if (o->kernel_maps)
		return show_kernel_maps(inv);
	if (strcmp(path, "-") != 0 && elf_build_id_read(path, &id) >= 0) {
		fprintf(inv->out, "%s\n", build_id_format(&id, hex));
		return EXIT_OK;
	}
	r = show_profile(inv, path, &d);
	return r < 0 ? command_fail(inv, r, &d) : EXIT_OK;
}

const struct command cmd_buildid_list = {
	.name = "buildid-list",
	.summary = "list the build-ids that a profile refers to",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct opts),
	.flags = COMMAND_PAGED,
	.run = buildid_list_run,
};
