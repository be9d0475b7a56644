/* SPDX-License-Identifier: MIT */
/*
 * PHP 7.4, and 8.2 to 8.5: how frames and functions are laid out.
 *
 * Frames have kept their form since 7.4; functions have got more members. The engine states its
 * version in a text: "Zend Engine v4.2.32" is PHP 8.2. Builds for threads, which keep the state
 * elsewhere, are left alone.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/memory.h"
#include "elf/file.h"
#include "kernel/proc-maps.h"
#include "runtime/internal.h"
#include "runtime/memory.h"
#include "runtime/thread-key.h"

/* Members of zend_string. */
#define STRING_INFO       4
#define STRING_LENGTH     16
#define STRING_BYTES      24
#define STRING_TYPE(info) ((info)&15)
#define IS_STRING         6

/* Members of zend_op. */
#define OPLINE_SIZE 32
#define OPLINE_LINE 24

#define OPLINES_MAX     (1U << 18)
#define TEXT_LENGTH_MAX 1024
#define BANNER_MAX      64
#define MAPS_TEXT_MAX   ((size_t)4 << 20)

static const struct runtime_wanted php_wanted[] = {
	{ "execute_ex", offsetof(struct runtime_image, php.loop) },
	{ "executor_globals", offsetof(struct runtime_image, php.globals) },
	{ "get_zend_version", offsetof(struct runtime_image, php.get_version) },
	{ "zend_vm_kind", offsetof(struct runtime_image, php.get_kind) },
	{ NULL, 0 },
};

static bool php_accept(struct runtime_image *im, struct elf_file *file)
{
	const struct php_symbols *s = &im->php;

	(void)file;
	if (!s->loop.size || !s->globals.start || !s->get_version.start)
		return false;
	return runtime_image_add_range(im, s->loop.start, s->loop.start + s->loop.size, false);
}

/*
 * Where versions differ: the current frame among the executor's globals, and the numbers of a
 * function. `code` begins with the number of its operations.
 */
struct php_version {
	unsigned major, first_minor, last_minor; /* of the engine */
	uint16_t current, last, opcodes, file, first_line, last_line, handler;
};

static const struct php_version php_versions[] = {
	{ 3, 4, 4, 488, 60, 64, 136, 144, 148, 48 },  { 4, 2, 2, 488, 80, 88, 152, 160, 164, 72 },
	{ 4, 3, 3, 488, 76, 80, 144, 152, 156, 72 },  { 4, 4, 4, 488, 96, 104, 168, 176, 180, 88 },
	{ 4, 5, 6, 512, 96, 104, 168, 176, 180, 88 },
};

static const struct php_version *php_version_find(unsigned major, unsigned minor)
{
	for (size_t i = 0; i < ARRAY_SIZE(php_versions); i++)
		if (php_versions[i].major == major && minor >= php_versions[i].first_minor &&
		    minor <= php_versions[i].last_minor)
			return &php_versions[i];
	return NULL;
}

/* Finds the version in the text that get_zend_version() returns. */
static int php_find_version(const struct runtime_image *im, int pid, uint64_t bias,
			    const struct php_version **ret)
{
	char banner[BANNER_MAX + 1] = "";
	unsigned major, minor;
	uint64_t at;
	int r = thread_result_find(runtime_image_code(im, &im->php.get_version, pid, bias), &at);

	if (r >= 0 && !at)
		r = -EAGAIN;
	if (r >= 0)
		r = memory_read(pid, at, banner, BANNER_MAX);
	if (r < 0)
		return r;
	if (sscanf(banner, "Zend Engine v%u.%u.", &major, &minor) != 2)
		return -EPROTO;
	*ret = php_version_find(major, minor);
	return *ret ? 0 : -ENOTSUP;
}

/* The register, in struct pt_regs, in which the loop keeps the current operation: x28, r15. */
#define OPLINE_AARCH64 (28 * 8)
#define OPLINE_X86     0

