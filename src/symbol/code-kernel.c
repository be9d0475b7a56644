/* SPDX-License-Identifier: MIT */
/*
 * The kernel's code. It comes from the recording if that has a copy (record --kcore), or from
 * memory if the recorded kernel still runs: both are patched and contain the modules. Otherwise it
 * comes from its vmlinux or the module's file.
 */
#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "elf/build-id.h"
#include "elf/file.h"
#include "kernel/kernel-notes.h"
#include "symbol/code-file.h"
#include "symbol/image.h"
#include "symbol/kernel-symbols.h"

#define RUNNING_CODE "/proc/kcore"
#define RUNNING_LIST "/proc/kallsyms"

static bool is_guest(const struct image *im)
{
	return im->kind == IMAGE_GUEST_KERNEL || im->kind == IMAGE_GUEST_MODULE;
}

static bool is_module(const struct image *im)
{
	return im->kind == IMAGE_MODULE || im->kind == IMAGE_GUEST_MODULE;
}

static struct kernel_symbols *code_kernel_of(struct image *im)
{
	return is_guest(im) ? symbolizer_guest_kernel(im->symbolizer, im->pid)
			    : symbolizer_kernel(im->symbolizer);
}

static int code_kernel_open_vmlinux(struct code_file *f, const struct kernel_symbols *k)
{
	int r = k->path ? elf_file_open(k->path, &f->elf) : -ENOENT;

	if (r < 0)
		return r;
	f->layout = CODE_BY_ADDRESS;
	f->move = kernel_symbols_distance(k, f->elf);
	return 0;
}

/* The result of trying the running kernel's code. */
enum running {
	RUNNING_IS_IT,
	RUNNING_NOT_ASKED, /* the recording is of another machine */
	RUNNING_UNREADABLE,
	RUNNING_OTHER,
	RUNNING_HIDDEN,    /* its address is not known */
	RUNNING_ELSEWHERE, /* the recorded kernel was booted at another time */
};

/*
 * Finds the distance of the recorded kernel from the kernel of the list @path: each boot may put it
 * at another address.
 */
static enum running code_kernel_find(const struct kernel_symbols *k, const char *path,
				     uint64_t *ret_move)
{
	struct kallsyms *list;
	uint64_t addr;
	bool found;

	if (!k->reference || kallsyms_read(path, k->reference, &list) < 0)
		return RUNNING_HIDDEN;
	found = kallsyms_reference(list, &addr);
	kallsyms_free(list);
	if (!found)
		return RUNNING_OTHER;
	*ret_move = k->reference_addr - addr;
	return RUNNING_IS_IT;
}

static enum running code_kernel_find_running(const struct kernel_symbols *k, uint64_t *ret_move)
{
	struct build_id id;

	if (k->build_id.size && (build_id_of_kernel(&id) < 0 || !build_id_equal(&id, &k->build_id)))
		return RUNNING_OTHER;
	return code_kernel_find(k, RUNNING_LIST, ret_move);
}

/* Opens the copy of the code in the recording; false: it has none, or that of another kernel. */
static bool open_recorded(struct code_file *f, struct image *im, const struct kernel_symbols *k)
{
	const char *dir = symbolizer_options(im->symbolizer)->kcore_dir;
	_cleanup_(freep) char *list = dir ? xasprintf("%s/kallsyms", dir) : NULL;
	_cleanup_(freep) char *code = dir ? xasprintf("%s/kcore", dir) : NULL;
	_cleanup_(elf_file_freep) struct elf_file *elf = NULL;
	uint64_t move;

	if (!dir || is_guest(im) || elf_file_open(code, &elf) < 0 ||
	    code_kernel_find(k, list, &move) != RUNNING_IS_IT)
		return false;
	f->layout = CODE_BY_ADDRESS;
	f->move = move;
	f->elf = TAKE(elf);
	return true;
}

/*
 * Opens the running kernel. After another boot modules are at other addresses, even relative to the
 * kernel.
 */
static enum running code_kernel_open_running(struct code_file *f, struct image *im,
					     const struct kernel_symbols *k, int *ret_error)
{
	_cleanup_(elf_file_freep) struct elf_file *elf = NULL;
	enum running found;
	uint64_t move;
	int r;

	if (symbolizer_options(im->symbolizer)->symfs || is_guest(im))
		return RUNNING_NOT_ASKED;
	r = elf_file_open(RUNNING_CODE, &elf);
	if (r < 0) {
		*ret_error = r;
		return RUNNING_UNREADABLE;
	}
	found = code_kernel_find_running(k, &move);
	if (found != RUNNING_IS_IT)
		return found;
	if (move && (im->kind == IMAGE_MODULE || !k->build_id.size))
		return RUNNING_ELSEWHERE;
	f->layout = CODE_BY_ADDRESS;
	f->move = move;
	f->elf = TAKE(elf);
	return RUNNING_IS_IT;
}

static int code_kernel_open_module(struct code_file *f, struct image *im)
{
	_cleanup_(elf_file_freep) struct elf_file *elf = NULL;
	enum image_origin origin;
	struct elf_section text;
	int r = image_open_module(im, &elf, &origin);

	if (r < 0)
		return r;
	if (!elf_file_section_find(elf, ".text", &text))
		return -ENODATA;
	f->layout = CODE_OF_MODULE;
	f->move = im->start;
	f->elf = TAKE(elf);
	return 0;
}

/* Explains why the running kernel's code cannot be used. */
static void explain_running(enum running running, int error, struct diag *diag)
{
	switch (running) {
	case RUNNING_UNREADABLE:
		diag_hint(diag, "The running kernel's code would come from %s: %s%s.", RUNNING_CODE,
			  strerror(-error), error == -EACCES ? "; root may read it" : "");
		break;
	case RUNNING_OTHER:
		diag_hint(diag, "The running kernel is another one.");
		break;
	case RUNNING_HIDDEN:
		diag_hint(diag,
			  "The running kernel's code would come from %s, but kernel.kptr_restrict "
			  "hides "
			  "where it is, or did so while recording.",
			  RUNNING_CODE);
		break;
	case RUNNING_ELSEWHERE:
		diag_hint(diag, "The running kernel was booted since.");
		break;
	case RUNNING_IS_IT:
	case RUNNING_NOT_ASKED:
		break;
	}
}

static void code_kernel_explain(const struct image *im, const struct kernel_symbols *k, int error,
				struct diag *diag)
{
	char id[BUILD_ID_TEXT_MAX];

	if (is_module(im))
		diag_set(diag, error, "the module's file %s was not found", im->name);
	else if (k->build_id.size)
		diag_set(diag, error, "no vmlinux with build-id %s was found",
			 build_id_format(&k->build_id, id));
	else
		diag_set(diag, error, "no vmlinux of the recorded kernel was found");
	diag_hint(diag, "%s keep it with perf buildid-cache --add.",
		  is_module(im) ? "To have it later," : "Give it with --vmlinux, or");
}

int code_file_open_kernel(struct code_file *f, struct image *im, struct diag *diag)
{
	struct kernel_symbols *k = code_kernel_of(im);
	int error = 0, r;
	enum running running;

	if (open_recorded(f, im, k))
		return 0;
	running = code_kernel_open_running(f, im, k, &error);
	if (running == RUNNING_IS_IT)
		return 0;
	r = is_module(im) ? code_kernel_open_module(f, im) : code_kernel_open_vmlinux(f, k);
	if (r < 0) {
		code_kernel_explain(im, k, r, diag);
		explain_running(running, error, diag);
	}
	return r;
}
