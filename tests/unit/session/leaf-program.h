/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * A session in which process LEAF_PID has the program of dwarf/leaf-elf.h at LEAF_BASE.
 */
#include "recording.h"

#include "symbol/symbolizer.h"
#include "dwarf/leaf-elf.h"

#define LEAF_PID  7
#define LEAF_BASE 0xaaaa00000000

struct leaf_program {
	struct recording rec;
	struct symbolizer *symbolizer;
	struct session *session;
	uint64_t text; /* at run time */
	int fd;
};

/*
 * Begins the recording: the program is mapped at @time, and @frames is the section with its CFI.
 * More can be recorded before leaf_program_open().
 */
static inline void leaf_program_map(struct leaf_program *p, const char *frames, uint64_t time)
{
	static struct built_elf built;
	char path[32];

	*p = (struct leaf_program){ .rec = recording_new() };
	p->text = LEAF_BASE + leaf_elf_build(&built, frames);
	p->fd = memfd_create("program", MFD_CLOEXEC);
	assert_int_equal(write(p->fd, built.bytes, built.size), built.size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", p->fd);
	mmaps(&p->rec, LEAF_PID, LEAF_BASE, 0x10000, path, time);
}

static inline void leaf_program_open(struct leaf_program *p)
{
	_cleanup_(diag_done) struct diag diag = { 0 };

	p->rec.symbolizer = p->symbolizer = symbolizer_new(&(struct symbolizer_options){ 0 });
	p->session = opened(&p->rec, false);
	assert_int_equal(session_scan(p->session, &diag), 0);
}

static inline void leaf_program_done(struct leaf_program *p)
{
	session_free(p->session);
	symbolizer_free(p->symbolizer);
	recording_done(&p->rec);
	close(p->fd);
}
