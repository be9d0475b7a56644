/* SPDX-License-Identifier: MIT */
/* Decodes words: numbers, flags, descriptors, tasks, signals. */
#include <string.h>

#include "base/digits.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/trace/tasks-model.h"
#include "tools/trace/value-out-view.h"
#include "view/json.h"

#define AT_FDCWD_VALUE (-100)

uint64_t value_load(const uint8_t *bytes, unsigned size)
{
	uint64_t v = 0;

	memcpy(&v, bytes, size < sizeof(v) ? size : sizeof(v));
	return v;
}

int64_t value_sign(uint64_t v, unsigned bytes)
{
	switch (bytes) {
	case 1:
		return (int8_t)v;
	case 2:
		return (int16_t)v;
	case 4:
		return (int32_t)v;
	}
	return (int64_t)v;
}

/* Begins the next one of several names. One-letter names are not separated: "RWX". */
static void next_flag(struct value_out *o, bool *is_first, size_t length)
{
	if (!o->json && !*is_first && length > 1)
		put(o->text, "|", 1);
	*is_first = false;
}

/* True if @n is set in the bits @v, of which only @rest has not been named yet. */
static bool trace_value_word_is_set(const struct value_name *n, uint64_t v, uint64_t rest)
{
	uint64_t mask = n->mask ? n->mask : n->value;

	if (n->value)
		return (rest & mask) == n->value;
	/* O_RDONLY is shown together with other flags, PROT_NONE is not. */
	return mask && strcmp(n->name, "NONE") ? !(v & mask) : !v;
}

/* Writes the names of flags. True if there was none. */
static bool flag_names(struct value_out *o, const struct value_table *t, uint64_t v)
{
	uint64_t rest = v;
	bool is_first = true;

	for (size_t i = 0; t && i < t->n; i++) {
		if (!trace_value_word_is_set(&t->names[i], v, rest))
			continue;
		next_flag(o, &is_first, strlen(t->names[i].name));
		out_name(o, t->prefix, t->names[i].name);
		rest &= ~t->names[i].value;
	}
	if (rest) {
		next_flag(o, &is_first, 2);
		out_hex(o, rest);
	}
	return is_first;
}

void out_flags(struct value_out *o, const struct value_table *t, uint64_t v)
{
	if (o->json)
		json_array(o->json);
	if (flag_names(o, t, v) && !o->json)
		out_unsigned(o, 0);
	if (o->json)
		json_end(o->json, ']');
}

/*
 * True for tables whose names always have their prefix: Linux's perf writes MADV_DONTNEED this way,
 * and LANDLOCK_RULE_PATH_BENEATH, which it reads from BTF.
 */
static bool has_prefix_always(const struct value_table *t)
{
	return t->name && (!strcmp(t->name, "madvise") || !strcmp(t->name, "landlock_rule_types"));
}

static void enum_name(struct value_out *o, const struct value_table *t, const char *name)
{
	if (!o->json && !o->style->shows_prefix && has_prefix_always(t))
		text_add(o->text, t->prefix);
	out_name(o, t->prefix, name);
}

void out_enum(struct value_out *o, const struct value_table *t, const struct value_word *w)
{
	int64_t v = value_sign(w->value, w->bytes);
	const char *name = t ? value_table_name(t, w->value) : NULL;

	if (!name && t && v < 0)
		name = value_table_name(t, (uint64_t)v);
	if (name)
		enum_name(o, t, name);
	else if (w->bytes == 8 && v > UINT16_MAX)
		out_hex(o, w->value); /* a signal handler, a file system's magic number */
	else
		out_signed(o, v);
}

static void descriptor_text(struct value_out *o, int32_t fd, const char *path)
{
	out_signed(o, fd);
	if (!path)
		return;
	put(o->text, "<", 1);
	escape_terminal(o->text, path, strlen(path));
	put(o->text, ">", 1);
}

static void trace_value_word_descriptor(struct value_out *o, int32_t fd)
{
	const struct trace_value_style *style = o->style;
	const char *path = style->tasks && fd >= 0 && o->call->task
				   ? trace_task_file(style->tasks, o->call->task, fd)
				   : NULL;

	if (!o->json) {
		/*
		 * Numbers have no path if names of arguments are not shown, because tests of
		 * Linux's perf expect this.
		 */
		descriptor_text(o, fd, style->shows_names ? path : NULL);
		return;
	}
	json_object(o->json);
	json_member_signed(o->json, "fd", fd);
	json_member(o->json, "path", path);
	json_end(o->json, '}');
}

static void trace_value_word_directory(struct value_out *o, int32_t fd)
{
	if (fd == AT_FDCWD_VALUE)
		out_name(o, "AT_FD", "CWD");
	else
		trace_value_word_descriptor(o, fd);
}

