/* SPDX-License-Identifier: MIT */
#include "probe/probe-boundary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/input-file.h"
#include "base/memory.h"
#include "code/disassembler.h"
#include "probe/probe-def.h"
#include "probe/probe-target.h"
#include "probe/trace-probe.h"

/* Larger functions are not decoded, because offsets in them are not chosen by hand. */
#define FUNCTION_BYTES_MAX    (1 << 20)
#define INSTRUCTION_BYTES_MAX 16

static int probe_boundary_refuse(const struct probe_def *d, const char *function, uint64_t at,
				 uint64_t before, uint64_t after, struct diag *diag)
{
	probe_def_mark(d, d->point.where, -EILSEQ, diag,
		       "%s+%llu is not the beginning of an instruction", function,
		       (unsigned long long)at);
	diag_hint(diag, "instructions begin at %s+%llu and %s+%llu", function,
		  (unsigned long long)before, function, (unsigned long long)after);
	return -EILSEQ;
}

static bool probe_boundary_read_code(const char *path, uint64_t at, uint8_t *bytes, size_t n)
{
	_cleanup_(closep) int fd = input_file_open(path);

	return fd >= 0 && pread(fd, bytes, n, (off_t)at) == (ssize_t)n;
}

/* Decodes from the beginning of the function, because instructions differ in length. */
static int probe_boundary_walk(const struct probe_def *d, struct disassembler *x,
			       const uint8_t *bytes, uint64_t target, const char *function,
			       struct diag *diag)
{
	struct instruction in;

	for (uint64_t at = 0; at < target; at += in.length) {
		disassemble(x, bytes + at, (size_t)(target - at) + INSTRUCTION_BYTES_MAX, at, &in);
		if (in.is_unknown)
			return 0;
		if (at + in.length > target)
			return probe_boundary_refuse(d, function, target, at, at + in.length, diag);
	}
	return 0;
}

static int check_lengths(const struct probe_def *d, const struct arch *arch,
			 const struct trace_probe *p, const struct probe_symbol *s, uint64_t offset,
			 struct diag *diag)
{
	_cleanup_(disassembler_freep) struct disassembler *x = NULL;
	_cleanup_(diag_done) struct diag ignored = { 0 };
	_cleanup_(freep) uint8_t *bytes = NULL;
	size_t n = (size_t)offset + INSTRUCTION_BYTES_MAX;

	if (offset > FUNCTION_BYTES_MAX || disassembler_new(arch, SYNTAX_ATT, &x, &ignored) < 0)
		return 0;
	bytes = xcalloc(1, n);
	if (!probe_boundary_read_code(p->path, p->offset - offset, bytes, n))
		return 0;
	return probe_boundary_walk(d, x, bytes, offset, s->name, diag);
}

int probe_check_boundary(const struct probe_def *d, struct probe_target *t,
			 const struct trace_probe *p, struct diag *diag)
{
	const struct arch *arch = probe_target_arch(t);
	struct probe_symbol s;
	uint64_t addr, offset, size;

	/* Line tables and symbols name only beginnings of instructions. */
	if (!d->point.offset && !d->point.has_address)
		return 0;
	if (!probe_target_address(t, p, &addr) || !probe_target_symbol(t, addr, &s))
		return 0;
	offset = addr - s.addr;
	size = arch ? arch->instruction_size : 0;
	if (size && offset % size)
		return probe_boundary_refuse(d, s.name, offset, offset - offset % size,
					     offset - offset % size + size, diag);
	if (size || !p->is_user)
		return 0;
	return check_lengths(d, arch, p, &s, offset, diag);
}
