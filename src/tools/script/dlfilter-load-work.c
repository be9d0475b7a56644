/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "tools/script/dlfilter-internal-work.h"

#define SUFFIX ".so"

/* The offset of the machine in the header of an ELF file, in both classes. */
#define MACHINE_AT 18

static void script_dlfilter_load_find_functions(struct dlfilter_file *f)
{
	f->start = (dlfilter_start_fn *)dlsym(f->handle, "start");
	f->stop = (dlfilter_stop_fn *)dlsym(f->handle, "stop");
	f->event = (dlfilter_event_fn *)dlsym(f->handle, "filter_event");
	f->event_early = (dlfilter_event_fn *)dlsym(f->handle, "filter_event_early");
	f->describe = (dlfilter_describe_fn *)dlsym(f->handle, "filter_description");
	f->functions = dlsym(f->handle, "perf_dlfilter_fns");
}

void dlfilter_unload(struct dlfilter_file *f)
{
	if (f->handle)
		dlclose(f->handle);
	*f = (struct dlfilter_file){ 0 };
}

/*
 * Returns the path of @name in @folder if there is such a file, which the caller frees; else NULL.
 */
static char *script_dlfilter_load_path_in(const char *folder, const char *name)
{
	char *path = xasprintf("%s/%s", folder, name);

	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

static char *script_dlfilter_load_find(const char *name, const char *exec_path)
{
	_cleanup_(freep) char *folder = xasprintf("%s/dlfilters", exec_path);
	char *path = strchr(name, '/') ? xstrdup(name) : script_dlfilter_load_path_in(".", name);

	if (!path)
		path = script_dlfilter_load_path_in(folder, name);
	return path ? path : xstrdup(name);
}

/* Reads the first bytes of the file, which dlopen() rejected. */
static int read_start(const char *path, uint8_t *bytes, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, bytes, size);

	closep(&fd);
	return n == (ssize_t)size ? 0 : -EIO;
}

static uint16_t script_dlfilter_load_machine_of(const uint8_t *start)
{
	return start[EI_DATA] == ELFDATA2LSB
		       ? (uint16_t)(start[MACHINE_AT] | start[MACHINE_AT + 1] << 8)
		       : (uint16_t)(start[MACHINE_AT] << 8 | start[MACHINE_AT + 1]);
}

static int script_dlfilter_load_explain(const char *name, const char *path, const char *said,
					struct diag *diag)
{
	uint8_t start[MACHINE_AT + 2], own[MACHINE_AT + 2];
	const char *missing = said ? strstr(said, "undefined symbol: ") : NULL;

	if (access(path, F_OK) < 0 && strchr(name, '/'))
		return diag_set(diag, -ENOENT, "there is no filter '%s'", name);
	if (access(path, F_OK) < 0) {
		diag_set(diag, -ENOENT, "there is no filter '%s' here", name);
		diag_hint(diag, "`perf script --list-dlfilters' shows those that there are.");
		return -ENOENT;
	}
	if (access(path, R_OK) < 0)
		return diag_set(diag, -errno, "cannot read '%s': %s", path, strerror(errno));
	if (read_start(path, start, sizeof(start)) < 0 || memcmp(start, ELFMAG, SELFMAG) != 0) {
		diag_set(diag, -ENOEXEC, "'%s' is not a shared object", path);
		diag_hint(diag, "A filter is built from C: cc -shared -fpic -o x.so x.c");
		return -ENOEXEC;
	}
	if (read_start("/proc/self/exe", own, sizeof(own)) >= 0 &&
	    (script_dlfilter_load_machine_of(start) != script_dlfilter_load_machine_of(own) ||
	     start[EI_CLASS] != own[EI_CLASS]))
		return diag_set(diag, -ENOEXEC, "'%s' was built for another machine", path);
	if (missing)
		return diag_set(diag, -ENOEXEC, "'%s' needs a function that nothing provides: %s",
				path, missing + strlen("undefined symbol: "));
	return diag_set(diag, -ENOEXEC, "cannot load '%s': %s", path, said ? said : "no reason");
}

int dlfilter_load(const char *name, const char *exec_path, struct dlfilter_file *ret,
		  struct diag *diag)
{
	_cleanup_(freep) char *path = script_dlfilter_load_find(name, exec_path);
	struct dlfilter_file f = { .handle = dlopen(path, RTLD_NOW) };

	if (!f.handle)
		return script_dlfilter_load_explain(name, path, dlerror(), diag);
	script_dlfilter_load_find_functions(&f);
	if (!f.event && !f.event_early && !f.start) {
		dlfilter_unload(&f);
		return diag_set(diag, -ENOEXEC,
				"'%s' is not a filter: it has neither filter_event() nor "
				"filter_event_early()",
				path);
	}
	*ret = f;
	return 0;
}

static void script_dlfilter_load_add_entry(struct dlfilter_list *l, const char *name,
					   const struct dlfilter_file *f)
{
	const char *details = NULL, *summary = f->describe ? f->describe(&details) : NULL;
	struct dlfilter_entry *e = ARRAY_ADD(l);

	e->name = xstrdup(name);
	e->summary = xstrdup(summary ? summary : "");
	e->details = xstrdup(details ? details : "");
}

static bool is_library(const char *name)
{
	size_t n = strlen(name);

	return n > strlen(SUFFIX) && !strcmp(name + n - strlen(SUFFIX), SUFFIX);
}

static void script_dlfilter_load_read_folder(const char *folder, struct dlfilter_list *l)
{
	_cleanup_(name_list_done) struct name_list names = { 0 };

	if (name_list_read(AT_FDCWD, folder, false, &names) < 0)
		return;
	name_list_sort(&names);
	for (size_t i = 0; i < names.n; i++) {
		_cleanup_(diag_done) struct diag diag = { 0 };
		_cleanup_(freep) char *path = xasprintf("%s/%s", folder, names.items[i]);
		struct dlfilter_file f;

		if (!is_library(path) || dlfilter_load(path, "", &f, &diag) < 0)
			continue;
		script_dlfilter_load_add_entry(l, names.items[i], &f);
		dlfilter_unload(&f);
	}
}

void dlfilter_list_read(const char *exec_path, struct dlfilter_list *ret)
{
	_cleanup_(freep) char *folder = xasprintf("%s/dlfilters", exec_path);

	script_dlfilter_load_read_folder(".", ret);
	script_dlfilter_load_read_folder(folder, ret);
}

void dlfilter_list_done(struct dlfilter_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->items[i].name);
		free(l->items[i].summary);
		free(l->items[i].details);
	}
	free(l->items);
}
