/* SPDX-License-Identifier: MIT */
/*
 * Measures the cost of `perf inject --build-ids`: a stream of maps and samples goes through a pipe
 * into a child that reads build-ids of files and writes the stream to /dev/null.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/cleanup.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/notes.h"
#include "datafile/features.h"
#include "datafile/writer.h"
#include "tools/bench/internals-work.h"
#include "tools/bench/programs/result.h"
#include "transform/inject.h"
#include "wire/sample.h"

#define NUMBER_MAX 100000
#define MAP_BASE   0x10000000
#define MAP_SIZE   0x100000

static const struct attr stream_attr = {
	.type = PERF_TYPE_SOFTWARE,
	.size = 128,
	.config = PERF_COUNT_SW_TASK_CLOCK,
	.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
	.sample_id_all = 1,
};

/* Finds the files that perf itself has mapped: each machine has them, and most have build-ids. */
static void bench_inject_find_files(struct name_list *files)
{
	_cleanup_(freep) char *maps = NULL;
	char *rest, *line;

	if (file_read(AT_FDCWD, "/proc/self/maps", 1 << 20, &maps, NULL) < 0)
		return;
	rest = maps;
	while ((line = strsep(&rest, "\n"))) {
		char *path = strchr(line, '/');

		if (path && strstr(line, " r-x") && !strstr(path, " (deleted)"))
			name_list_add(files, path);
	}
}

static void bench_inject_add_map(struct bytes *out, const struct name_list *files, uint64_t number,
				 pid_t pid)
{
	const struct record r = {
		.header = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER },
		.id = { .pid = (uint32_t)pid, .tid = (uint32_t)pid, .time = number * 1000 },
		.mmap = { .pid = (uint32_t)pid,
			  .tid = (uint32_t)pid,
			  .addr = MAP_BASE + number * MAP_SIZE,
			  .len = MAP_SIZE,
			  .filename = files->items[number % files->n],
			  .prot = 5,
			  .flags = 2 },
	};

	record_encode(&r, &stream_attr, out);
}

static void bench_inject_add_samples(struct bytes *out, uint64_t map, uint64_t n, pid_t pid)
{
	for (uint64_t i = 0; i < n; i++) {
		const struct sample s = { .misc = PERF_RECORD_MISC_USER,
					  .ip = MAP_BASE + map * MAP_SIZE + i * 16 % MAP_SIZE,
					  .pid = (uint32_t)pid,
					  .tid = (uint32_t)pid,
					  .time = map * 1000 + 1 + i % 900 };

		sample_encode(&s, &stream_attr, out);
	}
}

/* Writes the whole stream, in the parent, until the child has read it. */
static int write_stream(int fd, const struct bytes *records, struct diag *diag)
{
	const struct writer_options options = { .form = WRITER_PIPE };
	const struct file_event event = { .attr = stream_attr };
	const struct features early = { 0 };
	_cleanup_(writer_freep) struct writer *w = NULL;
	int r = writer_open("-", fd, &options, &w, diag);

	if (r >= 0)
		r = writer_begin(w, &event, 1, &early, diag);
	return r < 0 ? r : writer_write(w, 0, records->data, records->n);
}

static void bench_inject_run_child(int fd, bool all)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	struct notes notes = { 0 };
	const struct inject_request rq = {
		.input = "-", .output = "/dev/null", .build_ids = !all, .buildid_all = all
	};
	int r;

	if (dup2(fd, STDIN_FILENO) < 0)
		_exit(1);
	close(fd);
	r = inject_run(&rq, &notes, &diag);
	_exit(r < 0 ? 1 : 0);
}

struct once {
	double ms;
	long kb;
	pid_t pid;
	int status;
};

