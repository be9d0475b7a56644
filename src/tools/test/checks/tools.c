/* SPDX-License-Identifier: MIT */
/* Commands and libraries that need more than events: BPF, Python, caches, servers. */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "elf/build-id.h"
#include "kernel/tracefs.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/kit.h"

static enum selftest_outcome test_btf(struct selftest_run *t)
{
	static const uint8_t magic[2] = { 0x9f, 0xeb }, swapped[2] = { 0xeb, 0x9f };
	_cleanup_(closep) int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
	uint8_t head[2];

	if (fd < 0)
		return selftest_skip(t, "this kernel has no BTF: it was built without "
					"CONFIG_DEBUG_INFO_BTF");
	EXPECT(t, read(fd, head, sizeof(head)) == sizeof(head), "the kernel's BTF cannot be read");
	EXPECT(t, !memcmp(head, magic, 2) || !memcmp(head, swapped, 2),
	       "/sys/kernel/btf/vmlinux is not BTF");
	return SELFTEST_OK;
}

/* True if BPF_MAP_CREATE of an array with one entry is permitted. The simplest program needs it. */
static bool bpf_is_allowed(void)
{
	static const uint32_t array[] = { 2, 4, 4, 1, 0 };
	int fd = (int)syscall(SYS_bpf, 0, array, sizeof(array));

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Counts a known number of events with a program in the kernel. */
static enum selftest_outcome test_bpf_load(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;

	if (!HAVE_BPF)
		return selftest_skip(t, "this perf was built without BPF programs (libbpf, clang)");
	NEED(kit_need_root(t, "load BPF programs"));
	if (!bpf_is_allowed())
		return selftest_skip(t, "the kernel does not let this user use BPF: the container "
					"needs CAP_BPF and a seccomp profile with bpf()");
	NEED(kit_need_whole_machine(t));
	NEED(kit_need_tracefs(t, &tracefs));
	if (access("/sys/kernel/btf/vmlinux", R_OK) < 0)
		return selftest_skip(t,
				     "BPF programs need the kernel's BTF: CONFIG_DEBUG_INFO_BTF");
	if (PERF(t, NULL, "trace", "-s", "-o", "counts", "--", "true") != 0 ||
	    RUN(t, &out, "cat", "counts") != 0)
		return selftest_fail(t, "system calls cannot be counted in the kernel");
	EXPECT(t,
	       strstr(out.chars, "execve") || strstr(out.chars, "exit_group") ||
		       strstr(out.chars, "mmap"),
	       "no system call of `true` was counted");
	return SELFTEST_OK;
}

static const struct selftest_case bpf_cases[] = {
	{ "Types of the kernel (BTF)", test_btf },
	{ "Programs can be loaded and count", test_bpf_load },
	{ NULL, NULL },
};

const struct selftest check_bpf = {
	.name = "BPF",
	.why = "perf trace, lock and hist cannot count in the kernel, and cost more",
	.cases = bpf_cases,
};

static enum selftest_outcome test_trace(struct selftest_run *t)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	uint64_t id;

	NEED(kit_need_tracefs(t, &tracefs));
	if (tracefs_event_id(tracefs, "raw_syscalls", "sys_enter", &id) < 0)
		return selftest_skip(t, "this kernel was built without CONFIG_FTRACE_SYSCALLS");
	NEED(kit_need_whole_machine(t));
	EXPECT(t,
	       PERF(t, NULL, "trace", "-o", "lines", "-e", "openat", "--", "cat", "/dev/null") == 0,
	       "perf trace fails");
	EXPECT(t, RUN(t, &out, "cat", "lines") == 0, "perf trace wrote nothing");
	EXPECT(t, strstr(out.chars, "openat(") && strstr(out.chars, "\"/dev/null\""),
	       "the file that cat opens is not shown");
	return SELFTEST_OK;
}

const struct selftest check_trace = {
	.name = "perf trace",
	.why = "system calls, their paths and results are not shown",
	.run = test_trace,
};

static enum selftest_outcome test_sched(struct selftest_run *t)
{
	_cleanup_(tracefs_freep) struct tracefs *tracefs = NULL;
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	NEED(kit_need_tracefs(t, &tracefs));
	NEED(kit_need_whole_machine(t));
	EXPECT(t, PERF(t, NULL, "sched", "record", "-o", "perf.data", "--", "sleep", "0.05") == 0,
	       "perf sched record fails");
	EXPECT(t, PERF(t, &out, "sched", "latency", "-i", "perf.data") == 0,
	       "perf sched latency fails");
	EXPECT(t, strstr(out.chars, "sleep"), "the run of sleep is not shown");
	EXPECT(t, PERF(t, &out, "sched", "timehist", "-i", "perf.data") == 0,
	       "perf sched timehist fails");
	EXPECT(t, strstr(out.chars, "sleep"), "the switches of sleep are not shown");
	return SELFTEST_OK;
}

const struct selftest check_sched = {
	.name = "perf sched",
	.why = "waiting times of programs are not shown",
	.run = test_sched,
	.flags = SELFTEST_ALONE,
};

static const char python_script[] = "def trace_begin():\n"
				    "    print('begin')\n"
				    "def trace_end():\n"
				    "    print('end', count)\n"
				    "count = 0\n"
				    "def process_event(event):\n"
				    "    global count\n"
				    "    count += 1\n"
				    "    if count == 1:\n"
				    "        print(event['comm'], event['ev_name'])\n";

static enum selftest_outcome test_python_scripts(struct selftest_run *t)
{
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(freep) char *errors = NULL;

