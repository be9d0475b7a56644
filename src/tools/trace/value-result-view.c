/* SPDX-License-Identifier: MIT */
/* Writes the result of a call. */
#include <fcntl.h>
#include <string.h>

#include "base/text.h"
#include "tools/trace/tasks-model.h"
#include "tools/trace/value-out-view.h"
#include "tools/trace/value-view.h"
#include "view/json.h"

/* Returns the name of an error that only the kernel and tracers see (include/linux/errno.h). */
static const char *restart_text(int error)
{
	switch (error) {
	case 512:
	case 513:
	case 514:
	case 516:
		return "Interrupted, may be restarted";
	}
	return "Unknown error";
}

static const char *error_text(int error)
{
	const char *s = strerrordesc_np(error);

	return s ? s : restart_text(error);
}

static void failure_text(struct text *out, const struct trace_call *c)
{
	const char *name = errno_name(c->abi, (int)-c->result);

	text_add(out, "-1 ");
	if (name) {
		text_add(out, name);
		put(out, " ", 1);
	}
	put(out, "(", 1);
	text_add(out, error_text((int)-c->result));
	put(out, ")", 1);
}

static bool is_fcntl(const struct trace_call *c)
{
	return c->desc->n_args > 2 && c->desc->args[2].kind == ARG_FCNTL_ARG;
}

/* Returns the table for the result of fcntl(), which is flags for some commands. */
static const struct value_table *fcntl_flags(const struct trace_call *c)
{
	switch ((uint32_t)c->args[1]) {
	case F_GETFL:
		return value_table_find(c->abi, "open_flags");
	case F_GETFD:
		return value_table_find(c->abi, "fd_flags");
	}
	return NULL;
}

/* True for the calls in which 0 means a timeout. */
static bool says_timeout(const struct trace_call *c)
{
	const char *name = c->desc->name;

	if (name[0] != 'p' && name[0] != 's')
		return false;
	return !strcmp(name, "poll") || !strcmp(name, "ppoll") || !strcmp(name, "select");
}

static void success_text(struct value_out *o)
{
	const struct trace_call *c = o->call;
	const struct value_table *flags = is_fcntl(c) ? fcntl_flags(c) : NULL;
	struct value_word w = { .value = (uint64_t)c->result, .kind = c->desc->result, .bytes = 8 };

	/* The file of a new descriptor is already shown by the arguments of the call. */
	if (w.kind == ARG_FD)
		w.kind = ARG_INT;
	if (flags) {
		out_flags(o, flags, w.value);
	} else if (w.kind == ARG_POINTER) {
		out_hex(o, w.value);
	} else {
		out_word(o, &w);
		if (!c->result && says_timeout(c))
			text_add(o->text, " (Timeout)");
	}
}

void trace_result_text(struct text *out, const struct trace_call *c,
		       const struct trace_value_style *style)
{
	struct value_out o = { .text = out, .style = style, .call = c, .abi = c->abi };

	if (trace_call_failed(c))
		failure_text(out, c);
	else if (!c->desc)
		out_signed(&o, c->result);
	else
		success_text(&o);
}

static void failure_json(struct json *j, const struct trace_call *c)
{
	int error = (int)-c->result;

	json_member_signed(j, "result", -1);
	json_member_signed(j, "errno", error);
	json_member(j, "error", errno_name(c->abi, error));
	json_member(j, "message", error_text(error));
}

/* Writes the meaning of the number that was returned. */
static void meaning_json(struct value_out *o)
{
	const struct trace_call *c = o->call;
	const struct value_table *flags = is_fcntl(c) ? fcntl_flags(c) : NULL;
	struct trace_tasks *tasks = o->style->tasks;

	if (flags) {
		json_key(o->json, "result_flags");
		out_flags(o, flags, (uint64_t)c->result);
	} else if (tasks && c->desc->result == ARG_PID && c->result > 0) {
		json_member(o->json, "result_comm", trace_tasks_comm(tasks, (uint32_t)c->result));
	}
}

void trace_result_json(struct json *j, const struct trace_call *c,
		       const struct trace_value_style *style)
{
	struct value_out o = { .json = j, .style = style, .call = c, .abi = c->abi };

	if (trace_call_failed(c)) {
		failure_json(j, c);
		return;
	}
	if (c->desc && (c->desc->result == ARG_POINTER || c->desc->result == ARG_HEX))
		json_member_address(j, "result", (uint64_t)c->result);
	else
		json_member_signed(j, "result", c->result);
	if (c->desc)
		meaning_json(&o);
}
