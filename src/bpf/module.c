/* SPDX-License-Identifier: MIT */
#include <config.h>

#if HAVE_BPF

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/memory.h"
#include "bpf/explain.h"
#include "bpf/image.h"
#include "bpf/module-internal.h"
#include "kernel/explain.h"
#include "kernel/perf-event.h"
#include "wire/attr.h"
#include <version.h>

/* The size of the verifier's log, of which only the last lines matter. */
#define LOG_BYTES (64 << 10)

bool bpf_is_built_in(void)
{
	return true;
}

/*
 * Copies records that begin with the number of an instruction, and shifts all but the first by @by.
 */
static void *moved_infos(const void *infos, uint32_t n, uint32_t size, uint32_t by)
{
	uint8_t *copy = n ? xcalloc(n, size) : NULL;

	if (copy)
		memcpy(copy, infos, (size_t)n * size);
	for (uint32_t i = 1; i < n; i++) {
		uint32_t at;

		memcpy(&at, copy + (size_t)i * size, sizeof(at));
		at += by;
		memcpy(copy + (size_t)i * size, &at, sizeof(at));
	}
	return copy;
}

/* Adds the prefix of a program. libbpf calls this when the program is ready to be loaded. */
static int put_prefix(struct bpf_program *program, struct bpf_prog_load_opts *options, long cookie)
{
	struct bpf_module *m = (struct bpf_module *)cookie;
	size_t n = bpf_program__insn_cnt(program);
	_cleanup_(freep) struct bpf_insn *all = NULL;
	struct bpf_module_prefix *p = NULL;

	for (size_t i = 0; i < m->prefixes.n && !p; i++)
		if (m->prefixes.items[i].program == program)
			p = &m->prefixes.items[i];
	if (!p)
		return 0;
	all = xcalloc(p->n + n, sizeof(*all));
	memcpy(all, p->insns, p->n * sizeof(*all));
	memcpy(all + p->n, bpf_program__insns(program), n * sizeof(*all));
	p->infos[0] = moved_infos(options->func_info, options->func_info_cnt,
				  options->func_info_rec_size, (uint32_t)p->n);
	p->infos[1] = moved_infos(options->line_info, options->line_info_cnt,
				  options->line_info_rec_size, (uint32_t)p->n);
	options->func_info = p->infos[0];
	options->line_info = p->infos[1];
	return bpf_program__set_insns(program, all, p->n + n);
}

int bpf_module_prepend(struct bpf_module *m, const char *program, const struct bpf_insn *insns,
		       size_t n)
{
	struct bpf_program *p = bpf_object__find_program_by_name(m->object, program);
	struct bpf_module_prefix prefix = { .program = p, .n = n };

	if (!p)
		return -ENOENT;
	prefix.insns = xcalloc(n, sizeof(*insns));
	memcpy(prefix.insns, insns, n * sizeof(*insns));
	*ARRAY_ADD(&m->prefixes) = prefix;
	return 0;
}

/*
 * Registers the handler. libbpf has one for all objects: ours is registered from opening @m until
 * it is loaded.
 */
static void listen_to_load(struct bpf_module *m)
{
	LIBBPF_OPTS(libbpf_prog_handler_opts, options, .cookie = (long)m,
		    .prog_prepare_load_fn = put_prefix);
	int handler = libbpf_register_prog_handler(NULL, BPF_PROG_TYPE_KPROBE, 0, &options);

	m->handler = handler > 0 ? handler : 0;
}

static void end_listening(struct bpf_module *m)
{
	if (m->handler)
		libbpf_unregister_prog_handler(m->handler);
	m->handler = 0;
}

static void free_prefixes(struct bpf_module *m)
{
	for (size_t i = 0; i < m->prefixes.n; i++) {
		free(m->prefixes.items[i].insns);
		free(m->prefixes.items[i].infos[0]);
		free(m->prefixes.items[i].infos[1]);
	}
	free(m->prefixes.items);
}

