/* SPDX-License-Identifier: MIT */
#include "bpf/explain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "kernel/capabilities.h"

/* From linux/capability.h. */
#define CAP_BIT(n) (UINT64_C(1) << (n))
#define SYS_ADMIN  CAP_BIT(21)
#define PERFMON    CAP_BIT(38)
#define BPF        CAP_BIT(39)

static uint64_t status_number(const char *status, const char *key, int base)
{
	const char *line = strstr(status, key);

	return line ? strtoull(line + strlen(key), NULL, base) : 0;
}

/* True if maps are charged to RLIMIT_MEMLOCK, as before Linux 5.11. */
static bool charges_maps(void)
{
	struct utsname name = { 0 };
	int major = 0, minor = 0;

	return uname(&name) == 0 && sscanf(name.release, "%d.%d", &major, &minor) == 2 &&
	       (major < 5 || (major == 5 && minor < 11));
}

struct bpf_facts bpf_facts_gather(void)
{
	_cleanup_(freep) char *status = NULL, *lockdown = NULL;
	struct bpf_facts facts = { .root = geteuid() == 0 };
	struct rlimit memory = { 0 };

	if (file_read(AT_FDCWD, "/proc/self/status", 1 << 20, &status, NULL) >= 0) {
		uint64_t caps = status_number(status, "\nCapEff:", 16);

		facts.may_load = caps & SYS_ADMIN || (caps & (BPF | PERFMON)) == (BPF | PERFMON);
		facts.seccomp = status_number(status, "\nSeccomp:", 10) == 2;
	}
	if (file_read_line(AT_FDCWD, "/sys/kernel/security/lockdown", &lockdown) >= 0)
		facts.locked_down = strstr(lockdown, "[confidentiality]") != NULL;
	getrlimit(RLIMIT_MEMLOCK, &memory);
	facts.bpf_limit = charges_maps() ? memory.rlim_cur : RLIM_INFINITY;
	return facts;
}

static int bpf_explain_rights(const struct bpf_facts *f, int error, struct diag *diag)
{
	if (!f->may_load) {
		diag_set(diag, error, "the kernel lets only privileged users load BPF programs");
		_cleanup_(freep) char *advice = capabilities_advice("cap_bpf,cap_perfmon");

		diag_hint(diag, "Run as root, or allow it for good to a group of users: %s",
			  advice);
	} else if (f->locked_down) {
		diag_set(diag, error,
			 "kernel lockdown (confidentiality) forbids BPF programs that read memory");
		diag_hint(diag, "/sys/kernel/security/lockdown shows the mode, which the command "
				"line of the kernel or Secure Boot sets.");
	} else if (f->seccomp) {
		diag_set(diag, error, "this container's seccomp profile does not allow bpf()");
		diag_hint(diag, "Start the container with --cap-add BPF --cap-add PERFMON, or with "
				"--security-opt seccomp=unconfined.");
	} else if (f->bpf_limit != RLIM_INFINITY) {
		diag_set(diag, error, "BPF maps exceed the limit of locked memory, %llu bytes",
			 (unsigned long long)f->bpf_limit);
		diag_hint(diag, "Raise it: ulimit -l unlimited.");
	} else {
		diag_set(diag, error, "the kernel does not permit BPF programs%s",
			 f->root ? ", though you are root" : "");
		diag_hint(diag, "A security module may forbid them: see dmesg.");
	}
	return error;
}

/* Returns the verifier's complaint: the last line before its statistics. */
static char *last_complaint(const char *log)
{
	const char *end = log + strlen(log), *begin;

	for (;;) {
		while (end > log && end[-1] == '\n')
			end--;
		for (begin = end; begin > log && begin[-1] != '\n';)
			begin--;
		if (begin == log || strncmp(begin, "processed ", 10) != 0)
			return xstrndup(begin, (size_t)(end - begin));
		end = begin;
	}
}

int bpf_explain_with(const struct bpf_facts *facts, int error, const char *log, struct diag *diag)
{
	_cleanup_(freep) char *complaint = last_complaint(log);

	if (error == -EPERM || error == -EACCES) {
		/* The verifier returns EACCES too, but only the verifier gives a reason. */
		if (!*complaint)
			return bpf_explain_rights(facts, error, diag);
	} else if (error == -ENOSYS) {
		diag_set(diag, error, "this kernel was built without BPF (CONFIG_BPF_SYSCALL)");
		return error;
	}
	diag_set(diag, error, "this kernel does not take perf's BPF program: %s",
		 *complaint ? complaint : strerror(-error));
	diag_hint(diag, "It may be too old: Linux 5.15 has all that is needed.");
	return error;
}

int bpf_explain(int error, const char *log, struct diag *diag)
{
	const struct bpf_facts facts = bpf_facts_gather();

	return bpf_explain_with(&facts, error, log, diag);
}
