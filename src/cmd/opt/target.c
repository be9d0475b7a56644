/* SPDX-License-Identifier: MIT */
#include "cmd/opt/target.h"

#include <errno.h>
#include <pwd.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "capture/task-list.h"
#include "kernel/topology.h"

/* `struct user_choice`: a number need not be in the password file, as in most containers. */
static int user_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	struct user_choice *u = field;
	struct passwd *entry;
	uint64_t uid;

	if (negated) {
		*u = (struct user_choice){ 0 };
		return 0;
	}
	if (number_parse(value, &uid) >= 0 && uid < (uid_t)-1) {
		*u = (struct user_choice){ true, (uid_t)uid };
		return 0;
	}
	entry = *value ? getpwnam(value) : NULL;
	if (!entry) {
		value_refuse(diag, o, value, 0, strlen(value), "there is no user '%s'", value);
		diag_hint(diag, "Give a name from `getent passwd`, or the number of a user.");
		return -EINVAL;
	}
	*u = (struct user_choice){ true, entry->pw_uid };
	return 0;
}

/* The list, and the text it was given as. */
static int cpus_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	const char **text = field;
	struct target_opts *t =
		(struct target_opts *)((char *)field - offsetof(struct target_opts, cpus_text));

	*text = negated ? NULL : value;
	return cpu_list_set(&t->cpus, o, value, negated, diag);
}

const struct option target_options[] = {
	OPT_HEADING("Whom to measure:"),
	OPT_FLAG('a', "all-cpus", struct target_opts, all_cpus,
		 "the whole system: every process on every CPU"),
	OPT_CALL('C', "cpu", struct target_opts, cpus_text, "cpu",
		 "every process, on these CPUs only: 0,2-3", .set = cpus_set),
	OPT_CALL('p', "pid", struct target_opts, pids, "pid",
		 "running processes with all their threads: 12,34", .set = id_list_set),
	OPT_CALL('t', "tid", struct target_opts, tids, "tid", "running threads: 12,34",
		 .set = id_list_set),
	OPT_CALL('u', "uid", struct target_opts, user, "user",
		 "all processes of a user, by name or number", .set = user_set),
	OPT_END
};

void target_opts_done(struct target_opts *t)
{
	cpu_list_done(&t->cpus);
	id_list_done(&t->pids);
	id_list_done(&t->tids);
}

const char *target_opts_settle(struct target_opts *t)
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

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && !warning; i++)
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

int target_opts_tasks(const struct target_opts *t, struct task_list *l, struct diag *diag)
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

int target_opts_cpus(const struct target_opts *t, struct cpu_list *ret, struct diag *diag)
{
	const struct cpu_list *wanted = &t->cpus;
	_cleanup_(cpu_list_done) struct cpu_list online = { 0 };
	int r = topology_online(SYSTEM_DEVICES, &online, diag);

	if (r < 0)
		return r;
	for (size_t i = 0; i < wanted->n; i++) {
		if (cpu_list_contains(&online, wanted->items[i]))
			continue;

		_cleanup_(freep) char *text = cpu_list_format(&online);

		diag_set(diag, -ENODEV, "there is no CPU %u online", wanted->items[i]);
		diag_hint(diag, "Online are: %s", text);
		return -ENODEV;
	}
	for (size_t i = 0; i < (wanted->n ? wanted->n : online.n); i++)
		*ARRAY_ADD(ret) = wanted->n ? wanted->items[i] : online.items[i];
	return 0;
}

bool target_opts_is_system(const struct target_opts *t, bool has_command)
{
	bool task = t->pids.n || t->tids.n || t->user.given;

	return t->all_cpus || t->cpus.n || (!task && !has_command && !t->per_thread);
}
