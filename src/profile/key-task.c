/* SPDX-License-Identifier: MIT */
/* Sort keys for the tasks that ran: their names and numbers, and their control groups. */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "base/u64-map.h"
#include "profile/key-types.h"
#include "profile/shared-values.h"
#include "session/machine.h"

/* The key under which a name without digits is stored in the shared values. */
#define NOTE_WITHOUT_DIGITS 0x6469676974 /* "digit" in ASCII */

/*
 * Returns the address of the name as its value. Each name exists once, in the session or among the
 * shared values.
 */
static uint64_t key_task_comm_of(const struct key *k, struct key_env *env,
				 const struct key_sample *s)
{
	(void)k;
	return env->forgets ? shared_values_add_text(env->values, s->comm) : (uintptr_t)s->comm;
}

static const char *key_task_comm_text(uint64_t value)
{
	return (const char *)(uintptr_t)value;
}

static int comm_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return a == b ? 0 : strcmp(key_task_comm_text(a), key_task_comm_text(b));
}

static void comm_value(const struct key *k, struct key_env *env, const struct key_cell *c,
		       struct text *scratch, struct value *ret)
{
	(void)k, (void)env, (void)scratch;
	ret[0] = value_text(key_task_comm_text(c->value));
}

const struct key_type key_comm = {
	.name = "comm",
	.title = "Command",
	.parts = { { .name = "comm", .type = VALUE_TEXT } },
	.of_sample = key_task_comm_of,
	.compare = comm_compare,
	.value = comm_value,
};

/* Appends @name with each number replaced: "kworker/u4:3" becomes "kworker/u<N>:<N>". */
static void add_without_digits(struct text *out, const char *name)
{
	for (; *name; name++) {
		if (!isdigit((unsigned char)*name)) {
			text_add_char(out, *name);
			continue;
		}
		text_add(out, "<N>");
		while (isdigit((unsigned char)name[1]))
			name++;
	}
}

static uint64_t comm_nodigit_of(const struct key *k, struct key_env *env,
				const struct key_sample *s)
{
	size_t n = strlen(s->comm);
	uint64_t value = shared_values_noted(env->values, s->comm, n, NOTE_WITHOUT_DIGITS);
	_cleanup_(text_done) struct text t = TEXT_EMPTY;

	(void)k;
	if (value)
		return value;
	add_without_digits(&t, s->comm);
	value = shared_values_add(env->values, t.length ? t.chars : "", t.length);
	return shared_values_note(env->values, s->comm, n, NOTE_WITHOUT_DIGITS, value);
}

const struct key_type key_comm_nodigit = {
	.name = "comm_nodigit",
	.title = "CommandNoDigit",
	.parts = { { .name = "comm_nodigit", .type = VALUE_TEXT } },
	.of_sample = comm_nodigit_of,
	.compare = key_compare_texts,
};

static uint64_t tgid_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->pid;
}

static int tgid_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return (int32_t)a < (int32_t)b ? -1 : 1;
}

/* Returns the process, with the name of its first thread. */
static void tgid_value(const struct key *k, struct key_env *env, const struct key_cell *c,
		       struct text *scratch, struct value *ret)
{
	uint32_t pid = (uint32_t)c->value;

	(void)k, (void)scratch;
	ret[0] = value_signed((int32_t)pid);
	ret[1] = value_text(key_task_name(env, pid, pid));
}

const struct key_type key_tgid = {
	.name = "tgid",
	.title = "Tgid:Command",
	.parts = { { .name = "tgid", .type = VALUE_SIGNED },
		   { .name = "comm", .type = VALUE_TEXT } },
	.of_sample = tgid_of,
	.compare = tgid_compare,
	.value = tgid_value,
};

static uint64_t pid_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return (uint64_t)s->sample->tid << 32 | s->sample->pid;
}

static int pid_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	int32_t tid_a = (int32_t)(a >> 32), tid_b = (int32_t)(b >> 32);

	(void)k, (void)env;
	return tid_a != tid_b ? (tid_a < tid_b ? -1 : 1) : key_order(a, b);
}

