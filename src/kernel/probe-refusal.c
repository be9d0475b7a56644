/* SPDX-License-Identifier: MIT */
#include "kernel/probe-refusal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"

/* The format of tracing_err_log_seq_show(): [time] trace_kprobe: error: TEXT, command, caret. */
#define ERROR_WORD   ": error: "
#define COMMAND_WORD "\n  Command: "

void probe_refusal_done(struct probe_refusal *r)
{
	free(r->log);
	free(r->function);
	free(r->blacklisted);
}

/* The kernel's message about the line, and the position in it. */
struct verdict {
	char *text; /* NULL: none */
	size_t at;
};

/* Finds the last entry about @line: the log is shared, and keeps eight entries. */
static struct verdict find_log_entry(const char *log, const char *line)
{
	struct verdict found = { 0 };
	const char *at = log;
	size_t n = strlen(line);

	while (at && (at = strstr(at, ERROR_WORD))) {
		const char *text = at + strlen(ERROR_WORD);
		const char *command = strstr(text, COMMAND_WORD);
		const char *caret;

		at = text;
		if (!command)
			break;
		caret = command + strlen(COMMAND_WORD);
		if (strncmp(caret, line, n) != 0 || caret[n] != '\n')
			continue;
		caret += n + 1;
		free(found.text);
		found.text = xstrndup(text, (size_t)(command - text));
		found.at = strspn(caret, " ");
		found.at -= found.at < strlen(COMMAND_WORD) - 1 ? found.at
								: strlen(COMMAND_WORD) - 1;
	}
	return found;
}

/* Returns the length of the word at @at of @line. */
static size_t probe_refusal_word_length(const char *line, size_t at)
{
	return at < strlen(line) ? strcspn(line + at, " ") : 0;
}

/* Hints for messages of the kernel that need more explanation. */
static const struct {
	const char *text, *hint;
} hints[] = {
	{ "Probe point is not an instruction boundary",
	  "the offset has to be the beginning of an instruction: perf annotate or objdump -d show "
	  "those" },
	{ "Retprobe address must be an function entry",
	  "%return goes with a function's name alone, without a line or an offset" },
	{ "The symbol is not unique",
	  "several functions have this name: with the kernel's debug information perf probe tells "
	  "them apart (FUNC@FILE)" },
	{ "Given group/event name is already used by another event",
	  "choose another name (GROUP:EVENT=...)" },
	{ "Invalid register name", "registers are those of this machine's kernel: %x0 to %x30, %sp "
				   "(aarch64); %ax, %di, %r8 (x86_64)" },
	{ "$retval is not available on probe",
	  "$retval is there when a function returns: FUNC%return" },
	{ "Unknown type is specified",
	  "types are u8 to u64, s8 to s64, x8 to x64, string, ustring, symbol and bit fields" },
	{ "String accepts only memory argument",
	  "a string is fetched from an address: +0(%REG):string" },
	{ "This argument name is already used", "give one of them another name: NAME=ARG" },
	{ "Symbol is not available with uprobe",
	  "@SYMBOL is for the kernel; programs take @+OFFSET in the file" },
	{ "Failed to find the given file", "is the program still there?" },
	{ "Event too big (too many fields?)", "record fewer arguments in one event" },
};

static void add_hint(const char *text, struct diag *diag)
{
	for (size_t i = 0; i < ARRAY_SIZE(hints); i++)
		if (!strcmp(hints[i].text, text))
			diag_hint(diag, "%s", hints[i].hint);
}

static const char *place_name(const struct probe_refusal *r)
{
	return r->function ? r->function : "this place";
}

/*
 * Explains EINVAL for a place of the kernel: check_kprobe_address_safe(), arch_prepare_kprobe() and
 * others.
 */
