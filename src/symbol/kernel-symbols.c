/* SPDX-License-Identifier: MIT */
#include "symbol/kernel-symbols.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/kernel-notes.h"
#include "symbol/buildid/cache.h"
#include "symbol/elf-load.h"
#include "symbol/image.h"

#define RUNNING_KERNEL "/proc/kallsyms"

/* %s is the release. */
static const char *const vmlinux_places[] = {
	"vmlinux",
	"/boot/vmlinux",
	"/boot/vmlinux-%s",
	"/usr/lib/debug/boot/vmlinux-%s",
	"/lib/modules/%s/build/vmlinux",
	"/usr/lib/debug/lib/modules/%s/vmlinux",
	"/usr/lib/debug/boot/vmlinux-%s.debug",
};

void kernel_symbols_free(struct kernel_symbols *k)
{
	if (!k)
		return;
	kallsyms_free(k->kallsyms);
	kallsyms_free(k->running);
	pthread_mutex_destroy(&k->lock);
	symbol_table_done(&k->vmlinux);
	free(k->path);
	free(k->reference);
	free(k);
}

struct symbol_table *kernel_symbols_table(struct kernel_symbols *k)
{
	if (k->path)
		return &k->vmlinux;
	return k->kallsyms ? kallsyms_kernel(k->kallsyms) : NULL;
}

bool kernel_symbols_address(struct kernel_symbols *k, const char *name, uint64_t *ret)
{
	const struct symbol *s;

	if (!k->path)
		return k->kallsyms && kallsyms_address(k->kallsyms, name, ret);
	s = symbol_table_find_name(&k->vmlinux, name);
	if (s)
		*ret = s->start;
	return s;
}

/* Returns the list with the modules of the recorded boot, or NULL. */
static struct kallsyms *list_of_modules(struct kernel_symbols *k)
{
	if (!k->modules_are_elsewhere)
		return k->kallsyms;
	pthread_mutex_lock(&k->lock);
	/* A list that cannot be read is tried again for each module, since there are few. */
	if (!k->running)
		(void)kallsyms_read(RUNNING_KERNEL, NULL, &k->running);
	pthread_mutex_unlock(&k->lock);
	return k->running;
}

struct symbol_table *kernel_symbols_module(struct kernel_symbols *k, const char *name)
{
	struct kallsyms *list = list_of_modules(k);

	return list ? kallsyms_module(list, name) : NULL;
}

uint64_t kernel_symbols_distance(const struct kernel_symbols *k, struct elf_file *f)
{
	uint64_t linked;

	if (!k->reference || elf_symbol_address(f, k->reference, &linked) < 0)
		return 0;
	return k->reference_addr - linked;
}

static int load_vmlinux(struct kernel_symbols *k, const struct kernel_request *r, const char *path)
{
	_cleanup_(elf_file_freep) struct elf_file *f = NULL;
	struct build_id id;
	int e = elf_file_open(path, &f);

	if (e < 0)
		return e;
	if (r->build_id.size && elf_file_build_id(f, &id) >= 0 &&
	    !build_id_equal(&id, &r->build_id))
		return -ESTALE;

	e = elf_load_by_address(f, kernel_symbols_distance(k, f), &k->vmlinux);
	if (e >= 0)
		k->path = xstrdup(path);
	return e;
}

/* Moves the symbols to their addresses in the recorded kernel. */
static void kernel_symbols_place(struct kernel_symbols *k, const struct kernel_request *r)
{
	uint64_t listed;

	if (r->reference && kallsyms_reference(k->kallsyms, &listed))
		symbol_table_move(kallsyms_kernel(k->kallsyms), r->reference_addr - listed);
}

static int load_kallsyms(struct kernel_symbols *k, const struct kernel_request *r, const char *path)
{
	int e = kallsyms_read(path, r->reference, &k->kallsyms);

	if (e >= 0)
		kernel_symbols_place(k, r);
	return e;
}

static char *place_path(const char *place, const char *symfs, const char *release)
{
	const char *s = strchr(place, '%');

	symfs = symfs ? symfs : "";
	if (!s)
		return xasprintf("%s%s%s", symfs, *symfs ? "/" : "", place);
	return xasprintf("%s%s%.*s%s%s", symfs, *symfs ? "/" : "", (int)(s - place), place, release,
			 s + 2);
}

int kernel_files_try(const struct kernel_request *r, kernel_file_fn *take, void *arg)
{
	const struct symbolizer_options *o = r->options;
	_cleanup_(freep) char *cached = o->buildid_dir && r->build_id.size
						? buildid_cache_find(o->buildid_dir, &r->build_id,
								     "elf")
						: NULL;
	int e = cached ? take(arg, cached) : -ENOENT;

	for (size_t i = 0; e < 0 && i < ARRAY_SIZE(vmlinux_places); i++) {
		if (strchr(vmlinux_places[i], '%') && !r->release)
			continue;

		_cleanup_(freep) char *path = place_path(vmlinux_places[i], o->symfs, r->release);

		e = take(arg, path);
	}
	return e;
}

