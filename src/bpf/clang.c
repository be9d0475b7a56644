/* SPDX-License-Identifier: MIT */
#include "bpf/clang.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/text.h"

/* An object is a few hundred kilobytes; anything larger is an error. */
#define OBJECT_MAX ((size_t)64 << 20)

/*
 * The apparent folder of our headers; clang finds them there through an overlay of its file system.
 */
#define HEADERS "/perf-include"

/* The versions to try: Debian's package of one version has no plain `clang`. */
#define CLANG_NEWEST 30
#define CLANG_OLDEST 10

extern char **environ;

/* The state of one compilation. */
struct bpf_clang_compiling {
	const struct bpf_compiler *how;
	const char *source;
	char *path, *folder; /* the source's path and folder, absolute */
	char *clang;
	int files[16]; /* files in memory that clang reads; -1: unused */
	int overlay;
	struct diag *diag;
};

/* Makes a file in memory that child processes inherit, too. */
static int memory_file(const char *bytes, size_t n)
{
	int fd = memfd_create("perf-bpf", 0);

	if (fd >= 0 && write(fd, bytes, n) != (ssize_t)n) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Makes the overlay, which is JSON: folders with files whose contents are elsewhere. */
static int make_overlay(struct bpf_clang_compiling *c)
{
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	text_add(&t, "{\"version\":0,\"roots\":[");
	for (size_t i = 0; i < bpf_n_headers && i < ARRAY_SIZE(c->files); i++) {
		const struct bpf_header *h = &bpf_headers[i];

		c->files[i] = memory_file(h->text, h->size);
		if (c->files[i] < 0)
			return -errno;
		text_addf(&t,
			  "%s{\"type\":\"file\",\"name\":\"" HEADERS "/%s\","
			  "\"external-contents\":\"/proc/self/fd/%d\"}",
			  i ? "," : "", h->path, c->files[i]);
	}
	text_add(&t, "]}");
	c->overlay = memory_file(t.chars, t.length);
	return c->overlay < 0 ? -errno : 0;
}

/* Returns the path of @name in $PATH; NULL: it is not there. The caller frees it. */
static char *find_in_path(const char *name)
{
	const char *path = getenv("PATH");
	_cleanup_(freep) char *copy = xstrdup(path ? path : "/usr/bin:/bin");
	char *rest = copy;

	for (char *folder; (folder = strsep(&rest, ":"));) {
		char *file = xasprintf("%s/%s", *folder ? folder : ".", name);

		if (access(file, X_OK) == 0)
			return file;
		free(file);
	}
	return NULL;
}

static char *find_clang(void)
{
	char *found = find_in_path("clang");

	for (int version = CLANG_NEWEST; !found && version >= CLANG_OLDEST; version--) {
		_cleanup_(freep) char *name = xasprintf("clang-%d", version);

		found = find_in_path(name);
	}
	return found;
}

static int need_clang(struct bpf_clang_compiling *c)
{
	const char *given = c->how->clang;

	c->clang = !given               ? find_clang()
		   : strchr(given, '/') ? xstrdup(given)
					: find_in_path(given);
	if (c->clang && access(c->clang, X_OK) == 0)
		return 0;
	diag_set(c->diag, -ENOENT, "%s: %s, which compiles BPF sources, is not installed",
		 c->source, given ? given : "clang");
	diag_hint(c->diag, "Install it: apt-get install clang, or dnf install clang; or compile "
			   "elsewhere and record the object:");
	diag_hint(c->diag, "clang -target bpf -g -O2 -c x.c -o x.o && perf record -e ./x.o ...");
	return -ENOENT;
}

static int need_source(struct bpf_clang_compiling *c)
{
	char *slash;

	c->path = realpath(c->source, NULL);
	if (!c->path || access(c->path, R_OK) < 0)
		return diag_set(c->diag, -errno, "cannot read the BPF source '%s': %s", c->source,
				strerror(errno));
	c->folder = xstrdup(c->path);
	slash = strrchr(c->folder, '/');
	slash[slash == c->folder] = '\0';
	return 0;
}

/* Returns the version as the kernel's headers define it: 6.1.12 is 0x06010c. */
static unsigned version_code(const char *release)
{
	unsigned a = 0, b = 0, c = 0;

	sscanf(release, "%u.%u.%u", &a, &b, &c);
	return a << 16 | b << 8 | (c > 255 ? 255 : c);
}

static const char *target_arch(const char *machine)
{
	static const char *const names[][2] = {
		{ "aarch64", "arm64" },   { "x86_64", "x86" },    { "s390x", "s390" },
		{ "ppc64le", "powerpc" }, { "riscv64", "riscv" }, { "arm", "arm" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(machine, names[i][0], strlen(names[i][0])))
			return names[i][1];
	return machine;
}

static void clang_set(struct name_list *l, const char *name, const char *value)
{
	_cleanup_(freep) char *line = xasprintf("%s=%s", name, value);

	name_list_add(l, line);
}

static void clang_set_number(struct name_list *l, const char *name, unsigned long value)
{
	_cleanup_(freep) char *text = xasprintf("%lu", value);

	clang_set(l, name, text);
}

/* Returns the options for the headers of a kernel's build folder, if one is named. */
static char *kernel_options(const struct bpf_clang_compiling *c, const char *arch)
{
	const char *k = c->how->kbuild;

	if (!k || !*k)
		return xstrdup("");
	return xasprintf("-D__KERNEL__ -I%s/arch/%s/include -I%s/arch/%s/include/generated "
			 "-I%s/include -I%s/arch/%s/include/uapi "
			 "-I%s/arch/%s/include/generated/uapi -I%s/include/uapi "
			 "-I%s/include/generated/uapi -include %s/include/linux/kconfig.h",
			 k, arch, k, arch, k, k, arch, k, arch, k, k, k);
}

/* Adds the variables of our environment that are not set already. */
static void add_inherited(struct name_list *l)
{
	size_t n = l->n;

	for (char **e = environ; *e; e++) {
		size_t length = strcspn(*e, "=") + 1;
		bool is_set = false;

		for (size_t i = 0; i < n && !is_set; i++)
			is_set = !strncmp(l->items[i], *e, length);
		if (!is_set)
			name_list_add(l, *e);
	}
}

static void make_environment(const struct bpf_clang_compiling *c, struct name_list *l)
{
	const char *llc = c->how->llc;
	struct utsname u = { 0 };

	uname(&u);

	const char *arch = target_arch(u.machine);
	_cleanup_(freep) char *kernel = kernel_options(c, arch);
	_cleanup_(freep) char *ours = xasprintf("-ivfsoverlay /proc/self/fd/%d -idirafter " HEADERS
						" -idirafter /usr/include/%s-linux-gnu",
						c->overlay, u.machine);
	_cleanup_(freep) char *pipe = llc ? xasprintf("| llc -march=bpf %s -filetype=obj -o -", llc)
					  : xstrdup("");

	clang_set(l, "CLANG_EXEC", c->clang);
	clang_set(l, "CLANG_OPTIONS", c->how->options ? c->how->options : "");
	clang_set(l, "CLANG_SOURCE", c->path);
	clang_set(l, "CLANG_EMIT_LLVM", llc ? "-emit-llvm" : "");
	clang_set(l, "LLVM_OPTIONS_PIPE", pipe);
	clang_set(l, "KERNEL_INC_OPTIONS", kernel);
	clang_set(l, "PERF_BPF_INC_OPTIONS", ours);
	clang_set(l, "WORKING_DIR", c->folder);
	clang_set(l, "TARGET_ARCH", arch);
	clang_set_number(l, "NR_CPUS", (unsigned long)sysconf(_SC_NPROCESSORS_CONF));
	clang_set_number(l, "LINUX_VERSION_CODE", version_code(u.release));
	add_inherited(l);
}

static int clang_read_object(struct bpf_clang_compiling *c, int fd, struct bytes *ret)
{
	char buffer[1 << 16];
	ssize_t n;

	while ((n = read(fd, buffer, sizeof(buffer))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || ret->n + (size_t)n > OBJECT_MAX)
			return diag_set(c->diag, n < 0 ? -errno : -E2BIG,
					"%s: the compiler's output cannot be read", c->source);
		bytes_add(ret, buffer, (size_t)n);
	}
	return 0;
}

static int clang_refused(struct bpf_clang_compiling *c, int status)
{
	diag_set(c->diag, -EINVAL, "%s does not compile: clang ended with status %d", c->source,
		 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	diag_hint(c->diag, "What clang says is above. --clang-opt gives it more options, as "
			   "--clang-opt=-I/some/folder;");
	diag_hint(c->diag, "linux/bpf.h is in the package linux-libc-dev, bpf/bpf_core_read.h in "
			   "libbpf-dev.");
	return -EINVAL;
}

static int clang_start(struct bpf_clang_compiling *c, int out, pid_t *ret)
{
	_cleanup_(name_list_done) struct name_list env = { 0 };
	const char *command = c->how->command ? c->how->command : BPF_CLANG_COMMAND;
	char *const argv[] = { "sh", "-c", (char *)command, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none;
	int r;

	make_environment(c, &env);
	name_list_add(&env, "");
	free(env.items[env.n - 1]);
	env.items[env.n - 1] = NULL;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	/*
	 * perf may block signals at this point, so that probes are removed; clang need not block
	 * them.
	 */
	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	r = posix_spawn(ret, "/bin/sh", &actions, &attr, argv, (char *const *)env.items);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	env.n--;
	return r ? diag_set(c->diag, -r, "%s: cannot start the compiler: %s", c->source,
			    strerror(r))
		 : 0;
}

static int clang_run(struct bpf_clang_compiling *c, struct bytes *ret)
{
	int ends[2], status = 0, r;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return diag_set(c->diag, -errno, "cannot make a pipe: %s", strerror(errno));
	r = clang_start(c, ends[1], &pid);
	close(ends[1]);
	if (r >= 0) {
		r = clang_read_object(c, ends[0], ret);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	close(ends[0]);
	if (r >= 0 && (status || !ret->n))
		r = clang_refused(c, status);
	return r;
}

int bpf_compile(const struct bpf_compiler *how, const char *source, struct bytes *ret,
		struct diag *diag)
{
	struct bpf_clang_compiling c = {
		.how = how, .source = source, .overlay = -1, .diag = diag
	};
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(c.files); i++)
		c.files[i] = -1;
	r = need_source(&c);
	if (r >= 0)
		r = need_clang(&c);
	if (r >= 0) {
		r = make_overlay(&c);
		r = r < 0 ? diag_set(diag, r, "cannot make a file in memory: %s", strerror(-r))
			  : clang_run(&c, ret);
	}
	for (size_t i = 0; i < ARRAY_SIZE(c.files); i++)
		if (c.files[i] >= 0)
			close(c.files[i]);
	if (c.overlay >= 0)
		close(c.overlay);
	free(c.path);
	free(c.folder);
	free(c.clang);
	return r;
}