static int open_bytes(struct bpf_module *m, const char *name, const void *bytes, size_t size,
		      struct diag *diag)
{
	/* libbpf would print failures; here errors are reported by return values. */
	libbpf_set_print(NULL);
	m->log = xcalloc(1, LOG_BYTES);
	LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = name, .kernel_log_buf = m->log,
		    .kernel_log_size = LOG_BYTES);
	m->object = bpf_object__open_mem(bytes, size, &options);
	if (!m->object)
		return diag_set(diag, -errno, "cannot read the BPF object '%s': %s", name,
				strerror(errno));
	return 0;
}

int bpf_module_open_object(const char *name, const void *bytes, size_t size,
			   struct bpf_module **ret, struct diag *diag)
{
	_cleanup_(bpf_module_freep) struct bpf_module *m = xcalloc(1, sizeof(*m));
	int r;

	listen_to_load(m);
	r = open_bytes(m, name, bytes, size, diag);
	if (r >= 0)
		*ret = TAKE(m);
	return r;
}

/* Sets the version of perf in the programs (bpf/about.bpf.h). */
static void set_version(struct bpf_module *m)
{
	struct bpf_map *map = bpf_object__find_map_by_name(m->object, ".rodata.version");
	size_t size = 0;
	/* Until libbpf 1.2 it returns a pointer to const, although it is meant to be written to. */
	char *text = map ? (char *)bpf_map__initial_value(map, &size) : NULL;

	if (text)
		snprintf(text, size, "%s", PERF_VERSION);
}

int bpf_module_open(const struct bpf_image *image, struct bpf_module **ret, struct diag *diag)
{
	_cleanup_(bpf_module_freep) struct bpf_module *m = xcalloc(1, sizeof(*m));
	struct bpf_program *program;
	int r = open_bytes(m, image->name, image->bytes, image->size, diag);

	if (r < 0)
		return r;
	m->image = image;
	set_version(m);
	bpf_object__for_each_program(program, m->object) bpf_program__set_autoload(program, false);
	*ret = TAKE(m);
	return 0;
}

bool bpf_module_program(const struct bpf_module *m, size_t i, const char **ret_name,
			const char **ret_section)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, m->object)
	{
		if (i--)
			continue;
		*ret_name = bpf_program__name(program);
		*ret_section = bpf_program__section_name(program);
		return true;
	}
	return false;
}

static int bpf_module_set_type(struct bpf_module *m, const char *program, enum bpf_prog_type type)
{
	struct bpf_program *p = bpf_object__find_program_by_name(m->object, program);

	return p ? bpf_program__set_type(p, type) : -ENOENT;
}

int bpf_module_set_probe(struct bpf_module *m, const char *program)
{
	return bpf_module_set_type(m, program, BPF_PROG_TYPE_KPROBE);
}

int bpf_module_set_tracepoint(struct bpf_module *m, const char *program)
{
	return bpf_module_set_type(m, program, BPF_PROG_TYPE_TRACEPOINT);
}

const char *bpf_module_log(const struct bpf_module *m)
{
	return m->log;
}

int bpf_module_try_load(struct bpf_module *m)
{
	int r = bpf_object__load(m->object);

	end_listening(m);
	return r;
}

void bpf_module_detach(struct bpf_module *m)
{
	for (size_t i = 0; i < m->links.n; i++)
		bpf_link__destroy(m->links.items[i]);
	m->links.n = 0;
}

void bpf_module_free(struct bpf_module *m)
{
	if (!m)
		return;
	bpf_module_detach(m);
	free(m->links.items);
	for (size_t i = 0; i < m->memory.n; i++)
		munmap(m->memory.items[i].bytes, m->memory.items[i].size);
	free(m->memory.items);
	for (size_t i = 0; i < m->targets.n; i++)
		close(m->targets.items[i]);
	free(m->targets.items);
	ring_buffer__free(m->wakeups);
	end_listening(m);
	free_prefixes(m);
	bpf_object__close(m->object);
	free(m->log);
	free(m);
}