struct kernel_symbols_loading {
	struct kernel_symbols *symbols;
	const struct kernel_request *request;
};

static int take_vmlinux(void *arg, const char *path)
{
	const struct kernel_symbols_loading *l = arg;

	return load_vmlinux(l->symbols, l->request, path);
}

/* Finds a vmlinux. Without a build-id it is not known whether it is the right one. */
static int find_vmlinux(struct kernel_symbols *k, const struct kernel_request *r)
{
	struct kernel_symbols_loading l = { .symbols = k, .request = r };

	if (!r->build_id.size || r->options->ignore_vmlinux)
		return -ENOENT;
	return kernel_files_try(r, take_vmlinux, &l);
}

static bool kernel_symbols_is_running(const struct kernel_request *r)
{
	struct build_id id;

	if (r->options->symfs)
		return false;
	return !r->build_id.size ||
	       (build_id_of_kernel(&id) >= 0 && build_id_equal(&id, &r->build_id));
}

/*
 * Loads the cached copy, which is several times faster than /proc/kallsyms. If the kernel has
 * another address now, the copy is of an earlier boot, and its modules had other addresses too.
 */
static int load_cached(struct kernel_symbols *k, const struct kernel_request *r, const char *path,
		       bool running)
{
	struct kallsyms *list;
	uint64_t listed;
	int e;

	/* No index is written below a symfs, because it belongs to another machine. */
	if (r->options->symfs)
		e = kallsyms_read(path, r->reference, &list);
	else
		e = kallsyms_read_indexed(path, r->reference, &list);
	if (e < 0)
		return e;
	if (running && !(r->reference && kallsyms_reference(list, &listed))) {
		kallsyms_free(list);
		return -ESTALE;
	}
	k->modules_are_elsewhere = running && listed != r->reference_addr;
	k->kallsyms = list;
	kernel_symbols_place(k, r);
	return 0;
}

static int find_kallsyms(struct kernel_symbols *k, const struct kernel_request *r)
{
	const char *dir = r->options->buildid_dir;
	_cleanup_(freep) char *cached = dir && r->build_id.size
						? buildid_cache_find(dir, &r->build_id, "kallsyms")
						: NULL;
	bool running = kernel_symbols_is_running(r);
	int e = cached ? load_cached(k, r, cached, running) : -ENOENT;

	return e < 0 && running ? load_kallsyms(k, r, RUNNING_KERNEL) : e;
}

static int load_guest(struct kernel_symbols *k, const struct kernel_request *r)
{
	const struct symbolizer_options *o = r->options;

	if (o->guest_kallsyms)
		return load_kallsyms(k, r, o->guest_kallsyms);
	if (o->guest_vmlinux)
		return load_vmlinux(k, r, o->guest_vmlinux);
	if (!o->guest_mount)
		return -ENOENT;

	_cleanup_(freep) char *list = xasprintf("%s/%d/proc/kallsyms", o->guest_mount,
						(int)r->guest_pid);

	return load_kallsyms(k, r, list);
}

/* Loads the list from the recording itself: record --kcore. */
static int load_recorded(struct kernel_symbols *k, const struct kernel_request *r)
{
	const char *dir = r->options->kcore_dir;
	_cleanup_(freep) char *list = dir ? xasprintf("%s/kallsyms", dir) : NULL;

	return list ? load_kallsyms(k, r, list) : -ENOENT;
}

static int symbol_kernel_symbols_load(struct kernel_symbols *k, const struct kernel_request *r)
{
	const struct symbolizer_options *o = r->options;
	int e;

	if (r->is_guest)
		return load_guest(k, r);
	if (o->kallsyms)
		return load_kallsyms(k, r, o->kallsyms);
	if (o->vmlinux && !o->ignore_vmlinux)
		return load_vmlinux(k, r, o->vmlinux);
	if (load_recorded(k, r) >= 0)
		return 0;
	e = find_vmlinux(k, r);
	return e < 0 ? find_kallsyms(k, r) : e;
}

struct kernel_symbols *kernel_symbols_load(const struct kernel_request *r)
{
	struct kernel_symbols *k = xcalloc(1, sizeof(*k));

	pthread_mutex_init(&k->lock, NULL);
	symbol_table_init(&k->vmlinux, r->pretty);
	k->build_id = r->build_id;
	k->reference = r->reference ? xstrdup(r->reference) : NULL;
	k->reference_addr = r->reference_addr;

	int e = symbol_kernel_symbols_load(k, r);

	k->missing = e == -EPERM ? IMAGE_HIDDEN : image_missing_from(e);
	return k;
}
