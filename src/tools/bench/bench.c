/* SPDX-License-Identifier: MIT */
/* perf bench: collections of benchmarks. */
#include "tools/bench/bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/similar.h"
#include "base/text.h"
#include "cli/family.h"

struct bench_collection {
	const char *name;
	const char *all; /* summary of `all`, or NULL if the list has no such row */
	const struct bench_benchmark *const *benchmarks;
	const struct command *command;
};

static int run_collection(struct invocation *inv, const struct bench_collection *c);

static const char *const collection_usage[] = { "<benchmark> [<options>]", NULL };
static const char *const all_usage[] = { "", NULL };

#define REFER_TO_BENCHMARK(id) &benchmark_##id,
#define REFER_TO_COMMAND(id)   &cmd_bench_##id,

/* @list is a macro that applies another one to the names of the benchmarks. */
#define COLLECTION(id, list, summary_, all_)                                                       \
	static const struct bench_benchmark *const id##_benchmarks[] = { list(REFER_TO_BENCHMARK)  \
										 NULL };           \
	static int id##_run(struct invocation *inv);                                               \
	static const struct command id##_all = { .name = "bench " #id " all",                      \
						 .summary = "Run all of them",                     \
						 .usage = all_usage,                               \
						 .run = id##_run };                                \
	static const struct command *const id##_commands[] = { list(REFER_TO_COMMAND) & id##_all,  \
							       NULL };                             \
	static const struct command id##_command = {                                               \
		.name = "bench " #id,                                                              \
		.summary = summary_,                                                               \
		.usage = collection_usage,                                                         \
		.flags = COMMAND_FORWARDS,                                                         \
		.subcommands = id##_commands,                                                      \
		.run = id##_run,                                                                   \
	};                                                                                         \
	static const struct bench_collection id##_collection = { #id, all_, id##_benchmarks,       \
								 &id##_command };                  \
	static int id##_run(struct invocation *inv)                                                \
	{                                                                                          \
		return run_collection(inv, &id##_collection);                                      \
	}

#define SCHED(X)   X(sched_messaging) X(sched_pipe) X(sched_seccomp_notify)
#define SYSCALL(X) X(syscall_basic) X(syscall_getpgid) X(syscall_fork) X(syscall_execve)
#define MEM(X)     X(mem_memcpy) X(mem_memset) X(mem_find_bit) X(mem_mmap)
#define NUMA(X)    X(numa_mem)
#define FUTEX(X)                                                                                   \
	X(futex_hash) X(futex_wake) X(futex_wake_parallel) X(futex_requeue) X(futex_lock_pi)
#define EPOLL(X) X(epoll_wait) X(epoll_ctl)
#define INTERNALS(X)                                                                               \
	X(internals_synthesize)                                                                    \
	X(internals_kallsyms_parse)                                                                \
	X(internals_inject_build_id) X(internals_evlist_open_close) X(internals_pmu_scan)
#define BREAKPOINT(X) X(breakpoint_thread) X(breakpoint_enable)

#define UPROBE(X)                                                                                  \
	X(uprobe_baseline)                                                                         \
	X(uprobe_empty) X(uprobe_trace_printk) X(uprobe_empty_ret) X(uprobe_trace_printk_ret)

COLLECTION(sched, SCHED, "Scheduler and IPC benchmarks", "Run all scheduler benchmarks")
COLLECTION(syscall, SYSCALL, "System call benchmarks", "Run all syscall benchmarks")
COLLECTION(mem, MEM, "Memory access benchmarks", "Run all memory access benchmarks")
COLLECTION(numa, NUMA, "NUMA scheduling and MM benchmarks", "Run all NUMA benchmarks")
COLLECTION(futex, FUTEX, "Futex stressing benchmarks", "Run all futex benchmarks")
COLLECTION(epoll, EPOLL, "Epoll stressing benchmarks", "Run all futex benchmarks")
COLLECTION(internals, INTERNALS, "Perf-internals benchmarks", NULL)
COLLECTION(breakpoint, BREAKPOINT, "Breakpoint benchmarks", "Run all breakpoint benchmarks")

COLLECTION(uprobe, UPROBE, "uprobe benchmarks", NULL)

static const struct bench_collection *const collections[] = {
	&sched_collection,     &syscall_collection,
	&mem_collection,       &numa_collection,
	&futex_collection,     &epoll_collection,
	&internals_collection, &breakpoint_collection,
	&uprobe_collection,    NULL,
};

/* Options of the family itself, which also have letters. */
static const struct option options[] = {
	OPT_STRING('f', "format", struct bench_common, format, "default|simple",
		   "how the results are written: for people, or one number"),
	OPT_UINT('r', "repeat", struct bench_common, repeat, "n",
		 "how often it is measured (default: 10 for what is repeated inside, else 1)"),
	OPT_UINT(0, "runs", struct bench_common, runs, "n",
		 "run all of it so many times, and show means with confidence intervals"),
	OPT_FLAG(0, "json", struct bench_common, json, "write the results as JSON"),
	OPT_STRING(0, "save", struct bench_common, save, "file",
		   "keep the results as JSON, for --compare"),
	OPT_STRING(0, "compare", struct bench_common, compare, "file",
		   "compare the results with another machine or kernel"),
	OPT_END,
};

static const struct bench_common defaults = BENCH_COMMON_DEFAULT;

static void bench_print_row(FILE *out, const char *name, const char *summary)
{
	fprintf(out, "%14s: %s\n", name, summary);
}

static void print_benchmarks(FILE *out, const struct bench_collection *c)
{
	fprintf(out, "\n        # List of available benchmarks for collection '%s':\n\n", c->name);
	for (const struct bench_benchmark *const *b = c->benchmarks; *b; b++)
		bench_print_row(out, strchr((*b)->name, '/') + 1, (*b)->command->summary);
	if (c->all)
		bench_print_row(out, "all", c->all);
	fputc('\n', out);
}

static void print_collections(FILE *out)
{
	fputs("Usage: \n\tperf bench [<common options>] <collection> <benchmark> [<options>]\n\n"
	      "        # List of all available benchmark collections:\n\n",
	      out);
	for (const struct bench_collection *const *c = collections; *c; c++)
		bench_print_row(out, (*c)->name, (*c)->command->summary);
	bench_print_row(out, "all", "All benchmarks");
	fputc('\n', out);
}

static void measure_all(struct bench_session *s, const struct bench_collection *c)
{
	for (const struct bench_benchmark *const *b = c->benchmarks; *b; b++) {
		const char *opts = (*b)->command->defaults;

		bench_session_measure(s, *b, opts + (*b)->params_offset);
		if (!s->common->json)
			fputc('\n', s->inv->out);
	}
}

/*
 * Runs all benchmarks with their defaults, which are the only options that fit all. @only: NULL for
 * all collections.
 */
static int bench_run_all(struct invocation *inv, const struct bench_collection *only)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct bench_session s;

	if (inv->argc) {
		diag_set(&diag, -EINVAL, "'%s' is too much: all benchmarks run with their defaults",
			 inv->argv[0]);
		diag_hint(&diag, "Common options come first: perf bench --runs 5 %s all",
			  only ? only->name : "");
		return command_usage(inv, &diag);
	}
	if (bench_session_begin(&s, inv, inv->opts, &diag) < 0)
		return command_usage(inv, &diag);
	s.many = true;
	for (const struct bench_collection *const *c = collections; *c; c++)
		if (!only || only == *c)
			measure_all(&s, *c);
	return bench_session_end(&s);
}