static bool bpf_module_ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), k = strlen(end);

	return n >= k && !strcmp(s + n - k, end);
}

void *bpf_module_constants(struct bpf_module *m, size_t size)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, m->object)
	{
		size_t there = 0;
		/*
		 * Until libbpf 1.2 it returns a pointer to const, although it is meant to be
		 * written to.
		 */
		void *value = (void *)bpf_map__initial_value(map, &there);

		if (value && there == size && bpf_module_ends_with(bpf_map__name(map), ".rodata"))
			return value;
	}
	return NULL;
}

int bpf_module_want(struct bpf_module *m, const char *program)
{
	struct bpf_program *p = bpf_object__find_program_by_name(m->object, program);

	return p ? bpf_program__set_autoload(p, true) : -ENOENT;
}

int bpf_module_load(struct bpf_module *m, struct diag *diag)
{
	int r = bpf_object__load(m->object);

	return r < 0 ? bpf_explain(r, m->log, diag) : 0;
}

/*
 * Counts the arguments of a tracepoint, which is a typedef of a pointer to a function whose first
 * parameter is a context.
 */
static int count_arguments(const struct btf *btf, const char *name)
{
	char type[128];
	const struct btf_type *t;
	int id;

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	id = btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF);
	t = id > 0 ? btf__type_by_id(btf, btf__type_by_id(btf, (uint32_t)id)->type) : NULL;
	if (!t || !btf_is_ptr(t))
		return -ENOENT;
	t = btf__type_by_id(btf, t->type);
	return t && btf_is_func_proto(t) && btf_vlen(t) ? btf_vlen(t) - 1 : -ENOENT;
}

int bpf_module_arguments(const char *name)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int n = btf ? count_arguments(btf, name) : -ENOENT;

	btf__free(btf);
	return n;
}

/*
 * Opens an event on any CPU: a program that is attached to a tracepoint by one of its events runs
 * wherever the tracepoint is hit, and whether or not the event is enabled.
 */
static int open_event(const struct attr *attr, const char *name, struct diag *diag)
{
	struct attr a = { .type = attr->type,
			  .config = attr->config,
			  .config1 = attr->config1,
			  .config2 = attr->config2,
			  .disabled = 1 };
	int fd = perf_event_open(&a, -1, sched_getcpu(), -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? perf_event_explain(&a, name, fd, diag) : fd;
}

int bpf_module_attach(struct bpf_module *m, const char *program, const struct attr *attr,
		      uint64_t cookie, const char *name, struct diag *diag)
{
	struct bpf_program *p = bpf_object__find_program_by_name(m->object, program);
	int fd = p ? open_event(attr, name, diag)
		   : diag_set(diag, -ENOENT, "BPF: there is no program '%s'", program);
	struct bpf_link *link;

	if (fd < 0)
		return fd;
	LIBBPF_OPTS(bpf_perf_event_opts, options, .bpf_cookie = cookie);
	link = bpf_program__attach_perf_event_opts(p, fd, &options);
	if (!link) {
		int error = -errno;

		close(fd);
		return diag_set(diag, error, "%s: no BPF program can be attached: %s", name,
				strerror(-error));
	}
	/*
	 * libbpf has enabled the event, which would only cost time, because the event exists only
	 * for the program.
	 */
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	*ARRAY_ADD(&m->links) = link;
	return 0;
}

int bpf_module_attach_raw(struct bpf_module *m, const char *program, struct diag *diag)
{
	struct bpf_program *p = bpf_object__find_program_by_name(m->object, program);
	struct bpf_link *link;

	if (!p)
		return diag_set(diag, -ENOENT, "BPF: there is no program '%s'", program);
	link = bpf_program__attach(p);
	if (!link)
		return diag_set(diag, -errno, "%s: no BPF program can be attached: %s",
				bpf_program__section_name(p), strerror(errno));
	*ARRAY_ADD(&m->links) = link;
	return 0;
}

int bpf_module_program_fd(const struct bpf_module *m, const char *program)
{
	struct bpf_program *p = bpf_object__find_program_by_name(m->object, program);
	int fd = p ? bpf_program__fd(p) : -1;

	return fd < 0 ? -ENOENT : fd;
}

/*
 * Returns the name of the first function of the program @fd, from its BTF, because names of
 * programs are truncated.
 */
static char *main_function(int fd)
{
	struct bpf_func_info first = { 0 };
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info), btf_id;
	const struct btf_type *type;
	struct btf *btf;
	char *name = NULL;

	if (bpf_obj_get_info_by_fd(fd, &info, &size) < 0 || !info.btf_id || !info.nr_func_info)
		return NULL;
	btf_id = info.btf_id;
	info = (struct bpf_prog_info){ .nr_func_info = 1,
				       .func_info_rec_size = sizeof(first),
				       .func_info = (uint64_t)(uintptr_t)&first };
	if (bpf_obj_get_info_by_fd(fd, &info, &size) < 0)
		return NULL;
	btf = btf__load_from_kernel_by_id(btf_id);
	type = btf ? btf__type_by_id(btf, first.type_id) : NULL;
	if (type)
		name = xstrdup(btf__name_by_offset(btf, type->name_off));
	btf__free(btf);
	return name;
}

