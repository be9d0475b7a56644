/* SPDX-License-Identifier: MIT */
#include "kernel/function-probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "kernel/pmu.h"
#include "wire/attr.h"

int function_probe_attr(const char *devices, const char *function, bool at_return, struct attr *ret,
			struct diag *diag)
{
	_cleanup_(freep) char *path = xasprintf("%s/kprobe/type", devices ? devices : PMU_DEVICES);
	_cleanup_(freep) char *text = NULL;
	uint64_t type;

	if (file_read_line(AT_FDCWD, path, &text) < 0 || number_parse(text, &type) < 0 ||
	    type > UINT32_MAX)
		return diag_set(diag, -EOPNOTSUPP,
				"this kernel has no probes in its functions: it was built without "
				"CONFIG_KPROBE_EVENTS");
	/* Bit 0 of config is format/retprobe; config1 is kprobe_func, and config2 an offset. */
	*ret = (struct attr){
		.type = (uint32_t)type,
		.config = at_return,
		.config1 = (uint64_t)(uintptr_t)function,
	};
	return 0;
}