static int run_all_collections(struct invocation *inv)
{
	return bench_run_all(inv, NULL);
}

static const struct command all_command = {
	.name = "bench all",
	.summary = "All benchmarks",
	.usage = all_usage,
	.flags = COMMAND_FORWARDS,
	.run = run_all_collections,
};

/* Answers -h and requests for completion as if the collection were parsed as a family. */
static int answer_about(const struct invocation *inv, const struct bench_collection *c)
{
	struct command plain = *c->command;

	plain.flags = 0;
	plain.run = NULL;
	return command_run(&plain, inv->argv, inv->settings);
}

/* Returns how many of @words are a common option, which does not affect what is measured. */
static int count_common(char *const *words)
{
	static const char *const names[] = { "--format", "--repeat",  "--runs",   "--save",
					     "--json",   "--compare", "--no-json" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t n = strlen(names[i]);

		if (!strcmp(words[0], names[i]))
			return words[1] && !strstr(names[i], "json") ? 2 : 1;
		if (!strncmp(words[0], names[i], n) && words[0][n] == '=')
			return 1;
	}
	return 0;
}

/* Returns the words after a benchmark, without common options. */
static char *bench_join(char *const *words)
{
	struct text t = TEXT_EMPTY;

	while (*words) {
		int n = count_common(words);

		if (!n)
			text_addf(&t, "%s%s", t.length ? " " : "", *words);
		words += n ? n : 1;
	}
	return text_take(&t);
}

/*
 * A list of words: the options before the collection by their long names, then the benchmark's own
 * words.
 */
struct word_list {
	char **items;
	size_t n, room;
};

static void bench_add_word(struct word_list *l, char *word)
{
	*ARRAY_ADD(l) = word;
}

static void add_common(struct word_list *l, const struct bench_common *o)
{
	bench_add_word(l, xasprintf("--format=%s", o->format));
	if (o->repeat != BENCH_UNSET)
		bench_add_word(l, xasprintf("--repeat=%llu", (unsigned long long)o->repeat));
	if (o->runs != BENCH_UNSET)
		bench_add_word(l, xasprintf("--runs=%llu", (unsigned long long)o->runs));
	if (o->json)
		bench_add_word(l, xstrdup("--json"));
	if (o->save)
		bench_add_word(l, xasprintf("--save=%s", o->save));
	if (o->compare)
		bench_add_word(l, xasprintf("--compare=%s", o->compare));
}

