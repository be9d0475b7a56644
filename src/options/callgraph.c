/* SPDX-License-Identifier: MIT */
#include "options/callgraph.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "options/value.h"
#include "runtime/runtime.h"

static const struct {
	const char *name;
	enum callgraph_mode mode;
} modes[] = {
	{ "fp", CALLGRAPH_FP },
	{ "dwarf", CALLGRAPH_DWARF },
	{ "lbr", CALLGRAPH_LBR },
	{ "bpf", CALLGRAPH_BPF },
};

/* Returns the mode that @text begins with, up to its end or a comma. */
static enum callgraph_mode mode_find(const char *text)
{
	size_t n = value_word(text);

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (strlen(modes[i].name) == n && !strncmp(modes[i].name, text, n))
			return modes[i].mode;
	return CALLGRAPH_NONE;
}

static int callgraph_refuse(struct diag *diag, const struct option *o, const char *text,
			    size_t offset, const char *why)
{
	value_refuse(diag, o, text, offset, strlen(text) - offset, why, text + offset);
	diag_hint(diag,
		  "Modes: fp[,depth][,defer] follows frame pointers, on return to user mode with "
		  "defer; dwarf[,bytes] copies up to %d bytes "
		  "of stack; lbr uses the CPU's branch records; bpf[,bytes] unwinds in the "
		  "kernel, and copies where it cannot.",
		  CALLGRAPH_STACK_MAX);
	return -EINVAL;
}

/* Removes "defer" from the words after fp, where it may stand before or after the depth. */
static bool take_defer(const char **detail, char *rest, size_t size)
{
	size_t n = value_word(*detail);
	const char *behind = (*detail)[n] ? *detail + n + 1 : "";

	if (n == strlen("defer") && !strncmp(*detail, "defer", n)) {
		*detail = behind;
		return true;
	}
	if (strcmp(behind, "defer") || n >= size)
		return false;
	*(char *)mempcpy(rest, *detail, n) = '\0';
	*detail = rest;
	return true;
}

int callgraph_parse(const char *text, const struct option *o, struct callgraph_choice *ret,
		    struct diag *diag)
{
	struct callgraph_choice c = { .mode = mode_find(text) };
	size_t n = value_word(text);
	const char *detail = text[n] ? text + n + 1 : "";
	uint64_t number = 0;
	char depth[32];

	if (c.mode == CALLGRAPH_NONE)
		return callgraph_refuse(diag, o, text, 0, "there is no call-graph mode '%s'");
	if (c.mode == CALLGRAPH_LBR && *detail)
		return callgraph_refuse(diag, o, text, n + 1,
					"lbr takes nothing after it, not '%s'");
	if (c.mode == CALLGRAPH_BPF && !strcmp(detail, "check")) {
		c.check = true;
		detail = "";
	}
	if (c.mode == CALLGRAPH_FP)
		c.defer = take_defer(&detail, depth, sizeof(depth));
	if (*detail && number_parse(detail, &number) < 0)
		return callgraph_refuse(diag, o, text, n + 1, "'%s' is not a number");
	if (callgraph_copies(c.mode)) {
		if (*detail && (!number || number > CALLGRAPH_STACK_MAX))
			return callgraph_refuse(diag, o, text, n + 1,
						"'%s' bytes of stack cannot be copied");
		c.stack_bytes = *detail ? (uint32_t)(number + 7) / 8 * 8 : CALLGRAPH_STACK_DEFAULT;
		c.stack_given = *detail;
	} else if (c.mode == CALLGRAPH_FP) {
		if (number > UINT16_MAX) /* perf_event_attr.sample_max_stack is 16 bits wide */
			return callgraph_refuse(diag, o, text, n + 1,
						"'%s' frames are too many (at most 65535)");
		c.depth = (uint32_t)number;
	}
	*ret = c;
	return 0;
}

static bool in_path(const char *program)
{
	_cleanup_(freep) char *path = xstrdup(getenv("PATH") ?: "");
	char *rest = path;

	for (char *dir; (dir = strsep(&rest, ":"));) {
		_cleanup_(freep) char *file = xasprintf("%s/%s", *dir ? dir : ".", program);

		if (!access(file, X_OK))
			return true;
	}
	return false;
}

/* True if @word is a mode in `-g dwarf CMD`. A word with a size after it cannot be a program. */
static bool is_mode(const char *word)
{
	return mode_find(word) != CALLGRAPH_NONE && (strchr(word, ',') || !in_path(word));
}

int callgraph_set(void *field, const struct option *o, const char *value, bool negated,
		  struct diag *diag)
{
	struct callgraph_choice *c = field;

	if (negated) {
		*c = (struct callgraph_choice){ 0 };
		return 0;
	}
	if (value)
		return callgraph_parse(value, o, c, diag);
	/* A bare -g beside --call-graph dwarf, in either order, asks for nothing new. */
	if (c->mode == CALLGRAPH_NONE)
		*c = (struct callgraph_choice){ .mode = CALLGRAPH_FP, .bare = true };
	return 0;
}

