/* SPDX-License-Identifier: MIT */
#include "tools/trace/file-effects-model.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/memory.h"
#include "tools/trace/kept-call-model.h"
#include "tools/trace/files-model.h"

enum effect {
	EFFECT_NONE,
	EFFECT_OPEN,        /* the result is the file named by argument 0 */
	EFFECT_OPEN_AT,     /* the result is the file named by argument 1 */
	EFFECT_NEW,         /* the result is a new descriptor */
	EFFECT_DUP,         /* the result is a copy of argument 0 */
	EFFECT_FCNTL,       /* a copy of argument 0 for two of the commands */
	EFFECT_CLOSE,       /* closes argument 0 */
	EFFECT_CLOSE_RANGE, /* from argument 0 to argument 1 */
	EFFECT_PAIR,        /* two new descriptors, in memory */
	EFFECT_EXEC,
};

static const struct {
	const char *name;
	uint8_t effect;
} effects[] = {
	{ "open", EFFECT_OPEN },
	{ "creat", EFFECT_OPEN },
	{ "openat", EFFECT_OPEN_AT },
	{ "openat2", EFFECT_OPEN_AT },
	{ "dup", EFFECT_DUP },
	{ "dup2", EFFECT_DUP },
	{ "dup3", EFFECT_DUP },
	{ "fcntl", EFFECT_FCNTL },
	{ "fcntl64", EFFECT_FCNTL },
	{ "close", EFFECT_CLOSE },
	{ "close_range", EFFECT_CLOSE_RANGE },
	{ "pipe", EFFECT_PAIR },
	{ "pipe2", EFFECT_PAIR },
	{ "socketpair", EFFECT_PAIR },
	{ "execve", EFFECT_EXEC },
	{ "execveat", EFFECT_EXEC },
};

static void file_effects_fill(struct file_effects *f, enum syscall_abi abi)
{
	unsigned n = syscall_count(abi);

	f->n[abi] = n;
	f->by_nr[abi] = xcalloc(n + 1, 1);
	for (unsigned i = 0; i < n; i++) {
		const struct syscall_desc *d = syscall_find(abi, i);

		if (d && d->returns_fd)
			f->by_nr[abi][i] = EFFECT_NEW;
	}
	for (size_t i = 0; i < ARRAY_SIZE(effects); i++) {
		int nr = syscall_number(abi, effects[i].name);

		if (nr >= 0 && (unsigned)nr < n)
			f->by_nr[abi][nr] = effects[i].effect;
	}
}

void file_effects_init(struct file_effects *f)
{
	*f = (struct file_effects){ 0 };
	for (unsigned abi = SYSCALL_ABI_NONE + 1; abi < SYSCALL_N_ABIS; abi++)
		file_effects_fill(f, abi);
}

void file_effects_done(struct file_effects *f)
{
	for (unsigned abi = 0; abi < SYSCALL_N_ABIS; abi++)
		free(f->by_nr[abi]);
	*f = (struct file_effects){ 0 };
}

static enum effect effect_of(const struct file_effects *f, const struct trace_call *c)
{
	if (c->abi >= SYSCALL_N_ABIS || c->nr < 0 || (unsigned)c->nr >= f->n[c->abi])
		return EFFECT_NONE;
	return f->by_nr[c->abi][c->nr];
}

/*
 * True if the effect has happened. close() ends the descriptor whatever it returns, unless there
 * was none.
 */
static bool has_happened(enum effect e, const struct trace_call *c)
{
	return !trace_call_failed(c) || (e == EFFECT_CLOSE && c->result != -EBADF);
}

bool file_effects_has(const struct file_effects *f, const struct trace_call *c)
{
	enum effect e = effect_of(f, c);

	return e != EFFECT_NONE && has_happened(e, c) && (c->has_enter || e == EFFECT_EXEC);
}

bool file_effects_is_exec(const struct file_effects *f, const struct trace_call *c)
{
	return effect_of(f, c) == EFFECT_EXEC;
}

/*
 * Returns the opened name if it identifies the file: it was copied completely, and is not relative
 * to an unknown directory.
 */
static const char *opened_path(const struct trace_call *c, unsigned arg)
{
	const struct call_data *d = trace_call_data(c, arg, 0);

	if (!d || (d->flags & (CALL_DATA_FAULT | CALL_DATA_MORE)) || !d->size ||
	    d->bytes[0] != '/' || d->bytes[d->size - 1])
		return NULL;
	return (const char *)d->bytes;
}

static void file_effects_open_file(const struct trace_call *c, unsigned arg,
				   struct trace_files *files)
{
	const char *path = opened_path(c, arg);

	if (path)
		trace_files_set(files, (int32_t)c->result, path, c->enter_ns);
	else
		trace_files_forget(files, (int32_t)c->result, c->enter_ns);
}

static void forget_pair(const struct trace_call *c, struct trace_files *files)
{
	for (size_t i = 0; i < c->n_data; i++) {
		int32_t fds[2];

		if (!(c->data[i].flags & CALL_DATA_AT_EXIT) || c->data[i].size < sizeof(fds))
			continue;
		memcpy(fds, c->data[i].bytes, sizeof(fds));
		trace_files_forget(files, fds[0], c->enter_ns);
		trace_files_forget(files, fds[1], c->enter_ns);
	}
}

static void apply_fcntl(const struct trace_call *c, struct trace_files *files)
{
	if (c->args[1] == F_DUPFD || c->args[1] == F_DUPFD_CLOEXEC)
		trace_files_duplicate(files, (int32_t)c->args[0], (int32_t)c->result, c->enter_ns);
}

void file_effects_apply(const struct file_effects *f, const struct trace_call *c,
			struct trace_files *files)
{
	int32_t fd = (int32_t)c->args[0];

	switch (effect_of(f, c)) {
	case EFFECT_OPEN:
		file_effects_open_file(c, 0, files);
		break;
	case EFFECT_OPEN_AT:
		file_effects_open_file(c, 1, files);
		break;
	case EFFECT_NEW:
		trace_files_forget(files, (int32_t)c->result, c->enter_ns);
		break;
	case EFFECT_DUP:
		trace_files_duplicate(files, fd, (int32_t)c->result, c->enter_ns);
		break;
	case EFFECT_FCNTL:
		apply_fcntl(c, files);
		break;
	case EFFECT_CLOSE:
		trace_files_forget(files, fd, c->enter_ns);
		break;
	case EFFECT_CLOSE_RANGE:
		if (!(c->args[2] & CLOSE_RANGE_CLOEXEC))
			trace_files_forget_range(files, (uint32_t)c->args[0], (uint32_t)c->args[1],
						 c->enter_ns);
		break;
	case EFFECT_PAIR:
		forget_pair(c, files);
		break;
	case EFFECT_NONE:
	case EFFECT_EXEC:
		break;
	}
}