static int run_benchmark(struct invocation *inv, const struct bench_benchmark *b)
{
	_cleanup_(freep) char *words = bench_join(inv->argv + 1);
	struct word_list l = { 0 };
	size_t n_owned;
	int status;

	add_common(&l, inv->opts);
	bench_add_word(&l, xasprintf("--words=%s", words));
	n_owned = l.n;

	/* Parsing reorders the words, so they are freed through a list of their own. */
	char **owned = xcalloc(n_owned, sizeof(*owned));

	memcpy(owned, l.items, n_owned * sizeof(*owned));
	for (char **word = inv->argv + 1; *word; word++)
		bench_add_word(&l, *word);
	bench_add_word(&l, NULL);
	status = command_run(b->command, l.items, inv->settings);
	for (size_t i = 0; i < n_owned; i++)
		free(owned[i]);
	free(owned);
	free(l.items);
	return status;
}

static const struct bench_benchmark *find_benchmark(const struct bench_collection *c,
						    const char *word)
{
	const struct command *found = family_find(c->command, word);

	for (const struct bench_benchmark *const *b = c->benchmarks; *b; b++)
		if ((*b)->command == found)
			return *b;
	return NULL;
}

static int refuse_benchmark(const struct invocation *inv, const struct bench_collection *c,
			    const char *word)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct similar near = { .typed = word };
	_cleanup_(freep) char *phrase = NULL;

	for (const struct bench_benchmark *const *b = c->benchmarks; *b; b++)
		similar_add(&near, strchr((*b)->name, '/') + 1);
	phrase = similar_phrase(&near);
	diag_set(&diag, -EINVAL, "the collection '%s' has no benchmark '%s'", c->name, word);
	if (phrase)
		diag_hint(&diag, "Did you mean %s?", phrase);
	diag_hint(&diag, "'perf bench %s' lists them.", c->name);
	return command_fail(inv, -EINVAL, &diag);
}

static int run_collection(struct invocation *inv, const struct bench_collection *c)
{
	const char *word = inv->argv[0];
	const struct bench_benchmark *b;

	if (!word) {
		print_benchmarks(inv->out, c);
		return EXIT_OK;
	}
	if (*word == '-')
		return answer_about(inv, c);
	if (!strcmp(word, "all")) {
		inv->argv++;
		inv->argc--;
		return bench_run_all(inv, c);
	}
	b = find_benchmark(c, word);
	return b ? run_benchmark(inv, b) : refuse_benchmark(inv, c, word);
}

static int refuse_collection(const struct invocation *inv, const char *word)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct similar near = { .typed = word };
	_cleanup_(freep) char *phrase = NULL;

	for (const struct bench_collection *const *c = collections; *c; c++)
		similar_add(&near, (*c)->name);
	phrase = similar_phrase(&near);
	diag_set(&diag, -EINVAL, "there is no collection '%s'", word);
	if (phrase)
		diag_hint(&diag, "Did you mean %s?", phrase);
	diag_hint(&diag, "'perf bench' lists them.");
	return command_fail(inv, -EINVAL, &diag);
}

/* Runs if there is no word, or one that is no collection: two files to compare, or a mistake. */
static int tools_bench_run(struct invocation *inv)
{
	const struct bench_common *o = inv->opts;
	_cleanup_(diag_done) struct diag diag = { 0 };

	if (o->compare && inv->argc == 1)
		return bench_compare_files(inv, o->compare, inv->argv[0], o->json);
	if (o->compare && !inv->argc) {
		diag_set(&diag, -EINVAL, "--compare needs something to compare '%s' with",
			 o->compare);
		diag_hint(&diag, "Another file, or a collection and a benchmark to be run now.");
		return command_usage(inv, &diag);
	}
	if (inv->argc)
		return refuse_collection(inv, inv->argv[0]);
	print_collections(inv->out);
	return EXIT_OK;
}

static const struct command *const subcommands[] = {
	&sched_command, &syscall_command,   &mem_command,        &numa_command,   &futex_command,
	&epoll_command, &internals_command, &breakpoint_command, &uprobe_command, &all_command,
	NULL,
};

static const char *const usage[] = {
	"[<common options>] <collection> <benchmark> [<options>]",
	"[<common options>] [<collection>] all",
	"[--json] --compare <file> <file>",
	NULL,
};

const struct command cmd_bench = {
	.name = "bench",
	.summary = "run small benchmarks of the system",
	.usage = usage,
	.options = options,
	.opts_size = sizeof(struct bench_common),
	.defaults = &defaults,
	.subcommands = subcommands,
	.run = tools_bench_run,
};
