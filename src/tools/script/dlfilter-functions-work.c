/* SPDX-License-Identifier: MIT */
/* The functions of perf that filters may call. */
#include <elf.h>
#include <string.h>

#include "base/build-id.h"
#include "datafile/features.h"
#include "session/consumer.h"
#include "session/sample-filter.h"
#include "symbol/code.h"
#include "symbol/source.h"
#include "symbol/symbolizer.h"
#include "tools/script/dlfilter-internal-work.h"

/* All instructions of aarch64 have the same length. */
#define FIXED_LENGTH 4

static bool is_64_bit(const struct session *s)
{
	const char *machine = session_features(s)->arch;

	return !machine || strstr(machine, "64") || !strcmp(machine, "s390x");
}

static bool script_dlfilter_functions_is_kernel(const struct location *loc)
{
	enum image_kind kind;

	if (!loc->map || !loc->map->image)
		return loc->addr >> 63;
	kind = image_kind(loc->map->image);
	return kind == IMAGE_KERNEL || kind == IMAGE_MODULE || kind == IMAGE_BPF;
}

/*
 * Finds the location of @addr for the current sample, in the sample's mode or, failing that, in
 * another one.
 */
static void script_dlfilter_functions_locate(const struct dlfilter *f, uint64_t addr,
					     struct location *ret)
{
	const struct session_sample *ss = f->sample;
	enum address_mode mode = address_mode_of(ss->sample->misc);
	uint32_t pid = ss->sample->pid;

	if (machine_resolve(f->session, pid, mode, addr, ss->time, ret))
		return;
	mode = mode == ADDRESS_KERNEL ? ADDRESS_USER : ADDRESS_KERNEL;
	if (machine_resolve(f->session, pid, mode, addr, ss->time, ret))
		return;
	*ret = (struct location){ .addr = addr, .image_addr = addr };
}

static struct perf_dlfilter_al al_of(const struct dlfilter *f, const struct location *loc)
{
	struct perf_dlfilter_al al = { .size = sizeof(al),
				       .addr = loc->map ? loc->image_addr : loc->addr,
				       .is_kernel_ip = script_dlfilter_functions_is_kernel(loc) };
	const struct build_id *id;

	if (loc->sym) {
		al.sym = loc->sym->name;
		al.sym_start = loc->sym->start;
		al.sym_end = loc->sym->end;
		al.sym_binding = symbol_elf_binding(loc->sym);
		al.symoff = (uint32_t)(loc->image_addr - loc->sym->start);
	}
	if (!loc->map || !loc->map->image)
		return al;
	id = image_build_id(loc->map->image);
	al.dso = image_long_name(loc->map->image);
	al.is_64_bit = is_64_bit(f->session);
	al.buildid_size = id->size;
	al.buildid = id->size ? (__u8 *)id->bytes : NULL;
	return al;
}

static bool is_filtered(const struct dlfilter *f, const struct location *loc, const char *comm)
{
	const struct sample *s = f->sample->sample;

	return f->filter && (!sample_filter_passes_moment(f->filter, f->sample->time, s->cpu) ||
			     !sample_filter_passes_task(f->filter, s->pid, s->tid) ||
			     !sample_filter_passes_comm(f->filter, comm) ||
			     (sample_filter_has_places(f->filter) &&
			      !sample_filter_passes_place(f->filter, loc)));
}

static const struct perf_dlfilter_al *resolve_ip(void *ctx)
{
	struct dlfilter *f = ctx;
	struct location loc;

	if (!f->sample)
		return NULL;
	if (f->ip.size)
		return &f->ip;
	script_dlfilter_functions_locate(f, f->sample->sample->ip, &loc);
	f->ip = al_of(f, &loc);
	f->ip.comm = machine_comm(f->session, f->sample->sample->pid, f->sample->sample->tid,
				  f->sample->time);
	f->ip.filtered = is_filtered(f, &loc, f->ip.comm);
	return &f->ip;
}

static const struct perf_dlfilter_al *resolve_addr(void *ctx)
{
	struct dlfilter *f = ctx;
	struct location loc;

	if (!f->sample || !f->shown.addr_correlates_sym)
		return NULL;
	if (f->addr.size)
		return &f->addr;
	script_dlfilter_functions_locate(f, f->sample->sample->addr, &loc);
	f->addr = al_of(f, &loc);
	return &f->addr;
}

static char **script_dlfilter_functions_args(void *ctx, int *dlargc)
{
	struct dlfilter *f = ctx;

	*dlargc = (int)f->request->n_arguments;
	return f->request->n_arguments ? f->arguments : NULL;
}

/* Accepts a smaller struct from a filter that was built for an older perf. */
static __s32 resolve_address(void *ctx, __u64 address, struct perf_dlfilter_al *al)
{
	const struct dlfilter *f = ctx;
	struct perf_dlfilter_al full;
	struct location loc;
	__u32 size = al->size;

	if (!f->sample)
		return -1;
	script_dlfilter_functions_locate(f, address, &loc);
	full = al_of(f, &loc);
	full.size = size;
	memcpy(al, &full, size < sizeof(full) ? size : sizeof(full));
	return 0;
}

/* Does nothing: the texts of al belong to the session. */
static void al_cleanup(void *ctx, struct perf_dlfilter_al *al)
{
	(void)ctx, (void)al;
}

static __s32 object_code(void *ctx, __u64 ip, void *buf, __u32 len)
{
	struct dlfilter *f = ctx;
	struct location loc;
	size_t n;

	if (!f->sample)
		return -1;
	script_dlfilter_functions_locate(f, ip, &loc);
	if (!loc.map || !loc.map->image)
		return -1;
	if (!f->code)
		f->code = code_store_new();
	n = code_read_at(f->code, loc.map->image, loc.image_addr, buf, len);
	return n ? (__s32)n : -1;
}

static const __u8 *script_dlfilter_functions_insn(void *ctx, __u32 *length)
{
	struct dlfilter *f = ctx;
	const char *machine = f->sample ? session_features(f->session)->arch : NULL;

	*length = 0;
	if (!machine || strcmp(machine, "aarch64") != 0 ||
	    object_code(f, f->sample->sample->ip, f->instruction, FIXED_LENGTH) != FIXED_LENGTH)
		return NULL;
	*length = FIXED_LENGTH;
	return f->instruction;
}

static const char *script_dlfilter_functions_srcline(void *ctx, __u32 *line_number)
{
	struct dlfilter *f = ctx;
	struct source_line line = { 0 };
	struct location loc;

	*line_number = 0;
	if (!f->sample)
		return NULL;
	script_dlfilter_functions_locate(f, f->sample->sample->ip, &loc);
	if (!loc.map || !loc.map->image ||
	    !image_source_line(loc.map->image, loc.image_addr, &line))
		return NULL;
	*line_number = line.line;
	return line.file;
}

/* Returns the attr in the kernel's layout. Changes by filters have no effect. */
static struct perf_event_attr *script_dlfilter_functions_attr(void *ctx)
{
	struct dlfilter *f = ctx;

	if (!f->sample)
		return NULL;
	f->attr = f->sample->event->attr;
	return (struct perf_event_attr *)&f->attr;
}

const struct perf_dlfilter_fns dlfilter_functions = {
	.resolve_ip = resolve_ip,
	.resolve_addr = resolve_addr,
	.args = script_dlfilter_functions_args,
	.resolve_address = resolve_address,
	.insn = script_dlfilter_functions_insn,
	.srcline = script_dlfilter_functions_srcline,
	.attr = script_dlfilter_functions_attr,
	.object_code = object_code,
	.al_cleanup = al_cleanup,
};
