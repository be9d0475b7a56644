/* SPDX-License-Identifier: MIT */
/* bpf/module.h for a build without BPF programs: no module can be opened. */
#include "bpf/module.h"

#include <config.h>

#if !HAVE_BPF

#include <errno.h>

#include "base/diag.h"
#include "bpf/image.h"

const struct bpf_image bpf_image_hist = { .name = "hist" }, bpf_image_trace = { .name = "trace" };
const struct bpf_image bpf_image_kmem = { .name = "kmem" }, bpf_image_lock = { .name = "lock" };
const struct bpf_image bpf_image_bench_uprobe = { .name = "bench-uprobe" };
const struct bpf_image bpf_image_kwork = { .name = "kwork" };
const struct bpf_image bpf_image_counters = { .name = "counters" };
const struct bpf_image bpf_image_sample_filter = { .name = "sample-filter" };
const struct bpf_image bpf_image_off_cpu = { .name = "off-cpu" };
const struct bpf_image bpf_image_trace_summary = { .name = "trace-summary" };
const struct bpf_image bpf_image_stack_sample = { .name = "stack-sample" };

bool bpf_is_built_in(void)
{
	return false;
}

int bpf_module_open(const struct bpf_image *image, struct bpf_module **ret, struct diag *diag)
{
	(void)image, (void)ret;
	diag_set(diag, -EOPNOTSUPP, "this perf was built without BPF programs");
	diag_hint(diag, "They need libbpf and clang when perf is built.");
	return -EOPNOTSUPP;
}

int bpf_module_open_object(const char *name, const void *bytes, size_t size,
			   struct bpf_module **ret, struct diag *diag)
{
	(void)name, (void)bytes, (void)size;
	return bpf_module_open(NULL, ret, diag);
}

bool bpf_module_program(const struct bpf_module *m, size_t i, const char **ret_name,
			const char **ret_section)
{
	(void)m, (void)i, (void)ret_name, (void)ret_section;
	return false;
}

int bpf_module_set_probe(struct bpf_module *m, const char *program)
{
	(void)m, (void)program;
	return -ENOENT;
}

int bpf_module_set_tracepoint(struct bpf_module *m, const char *program)
{
	(void)m, (void)program;
	return -ENOENT;
}

bool bpf_module_map(const struct bpf_module *m, size_t i, struct bpf_map_shape *ret)
{
	(void)m, (void)i, (void)ret;
	return false;
}

const char *bpf_module_log(const struct bpf_module *m)
{
	(void)m;
	return "";
}

int bpf_module_try_load(struct bpf_module *m)
{
	(void)m;
	return -EOPNOTSUPP;
}

/* Without bpf_module_open() there is no module for which these functions could be called. */
int bpf_module_prepend(struct bpf_module *m, const char *program, const struct bpf_insn *insns,
		       size_t n)
{
	(void)m, (void)program, (void)insns, (void)n;
	return -EOPNOTSUPP;
}

void bpf_module_free(struct bpf_module *m)
{
	(void)m;
}

int bpf_reader_open(struct bpf_module *m, const char *map, bpf_take_fn *take, void *arg,
		    struct bpf_reader **ret, struct diag *diag)
{
	(void)m, (void)map, (void)take, (void)arg, (void)ret, (void)diag;
	return -ENOENT;
}

void bpf_reader_close(struct bpf_reader *r)
{
	(void)r;
}

int bpf_reader_fd(const struct bpf_reader *r)
{
	(void)r;
	return -1;
}

int bpf_reader_read(struct bpf_reader *r)
{
	(void)r;
	return 0;
}

void bpf_module_clear(struct bpf_module *m, const char *map)
{
	(void)m, (void)map;
}

void *bpf_module_constants(struct bpf_module *m, size_t size)
{
	(void)m, (void)size;
	return NULL;
}

int bpf_module_want(struct bpf_module *m, const char *program)
{
	(void)m, (void)program;
	return -ENOENT;
}