int bpf_module_aim(struct bpf_module *m, const char *program, uint32_t id, struct diag *diag)
{
	struct bpf_program *p = bpf_object__find_program_by_name(m->object, program);
	_cleanup_(closep) int fd = bpf_prog_get_fd_by_id(id);
	_cleanup_(freep) char *function = fd < 0 ? NULL : main_function(fd);

	if (fd < 0 && errno == ENOENT) {
		diag_set(diag, -ENOENT, "there is no BPF program with the id %u", id);
		diag_hint(diag, "'bpftool prog' lists those that are loaded.");
		return -ENOENT;
	}
	if (fd < 0)
		return bpf_explain(-errno, "", diag);
	if (!function)
		return diag_set(diag, -EOPNOTSUPP,
				"BPF program %u cannot be counted: it was loaded without BTF", id);
	if (!p || bpf_program__set_attach_target(p, fd, function) < 0)
		return diag_set(diag, -EINVAL, "BPF program %u cannot be counted: %s", id,
				strerror(errno));
	/* libbpf uses the descriptor until the program is loaded. */
	*ARRAY_ADD(&m->targets) = fd;
	fd = -1;
	return 0;
}

int bpf_module_run_on(struct bpf_module *m, const char *program, int cpu, uint64_t arg)
{
	int fd = bpf_module_program_fd(m, program);

	LIBBPF_OPTS(bpf_test_run_opts, options, .ctx_in = &arg, .ctx_size_in = sizeof(arg),
		    .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = (uint32_t)cpu);
	if (fd < 0)
		return fd;
	return bpf_prog_test_run_opts(fd, &options) < 0 ? -errno : 0;
}

int bpf_module_attach_event(struct bpf_module *m, const char *program, int fd, const char *name,
			    struct diag *diag)
{
	int program_fd = bpf_module_program_fd(m, program);

	if (program_fd < 0)
		return diag_set(diag, -ENOENT, "BPF: there is no program '%s'", program);
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program_fd) < 0)
		return diag_set(diag, -errno, "%s: no BPF program can be attached: %s", name,
				strerror(errno));
	return 0;
}

uint64_t bpf_module_missed(const struct bpf_module *m)
{
	struct bpf_program *program;
	uint64_t missed = 0;

	bpf_object__for_each_program(program, m->object)
	{
		struct bpf_prog_info info = { 0 };
		uint32_t size = sizeof(info);
		int fd = bpf_program__fd(program);

		if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &size) == 0)
			missed += info.recursion_misses;
	}
	return missed;
}

#endif