static int explain_place(const struct probe_refusal *r, struct diag *diag)
{
	const char *name = place_name(r);

	if (r->blacklisted) {
		diag_set(diag, -r->error, "%s cannot be probed: the kernel needs %s to run probes",
			 name, r->blacklisted);
		diag_hint(diag, "/sys/kernel/debug/kprobes/blacklist lists all such code; probe a "
				"function that calls it");
	} else if (!r->is_code) {
		diag_set(diag, -r->error, "%s lies in a section that cannot be probed", name);
		diag_hint(diag,
			  "only the kernel's and its modules' code can, and not what ran once "
			  "at the start (.init.text)");
	} else if (r->is_misaligned) {
		diag_set(diag, -r->error, "%s+%#llx is not the beginning of an instruction", name,
			 (unsigned long long)r->offset);
		diag_hint(diag, "instructions of this machine have four bytes each");
	} else if (r->is_untraced) {
		diag_set(diag, -r->error, "%s cannot be probed: it is marked as not to be traced",
			 name);
		diag_hint(diag,
			  "it is notrace, so it is not in tracefs' available_filter_functions; "
			  "probe a function that calls it");
	} else {
		diag_set(diag, -r->error,
			 "the kernel cannot put a probe on the instruction at "
			 "%s+%#llx",
			 name, (unsigned long long)r->offset);
		diag_hint(diag,
			  "code that it patches itself (ftrace, static keys, alternatives such "
			  "as lock prefixes), BUG() and exclusive accesses are not for probes: "
			  "take a line before or after");
	}
	return -r->error;
}

static int explain_errno(const struct probe_refusal *r, struct diag *diag)
{
	switch (r->error) {
	case EPERM:
		diag_set(diag, -EPERM, "the kernel forbids probes%s",
			 r->is_locked_down ? ": it is locked down" : "");
		diag_hint(diag, "%s",
			  r->is_locked_down ? "see /sys/kernel/security/lockdown and secure boot"
					    : "it takes root (CAP_SYS_ADMIN)");
		break;
	case EBUSY:
		diag_set(diag, -EBUSY, "the event is in use");
		diag_hint(diag, "end what records it (perf record, ftrace, a BPF program), and try "
				"again");
		break;
	case EEXIST:
		diag_set(diag, -EEXIST, "there is such an event already");
		diag_hint(diag, "remove it (perf probe -d), or add another one (-f)");
		break;
	case ENOSPC:
	case ENOMEM:
		diag_set(diag, -r->error, "the kernel has no room for another event");
		diag_hint(diag, "remove probes that are not needed: perf probe -d");
		break;
	case ENOENT:
		diag_set(diag, -ENOENT, "the kernel knows no such %s",
			 r->line[0] == '-' ? "event"
			 : r->is_user      ? "file"
					   : "function");
		break;
	case EILSEQ:
		diag_set(diag, -EILSEQ, "%s+%#llx is not the beginning of an instruction",
			 place_name(r), (unsigned long long)r->offset);
		break;
	default:
		diag_set(diag, -r->error, "the kernel does not take the definition: %s",
			 strerror(r->error));
		break;
	}
	return -r->error;
}

/*
 * Marks the error in the excerpt, which shows the text that the kernel got; the message describes
 * the error.
 */
static void probe_refusal_mark(const struct probe_refusal *r, size_t at, struct diag *diag)
{
	free(diag->excerpt);
	diag->excerpt = xstrdup(r->line);
	diag->offset = at;
	diag->length = probe_refusal_word_length(r->line, at);
}

int probe_refusal_explain(const struct probe_refusal *r, struct diag *diag)
{
	struct verdict v = find_log_entry(r->log, r->line);
	_cleanup_(freep) char *text = v.text;
	bool is_place = text && !strcmp(text, "Failed to register probe event");

	if (!text) {
		explain_errno(r, diag);
	} else if (is_place && r->error == EINVAL) {
		explain_place(r, diag);
	} else if (is_place) {
		explain_errno(r, diag);
	} else {
		diag_set(diag, -r->error, "the kernel does not take the definition: %s", text);
		add_hint(text, diag);
	}
	if (r->line[0] != '-')
		probe_refusal_mark(r, text ? v.at : 0, diag);
	return -r->error;
}
