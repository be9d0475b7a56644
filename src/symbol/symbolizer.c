/* SPDX-License-Identifier: MIT */
#include "symbol/symbolizer.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/u64-map.h"
#include "kernel/mapped-file.h"
#include "symbol/bpf-code.h"
#include "symbol/buildid/debuginfod.h"
#include "symbol/demangle.h"
#include "symbol/given-names.h"
#include "symbol/image.h"
#include "symbol/jit-code.h"
#include "symbol/jit-dumps.h"
#include "symbol/kernel-file.h"
#include "symbol/kernel-symbols.h"
#include "symbol/runtime-names.h"

/*
 * The maximum number of files with the same path and inode number, but other generations, that are
 * distinguished.
 */
#define NAMESAKES_MAX 64

struct symbolizer {
	struct symbolizer_options options;
	const char *kept_dir;   /* borrowed */
	char *symfs_cache;      /* options.buildid_dir below symfs, or NULL */
	pthread_mutex_t lock;   /* guards the list and the map */
	struct u64_map by_hash; /* the first image of each hash; others are linked to it */
	uint64_t seed;          /* see base/hash.h */
	struct image **items;   /* in the order in which they were first requested */
	size_t n, room;
	bool is_here;
	uint64_t since_ns;
	struct kept_files *kept;
	_Atomic(struct runtime_functions *) functions; /* borrowed, or NULL */

	pthread_mutex_t kernel_lock;
	struct kernel_request kernel;
	char *reference_name, *release, *kcore_dir;
	/* From the options, if these name directories of the build-id cache. */
	char *vmlinux, *kallsyms, *guest_vmlinux, *guest_kallsyms;
	struct kernel_symbols *host;
	struct u64_map guests; /* kernel_symbols, keyed by pid */

	pthread_mutex_t dumps_lock;
	struct jit_dumps dumps;

	struct bpf_codes bpf_codes;

	struct given_names *names; /* names that came with the recording; or NULL */

	pthread_mutex_t servers_lock;
	struct debuginfod *servers;
	bool servers_tried;
};

static void name_kernel_files(struct symbolizer *s)
{
	struct symbolizer_options *o = &s->options;

	if (o->vmlinux)
		o->vmlinux = s->vmlinux = kernel_vmlinux_path(o->vmlinux);
	if (o->kallsyms)
		o->kallsyms = s->kallsyms = kernel_list_path(o->kallsyms);
	if (o->guest_vmlinux)
		o->guest_vmlinux = s->guest_vmlinux = kernel_vmlinux_path(o->guest_vmlinux);
	if (o->guest_kallsyms)
		o->guest_kallsyms = s->guest_kallsyms = kernel_list_path(o->guest_kallsyms);
}

struct symbolizer *symbolizer_new(const struct symbolizer_options *o)
{
	struct symbolizer *s = xcalloc(1, sizeof(*s));

	s->options = *o;
	s->kept_dir = o->buildid_dir;
	if (o->symfs && o->symfs_cache)
		s->options.buildid_dir = s->symfs_cache = xasprintf("%s/.debug", o->symfs);
	name_kernel_files(s);
	s->seed = hash_seed();
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->kernel_lock, NULL);
	pthread_mutex_init(&s->dumps_lock, NULL);
	pthread_mutex_init(&s->servers_lock, NULL);
	return s;
}

static void symbolizer_image_free(struct image *im)
{
	symbol_table_done(&im->own);
	source_free(im->source);
	runtime_names_free(im->runtime);
	pthread_mutex_destroy(&im->lock);
	free(im->name);
	free(im->long_name);
	free(im->short_name);
	free(im->wanted_path);
	free(im->refusal);
	free(im);
}

static void guest_free(void *arg, uint64_t pid, void *kernel)
{
	(void)arg, (void)pid;
	kernel_symbols_free(kernel);
}

