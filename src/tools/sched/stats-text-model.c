/* SPDX-License-Identifier: MIT */
#include "tools/sched/stats-text-model.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"

#define WORDS_MAX 64

struct sched_stats_text_reading {
	struct schedstat_line line; /* time, version and CPU of the following lines */
	void (*each)(void *arg, const struct schedstat_line *l, const char *name, const char *mask);
	void *arg;
};

/* Parses the number in @word after its first @skip characters. */
static bool sched_stats_text_take_number(const char *word, size_t skip, uint64_t *ret)
{
	char *end;

	if (strlen(word) <= skip || !isdigit((unsigned char)word[skip]))
		return false;
	errno = 0;
	*ret = strtoull(word + skip, &end, 10);
	return !*end && !errno;
}

static bool sched_stats_text_take_values(struct schedstat_line *l, char *const *words, size_t n)
{
	size_t wanted = schedstat_values(l->version, l->is_domain);

	/* A later kernel may have more values. */
	if (n < wanted)
		return false;
	for (size_t i = 0; i < wanted; i++)
		if (!sched_stats_text_take_number(words[i], 0, &l->values[i]))
			return false;
	return true;
}

static int take_version(struct sched_stats_text_reading *r, uint64_t version, struct diag *diag)
{
	if (version < SCHEDSTAT_VERSION_MIN || version > SCHEDSTAT_VERSION_MAX) {
		diag_set(diag, -EPROTO,
			 "/proc/schedstat has version %" PRIu64 ", and %d to %d are known", version,
			 SCHEDSTAT_VERSION_MIN, SCHEDSTAT_VERSION_MAX);
		return -EPROTO;
	}
	r->line.version = (uint16_t)version;
	return 0;
}

/* Reads a line "cpuN values". */
static int sched_stats_text_take_cpu(struct sched_stats_text_reading *r, uint64_t cpu,
				     char *const *words, size_t n)
{
	r->line.is_domain = false;
	r->line.domain = 0;
	r->line.cpu = (uint32_t)cpu;
	if (!r->line.version || cpu > UINT32_MAX ||
	    !sched_stats_text_take_values(&r->line, words + 1, n - 1))
		return -EBADMSG;
	r->each(r->arg, &r->line, "", "");
	return 0;
}

/* "domainN mask values", since version 17 "domainN name mask values" */
static int take_domain(struct sched_stats_text_reading *r, uint64_t domain, char *const *words,
		       size_t n)
{
	size_t named = r->line.version >= 17;

	r->line.is_domain = true;
	r->line.domain = (uint16_t)domain;
	if (!r->line.version || domain > UINT16_MAX || n < 2 + named ||
	    !sched_stats_text_take_values(&r->line, words + 2 + named, n - 2 - named))
		return -EBADMSG;
	r->each(r->arg, &r->line, named ? words[1] : "", words[1 + named]);
	return 0;
}

static int sched_stats_text_take_words(struct sched_stats_text_reading *r, char *const *words,
				       size_t n, struct diag *diag)
{
	uint64_t number;

	if (n == 2 && !strcmp(words[0], "version") &&
	    sched_stats_text_take_number(words[1], 0, &number))
		return take_version(r, number, diag);
	if (n == 2 && !strcmp(words[0], "timestamp") &&
	    sched_stats_text_take_number(words[1], 0, &number)) {
		r->line.time = number;
		return 0;
	}
	if (!strncmp(words[0], "cpu", 3) && sched_stats_text_take_number(words[0], 3, &number))
		return sched_stats_text_take_cpu(r, number, words, n);
	if (!strncmp(words[0], "domain", 6) && sched_stats_text_take_number(words[0], 6, &number))
		return take_domain(r, number, words, n);
	return -EBADMSG;
}

int schedstat_parse(const char *text,
		    void (*each)(void *arg, const struct schedstat_line *l, const char *name,
				 const char *mask),
		    void *arg, struct diag *diag)
{
	_cleanup_(freep) char *copy = xstrdup(text);
	struct sched_stats_text_reading r = { .each = each, .arg = arg };
	char *rest = copy, *line;
	int status = 0;

	while (status >= 0 && (line = strsep(&rest, "\n"))) {
		char *words[WORDS_MAX], *word;
		size_t n = 0;

		while ((word = strsep(&line, " ")))
			if (*word && n < WORDS_MAX)
				words[n++] = word;
		if (n)
			status = sched_stats_text_take_words(&r, words, n, diag);
	}
	if (status == -EBADMSG)
		diag_set(diag, status, "a line of /proc/schedstat is malformed");
	return status;
}