static int inject_once(const struct bytes *records, bool all, struct once *ret, struct diag *diag)
{
	double begin = bench_now();
	struct rusage usage;
	int fds[2], r;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return bench_explain(diag, -errno, "no pipe");
	ret->pid = bench_fork();
	if (!ret->pid) {
		close(fds[1]);
		bench_inject_run_child(fds[0], all);
	}
	close(fds[0]);
	r = ret->pid < 0 ? bench_explain(diag, ret->pid, "a process cannot be started")
			 : write_stream(fds[1], records, diag);
	close(fds[1]);
	if (ret->pid < 0)
		return r;
	while (wait4(ret->pid, &ret->status, 0, &usage) < 0)
		if (errno != EINTR)
			return diag_set(diag, -errno, "cannot wait for a process");
	ret->ms = (bench_now() - begin) * 1e3;
	ret->kb = usage.ru_maxrss;
	ret->status = WEXITSTATUS(ret->status);
	if (r >= 0 && ret->status)
		r = diag_set(diag, -EIO, "perf inject failed in a child");
	return r;
}

static void bench_inject_tell(struct bench_result *ret, const char *format, long n, long m)
{
	char *line = xasprintf(format, n, m);

	bench_line_text(ret, line);
	free(line);
}

static int bench_inject_measure(const struct bench_inject_params *p, const struct bytes *records,
				bool all, struct bench_result *ret, struct diag *diag)
{
	double events = (double)p->mmaps * (double)(p->samples + 2);
	struct moments ms = { 0 }, usecs = { 0 }, kb = { 0 };

	if (p->verbose)
		bench_line_text(ret, all ? "  Build-id-all injection benchmark"
					 : "  Build-id injection benchmark");
	for (uint64_t i = 0; i < p->iterations; i++) {
		struct once once;
		int r = inject_once(records, all, &once, diag);

		if (r < 0)
			return r;
		if (p->verbose) {
			bench_inject_tell(ret, "  Iteration #%ld", (long)i + 1, 0);
			bench_inject_tell(ret, "   Child %ld exited with %ld", once.pid,
					  once.status);
		}
		moments_add(&ms, once.ms);
		moments_add(&usecs, once.ms * 1e3 / events);
		moments_add(&kb, (double)once.kb);
	}
	bench_line_mean(ret,
			all ? "  Average build-id-all injection took: "
			    : "  Average build-id injection took: ",
			&ms, "msec", 3);
	bench_line_mean(ret, "  Average time per event: ", &usecs, "usec", 3);
	bench_line_mean(ret, "  Average memory usage: ", &kb, "KB", 0);
	bench_figure_add(ret, all ? "build-id-all" : "build-id", "msec", BENCH_LESS, ms.mean);
	bench_figure_add(ret, all ? "build-id-all memory" : "build-id memory", "KB", BENCH_LESS,
			 kb.mean);
	return 0;
}

int bench_internals_inject_build_id(const void *params, unsigned repeat, struct bench_result *ret,
				    struct diag *diag)
{
	const struct bench_inject_params *p = params;
	_cleanup_(name_list_done) struct name_list files = { 0 };
	_cleanup_(bytes_done) struct bytes records = { 0 };
	pid_t pid = getpid();
	int r;

	(void)repeat;
	if (!p->iterations || !p->mmaps || p->mmaps > NUMBER_MAX || p->samples > NUMBER_MAX ||
	    p->mmaps * p->samples > 100 * (uint64_t)NUMBER_MAX)
		return diag_set(diag, -EINVAL,
				"--iterations and --nr-mmaps are at least 1, and there are at most "
				"%d samples in all",
				100 * NUMBER_MAX);
	bench_inject_find_files(&files);
	if (!files.n)
		return diag_set(diag, -ENOENT, "/proc/self/maps names no files");
	for (uint64_t i = 0; i < p->mmaps; i++) {
		bench_inject_add_map(&records, &files, i, pid);
		bench_inject_add_samples(&records, i, p->samples, pid);
	}
	if (p->verbose)
		bench_inject_tell(ret, "  Collected %ld DSOs", (long)files.n, 0);
	r = bench_inject_measure(p, &records, false, ret, diag);
	return r < 0 ? r : bench_inject_measure(p, &records, true, ret, diag);
}