void symbolizer_free(struct symbolizer *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		symbolizer_image_free(s->items[i]);
	free(s->items);
	jit_dumps_done(&s->dumps);
	bpf_codes_done(&s->bpf_codes);
	given_names_free(s->names);
	debuginfod_free(s->servers);
	kernel_symbols_free(s->host);
	u64_map_done(&s->by_hash);
	u64_map_for_each(&s->guests, guest_free, NULL);
	u64_map_done(&s->guests);
	free(s->reference_name);
	free(s->symfs_cache);
	free(s->release);
	free(s->kcore_dir);
	free(s->vmlinux);
	free(s->kallsyms);
	free(s->guest_vmlinux);
	free(s->guest_kallsyms);
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->kernel_lock);
	pthread_mutex_destroy(&s->dumps_lock);
	pthread_mutex_destroy(&s->servers_lock);
	free(s);
}

const char *symbolizer_kept_dir(const struct symbolizer *s)
{
	return s->kept_dir;
}

const struct symbolizer_options *symbolizer_options(const struct symbolizer *s)
{
	return &s->options;
}

/*
 * A value that is set already is not written again: several sessions of one recording may share a
 * symbolizer, while other threads do lookups in it.
 */
void symbolizer_recorded_here(struct symbolizer *s, struct kept_files *kept)
{
	if (!s->is_here)
		s->is_here = true;
	if (s->kept != kept)
		s->kept = kept;
}

void symbolizer_recorded_since(struct symbolizer *s, uint64_t since_ns)
{
	if (s->since_ns != since_ns)
		s->since_ns = since_ns;
}

/* Replaces the text at @at, unless it is the same: loaded data may refer to it. */
static void replace_text(char **at, const char *text)
{
	if (*at && !strcmp(*at, text))
		return;
	free(*at);
	*at = xstrdup(text);
}

uint64_t symbolizer_since(const struct symbolizer *s)
{
	return s->since_ns;
}

bool symbolizer_is_here(const struct symbolizer *s)
{
	return s->is_here;
}

struct kept_files *symbolizer_kept(const struct symbolizer *s)
{
	return s->kept;
}

struct runtime_functions *symbolizer_functions(const struct symbolizer *s)
{
	return atomic_load_explicit(&s->functions, memory_order_acquire);
}

void symbolizer_take_functions(struct symbolizer *s, struct runtime_functions *f)
{
	atomic_store_explicit(&s->functions, f, memory_order_release);
}

void symbolizer_take_names(struct symbolizer *s, struct given_names *g)
{
	if (s->names)
		given_names_free(g);
	else
		s->names = g;
}

symbol_pretty_fn *symbolizer_pretty(const struct symbolizer *s)
{
	if (s->options.raw_names)
		return NULL;
	return s->options.with_parameters ? demangle_with_parameters : demangle;
}

void symbolizer_kernel_reference(struct symbolizer *s, const char *name, uint64_t addr)
{
	pthread_mutex_lock(&s->kernel_lock);
	replace_text(&s->reference_name, name);
	s->kernel.reference = s->reference_name;
	s->kernel.reference_addr = addr;
	pthread_mutex_unlock(&s->kernel_lock);
}

void symbolizer_kernel_release(struct symbolizer *s, const char *release)
{
	pthread_mutex_lock(&s->kernel_lock);
	replace_text(&s->release, release);
	s->kernel.release = s->release;
	pthread_mutex_unlock(&s->kernel_lock);
}

void symbolizer_take_kcore(struct symbolizer *s, const char *dir)
{
	pthread_mutex_lock(&s->kernel_lock);
	replace_text(&s->kcore_dir, dir);
	s->options.kcore_dir = s->kcore_dir;
	pthread_mutex_unlock(&s->kernel_lock);
}

static struct kernel_symbols *load_kernel(struct symbolizer *s, struct kernel_request request)
{
	request.options = &s->options;
	request.pretty = s->options.demangle_kernel ? symbolizer_pretty(s) : NULL;
	return kernel_symbols_load(&request);
}

struct kernel_symbols *symbolizer_kernel(struct symbolizer *s)
{
	pthread_mutex_lock(&s->kernel_lock);
	if (!s->host)
		s->host = load_kernel(s, s->kernel);
	pthread_mutex_unlock(&s->kernel_lock);
	return s->host;
}

