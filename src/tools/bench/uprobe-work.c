/* SPDX-License-Identifier: MIT */
#include "tools/bench/uprobe-work.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "bpf/image.h"
#include "bpf/module.h"
#include "kernel/pmu.h"
#include "tools/bench/bench.h"
#include "tools/bench/programs/result.h"
#include "wire/attr.h"

/* These benchmarks have the same option. They differ in what the probe runs and where. */
#define UPROBE_BENCHMARK(id, name_, summary_, ...)                                                 \
	BENCH_OPTS(id, struct bench_uprobe_params);                                                \
	static const struct option id##_options[] = {                                              \
		OPT_UINT('l', "loop", struct id##_opts, params.loops, "n",                         \
			 "number of calls of usleep(1000) (default: 1000)"),                       \
		OPT_SET(struct id##_opts, common, bench_options),                                  \
		OPT_END,                                                                           \
	};                                                                                         \
	static const struct id##_opts id##_defaults = {                                            \
		.common = BENCH_COMMON_DEFAULT,                                                    \
		.params = { .loops = 1000, __VA_ARGS__ },                                          \
	};                                                                                         \
	BENCH_DEFINE(id, "bench uprobe " name_, "uprobe/" name_, summary_, bench_uprobe, false)

UPROBE_BENCHMARK(uprobe_baseline, "baseline", "Baseline libc usleep(1000) call",
		 .program = BENCH_UPROBE_NONE);
UPROBE_BENCHMARK(uprobe_empty, "empty", "Attach empty BPF prog to uprobe on usleep, system wide",
		 .program = BENCH_UPROBE_EMPTY);
UPROBE_BENCHMARK(uprobe_trace_printk, "trace_printk",
		 "Attach trace_printk BPF prog to uprobe on usleep syswide",
		 .program = BENCH_UPROBE_PRINT);
UPROBE_BENCHMARK(uprobe_empty_ret, "empty_ret",
		 "Attach empty BPF prog to uretprobe on usleep, system wide",
		 .program = BENCH_UPROBE_EMPTY, .at_return = true);
UPROBE_BENCHMARK(uprobe_trace_printk_ret, "trace_printk_ret",
		 "Attach trace_printk BPF prog to uretprobe on usleep syswide",
		 .program = BENCH_UPROBE_PRINT, .at_return = true);

#define SLEEP_USEC 1000

/* Finds the file and the offset from which @addr is mapped. The caller frees *@ret. */
static int bench_uprobe_find_place(uint64_t addr, char **ret, uint64_t *ret_offset)
{
	_cleanup_(freep) char *maps = NULL;
	char *rest, *line;
	int r = file_read(AT_FDCWD, "/proc/self/maps", 1 << 20, &maps, NULL);

	if (r < 0)
		return r;
	rest = maps;
	while ((line = strsep(&rest, "\n"))) {
		uint64_t start, end, offset;
		char *path = strchr(line, '/');

		if (!path ||
		    sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64, &start, &end, &offset) !=
			    3 ||
		    addr < start || addr >= end)
			continue;
		*ret = xstrdup(path);
		*ret_offset = addr - start + offset;
		return 0;
	}
	return -ENOENT;
}

/*
 * Makes the attr for the PMU `uprobe`: bit 0 of config is retprobe, config1 the path, config2 the
 * offset.
 */
static int probe_attr(const char *path, uint64_t offset, bool at_return, struct attr *ret,
		      struct diag *diag)
{
	_cleanup_(freep) char *text = NULL;
	uint64_t type;

	if (file_read_line(AT_FDCWD, PMU_DEVICES "/uprobe/type", &text) < 0 ||
	    number_parse(text, &type) < 0 || type > UINT32_MAX)
		return diag_set(diag, -EOPNOTSUPP,
				"this kernel has no probes in programs: it was built without "
				"CONFIG_UPROBE_EVENTS");
	*ret = (struct attr){ .type = (uint32_t)type,
			      .config = at_return,
			      .config1 = (uint64_t)(uintptr_t)path,
			      .config2 = offset };
	return 0;
}

static int bench_uprobe_attach(const struct bench_uprobe_params *p, struct bpf_module **ret,
			       struct diag *diag)
{
	const char *program = p->program == BENCH_UPROBE_PRINT ? "print" : "empty";
	/*
	 * The function is looked up at run time, because its address in perf itself may be that of
	 * a stub.
	 */
	void *addr = dlsym(RTLD_DEFAULT, "usleep");
	_cleanup_(freep) char *path = NULL;
	uint64_t offset;
	struct attr attr;
	int r = addr ? bench_uprobe_find_place((uint64_t)(uintptr_t)addr, &path, &offset) : -ENOENT;

	if (r < 0)
		return diag_set(diag, r, "usleep() is not found in the C library");
	r = probe_attr(path, offset, p->at_return, &attr, diag);
	if (r >= 0)
		r = bpf_module_open(&bpf_image_bench_uprobe, ret, diag);
	if (r >= 0)
		r = bpf_module_want(*ret, program);
	if (r >= 0)
		r = bpf_module_load(*ret, diag);
	return r < 0 ? r : bpf_module_attach(*ret, program, &attr, 0, "usleep", diag);
}

int bench_uprobe(const void *params, unsigned repeat, struct bench_result *ret, struct diag *diag)
{
	const struct bench_uprobe_params *p = params;
	_cleanup_(bpf_module_freep) struct bpf_module *module = NULL;
	double begin;
	int r = 0;

	(void)repeat;
	if (!p->loops)
		return diag_set(diag, -EINVAL, "--loop must be at least 1");
	if (p->program != BENCH_UPROBE_NONE)
		r = bench_uprobe_attach(p, &module, diag);
	if (r < 0)
		return r;
	begin = bench_now();
	for (uint64_t i = 0; i < p->loops; i++)
		usleep(SLEEP_USEC);
	ret->layout = BENCH_LAYOUT_OPS;
	ret->ops = (struct bench_ops){ .kind = BENCH_OPS_USLEEP, .loops = p->loops };
	bench_figures_of_ops(ret, bench_now() - begin, (double)p->loops);
	return 0;
}
