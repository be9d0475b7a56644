/* SPDX-License-Identifier: MIT */
#pragma once
/*
 * Helpers that tests of probe jobs share: a folder with a program that has only symbols, and files
 * that take the place of tracefs and keep everything that is written to them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/notes.h"
#include "example-program.h"
#include "kernel/fake-tree.h"
#include "probe/probe-request.h"

struct probing {
	char *program;
	struct probe_request rq;
	struct notes notes;
	struct diag diag;
};

static inline struct probing probing_begin(const char *root)
{
	struct probing p = { .program = xasprintf("%s/program", root) };

	fake_file(root, "events/sched/sched_switch/id", "300\n");
	fake_file(root, "kprobe_events", "");
	fake_file(root, "uprobe_events", "");
	fake_file(root, "README", "  kprobe_events\t\t- Create/append/remove/show the kernel\n");
	assert_true(example_program(p.program, EM_AARCH64));
	p.rq = (struct probe_request){
		.program = p.program,
		.tracing_dir = root,
		.max_probes = 128,
	};
	return p;
}

static inline void probing_done(struct probing *p)
{
	free(p->program);
	notes_done(&p->notes);
	diag_done(&p->diag);
}

/* Returns the contents of @name in the folder @root. The caller frees them. */
static inline char *probing_file(const char *root, const char *name)
{
	_cleanup_(freep) char *path = xasprintf("%s/%s", root, name);
	char *text = NULL;

	assert_int_equal(file_read(AT_FDCWD, path, 1 << 16, &text, NULL), 0);
	return text;
}

static inline bool probing_said(const struct probing *p, const char *words)
{
	for (size_t i = 0; i < p->notes.n; i++)
		if (strstr(p->notes.items[i].what.message, words))
			return true;
	return false;
}

#define PROBING(f) cmocka_unit_test_setup_teardown(f, fake_tree_open, fake_tree_close)
