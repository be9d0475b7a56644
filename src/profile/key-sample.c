/* SPDX-License-Identifier: MIT */
/*
 * Sort keys that are numbers of the sample: where and when it was taken, and what it cost.
 */
#include <string.h>

#include "base/text.h"
#include "datafile/features-topology.h"
#include "profile/key-types.h"
#include "profile/keys.h"
#include "session/session.h"
#include "wire/topology.h"

static void cpu_print(const struct key *k, struct key_env *env, const struct key_cell *c,
		      struct text *out)
{
	(void)k, (void)env;
	text_addf(out, "%.3d", (int)c->value);
}

static int cpu_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return (int)a < (int)b ? -1 : (int)a > (int)b;
}

/* An unknown one takes no more room than any. */
static size_t cpu_width(const struct key *k, struct key_env *env, const struct key_cell *c)
{
	int cpu = (int)c->value;

	(void)k, (void)env;
	return cpu < 1000 ? 3 : cpu < 10000 ? 4 : 10;
}

static uint64_t cpu_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->cpu;
}

const struct key_type key_cpu = {
	.name = "cpu",
	.title = "CPU",
	.flags = KEY_RIGHT,
	.of_sample = cpu_of,
	.compare = cpu_compare,
	.print = cpu_print,
	.width = cpu_width,
};

/* The sockets of CPUs by number, one more than they are. */
struct sockets {
	unsigned n;
	int of[];
};

static void socket_prepare(struct key *k, struct keys *owner, const struct key_env *env)
{
	_cleanup_(topology_done) struct topology t = { 0 };
	struct sockets *s;
	unsigned n;

	features_topology(session_features(env->session), &t);
	n = t.n ? t.items[t.n - 1].cpu + 1 : 0;
	s = arena_alloc(&owner->arena, sizeof(*s) + n * sizeof(s->of[0]));
	s->n = n;
	for (size_t i = 0; i < t.n; i++)
		s->of[t.items[i].cpu] = t.items[i].socket + 1;
	k->arg = s;
}

static uint64_t socket_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	const struct sockets *sockets = k->arg;

	(void)env;
	return s->sample->cpu < sockets->n ? (uint32_t)(sockets->of[s->sample->cpu] - 1)
					   : UINT32_MAX;
}

const struct key_type key_socket = {
	.name = "socket",
	.title = "Socket",
	.flags = KEY_RIGHT,
	.prepare = socket_prepare,
	.of_sample = socket_of,
	.compare = cpu_compare,
	.print = cpu_print,
	.width = cpu_width,
};

#define NS_PER_SECOND 1000000000ULL

static void time_prepare(struct key *k, struct keys *owner, const struct key_env *env)
{
	(void)owner;
	k->min_width = env->time_in_ns ? 16 : 12;
}

static uint64_t time_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k;
	return env->time_quantum_ns ? s->time - s->time % env->time_quantum_ns : s->time;
}

static void time_print(const struct key *k, struct key_env *env, const struct key_cell *c,
		       struct text *out)
{
	uint64_t s = c->value / NS_PER_SECOND, ns = c->value % NS_PER_SECOND;

	(void)k;
	if (env->time_in_ns)
		text_addf(out, "%lu.%09lu", s, ns);
	else
		text_addf(out, "%lu.%06lu", s, ns / 1000);
}

const struct key_type key_time = {
	.name = "time",
	.title = "Time",
	.flags = KEY_CUTS,
	.prepare = time_prepare,
	.of_sample = time_of,
	.print = time_print,
};

static uint64_t weight_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->weight;
}

static uint64_t ins_lat_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->ins_latency;
}

static uint64_t p_stage_cyc_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->p_stage_cyc;
}

/* Of one sample, and of all of the row. */
static void local_print(const struct key *k, struct key_env *env, const struct key_cell *c,
			struct text *out)
{
	(void)k, (void)env;
	text_addf(out, "%lu", c->value);
}

static void global_print(const struct key *k, struct key_env *env, const struct key_cell *c,
			 struct text *out)
{
	(void)k, (void)env;
	text_addf(out, "%lu", c->value * c->weight.samples);
}

const struct key_type key_local_weight = {
	.name = "local_weight",
	.title = "Local Weight",
	.flags = KEY_FILLS,
	.of_sample = weight_of,
	.compare = key_compare_down,
	.print = local_print,
};

const struct key_type key_weight = {
	.name = "weight",
	.title = "Weight",
	.flags = KEY_FILLS,
	.min_width = 12,
	.of_sample = weight_of,
	.compare = key_compare_down,
	.print = global_print,
};

const struct key_type key_local_ins_lat = {
	.name = "local_ins_lat",
	.title = "Local INSTR Latency",
	.flags = KEY_FILLS,
	.of_sample = ins_lat_of,
	.compare = key_compare_down,
	.print = local_print,
};

const struct key_type key_ins_lat = {
	.name = "ins_lat",
	.title = "INSTR Latency",
	.flags = KEY_FILLS,
	.of_sample = ins_lat_of,
	.compare = key_compare_down,
	.print = global_print,
};

const struct key_type key_local_p_stage_cyc = {
	.name = "local_p_stage_cyc",
	.title = "Local Pipeline Stage Cycle",
	.flags = KEY_FILLS | KEY_OF_POWERPC,
	.of_sample = p_stage_cyc_of,
	.compare = key_compare_down,
	.print = local_print,
};

const struct key_type key_p_stage_cyc = {
	.name = "p_stage_cyc",
	.title = "Pipeline Stage Cycle",
	.flags = KEY_FILLS | KEY_OF_POWERPC,
	.of_sample = p_stage_cyc_of,
	.compare = key_compare_down,
	.print = global_print,
};

static uint64_t code_page_size_of(const struct key *k, struct key_env *env,
				  const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->code_page_size;
}

const struct key_type key_code_page_size = {
	.name = "code_page_size",
	.title = "Code Page Size",
	.flags = KEY_FILLS,
	.of_sample = code_page_size_of,
	.print = key_print_size,
};

static uint64_t transaction_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->transaction;
}

/* PERF_TXN_*: of uapi/linux/perf_event.h. */
#define TXN_SYNC        (1 << 2)
#define TXN_ASYNC       (1 << 3)
#define TXN_ABORT_SHIFT 32

static void transaction_print(const struct key *k, struct key_env *env, const struct key_cell *c,
			      struct text *out)
{
	static const char *const names[] = {
		"EL ", "TX ", "SYNC ", "ASYNC ", "RETRY ", "CON ", "CAP-WRITE ", "CAP-READ ",
	};

	(void)k, (void)env;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (c->value >> i & 1)
			text_add(out, names[i]);
	if (c->value && !(c->value & (TXN_SYNC | TXN_ASYNC)))
		text_add(out, "NEITHER ");
	if (c->value >> TXN_ABORT_SHIFT)
		text_addf(out, ":%lx ", c->value >> TXN_ABORT_SHIFT);
}

static size_t transaction_width(const struct key *k, struct key_env *env, const struct key_cell *c)
{
	(void)k, (void)env;
	return c->value ? 32 : 27;
}

const struct key_type key_transaction = {
	.name = "transaction",
	.title = "Transaction",
	.flags = KEY_FILLS,
	.of_sample = transaction_of,
	.compare = key_compare_down,
	.print = transaction_print,
	.width = transaction_width,
};
