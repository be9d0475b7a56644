/* SPDX-License-Identifier: MIT */
/*
 * BTF by our reader and by libbpf's: the parameters of functions of this kernel, as `perf probe`
 * asks for them where there is no debug information. Answers: how many parameters.
 *
 * Needs: libbpf
 */
#include <bpf/btf.h>
#include <string.h>

#include "base/file.h"
#include "versus.h"
#include "wire/btf-types.h"

#define BTF_FILE "/sys/kernel/btf/vmlinux"

static uint64_t by_us(const void *question)
{
	struct btf_parameter parameters[BTF_PARAMETERS_MAX];
	uint64_t sum = 0;
	struct btf_types *types;
	size_t size;
	char *bytes;

	if (file_read(-1, BTF_FILE, 64 << 20, &bytes, &size) < 0 ||
	    btf_types_open(bytes, size, NULL, &types) < 0)
		return VERSUS_NONE;
	for (const char *const *name = question; *name; name++) {
		int n = btf_function_parameters(types, *name, parameters);

		sum += n > 0 ? (uint64_t)n : 0;
	}
	return sum;
}

static uint64_t by_library(const void *question)
{
	struct btf *btf = btf__parse_raw(BTF_FILE);
	uint64_t sum = 0;

	if (!btf)
		return VERSUS_NONE;
	for (const char *const *name = question; *name; name++) {
		int id = btf__find_by_name_kind(btf, *name, BTF_KIND_FUNC);

		if (id > 0)
			sum += btf_vlen(
				btf__type_by_id(btf, btf__type_by_id(btf, (__u32)id)->type));
	}
	return sum;
}

int main(void)
{
	static const char *const one[] = { "tcp_sendmsg", NULL };
	static const char *const ten[] = {
		"tcp_sendmsg",    "vfs_read",    "vfs_write", "do_sys_openat2",
		"ip_output",      "schedule",    "kfree",     "wake_up_process",
		"try_to_wake_up", "tcp_recvmsg", NULL
	};

	if (access(BTF_FILE, R_OK) < 0) {
		puts("no " BTF_FILE ": no BTF to measure");
		return EXIT_SUCCESS;
	}
	versus_title("BTF", "libbpf");
	versus("parameters of a function", by_us, by_library, one, 1);
	versus("parameters of ten functions", by_us, by_library, ten, 1);
	return EXIT_SUCCESS;
}
