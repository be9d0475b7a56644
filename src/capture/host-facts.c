/* SPDX-License-Identifier: MIT */
#include "capture/host-facts.h"

#include <limits.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/memory.h"
#include "capture/host-facts-internal.h"
#include "datafile/features.h"
#include "kernel/cpuid.h"

static void host_facts_set_text(struct features *f, unsigned id, char **field, const char *text)
{
	*field = xstrdup(text);
	features_mark(f, id);
}

static void host_facts_names(const char *version, struct features *f)
{
	struct utsname uts;

	host_facts_set_text(f, FEATURE_VERSION, &f->version, version);
	if (uname(&uts) < 0)
		return;
	host_facts_set_text(f, FEATURE_HOSTNAME, &f->hostname, uts.nodename);
	host_facts_set_text(f, FEATURE_OSRELEASE, &f->os_release, uts.release);
	host_facts_set_text(f, FEATURE_ARCH, &f->arch, uts.machine);
}

/* Adds the command line, with the path of the running perf instead of the word that was typed. */
static void host_facts_command_line(const struct host_facts_request *rq, struct features *f)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (!rq->n_args)
		return;
	path[n > 0 ? n : 0] = '\0';
	for (size_t i = 0; i < rq->n_args; i++)
		*ARRAY_ADD(&f->cmdline) = xstrdup(i == 0 && n > 0 ? path : rq->argv[i]);
	features_mark(f, FEATURE_CMDLINE);
}

void host_facts(const struct host_facts_request *rq, struct features *f)
{
	host_facts_names(rq->version, f);
	host_facts_cpus(rq->root, f);
	if (cpuid_read_model(rq->root, &f->cpu_desc) >= 0)
		features_mark(f, FEATURE_CPUDESC);
	if (cpuid_read_plain(rq->root, 0, &f->cpu_id) >= 0)
		features_mark(f, FEATURE_CPUID);
	host_facts_memory(rq->root, f);
	host_facts_command_line(rq, f);
	host_facts_pmus(rq->root, f);
}
