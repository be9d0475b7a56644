/* SPDX-License-Identifier: MIT */
#pragma once
/* The arguments by which Python programs choose a recording and its samples. */
#include "profile/filter-request.h"
#include "python/module.h"
#include "symbol/symbol-request.h"

#if HAVE_LIBPYTHON && __has_include(<Python.h>)

/* The keyword arguments; NULL or None: not given. */
struct reading_words {
	PyObject *path, *time, *cpu, *pid, *tid, *comm, *dso, *symbol;
	PyObject *symfs, *vmlinux, *kallsyms;
};

struct reading_choice {
	const char *path;
	struct filter_request filter;
	struct symbol_request symbols;
	char *buildid_dir;
	/* Private: the objects that keep the texts alive. */
	PyObject *owners[4];
	size_t n_owners;
	char *comms, *dsos, *names;
	char *time_text;
};

/* Parses the arguments. false: an exception is set. reading_choice_done() is called in any case. */
bool reading_choice_parse(const struct reading_words *w, struct reading_choice *ret);
void reading_choice_done(struct reading_choice *c);
#endif