struct kernel_symbols *symbolizer_guest_kernel(struct symbolizer *s, int32_t pid)
{
	const struct kernel_request request = { .is_guest = true, .guest_pid = pid };

	pthread_mutex_lock(&s->kernel_lock);

	struct kernel_symbols *k = u64_map_find(&s->guests, (uint32_t)pid);

	if (!k) {
		k = load_kernel(s, request);
		u64_map_put(&s->guests, (uint32_t)pid, k);
	}
	pthread_mutex_unlock(&s->kernel_lock);
	return k;
}

const struct jit_code *symbolizer_jit_code(struct symbolizer *s, const struct jit_request *r)
{
	pthread_mutex_lock(&s->dumps_lock);

	const struct jit_code *c = jit_dumps_get(&s->dumps, s, r);

	pthread_mutex_unlock(&s->dumps_lock);
	return c;
}

const struct jit_dump *symbolizer_failed_dump(struct symbolizer *s, int32_t pid)
{
	pthread_mutex_lock(&s->dumps_lock);

	const struct jit_dump *d = jit_dumps_failed(&s->dumps, pid);

	pthread_mutex_unlock(&s->dumps_lock);
	return d;
}

static char *symbolizer_fetch(struct image *im, const struct build_id *id,
			      char *(*fn)(struct debuginfod *d, const struct build_id *id))
{
	struct symbolizer *s = im->symbolizer;
	char *path = NULL;

	pthread_mutex_lock(&s->servers_lock);
	if (!s->servers_tried)
		s->servers = debuginfod_new(s->options.progress);
	s->servers_tried = true;
	if (s->servers && !debuginfod_has_given_up(s->servers)) {
		path = fn(s->servers, id);
		if (debuginfod_has_given_up(s->servers))
			image_set_remark(im, "no server of DEBUGINFOD_URLS answered in time: no "
					     "more debug files were asked for");
	}
	pthread_mutex_unlock(&s->servers_lock);
	return path;
}

char *image_fetch_program(struct image *im, const struct build_id *id)
{
	return symbolizer_fetch(im, id, debuginfod_program);
}

char *image_fetch_debug_file(struct image *im, const struct build_id *id)
{
	return symbolizer_fetch(im, id, debuginfod_debug_file);
}

/* True if the same name in two processes, or guests, is two images. */
static bool has_pid(enum image_kind kind)
{
	return kind == IMAGE_JIT || kind == IMAGE_JITDUMP || kind == IMAGE_GUEST_KERNEL ||
	       kind == IMAGE_GUEST_MODULE;
}

static uint64_t symbolizer_hash_of(const struct symbolizer *s, const struct image_key *key,
				   const struct build_id *id)
{
	uint64_t h = hash_bytes(s->seed, key->name, strlen(key->name));

	if (has_pid(key->kind))
		h = hash_u64(s->seed, h ^ (uint64_t)key->pid);
	if (!id->size) {
		h = hash_u64(s->seed, h ^ key->mount_ns);
		h = hash_u64(s->seed, h ^ key->file.ino);
	}
	h = hash_u64(s->seed, h ^ key->start);
	return hash_u64(s->seed, h ^ hash_bytes(s->seed, id->bytes, id->size));
}

static bool is_the_one(const struct image *im, const struct image_key *key,
		       const struct build_id *id)
{
	return im->kind == key->kind && im->start == key->start &&
	       (!has_pid(key->kind) || im->pid == key->pid) &&
	       (id->size || (im->mount_ns == key->mount_ns && im->file.ino == key->file.ino &&
			     !file_id_differs(&im->file, &key->file))) &&
	       !strcmp(im->name, key->name) && build_id_equal(&im->asked_id, id);
}