	if (!HAVE_LIBPYTHON)
		return selftest_skip(t, "this perf was built without Python");
	NEED(kit_need_events(t));
	EXPECT(t, output_file_replace("count.py", python_script, strlen(python_script), 0600) >= 0,
	       "a script cannot be written");
	EXPECT(t,
	       PERF(t, NULL, "record", "-q", "-o", "perf.data", "-e", "cpu-clock:u", "-F", "500",
		    "--", t->perf, "test", "-w", "noploop", "1") == 0,
	       "perf record fails");
	if (RUN(t, &out, "sh", "-c", "perf script -s count.py -i perf.data 2>errors") != 0) {
		file_read(AT_FDCWD, "errors", 1 << 20, &errors, NULL);
		fputs(errors ? errors : "", t->out);
		if (errors && strstr(errors, "libpython"))
			return selftest_skip(t, "libpython is not installed: %.*s",
					     (int)strcspn(errors, "\n"), errors);
		return selftest_fail(t, "perf script -s fails: %.*s",
				     errors ? (int)strcspn(errors, "\n") : 0, errors ? errors : "");
	}
	EXPECT(t,
	       strstr(out.chars, "begin\n") && strstr(out.chars, " cpu-clock:u") &&
		       strstr(out.chars, "end "),
	       "the script does not get its events");
	return SELFTEST_OK;
}

const struct selftest check_python_scripts = {
	.name = "Python scripts",
	.why = "perf script -s and the scripts of perf script -l do not run",
	.run = test_python_scripts,
};

static enum selftest_outcome test_import(struct selftest_run *t)
{
	static const char code[] = "import perf; "
				   "print(len([c for c in perf.cpu_map()]) > 0)";
	_cleanup_(text_done) struct text out = TEXT_EMPTY;

	if (RUN(t, &out, "python3", "-c", "pass") != 0)
		return selftest_skip(t, "there is no python3");
	if (RUN(t, &out, "python3", "-c",
		"import importlib.util as u; print(u.find_spec('perf'))") ||
	    strstr(out.chars, "None"))
		return selftest_skip(t, "the module is not installed where python3 looks; set "
					"PYTHONPATH to its directory");
	EXPECT(t, RUN(t, &out, "python3", "-c", code) == 0, "'import perf' fails in python3");
	EXPECT(t, strstr(out.chars, "True"), "the module sees no CPU");
	return SELFTEST_OK;
}

const struct selftest check_import = {
	.name = "'import perf' in python",
	.why = "programs in Python cannot use perf events or recordings",
	.run = test_import,
};

static enum selftest_outcome test_cache(struct selftest_run *t)
{
	_cleanup_(text_done) struct text id = TEXT_EMPTY;
	_cleanup_(text_done) struct text list = TEXT_EMPTY;

	EXPECT(t, PERF(t, &id, "buildid-list", "-i", t->perf) == 0 || !id.length,
	       "the build-id of perf cannot be read");
	EXPECT(t, PERF(t, NULL, "--buildid-dir", "cache", "buildid-cache", "-a", t->perf) == 0,
	       "a file cannot be added to the build-id cache");
	EXPECT(t, PERF(t, &list, "--buildid-dir", "cache", "buildid-cache", "-l") == 0,
	       "the build-id cache cannot be listed");
	EXPECT(t, strstr(list.chars, t->perf), "a file that was added to the cache is not in it");
	EXPECT(t, PERF(t, NULL, "--buildid-dir", "cache", "buildid-cache", "-r", t->perf) == 0,
	       "a file cannot be removed from the cache");
	EXPECT(t,
	       PERF(t, &list, "--buildid-dir", "cache", "buildid-cache", "-l") == 0 &&
		       !strstr(list.chars, t->perf),
	       "a file that was removed from the cache is still in it");
	return SELFTEST_OK;
}

const struct selftest check_build_id_cache = {
	.name = "build id cache operations",
	.why = "recordings lose their symbols when programs are updated",
	.run = test_cache,
};

static enum selftest_outcome test_debuginfod(struct selftest_run *t)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (!HAVE_DEBUGINFOD)
		return selftest_skip(t, "this perf was built without libdebuginfod");
	if (!urls || !*urls)
		return selftest_skip(t, "DEBUGINFOD_URLS is not set: no server is asked for debug "
					"symbols");
	fprintf(t->out, "%s\n", urls);
	EXPECT(t, strstr(urls, "://"), "DEBUGINFOD_URLS is not an address: '%s'", urls);
	if (RUN(t, NULL, "sh", "-c",
		"for u in $DEBUGINFOD_URLS; do curl -fsSm 5 -o metrics \"$u/metrics\" && exit 0; "
		"done; "
		"exit 1") != 0)
		return selftest_skip(t, "no server of DEBUGINFOD_URLS answers, or curl is missing");
	return SELFTEST_OK;
}

const struct selftest check_debuginfod = {
	.name = "debuginfod",
	.why = "debug symbols are not fetched from the network",
	.run = test_debuginfod,
};

static enum selftest_outcome test_kcore(struct selftest_run *t)
{
	uint8_t head[4] = { 0 };
	_cleanup_(closep) int fd = -1;

	NEED(kit_need_root(t, "read /proc/kcore"));
	fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return selftest_skip(t,
				     "/proc/kcore cannot be opened (%s): CONFIG_PROC_KCORE is off, "
				     "or the kernel is locked down",
				     strerror(errno));
	if (read(fd, head, sizeof(head)) != sizeof(head))
		return selftest_skip(t, "/proc/kcore cannot be read in this container");
	EXPECT(t, !memcmp(head, "\177ELF", 4), "/proc/kcore is not an ELF file");
	return SELFTEST_OK;
}

const struct selftest check_kcore = {
	.name = "The kernel's code (kcore)",
	.why = "perf annotate cannot show functions of the kernel as they run",
	.run = test_kcore,
};
