/* SPDX-License-Identifier: MIT */
#include "measure/target.h"

#include <errno.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/notes.h"
#include "capture/task-list.h"
#include "kernel/topology.h"

void target_done(struct target *t)
{
	cpu_list_done(&t->cpus);
	id_list_done(&t->pids);
	id_list_done(&t->tids);
}

const char *target_settle(struct target *t)
{
	bool task = t->pids.n || t->tids.n;
	const char *warning = NULL;
	struct {
		bool conflict;
		const char *sentence;
	} rules[] = {
		{ task && t->cpus.n, "PID/TID switch overriding CPU" },
		{ task && t->user.given, "PID/TID switch overriding UID" },
		{ !task && t->user.given && t->cpus.n, "UID switch overriding CPU" },
		{ task && t->all_cpus, "PID/TID switch overriding SYSTEM" },
		{ !task && t->user.given && t->all_cpus, "UID switch overriding SYSTEM" },
		{ !task && !t->user.given && t->per_thread && (t->cpus.n || t->all_cpus),
		  "SYSTEM/CPU switch overriding PER-THREAD" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rules) && !warning; i++)
		if (rules[i].conflict)
			warning = rules[i].sentence;

	if (task)
		t->user = (struct user_choice){ 0 };
	if (task || t->user.given) {
		cpu_list_done(&t->cpus);
		t->all_cpus = false;
	}
	if (t->cpus.n || t->all_cpus)
		t->per_thread = false;
	return warning;
}

int target_tasks(const struct target *t, struct task_list *l, struct diag *diag)
{
	int r = 0;

	for (size_t i = 0; i < t->pids.n && r >= 0; i++)
		r = task_list_add_process(l, t->pids.items[i], diag);
	for (size_t i = 0; i < t->tids.n && r >= 0; i++)
		r = task_list_add(l, t->tids.items[i], diag);
	if (r >= 0 && t->user.given)
		r = task_list_add_user(l, t->user.uid, diag);
	return r;
}

static int refuse_cpus(const struct cpu_list *wanted, const struct cpu_list *online,
		       struct diag *diag)
{
	_cleanup_(freep) char *text = cpu_list_format(online), *asked = cpu_list_format(wanted);

	diag_set(diag, -ENODEV, "No supported events found. CPU %s %s not online", asked,
		 wanted->n > 1 ? "are" : "is");
	diag_hint(diag, "Online CPUs: %s", text);
	return -ENODEV;
}

int target_cpus(const struct target *t, struct cpu_list *ret, struct diag *diag)
{
	const struct cpu_list *wanted = &t->cpus;
	_cleanup_(cpu_list_done) struct cpu_list online = { 0 };
	int r = topology_online(SYSTEM_DEVICES, &online, diag);

	if (r < 0)
		return r;
	for (size_t i = 0; i < online.n; i++)
		if (!wanted->n || cpu_list_contains(wanted, online.items[i]))
			*ARRAY_ADD(ret) = online.items[i];
	return ret->n ? 0 : refuse_cpus(wanted, &online, diag);
}

void target_note_cpus(const struct target *t, const struct cpu_list *cpus, struct notes *notes)
{
	struct cpu_list missing = { 0 };
	_cleanup_(freep) char *text = NULL;

	for (size_t i = 0; i < t->cpus.n; i++)
		if (!cpu_list_contains(cpus, t->cpus.items[i]))
			*ARRAY_ADD(&missing) = t->cpus.items[i];
	text = cpu_list_format(&missing);
	if (missing.n)
		notes_add(notes, NOTE_WARNING, "CPU %s %s not online: the others are measured",
			  text, missing.n > 1 ? "are" : "is");
	cpu_list_done(&missing);
}

bool target_is_system(const struct target *t, bool has_command)
{
	bool task = t->pids.n || t->tids.n || t->user.given;

	return t->all_cpus || t->cpus.n || (!task && !has_command && !t->per_thread);
}
