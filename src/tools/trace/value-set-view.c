/* SPDX-License-Identifier: MIT */
/*
 * Sets of signals and descriptors, the status of a process, and the entries of directories.
 */
#include <string.h>
#include <sys/wait.h>

#include "base/text.h"
#include "tools/trace/value-out-view.h"
#include "view/json.h"

#define SIGNALS           64
#define FDS_SHOWN_MAX     64
#define ENTRIES_SHOWN_MAX 64

static bool trace_value_set_has_bit(const uint8_t *bytes, size_t bit)
{
	return bytes[bit / 8] >> bit % 8 & 1;
}

/*
 * Writes the separator of a set. Sets in text have blanks between their members, and not commas,
 * because they are one value.
 */
static void next_of_set(struct value_out *o, bool *is_first)
{
	if (!o->json && !*is_first)
		put(o->text, " ", 1);
	*is_first = false;
}

static void add_signal(struct value_out *o, unsigned number)
{
	out_word(o, &(struct value_word){ .value = number, .kind = ARG_SIGNAL, .bytes = 4 });
}

/*
 * Writes a set of signals. A set of most signals is shown by the signals that it lacks: "~[KILL
 * STOP]".
 */
void out_sigset(struct value_out *o, const uint8_t *bytes, size_t n)
{
	size_t n_bits = n * 8 < SIGNALS ? n * 8 : SIGNALS, n_set = 0;
	bool is_first = true, is_inverted;

	for (size_t i = 0; i < n_bits; i++)
		n_set += trace_value_set_has_bit(bytes, i);
	is_inverted = !o->json && n_set > SIGNALS / 2;
	if (is_inverted)
		put(o->text, "~", 1);
	out_array_begin(o);
	for (unsigned i = 0; i < n_bits; i++) {
		if (trace_value_set_has_bit(bytes, i) == is_inverted)
			continue;
		next_of_set(o, &is_first);
		add_signal(o, i + 1);
	}
	out_array_end(o, false);
}

static void status_member(struct value_out *o, const char *name, enum arg_kind kind, int v)
{
	out_member(o, name);
	out_word(o, &(struct value_word){ .value = (uint64_t)v, .kind = kind, .bytes = 4 });
}

/* Writes the status of a process from wait4(): one member, or two. */
void out_wait_status(struct value_out *o, uint32_t v)
{
	int status = (int)v;

	out_struct_begin(o);
	if (WIFEXITED(status))
		status_member(o, "exited", ARG_INT, WEXITSTATUS(status));
	else if (WIFSTOPPED(status))
		status_member(o, "stopped", ARG_SIGNAL, WSTOPSIG(status));
	else if (WIFCONTINUED(status))
		status_member(o, "continued", ARG_INT, 1);
	else
		status_member(o, "killed", ARG_SIGNAL, WTERMSIG(status));
	if (WIFSIGNALED(status) && WCOREDUMP(status))
		status_member(o, "core", ARG_INT, 1);
	out_struct_end(o, false);
}

void out_fdset(struct value_out *o, const uint8_t *bytes, size_t n, uint64_t n_fds)
{
	size_t n_bits = n * 8 < n_fds ? n * 8 : n_fds, n_shown = 0;
	bool is_first = true;

	out_array_begin(o);
	for (size_t i = 0; i < n_bits && n_shown < FDS_SHOWN_MAX; i++) {
		if (!trace_value_set_has_bit(bytes, i))
			continue;
		next_of_set(o, &is_first);
		out_unsigned(o, i);
		n_shown++;
	}
	o->is_filled = !is_first;
	out_array_end(o, n_shown == FDS_SHOWN_MAX);
}

/* The layout of struct linux_dirent64: inode, offset, 16 bits of length, 8 of type, the name. */
#define DIRENT_LENGTH 16
#define DIRENT_NAME   19

void out_dirents(struct value_out *o, const struct call_data *d)
{
	size_t at = 0, n = 0;

	out_array_begin(o);
	for (; d->size - at > DIRENT_NAME && n < ENTRIES_SHOWN_MAX; n++) {
		size_t length = value_load(d->bytes + at + DIRENT_LENGTH, 2);
		const char *name = (const char *)d->bytes + at + DIRENT_NAME;

		if (length <= DIRENT_NAME || length > d->size - at)
			break;
		out_element(o);
		out_string(o, name, strnlen(name, length - DIRENT_NAME), false);
		at += length;
	}
	out_array_end(o, at < d->size || d->flags & CALL_DATA_MORE);
}