int bpf_module_size(struct bpf_module *m, const char *map, uint32_t n)
{
	(void)m, (void)map, (void)n;
	return -ENOENT;
}

int bpf_module_key_size(struct bpf_module *m, const char *map, uint32_t size)
{
	(void)m, (void)map, (void)size;
	return -ENOENT;
}

int bpf_module_value_size(struct bpf_module *m, const char *map, uint32_t size)
{
	(void)m, (void)map, (void)size;
	return -ENOENT;
}

int bpf_module_cpus(void)
{
	return -EOPNOTSUPP;
}

int bpf_module_map_memory(struct bpf_module *m, const char *map, void **ret, struct diag *diag)
{
	(void)m, (void)map, (void)ret, (void)diag;
	return -EOPNOTSUPP;
}

int bpf_module_wakeups(struct bpf_module *m, const char *map, struct diag *diag)
{
	(void)m, (void)map, (void)diag;
	return -EOPNOTSUPP;
}

void bpf_module_woken(struct bpf_module *m)
{
	(void)m;
}

void bpf_module_remove(struct bpf_module *m, const char *map, const void *key)
{
	(void)m, (void)map, (void)key;
}

int bpf_module_arguments(const char *name)
{
	(void)name;
	return -ENOENT;
}

void bpf_module_detach(struct bpf_module *m)
{
	(void)m;
}

int bpf_module_load(struct bpf_module *m, struct diag *diag)
{
	(void)m, (void)diag;
	return -EOPNOTSUPP;
}

int bpf_module_put(struct bpf_module *m, const char *map, const void *key, const void *value,
		   struct diag *diag)
{
	(void)m, (void)map, (void)key, (void)value, (void)diag;
	return -EOPNOTSUPP;
}

int bpf_module_attach(struct bpf_module *m, const char *program, const struct attr *attr,
		      uint64_t cookie, const char *name, struct diag *diag)
{
	(void)m, (void)program, (void)attr, (void)cookie, (void)name, (void)diag;
	return -EOPNOTSUPP;
}

int bpf_module_attach_raw(struct bpf_module *m, const char *program, struct diag *diag)
{
	(void)m, (void)program, (void)diag;
	return -EOPNOTSUPP;
}

int bpf_module_aim(struct bpf_module *m, const char *program, uint32_t id, struct diag *diag)
{
	(void)m, (void)program, (void)id, (void)diag;
	return -EOPNOTSUPP;
}

int bpf_module_run_on(struct bpf_module *m, const char *program, int cpu, uint64_t arg)
{
	(void)m, (void)program, (void)cpu, (void)arg;
	return -EOPNOTSUPP;
}

int bpf_module_attach_event(struct bpf_module *m, const char *program, int fd, const char *name,
			    struct diag *diag)
{
	(void)m, (void)program, (void)fd, (void)name, (void)diag;
	return -EOPNOTSUPP;
}

int bpf_module_program_fd(const struct bpf_module *m, const char *program)
{
	(void)m, (void)program;
	return -ENOENT;
}

int bpf_module_map_fd(const struct bpf_module *m, const char *map)
{
	(void)m, (void)map;
	return -ENOENT;
}

uint64_t bpf_module_missed(const struct bpf_module *m)
{
	(void)m;
	return 0;
}

int bpf_module_sum(const struct bpf_module *m, const char *map, size_t n, uint64_t *ret,
		   struct diag *diag)
{
	(void)m, (void)map, (void)n, (void)ret, (void)diag;
	return -EOPNOTSUPP;
}

int bpf_module_look_up(const struct bpf_module *m, const char *map, const void *key, void *ret,
		       struct diag *diag)
{
	(void)m, (void)map, (void)key, (void)ret, (void)diag;
	return -EOPNOTSUPP;
}

int bpf_module_read(const struct bpf_module *m, const char *map, struct bpf_entries *ret,
		    struct diag *diag)
{
	(void)m, (void)map, (void)ret, (void)diag;
	return -EOPNOTSUPP;
}

void bpf_entries_done(struct bpf_entries *e)
{
	(void)e;
}

#endif