static void trace_value_word_task(struct value_out *o, int32_t pid)
{
	const char *comm = o->style->tasks && pid > 0
				   ? trace_tasks_comm(o->style->tasks, (uint32_t)pid)
				   : NULL;

	if (o->json) {
		json_object(o->json);
		json_member_signed(o->json, "pid", pid);
		json_member(o->json, "comm", comm);
		json_end(o->json, '}');
		return;
	}
	out_signed(o, pid);
	if (!comm || !*comm)
		return;
	put(o->text, " (", 2);
	escape_terminal(o->text, comm, strlen(comm));
	put(o->text, ")", 1);
}

/* The range in the kernel's numbering. The C library reserves the first two or three. */
#define REAL_TIME_MIN 32
#define REAL_TIME_MAX 64

static void real_time_signal(struct value_out *o, unsigned n)
{
	char s[8 + DIGITS_MAX] = "RT_";

	if (!n) {
		out_name(o, "SIG", "RTMIN");
		return;
	}
	*digits_decimal(s + 3, n) = '\0';
	out_name(o, "SIG", s);
}

static void trace_value_word_signal_number(struct value_out *o, uint64_t v)
{
	const char *name = v && v < REAL_TIME_MIN ? signal_name(o->abi, (int)v) : NULL;

	if (name && !strncmp(name, "SIG", 3))
		out_name(o, "SIG", name + 3);
	else if (v >= REAL_TIME_MIN && v <= REAL_TIME_MAX)
		real_time_signal(o, (unsigned)(v - REAL_TIME_MIN));
	else if (o->json)
		json_signed(o->json, (int32_t)v);
	else if (v)
		out_hex(o, v);
	else
		out_unsigned(o, 0);
}

/* The bits below the flags are the signal for the parent when the child ends (CSIGNAL). */
#define CLONE_SIGNAL 0xffu

static void clone_flags(struct value_out *o, const struct value_table *t, uint64_t v)
{
	bool is_first;

	if (!(v & CLONE_SIGNAL)) {
		out_flags(o, t, v);
		return;
	}
	if (o->json)
		json_array(o->json);
	is_first = flag_names(o, t, v & ~(uint64_t)CLONE_SIGNAL);
	next_flag(o, &is_first, 2);
	/* Without the prefix, CHLD would look like one of the flags. */
	if (!o->json && !o->style->shows_prefix && (v & CLONE_SIGNAL) <= REAL_TIME_MAX)
		put(o->text, "SIG", 3);
	trace_value_word_signal_number(o, v & CLONE_SIGNAL);
	if (o->json)
		json_end(o->json, ']');
}

/* Writes a device number, which the kernel's new_encode_dev() has packed. */
static void trace_value_word_device(struct value_out *o, uint64_t v)
{
	char s[2 * DIGITS_MAX + 2], *at = digits_decimal(s, v >> 8 & 0xfff);

	*at++ = ':';
	*digits_decimal(at, (v & 0xff) | (v >> 12 & 0xfff00)) = '\0';
	out_plain(o, s);
}

void out_word(struct value_out *o, const struct value_word *w)
{
	uint64_t v = w->value;

	switch ((enum arg_kind)w->kind) {
	case ARG_INT:
	case ARG_SECONDS:
		out_signed(o, value_sign(v, w->bytes));
		break;
	case ARG_UNSIGNED:
		out_unsigned(o, v);
		break;
	case ARG_HEX:
		out_hex(o, v);
		break;
	case ARG_OCTAL:
		out_octal(o, v);
		break;
	case ARG_ENUM:
		out_enum(o, o->style->prefers_btf ? NULL : w->values, w);
		break;
	case ARG_FLAGS:
		out_flags(o, w->values, v);
		break;
	case ARG_CLONE:
		clone_flags(o, w->values, v);
		break;
	case ARG_MODE:
		out_mode(o, v);
		break;
	case ARG_FD:
		trace_value_word_descriptor(o, (int32_t)v);
		break;
	case ARG_DIRFD:
		trace_value_word_directory(o, (int32_t)v);
		break;
	case ARG_PID:
		trace_value_word_task(o, (int32_t)v);
		break;
	case ARG_UID:
		out_signed(o, v == UINT32_MAX ? -1 : (int64_t)v);
		break;
	case ARG_SIGNAL:
		trace_value_word_signal_number(o, v);
		break;
	case ARG_DEVICE:
		trace_value_word_device(o, v);
		break;
	case ARG_IOCTL:
		out_ioctl_command(o, w);
		break;
	case ARG_FCNTL_ARG:
	case ARG_PRCTL_ARG:
		out_command_arg(o, v);
		break;
	default:
		out_pointer(o, v);
	}
}
