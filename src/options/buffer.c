/* SPDX-License-Identifier: MIT */
#include "options/buffer.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/number.h"
#include "options/value.h"

/* More pages than any machine can lock, but few enough that no sum of such numbers overflows. */
#define PAGES_MAX (1ULL << 31)

static uint64_t buffer_power_of_two(uint64_t n)
{
	return n <= 1 ? 1 : 1ULL << (64 - __builtin_clzll(n - 1));
}

/* Parses a number of pages, or a size with its unit; @word is one part of "pages[,pages]". */
static int parse_pages(const char *word, uint64_t *ret)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), pages, bytes;

	if (number_parse(word, &pages) < 0) {
		if (value_parse_size(word, &bytes) < 0)
			return -EINVAL;
		pages = bytes / page + (bytes % page != 0);
	}
	if (pages > PAGES_MAX)
		return -ERANGE;
	*ret = buffer_power_of_two(pages);
	return 0;
}

static int size_parse(const char *value, struct buffer_size *ret)
{
	struct buffer_size size = { 0 };
	size_t n = value_word(value);
	_cleanup_(freep) char *data = xstrndup(value, n);
	const char *aux = value[n] ? value + n + 1 : NULL;

	/* ",8" sets only the AUX buffer. */
	if ((*data || !aux) && parse_pages(data, &size.data_pages) < 0)
		return -EINVAL;
	if (aux && *aux && parse_pages(aux, &size.aux_pages) < 0)
		return -EINVAL;
	*ret = size;
	return 0;
}

int buffer_size_set(void *field, const struct option *o, const char *value, bool negated,
		    struct diag *diag)
{
	struct buffer_size size = { 0 };

	if (!negated && size_parse(value, &size) < 0) {
		value_refuse(diag, o, value, 0, strlen(value), "'%s' is not a size of a buffer",
			     value);
		diag_hint(diag,
			  "Give pages (128) or a size (512K, 4M), for each CPU; after a comma the "
			  "same for hardware traces: 4M,16M.");
		return -EINVAL;
	}
	*(struct buffer_size *)field = size;
	return 0;
}

static int flush_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	uint64_t *bytes = field;

	if (negated)
		*bytes = 0;
	else if (number_parse_size(value, bytes) < 0) {
		value_refuse(diag, o, value, 0, strlen(value), "'%s' is not a number of bytes",
			     value);
		diag_hint(diag,
			  "Give a number, with B, K, M or G after it if you like: 4096 or 64K.");
		return -EINVAL;
	}
	return 0;
}

static bool buffer_overlap(const struct cpu_list *a, const struct cpu_list *b)
{
	for (size_t i = 0; i < a->n; i++)
		if (cpu_list_contains(b, a->items[i]))
			return true;
	return false;
}

/* Adds "cpus/affinity" of @text[@n] to @t. Masks of one kind must not overlap. */
static int mask_parse(const char *text, size_t n, struct thread_layout *t)
{
	_cleanup_(freep) char *cpus = xstrndup(text, n);
	char *affinity = strchr(cpus, '/');
	struct thread_mask *mask = ARRAY_ADD(t);

	if (!affinity)
		return -EINVAL;
	*affinity++ = '\0';
	if (cpu_list_parse(cpus, &mask->cpus) < 0 || !mask->cpus.n ||
	    cpu_list_parse(affinity, &mask->affinity) < 0 || !mask->affinity.n)
		return -EINVAL;
	for (size_t i = 0; i + 1 < t->n; i++)
		if (buffer_overlap(&t->items[i].cpus, &mask->cpus) ||
		    buffer_overlap(&t->items[i].affinity, &mask->affinity))
			return -EEXIST;
	return 0;
}

static int threads_parse(const char *value, struct thread_layout *ret)
{
	static const char *const names[] = {
		[THREADS_PER_CPU] = "cpu",
		[THREADS_PER_CORE] = "core",
		[THREADS_PER_PACKAGE] = "package",
		[THREADS_PER_NUMA] = "numa",
	};
	_cleanup_(thread_layout_done) struct thread_layout t = { .kind = THREADS_LISTED };
	int r = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i] && !strcmp(names[i], value))
			t.kind = (enum thread_layout_kind)i;
	for (const char *s = value; t.kind == THREADS_LISTED && r >= 0;) {
		size_t n = strcspn(s, ":");

		r = mask_parse(s, n, &t);
		s += n;
		if (!*s || !*++s)
			break;
	}
	if (r < 0)
		return r;
	*ret = t;
	t = (struct thread_layout){ 0 };
	return 0;
}

static int threads_set(void *field, const struct option *o, const char *value, bool negated,
		       struct diag *diag)
{
	struct thread_layout t = { 0 };
	const char *spec = value && *value ? value : "cpu";
	int r = negated ? 0 : threads_parse(spec, &t);

	if (r < 0) {
		value_refuse(diag, o, spec, 0, strlen(spec),
			     r == -EEXIST ? "'%s' gives a CPU to two threads"
					  : "'%s' is not a layout of threads",
			     spec);
		diag_hint(diag, "One thread for each cpu, core, package or numa node; or a list of "
				"CPUs/AFFINITY with colons between: 0,2-4/2-4:1,5-7/5-7.");
		return -EINVAL;
	}
	thread_layout_done(field);
	*(struct thread_layout *)field = t;
	return 0;
}

const struct option buffer_options[] = {
	OPT_HEADING("Buffers and threads:"),
	OPT_CALL('m', "mmap-pages", struct buffer_request, size, "pages[,pages]",
		 "size of each CPU's buffer, in pages or as 512K or 4M", .set = buffer_size_set),
	OPT_CALL(0, "mmap-flush", struct buffer_request, flush_bytes, "number",
		 "empty a buffer when it holds at least so many bytes", .set = flush_set),
	OPT_FLAG(0, "overwrite", struct buffer_request, overwrite,
		 "a flight recorder: full buffers lose the oldest records"),
	OPT_FLAG(0, "no-buffering", struct buffer_request, no_buffering,
		 "take each record at once"),
	OPT_INT('r', "realtime", struct buffer_request, realtime, "n",
		"empty the buffers with this SCHED_FIFO priority"),
	OPT_CALL(0, "threads", struct buffer_request, threads, "spec",
		 "one thread and file per cpu, core, package or numa node", .set = threads_set,
		 .flags = OPTION_OPTIONAL),
	OPT_NOTHING(0, "affinity", "node|cpu", "run where the buffer is that is being emptied",
		    "it makes no difference that could be measured"),
	OPT_NOTHING(0, "aio", "n", "write asynchronously with n control blocks (1 to 4)",
		    "writing goes into the system's cache and waits for nothing",
		    .flags = OPTION_OPTIONAL),
	OPT_END
};
