/* SPDX-License-Identifier: MIT */
#include "tools/script/folded.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "cli/command.h"
#include "options/buildid-dir.h"
#include "profile/flamegraph.h"
#include "tools/script/opts.h"
#include "view/folded.h"

/* Returns an option about single events, which has no effect on lines of stacks. */
static const char *find_misfit(const struct script_opts *o)
{
	const struct {
		bool is_set;
		const char *name;
	} misfits[] = {
		{ o->fields.n, "--fields" },
		{ o->stop_bt, "--stop-bt" },
		{ o->ns, "--ns" },
		{ o->reltime, "--reltime" },
		{ o->deltatime, "--deltatime" },
		{ o->latency, "--Latency" },
		{ o->show_kernel_path, "--show-kernel-path" },
		{ o->per_event_dump, "--per-event-dump" },
		{ o->debug_mode, "--debug-mode" },
		{ o->show_task, "--show-task-events" },
		{ o->show_mmap, "--show-mmap-events" },
		{ o->show_switch, "--show-switch-events" },
		{ o->show_namespace, "--show-namespace-events" },
		{ o->show_cgroup, "--show-cgroup-events" },
		{ o->show_lost, "--show-lost-events" },
		{ o->show_round, "--show-round-events" },
		{ o->show_bpf, "--show-bpf-events" },
		{ o->show_text_poke, "--show-text-poke-events" },
		{ o->addr_range, "--addr-range" },
		{ o->input.header, "--header" },
		{ o->input.header_only, "--header-only" },
		{ o->input.dump_raw, "--dump-raw-trace" },
		{ o->dump_unsorted, "--dump-unsorted-raw-trace" },
		{ o->insn_trace, "--insn-trace" },
		{ o->call_trace, "--call-trace" },
		{ o->call_ret_trace, "--call-ret-trace" },
		{ o->symbols.guest_mount, "--guestmount" },
		{ o->symbols.guest_vmlinux, "--guestvmlinux" },
		{ o->symbols.guest_kallsyms, "--guestkallsyms" },
		{ o->symbols.guest_code, "--guest-code" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(misfits); i++)
		if (misfits[i].is_set)
			return misfits[i].name;
	return NULL;
}

static struct flamegraph_request script_folded_request_of(const struct script_opts *o)
{
	return (struct flamegraph_request){
		.profile = {
			.path = input_path(o->input.path),
			.force = o->input.force,
			.symbols = o->symbols,
			.filter = o->filter,
			.max_stack = o->max_stack ? o->max_stack : SIZE_MAX,
		},
		.choice = o->choice,
		.without_stacks = o->hide_call_graph,
		.folded_names = true,
		.folded_kinds = o->folded == FOLDED_WITH_KINDS,
	};
}

static int script_folded_print(const struct invocation *inv, const struct flamegraph_request *rq,
			       struct diag *diag)
{
	const struct script_opts *o = inv->opts;
	_cleanup_(flamegraph_done) struct flamegraph g;
	_cleanup_(notes_done) struct notes notes = { 0 };
	int r = flamegraph_make(&g, rq, &notes, diag);

	for (size_t i = 0; i < notes.n && !o->quiet; i++)
		command_note(inv, &notes.items[i]);
	return r < 0 ? r : folded_print(g.flame, inv->out);
}

int script_folded_run(struct invocation *inv)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	const struct script_opts *o = inv->opts;
	_cleanup_(freep) char *buildid_dir = command_buildid_dir(inv);
	struct flamegraph_request rq = script_folded_request_of(o);
	const char *misfit = find_misfit(o);
	int r;

	if (misfit) {
		diag_set(&diag, -EINVAL,
			 "--folded prints stacks and no events: %s has no place in "
			 "it",
			 misfit);
		return command_usage(inv, &diag);
	}
	rq.profile.buildid_dir = buildid_dir;
	rq.profile.progress = command_progress(inv, o->quiet, false);
	r = script_folded_print(inv, &rq, &diag);
	/* The caller reports output that could not be written. */
	if (r < 0 && ferror(inv->out))
		return EXIT_FAILED;
	return r < 0 ? command_fail(inv, r, &diag) : EXIT_OK;
}