static bool symbolizer_begins_with(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

/*
 * True if @name is a memfd. Linux's perf treats it as a file of its name, though it may have JIT
 * code.
 */
static bool is_memfd(const char *name)
{
	return symbolizer_begins_with(name, "/memfd:");
}

bool image_is_file(const struct image *im)
{
	switch (im->kind) {
	case IMAGE_USER:
	case IMAGE_VDSO:
	case IMAGE_MODULE:
	case IMAGE_GUEST_MODULE:
		return true;
	case IMAGE_JIT:
		return is_memfd(im->name);
	default:
		return false;
	}
}

enum image_kind image_kind_of_user(const char *name)
{
	if (mapping_is_anonymous(name))
		return IMAGE_JIT;
	if (symbolizer_begins_with(name, "[vdso"))
		return IMAGE_VDSO;
	return *name == '[' || symbolizer_begins_with(name, "anon_inode:") ? IMAGE_UNKNOWN
									   : IMAGE_USER;
}

/* Returns a module's name: "/lib/modules/6.1/kernel/net/nf-x.ko.xz" is [nf_x]. */
static char *symbolizer_module_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *suffix = strstr(base, ".ko");

	if (*base == '[' || !suffix)
		return xstrdup(base);

	char *name = xasprintf("[%.*s]", (int)(suffix - base), base);

	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

/* Returns the name that `perf script` prints. */
static char *long_name(const struct image_key *key)
{
	const char *bracket;

	switch (key->kind) {
	case IMAGE_JIT:
		if (!is_memfd(key->name))
			return xasprintf("/tmp/perf-%d.map", (int)key->pid);
		break;
	case IMAGE_KERNEL:
	case IMAGE_GUEST_KERNEL:
		/* The reference symbol may follow the name: "[kernel.kallsyms]_text". */
		bracket = *key->name == '[' ? strchr(key->name, ']') : NULL;
		if (bracket)
			return xstrndup(key->name, (size_t)(bracket + 1 - key->name));
		break;
	case IMAGE_MODULE:
	case IMAGE_GUEST_MODULE:
		return key->by_path ? xstrdup(key->name) : symbolizer_module_name(key->name);
	default:
		break;
	}
	return xstrdup(key->name);
}

static char *symbolizer_short_name(const struct symbolizer *s, const struct image_key *key,
				   const char *full)
{
	const char *slash = *full == '[' ? NULL : strrchr(full, '/');

	if (key->kind == IMAGE_MODULE || key->kind == IMAGE_GUEST_MODULE)
		return symbolizer_module_name(key->name);
	if (key->kind == IMAGE_KERNEL && s->options.short_kernel)
		return xstrdup("[kernel]");
	if (key->kind == IMAGE_JIT && !is_memfd(key->name))
		return xasprintf("[JIT] tid %d", (int)key->pid);
	return xstrdup(slash && slash[1] ? slash + 1 : full);
}

/* Names by JIT compilers are not mangled. */
symbol_pretty_fn *image_pretty(const struct image *im)
{
	const struct symbolizer *s = im->symbolizer;

	switch (im->kind) {
	case IMAGE_USER:
	case IMAGE_VDSO:
		return symbolizer_pretty(s);
	case IMAGE_KERNEL:
	case IMAGE_MODULE:
	case IMAGE_GUEST_KERNEL:
	case IMAGE_GUEST_MODULE:
		return s->options.demangle_kernel ? symbolizer_pretty(s) : NULL;
	default:
		return NULL;
	}
}

static struct image *image_new(struct symbolizer *s, const struct image_key *key,
			       const struct build_id *id)
{
	struct image *im = xcalloc(1, sizeof(*im));

	im->symbolizer = s;
	im->kind = key->kind;
	im->name = xstrdup(key->name);
	im->long_name = long_name(key);
	im->short_name = symbolizer_short_name(s, key, im->long_name);
	im->pid = key->pid;
	im->mount_ns = key->mount_ns;
	im->asked_id = *id;
	im->build_id = *id;
	im->start = key->start;
	im->end = key->end;
	im->file = key->file;
	im->map_start = key->map_start;
	im->map_end = key->map_end;
	im->missing = IMAGE_NOT_TRIED;
	symbol_table_init(&im->own, image_pretty(im));
	if (s->names)
		im->given = given_names_find(s->names, key->name, id, symbolizer_pretty(s));
	im->runtime = runtime_names_new(symbolizer_functions(s), key->name, id);
	pthread_mutex_init(&im->lock, NULL);
	return im;
}

/* Notes the kernel's build-id, from the first kernel image. Modules need it. */
static void note_kernel(struct symbolizer *s, const struct build_id *id)
{
	pthread_mutex_lock(&s->kernel_lock);
	if (!s->kernel.build_id.size)
		s->kernel.build_id = *id;
	pthread_mutex_unlock(&s->kernel_lock);
}

static void symbolizer_put_image(struct symbolizer *s, struct image *im)
{
	im->next = u64_map_find(&s->by_hash, im->hash);
	u64_map_put(&s->by_hash, im->hash, im);
}

/* Finds an image. NULL: there is none yet. */
static struct image *symbolizer_find_image(const struct symbolizer *s, uint64_t hash,
					   const struct image_key *key, const struct build_id *id)
{
	struct image *first = u64_map_find(&s->by_hash, hash), *im = first;

	for (unsigned n = 0; im && !is_the_one(im, key, id); im = im->next)
		if (++n == NAMESAKES_MAX)
			return first;
	return im;
}

/*
 * Returns the key of a program. A memfd with a build-id holds a program (fexecve()), not JIT code.
 */
static struct image_key key_of_program(const struct image_key *key, const struct build_id *id)
{
	struct image_key k = *key;

	if (k.kind == IMAGE_JIT && id->size && is_memfd(k.name))
		k.kind = IMAGE_USER;
	return k;
}

struct image *symbolizer_image(struct symbolizer *s, const struct image_key *asked)
{
	struct build_id id = build_id_make(asked->build_id,
					   asked->build_id ? asked->build_id_size : 0);
	const struct image_key program = key_of_program(asked, &id), *key = &program;
	uint64_t hash = symbolizer_hash_of(s, key, &id);

	pthread_mutex_lock(&s->lock);

	struct image *im = symbolizer_find_image(s, hash, key, &id);

	if (!im) {
		im = image_new(s, key, &id);
		im->hash = hash;
		symbolizer_put_image(s, im);
		s->items = array_reserve(s->items, &s->room, s->n + 1, sizeof(s->items[0]));
		s->items[s->n++] = im;
		if (im->kind == IMAGE_KERNEL)
			note_kernel(s, &id);
	}
	pthread_mutex_unlock(&s->lock);
	return im;
}

void symbolizer_forget(struct symbolizer *s, const struct symbolizer_keeps *k)
{
	size_t n = 0;

	jit_dumps_forget(&s->dumps, k->code, k->arg);
	u64_map_done(&s->by_hash);
	for (size_t i = 0; i < s->n; i++) {
		struct image *im = s->items[i];

		if (k->image(k->arg, im)) {
			symbolizer_put_image(s, im);
			s->items[n++] = im;
		} else {
			symbolizer_image_free(im);
		}
	}
	s->n = n;
}

/* Returns image number @i; NULL: there are no more. */
static struct image *symbolizer_image_at(struct symbolizer *s, size_t i)
{
	struct image *im;

	pthread_mutex_lock(&s->lock);
	im = i < s->n ? s->items[i] : NULL;
	pthread_mutex_unlock(&s->lock);
	return im;
}

/* The lock is not held while @fn runs, because @fn may request images too. */
void symbolizer_for_each(struct symbolizer *s, void (*fn)(struct image *im, void *arg), void *arg)
{
	struct image *im;

	for (size_t i = 0; (im = symbolizer_image_at(s, i)); i++)
		fn(im, arg);
}

void symbolizer_add_bpf_code(struct symbolizer *s, const struct bpf_code *c)
{
	if (!bpf_codes_find(&s->bpf_codes, c->addr, c->name))
		bpf_codes_add(&s->bpf_codes, c);
}

const struct bpf_code *image_bpf_code(const struct image *im)
{
	return bpf_codes_find(&im->symbolizer->bpf_codes, im->start, im->name);
}
