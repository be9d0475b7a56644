/* SPDX-License-Identifier: MIT */
#include "measure/record-interpreted.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/memory.h"
#include "base/notes.h"
#include "base/text.h"
#include "measure/record-job.h"
#include "runtime/runtime.h"
#include "symbol/buildid/cache.h"

void record_interpreted_begin(struct record_job *j)
{
	const struct callgraph_request *c = &j->rq->sampling.callgraph;

	if (callgraph_copies(c->choice.mode) && ~c->not_interpreted)
		j->functions = runtime_functions_new(c->not_interpreted);
}

void record_interpreted_end(struct record_job *j)
{
	runtime_functions_free(j->functions);
	j->functions = NULL;
}

/* Records that the process of @id has mapped the image of the functions of @kind. */
static int record_interpreted_map(const struct runtime_functions *f, enum runtime_kind kind,
				  const struct sample_id *id, const struct attr *attr,
				  const struct record_taker *taker)
{
	const struct runtime_mapping m = runtime_functions_mapping(f, kind);
	_cleanup_(bytes_done) struct bytes bytes = { 0 };
	const struct record r = {
		.header = { .type = PERF_RECORD_MMAP2,
			    .misc = PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID },
		.id = *id,
		.mmap = { .pid = id->pid,
			  .tid = id->pid,
			  .addr = m.start,
			  .len = m.size,
			  .filename = m.path,
			  .build_id = m.build_id,
			  .prot = PROT_READ | PROT_EXEC,
			  .flags = MAP_PRIVATE },
	};

	if (record_encode(&r, attr, &bytes) < 0)
		return 0;
	return taker->take(taker->arg, bytes.data, bytes.n);
}

int record_interpreted_translate(struct runtime_functions *f, enum runtime_stacks from,
				 const struct sample_id *id, const struct attr *attr,
				 const uint64_t *words, size_t n, const struct record_taker *taker,
				 struct runtime_addresses *to)
{
	enum runtime_kind is_new;

	to->n = 0;
	if (!f) {
		for (size_t i = 0; i < n; i++)
			*ARRAY_ADD(to) = words[i];
		return 0;
	}
	is_new = runtime_functions_translate(f, from, id->pid, words, n, to);
	return is_new == RUNTIME_KIND_NONE ? 0 : record_interpreted_map(f, is_new, id, attr, taker);
}

void record_interpreted_begin_file(const struct record_job *j)
{
	if (j->functions)
		runtime_functions_begin_file(j->functions);
}

static void record_interpreted_keep_image(struct runtime_functions *f, enum runtime_kind kind,
					  const char *cache_dir)
{
	const struct runtime_mapping m = runtime_functions_mapping(f, kind);
	_cleanup_(bytes_done) struct bytes image = { 0 };

	if (runtime_functions_put(f, kind, &image))
		buildid_cache_put(cache_dir, m.path, &m.build_id, image.data, image.n);
}

void record_interpreted_keep(const struct record_job *j)
{
	_cleanup_(freep) char *cache_dir = j->functions ? buildid_cache_dir(j->rq->buildid_dir)
							: NULL;

	for (int i = RUNTIME_KIND_NONE + 1; cache_dir && i < RUNTIME_KINDS; i++)
		record_interpreted_keep_image(j->functions, (enum runtime_kind)i, cache_dir);
}

/* The reasons for which a native frame of a runtime stayed, or ended the stack. */
static const char *const not_walked[RUNTIME_RESULTS] = {
	[RUNTIME_NO_THREAD] = "in threads that were not the interpreter's",
	[RUNTIME_UNREADABLE] = "with memory that was not there",
	[RUNTIME_NOT_CODE] = "without a code object",
	[RUNTIME_NOT_FRAME] = "of an unknown form",
	[RUNTIME_ENDLESS] = "that did not end",
};

static const char *const refused[RUNTIME_REFUSALS] = {
	[RUNTIME_REFUSED_VERSION] = "this version is not known",
	[RUNTIME_REFUSED_MEMORY] = "memory is not as expected",
	[RUNTIME_REFUSED_RIGHTS] = "reading their memory takes CAP_SYS_PTRACE",
};

struct counted {
	uint64_t n;
	const char *why;
};

/* Appends the sum and its parts: "; WHAT: 5 (3 of this, 2 of that)". */
static void add_counted(struct text *t, const char *what, const struct counted *c, size_t n)
{
	uint64_t sum = 0;
	const char *before = " (";

	for (size_t i = 0; i < n; i++)
		sum += c[i].n;
	if (!sum)
		return;
	text_addf(t, "; %s: %" PRIu64, what, sum);
	for (size_t i = 0; i < n; i++) {
		if (!c[i].n)
			continue;
		text_addf(t, "%s%" PRIu64 " %s", before, c[i].n, c[i].why);
		before = ", ";
	}
	text_add(t, ")");
}

static void record_interpreted_tell_refused(const struct record_job *j, enum runtime_kind kind,
					    const struct runtime_functions_counts *c)
{
	const char *language = runtime_kind_language(kind);

	for (size_t i = 0; i < RUNTIME_REFUSALS; i++)
		if (c->refused[i])
			notes_add(j->notes, NOTE_WARNING, "%" PRIu64 " %s %s no %s frames: %s",
				  c->refused[i], c->refused[i] == 1 ? "process" : "processes",
				  c->refused[i] == 1 ? "has" : "have", language, refused[i]);
}

/* Reports the interpreted frames of a language, if any process has run it. */
static void record_interpreted_tell_language(const struct record_job *j, enum runtime_kind kind,
					     const uint64_t results[RUNTIME_RESULTS])
{
	const struct runtime_functions_counts c = runtime_functions_counts(j->functions, kind);
	const struct counted nameless[] = { { c.ended, "of processes that had ended" },
					    { c.stale, "of code that was gone" },
					    { c.slow,
					      "of processes whose names take too long to read" } };
	struct counted native[RUNTIME_RESULTS] = { 0 };
	_cleanup_(text_done) struct text parts = TEXT_EMPTY;

	for (size_t i = 0; i < RUNTIME_RESULTS; i++)
		if (not_walked[i])
			native[i] = (struct counted){ results[i], not_walked[i] };
	add_counted(&parts, "frames without a name", nameless, ARRAY_SIZE(nameless));
	add_counted(&parts, "frames of the interpreter left", native, RUNTIME_RESULTS);
	if (c.stacks)
		notes_add(j->notes, NOTE_STATUS,
			  "[ perf %s: %s frames in %.1f %% of %" PRIu64 " stacks%s ]", j->command,
			  runtime_kind_language(kind),
			  100.0 * (double)c.interpreted / (double)c.stacks, c.stacks, parts.chars);
	record_interpreted_tell_refused(j, kind, &c);
}

void record_interpreted_tell(const struct record_job *j,
			     const uint64_t results[RUNTIME_KINDS][RUNTIME_RESULTS])
{
	for (int i = RUNTIME_KIND_NONE + 1; j->functions && i < RUNTIME_KINDS; i++)
		record_interpreted_tell_language(j, (enum runtime_kind)i, results[i]);
}

unsigned record_interpreted_named(const struct record_job *j)
{
	unsigned named = 0;

	for (int i = RUNTIME_KIND_NONE + 1; j->functions && i < RUNTIME_KINDS; i++)
		if (runtime_functions_counts(j->functions, (enum runtime_kind)i).named)
			named |= 1U << i;
	return named;
}
