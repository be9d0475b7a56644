/* SPDX-License-Identifier: MIT */
/* Code of JIT compilers, which has no file except a jit-PID.dump. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/output-file.h"
#include "tools/test/checks/checks.h"
#include "tools/test/checks/fake-recording.h"
#include "tools/test/checks/kit.h"

#define JITDUMP_MAGIC   0x4a695444 /* "JiTD" */
#define JITDUMP_VERSION 1
#define JIT_CODE_LOAD   0

#define FUNCTION      "self_test_function"
#define FUNCTION_SIZE 64

/* Writes the dump. The format is Documentation/jitdump-specification.txt of Linux's perf. */
static void check_jit_put_dump(struct bytes *out, uint32_t machine)
{
	bytes_u32(out, JITDUMP_MAGIC);
	bytes_u32(out, JITDUMP_VERSION);
	bytes_u32(out, 40);
	bytes_u32(out, machine);
	bytes_u32(out, 0);
	bytes_u32(out, 100);
	bytes_u64(out, FAKE_FIRST_NS);
	bytes_u64(out, 0);

	bytes_u32(out, JIT_CODE_LOAD);
	bytes_u32(out, (uint32_t)(56 + sizeof(FUNCTION) + FUNCTION_SIZE));
	/* This is after its memory was mapped, and before the first sample. */
	bytes_u64(out, FAKE_FIRST_NS + 6000000);
	bytes_u32(out, 100);
	bytes_u32(out, 100);
	bytes_u64(out, FAKE_JIT + 0x100);
	bytes_u64(out, FAKE_JIT + 0x100);
	bytes_u64(out, FUNCTION_SIZE);
	bytes_u64(out, 1);
	bytes_add(out, FUNCTION, sizeof(FUNCTION));
	bytes_zero(out, FUNCTION_SIZE);
}

static enum selftest_outcome test_jit(struct selftest_run *t)
{
	static const struct fake_samples samples[] = {
		{ 100, 100, FAKE_JIT + 0x110, { 0, 0, 0 }, 5, 1000000 },
	};
	struct fake_recording f = { .samples = samples, .n = 1 };
	_cleanup_(bytes_done) struct bytes dump = { 0 };
	_cleanup_(text_done) struct text out = TEXT_EMPTY;
	_cleanup_(diag_done) struct diag d = { 0 };
	_cleanup_(freep) char *cwd = getcwd(NULL, 0);
	_cleanup_(freep) char *path = NULL;

	EXPECT(t, cwd, "there is no directory");
	path = xasprintf("%s/jit-100.dump", cwd);
	check_jit_put_dump(&dump, arch_host()->elf_machine);
	EXPECT(t, output_file_replace(path, dump.data, dump.n, 0600) >= 0,
	       "a file cannot be written");
	f.jit_dump = path;
	EXPECT(t, fake_recording_write("perf.data", &f, &d) >= 0, "a recording cannot be written");
	EXPECT(t, PERF(t, &out, "script", "-i", "perf.data", "-G", "-F", "ip,sym") == 0,
	       "perf script fails");
	EXPECT(t, kit_count(&out, FUNCTION) == 5, "code of a JIT compiler has no name");
	EXPECT(t, PERF(t, NULL, "inject", "--jit", "-i", "perf.data", "-o", "jit.data") == 0,
	       "perf inject --jit fails");
	EXPECT(t,
	       PERF(t, &out, "report", "--stdio", "-i", "jit.data", "-g", "none", "--no-children",
		    "-s", "sym") == 0,
	       "what perf inject --jit wrote cannot be read");
	EXPECT(t, strstr(out.chars, FUNCTION), "perf inject --jit loses the names of JIT code");
	return SELFTEST_OK;
}

const struct selftest check_jit = {
	.name = "Test jit_write_elf",
	.why = "code of Java, JavaScript and other JIT compilers has no names",
	.run = test_jit,
};
