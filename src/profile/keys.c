/* SPDX-License-Identifier: MIT */
#include "profile/keys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "code/types/access-types.h"
#include "datafile/features.h"
#include "profile/key-field.h"
#include "profile/key-types.h"
#include "session/session.h"
#include "session/trace-machine.h"

static const struct key_type *const types[] = {
#define KEY(name) &key_##name,
#include "profile/keys.def"
#undef KEY
};

const struct key_type *key_type_find(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; n && i < ARRAY_SIZE(types); i++)
		if (!strncasecmp(types[i]->name, name, n))
			return types[i];
	return NULL;
}

const struct key_type *key_type_at(size_t i)
{
	return i < ARRAY_SIZE(types) ? types[i] : NULL;
}

const char *keys_default(enum report_mode mode)
{
	static const char *const defaults[] = {
		[REPORT_NORMAL] = "comm,dso,symbol",
		[REPORT_TRACEPOINT] = "trace",
		[REPORT_BRANCH] = "comm,dso_from,symbol_from,symbol_to,cycles",
		[REPORT_MEMORY] = ("local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,"
				   "locked,blocked,local_ins_lat,local_p_stage_cyc"),
	};

	return defaults[mode];
}

void keys_done(struct keys *k)
{
	free(k->items);
	arena_done(&k->arena);
	trace_machine_free(k->trace);
	access_types_free(k->types);
}

const struct tracepoint_machine *keys_trace_machine(struct keys *owner, const struct key_env *env)
{
	if (!owner->trace)
		owner->trace = trace_machine_new(env->session);
	return trace_machine_get(owner->trace);
}

struct access_types *keys_access_types(struct keys *owner)
{
	if (!owner->types)
		owner->types = access_types_new();
	return owner->types;
}

static void keys_suggest(const char *typed, struct diag *diag)
{
	struct similar near = { .typed = typed };
	_cleanup_(freep) char *phrase = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		similar_add(&near, types[i]->name);
	phrase = similar_phrase(&near);
	if (phrase)
		diag_hint(diag, "did you mean %s?", phrase);
	diag_hint(diag, "`perf help report` lists the keys; fields of tracepoints are keys, too");
}

static int check_mode(const struct key_type *t, enum report_mode mode, struct diag *diag)
{
	if (t->flags & KEY_OF_BRANCHES && mode != REPORT_BRANCH) {
		diag_set(diag, -EINVAL, "the sort key '%s' is one of branches", t->name);
		diag_hint(diag, "it takes --branch-stack, and a recording with branches: "
				"`perf record -b`");
		return -EINVAL;
	}
	if (t->flags & KEY_OF_MEMORY && mode != REPORT_MEMORY) {
		diag_set(diag, -EINVAL, "the sort key '%s' is one of accesses to memory", t->name);
		diag_hint(diag, "it takes --mem-mode, and a recording of them: `perf mem record`");
		return -EINVAL;
	}
	return 0;
}

static bool is_powerpc(const struct key_env *env)
{
	const char *arch = session_features(env->session)->arch;

	return arch && !strncmp(arch, "ppc", 3);
}

static void profile_keys_add(struct keys *k, const struct key_env *env, const struct key_type *t)
{
	struct key *key;

	for (size_t i = 0; i < k->n; i++)
		if (k->items[i].type == t)
			return;
	if (t->flags & KEY_OF_POWERPC && !is_powerpc(env))
		return;
	key = ARRAY_ADD(k);
	*key = (struct key){ .type = t, .title = t->title, .parts = t->parts };
	if (t->prepare)
		t->prepare(key, k, env);
}

int keys_add(struct keys *k, const struct key_env *env, enum report_mode mode, const char *name,
	     struct diag *diag)
{
	const struct key_type *t = key_type_find(name);
	int r;

	if (t) {
		r = check_mode(t, mode, diag);
		if (r >= 0)
			profile_keys_add(k, env, t);
		return r;
	}
	if (!strcasecmp(name, key_field.name)) {
		keys_add_all_fields(k, env);
		return 0;
	}
	r = keys_add_field(k, env, name, diag);
	if (r)
		return r < 0 ? r : 0;
	diag_set(diag, -EINVAL, "there is no sort key '%s'", name);
	keys_suggest(name, diag);
	return -EINVAL;
}