const char *key_task_name(const struct key_env *env, uint32_t pid, uint32_t tid)
{
	const char *name;

	if (!env->names)
		return machine_comm(env->session, pid, tid, 0);
	name = u64_map_find(env->names, tid);
	return name ? name : "";
}

/* Returns the thread with its last name, because a row is a thread, not a name. */
static void pid_value(const struct key *k, struct key_env *env, const struct key_cell *c,
		      struct text *scratch, struct value *ret)
{
	uint32_t tid = c->value >> 32, pid = (uint32_t)c->value;

	(void)k, (void)scratch;
	ret[PART_PID] = value_signed((int32_t)pid);
	ret[PART_TID] = value_signed((int32_t)tid);
	ret[PART_COMM] = value_text(key_task_name(env, pid, tid));
}

const struct key_type key_pid = {
	.name = "pid",
	.title = "Pid:Command",
	.parts = { 
		[PART_PID] = { .name = "pid", .type = VALUE_SIGNED },
		[PART_TID] = { .name = "tid", .type = VALUE_SIGNED },
		[PART_COMM] = { .name = "comm", .type = VALUE_TEXT },
	 },
	.of_sample = pid_of,
	.compare = pid_compare,
	.value = pid_value,
};

/* A value that is not the address of a text. */
#define CGROUP_UNKNOWN 1

static uint64_t key_task_cgroup_of(const struct key *k, struct key_env *env,
				   const struct key_sample *s)
{
	const char *path;

	(void)k;
	if (!env->forgets || !s->sample->cgroup)
		return s->sample->cgroup;
	path = machine_cgroup(env->session, s->sample->cgroup);
	return path ? shared_values_add_text(env->values, path) : CGROUP_UNKNOWN;
}

static void cgroup_value(const struct key *k, struct key_env *env, const struct key_cell *c,
			 struct text *scratch, struct value *ret)
{
	(void)k, (void)scratch;
	if (!c->value || (env->forgets && c->value == CGROUP_UNKNOWN))
		return;
	ret[0] = value_text(env->forgets ? shared_value_text(c->value)
					 : machine_cgroup(env->session, c->value));
}

const struct key_type key_cgroup = {
	.name = "cgroup",
	.title = "Cgroup",
	.parts = { { .name = "cgroup", .type = VALUE_TEXT } },
	.of_sample = key_task_cgroup_of,
	.value = cgroup_value,
};

/* The device and inode of a cgroup namespace. */
struct cgroup_id {
	uint64_t dev, ino;
};

static uint64_t cgroup_id_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	const struct namespaces *ns = machine_namespaces(env->session, s->sample->pid, s->time);
	struct cgroup_id id = { 0 };

	(void)k;
	if (ns)
		id = (struct cgroup_id){ .dev = ns->items[NAMESPACE_CGROUP].dev,
					 .ino = ns->items[NAMESPACE_CGROUP].ino };
	return shared_values_add(env->values, &id, sizeof(id));
}

static struct cgroup_id cgroup_id_get(uint64_t value)
{
	size_t n;

	return *(const struct cgroup_id *)shared_value(value, &n);
}

static int cgroup_id_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	struct cgroup_id ia = cgroup_id_get(a), ib = cgroup_id_get(b);

	(void)k, (void)env;
	return ia.dev != ib.dev ? key_order(ib.dev, ia.dev) : key_order(ib.ino, ia.ino);
}

static void cgroup_id_value(const struct key *k, struct key_env *env, const struct key_cell *c,
			    struct text *scratch, struct value *ret)
{
	struct cgroup_id id = cgroup_id_get(c->value);

	(void)k, (void)env, (void)scratch;
	ret[0] = value_unsigned(id.dev);
	ret[1] = value_unsigned(id.ino);
}

const struct key_type key_cgroup_id = {
	.name = "cgroup_id",
	.title = "cgroup id (dev/inode)",
	.parts = { { .name = "cgroup_dev", .type = VALUE_UNSIGNED },
		   { .name = "cgroup_inode", .type = VALUE_UNSIGNED } },
	.flags = KEY_OF_TIME,
	.of_sample = cgroup_id_of,
	.compare = cgroup_id_compare,
	.value = cgroup_id_value,
};
