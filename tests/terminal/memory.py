# SPDX-License-Identifier: MIT
"""Runs commands whose allocations all fail from a moment on: when they get the signal GONE."""
import os
import shutil
import signal
import subprocess
from pathlib import Path

from terminal import PERF, Skip

GONE = signal.SIGUSR2

SOURCE = """
#include <errno.h>
#include <signal.h>
#include <stddef.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
static volatile sig_atomic_t gone;

static void on_signal(int number)
{
	gone = number;
}

__attribute__((constructor)) static void begin(void)
{
	signal(SIGUSR2, on_signal);
}

static void *none(void)
{
	errno = ENOMEM;
	return NULL;
}

void *malloc(size_t size)
{
	return gone ? none() : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return gone ? none() : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	return gone ? none() : __libc_realloc(p, size);
}
"""


def environment(folder):
    """Returns the environment variables for this. The library is made in @folder."""
    perf = Path(shutil.which(PERF) or PERF).read_bytes()
    if b"__asan_" in perf or b"__tsan_" in perf:
        raise Skip("sanitizers have an allocator of their own")
    source, library = Path(folder, "memory.c"), Path(folder, "memory.so")
    source.write_text(SOURCE)
    command = [*os.environ.get("CC", "cc").split(), "-shared", "-fPIC", "-o", str(library), str(source)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        raise Skip("no C compiler") from None
    return {"LD_PRELOAD": str(library)}
