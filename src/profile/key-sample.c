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

static int cpu_compare(const struct key *k, struct key_env *env, uint64_t a, uint64_t b)
{
	(void)k, (void)env;
	return (int)a < (int)b ? -1 : (int)a > (int)b;
}

static uint64_t key_sample_cpu_of(const struct key *k, struct key_env *env,
				  const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->cpu;
}

const struct key_type key_cpu = {
	.name = "cpu",
	.title = "CPU",
	.parts = { { .name = "cpu", .type = VALUE_SIGNED } },
	.of_sample = key_sample_cpu_of,
	.compare = cpu_compare,
};

/* The socket of each CPU, plus one. */
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
	.parts = { { .name = "socket", .type = VALUE_SIGNED } },
	.prepare = socket_prepare,
	.of_sample = socket_of,
	.compare = cpu_compare,
};

static uint64_t key_sample_time_of(const struct key *k, struct key_env *env,
				   const struct key_sample *s)
{
	uint64_t time = s->time + env->time_shift_ns;

	(void)k;
	return env->time_quantum_ns ? time - time % env->time_quantum_ns : time;
}

const struct key_type key_time = {
	.name = "time",
	.title = "Time",
	.parts = { { .name = "time", .type = VALUE_TIME } },
	.flags = KEY_OF_TIME,
	.of_sample = key_sample_time_of,
};

static uint64_t key_sample_weight_of(const struct key *k, struct key_env *env,
				     const struct key_sample *s)
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

/* Returns the sum over all samples of the row. The local variants are of one sample. */
static void global_value(const struct key *k, struct key_env *env, const struct key_cell *c,
			 struct text *scratch, struct value *ret)
{
	(void)k, (void)env, (void)scratch;
	ret[0] = value_unsigned(c->value * c->weight.samples);
}

const struct key_type key_local_weight = {
	.name = "local_weight",
	.title = "Local Weight",
	.parts = { { .name = "local_weight", .type = VALUE_UNSIGNED } },
	.of_sample = key_sample_weight_of,
	.compare = key_compare_down,
};

const struct key_type key_weight = {
	.name = "weight",
	.title = "Weight",
	.parts = { { .name = "weight", .type = VALUE_UNSIGNED } },
	.of_sample = key_sample_weight_of,
	.compare = key_compare_down,
	.value = global_value,
};

const struct key_type key_local_ins_lat = {
	.name = "local_ins_lat",
	.title = "Local INSTR Latency",
	.parts = { { .name = "local_ins_lat", .type = VALUE_UNSIGNED } },
	.of_sample = ins_lat_of,
	.compare = key_compare_down,
};

const struct key_type key_ins_lat = {
	.name = "ins_lat",
	.title = "INSTR Latency",
	.parts = { { .name = "ins_lat", .type = VALUE_UNSIGNED } },
	.of_sample = ins_lat_of,
	.compare = key_compare_down,
	.value = global_value,
};

const struct key_type key_local_p_stage_cyc = {
	.name = "local_p_stage_cyc",
	.title = "Local Pipeline Stage Cycle",
	.flags = KEY_OF_POWERPC,
	.parts = { { .name = "local_p_stage_cyc", .type = VALUE_UNSIGNED } },
	.of_sample = p_stage_cyc_of,
	.compare = key_compare_down,
};

const struct key_type key_p_stage_cyc = {
	.name = "p_stage_cyc",
	.title = "Pipeline Stage Cycle",
	.flags = KEY_OF_POWERPC,
	.parts = { { .name = "p_stage_cyc", .type = VALUE_UNSIGNED } },
	.of_sample = p_stage_cyc_of,
	.compare = key_compare_down,
	.value = global_value,
};

/* The meaning of the third weight depends on the recording's processor. */
const struct key_type key_local_retire_lat = {
	.name = "local_retire_lat",
	.title = "Local Retire Latency",
	.parts = { { .name = "local_retire_lat", .type = VALUE_UNSIGNED } },
	.of_sample = p_stage_cyc_of,
	.compare = key_compare_down,
};

const struct key_type key_retire_lat = {
	.name = "retire_lat",
	.title = "Retire Latency",
	.parts = { { .name = "retire_lat", .type = VALUE_UNSIGNED } },
	.of_sample = p_stage_cyc_of,
	.compare = key_compare_down,
	.value = global_value,
};

static uint64_t key_sample_simd_of(const struct key *k, struct key_env *env,
				   const struct key_sample *s)
{
	(void)k, (void)env;
	return s->sample->simd;
}

/* Returns the mark of the predicate, as man perf-report explains it, and the extension. */
static void simd_value(const struct key *k, struct key_env *env, const struct key_cell *c,
		       struct text *scratch, struct value *ret)
{
	static const char *const extensions[] = { NULL, "SVE", "SME", "ASE" };
	const char *extension = extensions[(c->value & SIMD_EXTENSION) / SIMD_SVE];
	char mark = c->value & SIMD_UNPREDICATED ? 'd'
		    : c->value & SIMD_FULL       ? 'f'
		    : c->value & SIMD_EMPTY      ? 'e'
		    : c->value & SIMD_PARTIAL    ? 'p'
						 : '.';

	(void)k, (void)env;
	if (!extension)
		return;
	text_addf(scratch, "[%c] %s", mark, extension);
	ret[0] = value_text(scratch->chars);
}

const struct key_type key_simd = {
	.name = "simd",
	.title = "Simd",
	.parts = { { .name = "simd", .type = VALUE_TEXT } },
	.of_sample = key_sample_simd_of,
	.compare = key_compare_down,
	.value = simd_value,
};

static uint64_t parallelism_of(const struct key *k, struct key_env *env, const struct key_sample *s)
{
	(void)k, (void)env;
	return s->parallelism;
}

const struct key_type key_parallelism = {
	.name = "parallelism",
	.title = "Parallelism",
	.flags = KEY_WANTS_PARALLELISM,
	.parts = { { .name = "parallelism", .type = VALUE_UNSIGNED } },
	.of_sample = parallelism_of,
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
	.parts = { { .name = "code_page_size", .type = VALUE_BYTES } },
	.of_sample = code_page_size_of,
	.value = key_value_nonzero,
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

static void transaction_value(const struct key *k, struct key_env *env, const struct key_cell *c,
			      struct text *scratch, struct value *ret)
{
	static const char *const names[] = {
		"EL", "TX", "SYNC", "ASYNC", "RETRY", "CON", "CAP-WRITE", "CAP-READ",
	};

	(void)k, (void)env;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (c->value >> i & 1)
			text_addf(scratch, scratch->length ? " %s" : "%s", names[i]);
	if (c->value && !(c->value & (TXN_SYNC | TXN_ASYNC)))
		text_add(scratch, scratch->length ? " NEITHER" : "NEITHER");
	ret[0] = value_text(scratch->chars);
	if (c->value >> TXN_ABORT_SHIFT)
		ret[1] = value_unsigned(c->value >> TXN_ABORT_SHIFT);
}

const struct key_type key_transaction = {
	.name = "transaction",
	.title = "Transaction",
	.parts = { { .name = "transaction", .type = VALUE_TEXT },
		   { .name = "transaction_abort", .type = VALUE_UNSIGNED } },
	.of_sample = transaction_of,
	.compare = key_compare_down,
	.value = transaction_value,
};
