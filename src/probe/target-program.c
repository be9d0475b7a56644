/* SPDX-License-Identifier: MIT */
/* Probe targets that are programs or libraries. */
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/memory.h"
#include "elf/file.h"
#include "kernel/process-files.h"
#include "probe/target-internal.h"
#include "symbol/symbolizer.h"

#define LIBRARIES "/lib:/usr/lib:/lib64:/usr/lib64:/usr/local/lib"

/*
 * Returns the file @name in one of the directories of @path, which are separated by colons; NULL:
 * there is none.
 */
static char *find_along(const char *path, const char *name)
{
	while (path && *path) {
		size_t n = strcspn(path, ":");
		_cleanup_(freep) char *file = xasprintf("%.*s/%s", (int)n, path, name);

		if (n && access(file, R_OK) == 0)
			return realpath(file, NULL);
		path += n;
		path += *path == ':';
	}
	return NULL;
}

/* Returns the library @name from where distributions keep libraries; NULL: there is none. */
static char *find_library(const char *name)
{
	char *found = find_along(LIBRARIES, name);

	for (const struct arch *const *a = arch_all; *a && !found; a++) {
		const char *triple = (*a)->triple;
		_cleanup_(freep) char *folders =
			triple ? xasprintf("/lib/%s:/usr/lib/%s", triple, triple) : NULL;

		found = find_along(folders, name);
	}
	return found;
}

/*
 * True if @path leads through /proc into another namespace. Such a path is left for the kernel to
 * resolve.
 */
static bool target_program_is_of_process(const char *path)
{
	int length = 0;

	return sscanf(path, "/proc/%*d/root/%n", &length) == 0 && length > 0;
}

/* Returns the path to give to the kernel. A bare name is a command or a library. */
static char *target_program_find_file(const struct probe_target_options *o)
{
	char *inner = o->ns_pid ? process_path(o->ns_pid, o->program) : NULL;

	if (!inner && target_program_is_of_process(o->program))
		inner = xstrdup(o->program);

	char *real = inner ? NULL : realpath(o->program, NULL);

	if (inner || real || strchr(o->program, '/'))
		return inner ? inner : real;
	real = find_along(getenv("PATH"), o->program);
	return real ? real : find_library(o->program);
}

static int target_program_explain(const char *path, int r, struct diag *diag)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return diag_set(diag, -EISDIR, "'%s' is a directory, not a program or library",
				path);
	if (r == -ENOEXEC)
		return diag_set(diag, r, "'%s' is not a program or library: it is not an ELF file",
				path);
	if (r == -ENOENT)
		return diag_set(diag, r, "no file '%s'%s", path,
				strchr(path, '/') ? "" : ", here or along $PATH");
	return diag_set(diag, r, "cannot read '%s': %s", path, strerror(-r));
}

static int target_program_open_elf(struct probe_target *t, const char *path, struct diag *diag)
{
	int r = elf_file_open(path, &t->elf);

	if (r < 0)
		return target_program_explain(path, r, diag);
	/* The kernel maps only executables and shared libraries. */
	if (elf_file_type(t->elf) == ET_REL || elf_file_type(t->elf) == ET_CORE)
		return diag_set(diag, -ENOEXEC, "'%s' is %s, which never runs", path,
				elf_file_type(t->elf) == ET_REL ? "an object file" : "a core dump");
	return 0;
}

int target_open_program(struct probe_target *t, struct diag *diag)
{
	const struct probe_target_options *o = &t->options;
	int r;

	t->kind = PROBE_PROGRAM;
	t->file = target_program_find_file(o);
	if (!t->file)
		return target_program_explain(o->program, -errno, diag);
	r = target_program_open_elf(t, t->file, diag);
	if (r < 0)
		return r;
	t->name = xstrdup(t->file);
	t->arch = arch_of_elf(elf_file_machine(t->elf));
	(void)elf_file_build_id(t->elf, &t->id);
	t->image = symbolizer_image(t->symbolizer, &(struct image_key){
							   .kind = IMAGE_USER,
							   .name = t->file,
							   .build_id = t->id.bytes,
							   .build_id_size = t->id.size,
						   });
	return 0;
}