static int stack_bytes_set(void *field, const struct option *o, const char *value, bool negated,
			   struct diag *diag)
{
	uint64_t *bytes = field;

	(void)negated;
	if (number_parse(value, bytes) >= 0 && *bytes && *bytes <= CALLGRAPH_STACK_MAX)
		return 0;
	value_refuse(diag, o, value, 0, strlen(value), "'%s' bytes of stack cannot be copied",
		     value);
	diag_hint(diag, "At most %d can.", CALLGRAPH_STACK_MAX);
	return -EINVAL;
}

void callgraph_settle(struct callgraph_request *r)
{
	const struct callgraph_choice *usual = r->usual_of_record.mode != CALLGRAPH_NONE
						       ? &r->usual_of_record
						       : &r->usual;

	if (!r->choice.bare || usual->mode == CALLGRAPH_NONE)
		return;
	r->choice = *usual;
	if (callgraph_copies(usual->mode) && !usual->stack_given && r->usual_stack_bytes) {
		r->choice.stack_bytes = (uint32_t)(r->usual_stack_bytes + 7) / 8 * 8;
		r->choice.stack_given = true;
	}
}

int callgraph_set_live(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	const struct callgraph_choice *c = field;
	int r = callgraph_set(field, o, value, negated, diag);

	if (r < 0 || (!c->check && !c->defer))
		return r;
	value_refuse(diag, o, value, 0, strlen(value), "'%s' is for perf record alone", value);
	diag_hint(diag,
		  c->defer ? "Use fp, which has the user's part with each sample." : "Use bpf.");
	return -EINVAL;
}

/* Adds the languages of @list to *@kinds. Returns the offset of a word that is none, or -1. */
static ssize_t interpreters_take(const char *list, unsigned *kinds)
{
	for (const char *at = list; at; at = value_next(at)) {
		enum runtime_kind kind = runtime_kind_of_name(at, value_word(at));

		if (kind == RUNTIME_KIND_NONE)
			return at - list;
		*kinds |= 1U << kind;
	}
	return -1;
}

static int interpreters_set(void *field, const struct option *o, const char *value, bool negated,
			    struct diag *diag)
{
	unsigned *left_out = field, wanted = 0;
	ssize_t wrong;

	*left_out = 0;
	if (!negated && !strcmp(value, "all"))
		return 0;
	*left_out = ~0U;
	if (negated || !strcmp(value, "no"))
		return 0;
	wrong = interpreters_take(value, &wanted);
	*left_out = ~wanted;
	if (wrong < 0)
		return 0;
	value_refuse(diag, o, value, (size_t)wrong, value_word(value + wrong),
		     "frames of '%.*s' are not known", (int)value_word(value + wrong),
		     value + wrong);
	diag_hint(diag, "all, no, or some of: python, java, javascript, ruby, php.");
	return -EINVAL;
}

const struct option callgraph_interpreters_options[] = {
	OPT_CALL(0, "interpreters", struct callgraph_request, not_interpreted, "all|no|python,...",
		 "interpreted languages whose functions --call-graph bpf finds (default: all)",
		 .set = interpreters_set),
	OPT_END
};

const struct option callgraph_common_options[] = {
	OPT_INCLUDE(callgraph_interpreters_options),
	OPT_CALL(0, NULL, struct callgraph_request, usual, "mode",
		 "what -g records, as --call-graph says it (default: fp)", .set = callgraph_set,
		 .config = "call-graph.record-mode"),
	OPT_CALL(0, NULL, struct callgraph_request, usual_stack_bytes, "bytes",
		 "how much of a stack -g copies, if the mode says dwarf without a size",
		 .set = stack_bytes_set, .config = "call-graph.dump-size"),
	OPT_END
};

const struct option callgraph_options[] = {
	OPT_HEADING("Stacks:"),
	OPT_CALL('g', NULL, struct callgraph_request, choice, NULL,
		 "record stacks by frame pointers, or as --call-graph says", .set = callgraph_set,
		 .takes = is_mode, .flags = OPTION_OPTIONAL),
	OPT_CALL(0, "call-graph", struct callgraph_request, choice, "record_mode[,record_size]",
		 "record stacks: fp[,depth][,defer], dwarf[,bytes], lbr or bpf[,bytes]",
		 .set = callgraph_set),
	OPT_INCLUDE(callgraph_common_options),
	OPT_CALL(0, NULL, struct callgraph_request, usual_of_record, "mode",
		 "what -g records, before call-graph.record-mode", .set = callgraph_set,
		 .config = "record.call-graph"),
	OPT_FLAG(0, "kernel-callchains", struct callgraph_request, kernel_only,
		 "only the kernel's part of the stacks"),
	OPT_FLAG(0, "user-callchains", struct callgraph_request, user_only,
		 "only the user's part of the stacks"),
	OPT_END
};