static void php_set_layout(const struct php_version *v, const struct arch *arch,
			   struct php_layout *y)
{
	*y = (struct php_layout){
		.frame_function = 24,
		.frame_info = 40,
		.frame_previous = 48,
		.flags = 4,
		.code = v->opcodes,
		.check = { [PHP_SORT_USER] = { v->last, v->opcodes, v->first_line, v->last_line },
			   [PHP_SORT_INTERNAL] = { v->handler, (uint16_t)(v->handler + 4), 8,
						   32 } },
		.opline_size = OPLINE_SIZE,
		.has_register = 1,
		.opline_register = arch && arch->elf_machine == EM_AARCH64 ? OPLINE_AARCH64
									   : OPLINE_X86,
		.name = 8,
		.class = 16,
		.last = v->last,
		.file = v->file,
		.class_name = 8,
		.line = OPLINE_LINE,
	};
}

/* The kind of loop that generated code belongs to: it runs in the stack frame of the loop. */
#define KIND_HYBRID 4

/* True if @m is shared memory that was made by one of the ways that opcache knows. */
static bool php_is_shared(const struct proc_map *m)
{
	static const char *const names[] = { "/dev/zero", "/SYSV", "/anon_hugepage",
					     "/dev/shm/ZendAccelerator" };

	for (size_t i = 0; m->flags == MAP_SHARED && i < ARRAY_SIZE(names); i++)
		if (m->name_length > strlen(names[i]) &&
		    !strncmp(m->name, names[i], strlen(names[i])))
			return true;
	return false;
}

/*
 * Adds the memory for generated code, which the processes of a pool share. While some is made it
 * cannot be executed for a moment.
 */
static int php_find_code(int pid, struct runtime_process *p)
{
	_cleanup_(freep) char *path = xasprintf("/proc/%d/maps", pid);
	_cleanup_(freep) char *text = NULL;
	const char *at;
	size_t length;
	struct proc_map m;
	int r = file_read(AT_FDCWD, path, MAPS_TEXT_MAX, &text, &length);

	if (r < 0)
		return r;
	at = text;
	while (proc_maps_next(&at, &length, &m))
		if (php_is_shared(&m))
			runtime_process_add_range(p, m.start, m.end, true);
	return 0;
}

/*
 * Finds generated code. The address in the middle of the loop stands for the whole loop after its
 * prologue.
 */
static int php_find_jit(const struct runtime_image *im, int pid, uint64_t bias,
			struct runtime_process *p)
{
	const struct php_symbols *s = &im->php;
	uint64_t kind;

	p->has_other = 1;
	if (!s->get_kind.start ||
	    thread_result_find(runtime_image_code(im, &s->get_kind, pid, bias), &kind) < 0 ||
	    kind != KIND_HYBRID)
		return 0;
	p->php.loop = s->loop.start + s->loop.size / 2 + bias;
	return php_find_code(pid, p);
}

static int php_find(const struct runtime_image *im, int pid, uint64_t bias,
		    const struct runtime_libc *libc, struct runtime_process *ret)
{
	const struct php_version *v;
	int r = php_find_version(im, pid, bias, &v);

	(void)libc;
	if (r < 0)
		return r;
	php_set_layout(v, im->arch, &ret->php);
	ret->frame.is_absolute = 1;
	runtime_path_add(&ret->frame, (int64_t)(im->php.globals.start + bias + v->current));
	return php_find_jit(im, pid, bias, ret);
}

/* Appends the text of the string at @addr up to a zero byte, which some names have. */
static int php_read_text(int pid, uint64_t addr, struct text *to)
{
	char bytes[TEXT_LENGTH_MAX];
	uint64_t length;
	uint32_t info;
	int r = memory_u32(pid, addr + STRING_INFO, &info);

	if (r >= 0)
		r = memory_u64(pid, addr + STRING_LENGTH, &length);
	if (r < 0)
		return r;
	if (STRING_TYPE(info) != IS_STRING || length > sizeof(bytes))
		return -EPROTO;
	r = memory_read(pid, addr + STRING_BYTES, bytes, length);
	if (r >= 0)
		text_add_bytes(to, bytes, strnlen(bytes, length));
	return r;
}

static int php_check(const struct php_layout *y, int pid, const uint64_t frame[2])
{
	uint64_t object = RUNTIME_OBJECT(frame[0]);
	const uint16_t *at = y->check[RUNTIME_SORT(frame[0]) == PHP_SORT_INTERNAL];
	uint32_t numbers[4] = { 0 };
	int r = 0;

	for (size_t i = 0; r >= 0 && i < ARRAY_SIZE(numbers); i++)
		r = memory_u32(pid, object + at[i], &numbers[i]);
	if (r < 0)
		return r;
	return runtime_check(numbers) == RUNTIME_CHECK(frame[1]) ? 0 : -ESTALE;
}

