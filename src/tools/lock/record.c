/* SPDX-License-Identifier: MIT */
/*
 * perf lock record: runs perf record for the events of locks.
 *
 * A kernel with lockdep reports every lock that is taken. Other kernels report only locks for which
 * a task has to wait; these are recorded with the stack of the waiting task.
 */
#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/notes.h"
#include "cli/command.h"
#include "options/record-line.h"
#include "tools/lock/opts.h"

static const struct record_event acquisitions[] = {
	{ .name = "lock:lock_acquire" },
	{ .name = "lock:lock_acquired" },
	{ .name = "lock:lock_contended" },
	{ .name = "lock:lock_release" },
};

/* The names of the events. The recorded events also set the depth of stacks. */
static const struct record_event waits[] = {
	{ .name = "lock:contention_begin" },
	{ .name = "lock:contention_end" },
};
static const char *const wait_words[] = {
	"-e", "lock:contention_begin/max-stack=8/", "-e", "lock:contention_end/max-stack=8/", "-g",
};

/*
 * With --user: waits for futexes. Their stacks begin with frames of the kernel, so they are deeper.
 */
static const struct record_event futexes[] = {
	{ .name = "syscalls:sys_enter_futex" },
	{ .name = "syscalls:sys_exit_futex" },
};
static const char *const futex_words[] = {
	"-e",
	"syscalls:sys_enter_futex/max-stack=32/",
	"-e",
	"syscalls:sys_exit_futex/max-stack=1/",
};
/* With --call-graph: a depth of stacks for the event would force frame pointers. */
static const char *const futex_words_as_asked[] = {
	"-e",
	"syscalls:sys_enter_futex",
	"-e",
	"syscalls:sys_exit_futex/call-graph=no/",
};

static void lock_record_warn_unused(const struct invocation *inv)
{
	const struct lock_opts *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (!o->input && !o->force && !o->dump_raw && !o->output && !o->symbols.kallsyms &&
	    !o->symbols.vmlinux)
		return;
	diag_set(&diag, 0, "%s before 'record' has no effect: nothing is read",
		 o->input      ? "-i"
		 : o->force    ? "-f"
		 : o->dump_raw ? "-D"
		 : o->output   ? "--output"
			       : "the kernel's symbols");
	if (o->input || o->output)
		diag_hint(&diag,
			  "The file that is written is named after it: perf lock record -o FILE");
	command_warn(inv, &diag);
}

/* True if -q was given in front of the command. */
static bool is_quiet(const struct invocation *inv)
{
	const struct lock_opts *o = inv->opts;

	for (char **word = inv->argv; *word && strcmp(*word, "--") != 0; word++)
		if (!strcmp(*word, "-q") || !strcmp(*word, "--quiet"))
			return true;
	return o->quiet;
}

/* Notes that only waits are recorded, for users who expect every lock that is taken. */
static void tell_waits_only(const struct invocation *inv)
{
	struct notes notes = command_notes(inv);

	if (!is_quiet(inv))
		notes_add(&notes, NOTE_REMARK,
			  "tracepoint lock:lock_acquire is not enabled (CONFIG_LOCKDEP and "
			  "CONFIG_LOCK_STAT): only waits for locks are recorded, for perf lock "
			  "contention.");
}

/* Chooses the events that the kernel has. */
static int lock_record_add_events(struct record_line *l, const struct invocation *inv,
				  struct diag *diag)
{
	_cleanup_(record_line_done) struct record_line found = { 0 };
	_cleanup_(diag_done) struct diag missing = { 0 };
	int r = record_line_add_events(l, inv, acquisitions, ARRAY_SIZE(acquisitions), diag);

	if (r != -ENOENT)
		return r;
	r = record_line_add_events(&found, inv, waits, ARRAY_SIZE(waits), &missing);
	if (r < 0) {
		diag_done(diag);
		diag_set(diag, r,
			 "tracepoint lock:lock_acquire is not enabled. Are CONFIG_LOCKDEP and "
			 "CONFIG_LOCK_STAT enabled?");
		diag_hint(diag, "perf lock contention needs neither, but Linux 5.19 or later, "
				"which has lock:contention_begin.");
		return r;
	}
	diag_done(diag);
	tell_waits_only(inv);
	for (size_t i = 0; i < ARRAY_SIZE(wait_words); i++)
		record_line_add(l, wait_words[i]);
	return 0;
}

/* Takes --user, which must come first, because all other words go to perf record. */
static bool takes_user(struct invocation *inv)
{
	bool user = inv->argv[0] && !strcmp(inv->argv[0], "--user");

	inv->argv += user;
	inv->argc -= user;
	return user;
}

/* True if --call-graph was given in front of the command. */
static bool has_call_graph(const struct invocation *inv)
{
	for (char **word = inv->argv; *word && strcmp(*word, "--") != 0; word++)
		if (!strncmp(*word, "--call-graph", 12))
			return true;
	return false;
}

static int add_futexes(struct record_line *l, const struct invocation *inv, struct diag *diag)
{
	_cleanup_(record_line_done) struct record_line found = { 0 };
	const char *const *words = has_call_graph(inv) ? futex_words_as_asked : futex_words;
	int r = record_line_add_events(&found, inv, futexes, ARRAY_SIZE(futexes), diag);

	for (size_t i = 0; i < ARRAY_SIZE(futex_words) && r >= 0; i++)
		record_line_add(l, words[i]);
	return r;
}

static int lock_record_run(struct invocation *inv)
{
	static const char *const always[] = { "-R", "-m", "1024", "-c", "1" };
	bool user = takes_user(inv);
	const struct lock_opts *o = inv->opts;
	_cleanup_(record_line_done) struct record_line l = { 0 };
	_cleanup_(diag_done) struct diag diag = { 0 };
	int r;

	lock_record_warn_unused(inv);
	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		record_line_add(&l, always[i]);
	/* Names of user space need the mappings of processes. */
	record_line_add(&l, "--synth");
	record_line_add(&l, user ? "task,mmap" : "task");
	for (unsigned i = 0; i < o->verbose; i++)
		record_line_add(&l, "-v");
	if (o->quiet)
		record_line_add(&l, "-q");
	r = lock_record_add_events(&l, inv, &diag);
	if (r >= 0 && user)
		r = add_futexes(&l, inv, &diag);
	return r < 0 ? command_fail(inv, r, &diag) : record_line_run(&l, inv, "record");
}

const struct command cmd_lock_record = {
	.name = "lock record",
	.summary = "record what happens to locks",
	.flags = COMMAND_FORWARDS,
	.run = lock_record_run,
};
