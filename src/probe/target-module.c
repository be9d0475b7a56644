/* SPDX-License-Identifier: MIT */
/* Opens kernel modules: loaded ones by name, and files of modules. */
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/memory.h"
#include "elf/file.h"
#include "kernel/kernel-notes.h"
#include "kernel/kernel-text.h"
#include "probe/target-internal.h"
#include "symbol/symbolizer.h"

/*
 * Returns the name of a module's file: for "/lib/modules/.../dm-region-hash.ko.xz" it is
 * dm_region_hash.
 */
static char *target_module_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	char *name = xstrndup(base, strcspn(base, "."));

	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

/* Returns the kernel's name of the module: "name=" in .modinfo, whatever its file is called. */
static char *target_module_own_name(struct elf_file *f)
{
	struct elf_section s;
	size_t size, index = elf_file_section_find(f, ".modinfo", &s);
	const char *at = index ? (const char *)elf_file_section_bytes(f, index, &size) : NULL;

	for (const char *end = at ? at + size : NULL; at < end;) {
		size_t n = strnlen(at, (size_t)(end - at));

		if (n > 5 && n < 64 && !strncmp(at, "name=", 5))
			return xstrndup(at + 5, n - 5);
		at += n + 1;
	}
	return NULL;
}

static void find_loaded(struct probe_target *t)
{
	_cleanup_(kernel_module_list_done) struct kernel_module_list l = { 0 };
	struct utsname host;

	if (uname(&host) < 0 || kernel_modules_read("", host.release, &l) < 0)
		return;
	for (size_t i = 0; i < l.n; i++) {
		if (strcmp(l.items[i].name, t->name) != 0)
			continue;
		t->is_loaded = true;
		if (!t->file && l.items[i].path)
			t->file = xstrdup(l.items[i].path);
	}
}

static int target_module_open_file(struct probe_target *t, struct diag *diag)
{
	int r = elf_file_open(t->file, &t->elf);

	if (r < 0)
		return diag_set(diag, r, "cannot read the module '%s': %s", t->file,
				r == -ENOEXEC ? "it is not an ELF file" : strerror(-r));
	t->arch = arch_of_elf(elf_file_machine(t->elf));
	(void)elf_file_build_id(t->elf, &t->id);
	return 0;
}

static int explain_not_loaded(const char *name, struct diag *diag)
{
	diag_set(diag, -ENOENT, "no module '%s' is loaded", name);
	diag_hint(diag, "Load it (modprobe %s), or name its file: -m /lib/modules/.../%s.ko", name,
		  name);
	return -ENOENT;
}

int target_open_module(struct probe_target *t, struct diag *diag)
{
	const char *wanted = t->options.module;
	bool is_path = strchr(wanted, '/') || strstr(wanted, ".ko");
	int r = 0;

	t->kind = PROBE_MODULE;
	t->name = target_module_name(wanted);
	if (is_path)
		t->file = xstrdup(wanted);
	else
		find_loaded(t);
	if (!is_path && !t->is_loaded)
		return explain_not_loaded(wanted, diag);
	if (t->file)
		r = target_module_open_file(t, diag);
	if (r < 0 && is_path)
		return r;

	char *own = is_path ? target_module_own_name(t->elf) : NULL;

	if (own) {
		free(t->name);
		t->name = own;
	}
	if (!is_path)
		(void)build_id_of_module(t->name, &t->id);
	t->image = symbolizer_image(t->symbolizer, &(struct image_key){
							   .kind = IMAGE_MODULE,
							   .name = t->file ? t->file : t->name,
							   .build_id = t->id.bytes,
							   .build_id_size = t->id.size,
							   .by_path = true,
						   });
	return 0;
}