/* Reads the lines of @n operations at @code. */
static int php_read_lines(const struct php_layout *y, int pid, uint64_t code, uint32_t n,
			  struct runtime_function *to)
{
	_cleanup_(freep) uint8_t *bytes = NULL;
	uint32_t line, last = 0;
	int r;

	if (!n || n > OPLINES_MAX)
		return -EPROTO;
	bytes = xcalloc(n, y->opline_size);
	r = memory_read(pid, code, bytes, (size_t)n * y->opline_size);
	for (uint32_t i = 0; r >= 0 && i < n; i++) {
		memcpy(&line, bytes + (size_t)i * y->opline_size + y->line, sizeof(line));
		if (line != last)
			*ARRAY_ADD(&to->lines) = (struct runtime_line){ i, line };
		last = line;
	}
	to->size = n;
	return r;
}

/*
 * Appends the name of a function. Since 8.4 that of a closure has its place:
 * "{closure:/srv/app.php:12}", whose folder is left out.
 */
static void php_add_name(const char *name, const char *file, struct text *to)
{
	size_t prefix = strlen("{closure:"), n = strlen(file);

	if (strncmp(name, "{closure:", prefix) == 0 && n && strncmp(name + prefix, file, n) == 0 &&
	    name[prefix + n] == ':')
		text_addf(to, "{closure%s", name + prefix + n);
	else
		text_addf(to, "%s", name);
}

/* Reads the name of the function at @object: "Server::run", or "(main)", the code of a file. */
static int php_read_name(const struct php_layout *y, int pid, uint64_t object, const char *file,
			 struct text *to)
{
	_cleanup_(text_done) struct text own = TEXT_EMPTY;
	uint64_t name, class;
	int r = memory_u64(pid, object + y->name, &name);

	if (r >= 0)
		r = memory_u64(pid, object + y->class, &class);
	if (r < 0)
		return r;
	if (!name && !*file)
		return -EPROTO;
	if (!name) {
		text_addf(to, "(main)");
		return 0;
	}
	if (class) {
		uint64_t class_name;

		r = memory_u64(pid, class + y->class_name, &class_name);
		if (r >= 0)
			r = php_read_text(pid, class_name, to);
		if (r >= 0)
			text_addf(to, "::");
	}
	if (r >= 0)
		r = php_read_text(pid, name, &own);
	if (r >= 0)
		php_add_name(own.chars, file, to);
	return r;
}

static int php_read_code(const struct php_layout *y, int pid, uint64_t object,
			 struct runtime_function *f)
{
	_cleanup_(text_done) struct text name = TEXT_EMPTY;
	uint64_t file, code;
	uint32_t n;
	int r = memory_u64(pid, object + y->file, &file);

	if (r >= 0)
		r = memory_u64(pid, object + y->code, &code);
	if (r >= 0)
		r = memory_u32(pid, object + y->last, &n);
	if (r >= 0)
		r = php_read_text(pid, file, &f->file);
	if (r >= 0)
		r = php_read_name(y, pid, object, f->file.chars, &name);
	if (r >= 0)
		r = php_read_lines(y, pid, code, n, f);
	if (r >= 0)
		runtime_name_in_file(f->file.chars, name.chars, &f->name);
	return r;
}

static int php_read(const struct runtime_process *p, int pid, const uint64_t frame[2],
		    struct runtime_code *ret)
{
	const struct php_layout *y = &p->php;
	struct runtime_function *f = runtime_code_add(ret);
	uint64_t object = RUNTIME_OBJECT(frame[0]);
	int r = php_check(y, pid, frame);

	if (r >= 0)
		r = RUNTIME_SORT(frame[0]) == PHP_SORT_INTERNAL
			    ? php_read_name(y, pid, object, "", &f->name)
			    : php_read_code(y, pid, object, f);
	/* The function may have gone while it was read. */
	return r < 0 ? r : php_check(y, pid, frame);
}

const struct runtime_type runtime_php = {
	.kind = RUNTIME_KIND_PHP,
	.wanted = php_wanted,
	.accept = php_accept,
	.find = php_find,
	.read = php_read,
};
