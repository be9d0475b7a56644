/* SPDX-License-Identifier: MIT */
/*
 * The benchmark. Processes share one block of memory (global), threads of a process another
 * (process), and each thread has its own. A round of a thread works on all three. The results are
 * in memory that all processes share.
 */
#include "tools/bench/programs/numa.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "tools/bench/programs/numa-places.h"
#include "tools/bench/programs/result.h"

#define MB_MAX      (1 << 24)
#define SECONDS_MAX 1000000
/* The time for which a thread that waits for the others sleeps. */
#define POLL_USEC 1000

/* The results of one thread, in shared memory. */
struct bench_numa_task {
	atomic_ulong loops, bytes;
	atomic_int cpu; /* the CPU on which it ran last */
	double seconds;
	int error;
};

struct stage {
	atomic_int ready, failed, turn;
	atomic_int begin, end;
	struct bench_numa_task tasks[];
};

struct bench_numa_scene {
	const struct bench_numa_params *p;
	struct bench_numa_places places;
	struct stage *stage;
	size_t stage_size, n;
	char *global;
	pid_t *pids;
	double converged_s;
};

/*
 * Returns the next random number, by xorshift: it is cheap, and each thread has its own generator.
 */
static uint64_t bench_numa_next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void bench_numa_fill(char *bytes, uint64_t size, const struct bench_numa_params *p,
			    uint64_t seed)
{
	if (p->init_zero) {
		memset(bytes, 0, size);
	} else if (p->init_random) {
		for (uint64_t i = 0; i < size / 8; i++)
			((uint64_t *)bytes)[i] = bench_numa_next_random(&seed);
	}
}

/* Maps memory of @mb, shared with processes that are forked later if @shared. NULL: none. */
static char *bench_numa_map(uint64_t mb, bool shared, const struct bench_numa_params *p,
			    uint64_t seed)
{
	uint64_t size = mb << 20;
	char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1, 0);

	if (bytes == MAP_FAILED)
		return NULL;
	if (p->thp)
		madvise(bytes, size, p->thp > 0 ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	if (p->init_cpu0)
		bench_numa_bind_to_cpu(0);
	bench_numa_fill(bytes, size, p, seed);
	if (p->init_cpu0)
		bench_numa_bind_to_cpu(-1);
	return bytes;
}

static void bench_numa_unmap(char *bytes, uint64_t mb)
{
	if (bytes)
		munmap(bytes, mb << 20);
}

/* The block size of a random walk: large enough that the walk itself costs little. */
#define BLOCK_WORDS 128

/*
 * Touches words through a volatile pointer: word by word, as programs do, and not as the compiler
 * would optimise it.
 */
static uint64_t bench_numa_touch(volatile uint64_t *words, uint64_t n, uint64_t sum,
				 const struct bench_numa_params *p)
{
	if (p->zero_memset) {
		memset((void *)words, 0, n * sizeof(*words));
	} else if (!p->writes) {
		for (uint64_t i = 0; i < n; i++)
			sum += words[i];
	} else if (!p->reads) {
		for (uint64_t i = 0; i < n; i++)
			words[i] = ++sum;
	} else {
		for (uint64_t i = 0; i < n; i++)
			words[i] = sum += words[i];
	}
	return sum;
}

/*
 * Works on all of @bytes once, beginning at a different place for each thread, or block by block in
 * random order. Returns how many bytes that was.
 */
static uint64_t work_on(char *bytes, uint64_t mb, const struct bench_numa_params *p, uint64_t round,
			unsigned task)
{
	uint64_t blocks = (mb << 20) / (BLOCK_WORDS * 8), state = round * 2654435761 + task + 1;
	uint64_t *words = (uint64_t *)bytes, sum = 0;

	if (!bytes || !blocks)
		return 0;
	if (p->zero_memset && !p->random_walk) {
		memset(bytes, 0, mb << 20);
		return mb << 20;
	}
	for (uint64_t i = 0; i < blocks; i++) {
		uint64_t k = p->random_walk ? bench_numa_next_random(&state) % blocks
					    : (blocks / 64 * (task % 64) + i) % blocks;

		if (p->backwards && round % 2)
			k = blocks - 1 - k;
		sum = bench_numa_touch(&words[k * BLOCK_WORDS], BLOCK_WORDS, sum, p);
	}
	return blocks * BLOCK_WORDS * 8;
}

struct bench_numa_thread {
	struct bench_numa_scene *scene;
	unsigned process, number; /* the number of its process; its number among all tasks */
	bool is_first;            /* the first of all tasks */
	char *shared;             /* the memory that its process shares */
	pthread_mutex_t *lock;
	pthread_t id;
};

static int place_task(const struct bench_numa_scene *s, unsigned number)
{
	const struct bench_numa_places *l = &s->places;

	if (number < l->n_task_cpus)
		bench_numa_bind_to_cpu(l->task_cpus[number]);
	return number < l->n_task_nodes ? bench_numa_bind_to_node(l->task_nodes[number]) : 0;
}

/*
 * Moves to another CPU at intervals, and then removes the binding, to see whether the task returns
 * to its memory.
 */
static void bench_numa_perturb(const struct bench_numa_scene *s, uint64_t round)
{
	bench_numa_bind_to_cpu((int)(round % (uint64_t)s->places.cpus));
	usleep(1000);
	bench_numa_bind_to_cpu(-1);
}

static uint64_t work_round(const struct bench_numa_thread *t, char *own, uint64_t round)
{
	const struct bench_numa_params *p = t->scene->p;
	uint64_t bytes = work_on(t->scene->global, p->mb_global, p, round, t->number);

	bytes += work_on(t->shared, p->mb_process, p, round, t->number);
	if (p->mb_locked) {
		pthread_mutex_lock(t->lock);
		bytes += work_on(t->shared, p->mb_locked, p, round, t->number);
		pthread_mutex_unlock(t->lock);
	}
	bytes += work_on(own, p->mb_thread, p, round, t->number);
	return bytes;
}

static void bench_numa_work(const struct bench_numa_thread *t, struct bench_numa_task *task,
			    char *own)
{
	const struct bench_numa_params *p = t->scene->p;
	struct stage *stage = t->scene->stage;
	double begin = bench_now(), perturbed = begin;

	for (uint64_t round = 0; p->loops < 0 || round < (uint64_t)p->loops; round++) {
		double now;

		atomic_fetch_add(&task->bytes, work_round(t, own, round));
		atomic_fetch_add(&task->loops, 1);
		atomic_store(&task->cpu, sched_getcpu());
		now = bench_now();
		if (atomic_load(&stage->end) || now - begin >= (double)p->seconds)
			break;
		if (t->is_first && p->perturb_seconds &&
		    now - perturbed >= (double)p->perturb_seconds) {
			bench_numa_perturb(t->scene, round);
			perturbed = now;
		}
		if (p->usleep)
			usleep((useconds_t)p->usleep);
	}
	task->seconds = bench_now() - begin;
}

static void *bench_numa_run_thread(void *arg)
{
	struct bench_numa_thread *t = arg;
	const struct bench_numa_params *p = t->scene->p;
	struct stage *stage = t->scene->stage;
	struct bench_numa_task *task = &stage->tasks[t->number];
	char *own = NULL;

	while (p->serialize && (unsigned)atomic_load(&stage->turn) != t->number &&
	       !atomic_load(&stage->failed))
		usleep(POLL_USEC);
	task->error = place_task(t->scene, t->number);
	if (!task->error && p->mb_thread)
		own = bench_numa_map(p->mb_thread, false, p, t->number + 1);
	if (!task->error && p->mb_thread && !own)
		task->error = -ENOMEM;
	if (task->error)
		atomic_store(&stage->failed, 1);
	atomic_store(&task->cpu, sched_getcpu());
	atomic_fetch_add(&stage->turn, 1);
	atomic_fetch_add(&stage->ready, 1);
	while (!atomic_load(&stage->begin) && !atomic_load(&stage->failed))
		usleep(POLL_USEC);
	if (!atomic_load(&stage->failed))
		bench_numa_work(t, task, own);
	bench_numa_unmap(own, p->mb_thread);
	return NULL;
}

/* Runs a process of the benchmark; returns a positive errno, its status. */
static int bench_numa_run_process(struct bench_numa_scene *s, unsigned number)
{
	const struct bench_numa_params *p = s->p;
	struct bench_numa_thread *threads = xcalloc(p->threads, sizeof(*threads));
	_cleanup_(diag_done) struct diag unused = { 0 };
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	char *shared = NULL;
	size_t n = 0;
	int r = 0;

	/* This is the first thread's node. Its policy is not inherited, so it is set here. */
	if (number * p->threads < s->places.n_task_nodes)
		r = bench_numa_bind_to_node(s->places.task_nodes[number * p->threads]);
	if (!r && p->mb_process)
		shared = bench_numa_map(p->mb_process, false, p, number + 77);
	if (p->mb_process && !shared)
		r = r ? r : -ENOMEM;
	for (; n < p->threads && r >= 0; n += r >= 0) {
		threads[n] = (struct bench_numa_thread){ .scene = s,
							 .process = number,
							 .number = number * (unsigned)p->threads +
								   (unsigned)n,
							 .is_first = !number && !n,
							 .shared = shared,
							 .lock = &lock };
		r = bench_thread_start(&threads[n].id, -1, bench_numa_run_thread, &threads[n],
				       &unused);
	}
	if (r < 0)
		atomic_store(&s->stage->failed, 1);
	for (size_t i = 0; i < n; i++)
		pthread_join(threads[i].id, NULL);
	bench_numa_unmap(shared, p->mb_process);
	free(threads);
	return -r;
}

/* True if each process is on one node only. */
static bool has_converged(const struct bench_numa_scene *s)
{
	for (uint64_t i = 0; i < s->p->processes; i++)
		for (uint64_t k = 0; k < s->p->threads; k++) {
			const struct bench_numa_task *first = &s->stage->tasks[i * s->p->threads];
			const struct bench_numa_task *task = &first[k];
			int a = atomic_load(&first->cpu), b = atomic_load(&task->cpu);

			if (!atomic_load(&task->loops) || a < 0 || b < 0 || a >= s->places.cpus ||
			    b >= s->places.cpus || s->places.node_of[a] != s->places.node_of[b])
				return false;
		}
	return true;
}

/* Returns "4/2 [ 0/2 ] l: 11-12 ( 1) [ 8.3%]": tasks and processes of each node, rounds. */
static char *describe_convergence(const struct bench_numa_scene *s)
{
	struct text t = TEXT_EMPTY;
	unsigned long least = ULONG_MAX, most = 0;
	bool *has = xcalloc((size_t)s->places.nodes * s->p->processes, sizeof(*has));
	unsigned spread = 0;

	for (int node = 0; node < s->places.nodes; node++) {
		unsigned tasks = 0, processes = 0;

		for (size_t i = 0; i < s->n; i++) {
			int cpu = atomic_load(&s->stage->tasks[i].cpu);
			size_t process = i / s->p->threads;
			bool here = cpu >= 0 && cpu < s->places.cpus &&
				    s->places.node_of[cpu] == node;
			bool *seen = &has[(size_t)node * s->p->processes + process];

			tasks += here;
			processes += here && !*seen;
			*seen = *seen || here;
		}
		text_addf(&t, "%u/%u  ", tasks, processes);
	}
	for (uint64_t k = 0; k < s->p->processes; k++) {
		unsigned nodes = 0;

		for (int node = 0; node < s->places.nodes; node++)
			nodes += has[(size_t)node * s->p->processes + k];
		spread += nodes > 1;
	}
	for (size_t i = 0; i < s->n; i++) {
		unsigned long loops = atomic_load(&s->stage->tasks[i].loops);

		least = loops < least ? loops : least;
		most = loops > most ? loops : most;
	}
	text_addf(&t, "[%2u/%u ] l: %lu-%lu  (%3lu) [%4.1f%%]", spread, (unsigned)s->p->processes,
		  least, most, most - least,
		  most ? (double)(most - least) / (double)most * 100 : 0);
	if (s->converged_s >= 0)
		text_addf(&t, " (%6.1fs converged)", s->converged_s);
	free(has);
	return text_take(&t);
}

static int start_processes(struct bench_numa_scene *s, struct diag *diag)
{
	for (uint64_t i = 0; i < s->p->processes; i++) {
		pid_t pid = bench_fork();

		if (!pid)
			_exit(bench_numa_run_process(s, (unsigned)i));
		if (pid < 0) {
			atomic_store(&s->stage->failed, 1);
			return bench_explain(diag, pid, "a process cannot be started");
		}
		s->pids[i] = pid;
	}
	return 0;
}

static int find_error(const struct bench_numa_scene *s, struct diag *diag)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->stage->tasks[i].error)
			return bench_explain(diag, s->stage->tasks[i].error,
					     "a task cannot be placed, or has no memory");
	return bench_explain(diag, -ENOMEM, "a process has no memory or no threads");
}

static int bench_numa_wait_until_ready(const struct bench_numa_scene *s, struct diag *diag)
{
	while ((size_t)atomic_load(&s->stage->ready) < s->n && !bench_interrupted) {
		if (atomic_load(&s->stage->failed))
			return find_error(s, diag);
		usleep(POLL_USEC / 4);
	}
	return atomic_load(&s->stage->failed) ? find_error(s, diag) : 0;
}

/*
 * Reaps the children that have ended, and returns how many have not. A negative errno: one has
 * failed.
 */
static int reap_ended(struct bench_numa_scene *s, struct diag *diag)
{
	int alive = 0;

	for (uint64_t i = 0; i < s->p->processes; i++) {
		int status;
		pid_t pid = s->pids[i] ? waitpid(s->pids[i], &status, WNOHANG) : -1;

		if (!pid)
			alive++;
		if (pid <= 0)
			continue;
		s->pids[i] = 0;
		if (!WIFEXITED(status) || WEXITSTATUS(status))
			return diag_set(diag, -EIO, "a process of the benchmark failed");
	}
	return alive;
}

static int bench_numa_wait_for_end(struct bench_numa_scene *s, double begin, struct diag *diag)
{
	bool watches = s->p->measure_convergence || s->p->show_convergence;
	int alive;

	while ((alive = reap_ended(s, diag)) > 0) {
		usleep(10 * POLL_USEC);
		if (watches && s->converged_s < 0 && has_converged(s)) {
			s->converged_s = bench_now() - begin;
			if (s->p->measure_convergence)
				atomic_store(&s->stage->end, 1);
		}
		if (bench_interrupted)
			atomic_store(&s->stage->end, 1);
	}
	return alive;
}

static void bench_numa_collect(const struct bench_numa_scene *s, struct bench_numa_run *run)
{
	double sum = 0, bytes = 0;

	run->min_s = 1e30;
	for (size_t i = 0; i < s->n; i++) {
		const struct bench_numa_task *t = &s->stage->tasks[i];

		sum += t->seconds;
		bytes += (double)atomic_load(&t->bytes);
		run->max_s = t->seconds > run->max_s ? t->seconds : run->max_s;
		run->min_s = t->seconds < run->min_s ? t->seconds : run->min_s;
	}
	run->avg_s = sum / (double)s->n;
	run->spread = run->max_s > 0 ? (run->max_s - run->min_s) / run->max_s / 2 * 100 : 0;
	run->gb_total = bytes / 1e9;
	run->gb_thread = run->gb_total / (double)s->n;
	run->ns_byte = bytes > 0 ? run->max_s / run->gb_thread : 0;
	run->speed_thread = run->max_s > 0 ? run->gb_thread / run->max_s : 0;
	run->speed_total = run->max_s > 0 ? run->gb_total / run->max_s : 0;
	run->converged_s = s->p->measure_convergence ? s->converged_s : -1;
	/* The progress line appears after each second. */
	run->seconds_shown = run->max_s >= 1 || s->converged_s >= 0 ? 0 : -1;
	if (s->p->show_convergence)
		run->convergence_text = describe_convergence(s);
}

static int bench_numa_run_stage(struct bench_numa_scene *s, struct bench_numa_run *run,
				struct diag *diag)
{
	struct sigaction before;
	double begin = bench_now();
	int r = bench_interrupts_begin(&before);

	if (r < 0)
		return r;
	r = start_processes(s, diag);
	if (r >= 0)
		r = bench_numa_wait_until_ready(s, diag);
	run->startup_s = bench_now() - begin;
	if (r >= 0 && s->p->show_details) {
		run->pids = xcalloc(s->p->processes, sizeof(*run->pids));
		memcpy(run->pids, s->pids, s->p->processes * sizeof(*run->pids));
	}
	if (r >= 0) {
		atomic_store(&s->stage->begin, 1);
		r = bench_numa_wait_for_end(s, bench_now(), diag);
	}
	bench_reap(s->pids, s->p->processes);
	bench_interrupts_end(&before);
	if (r >= 0)
		bench_numa_collect(s, run);
	return r;
}

static char *bench_numa_join(const int *items, size_t n)
{
	struct text t = TEXT_EMPTY;

	for (size_t i = 0; i < n; i++)
		text_addf(&t, "%s%d", i ? ", " : "", items[i]);
	return n ? text_take(&t) : NULL;
}

static int bench_numa_check(const struct bench_numa_params *p, struct diag *diag)
{
	if (!p->processes || !p->threads || p->processes > BENCH_NUMA_TASKS_MAX ||
	    p->threads > BENCH_NUMA_TASKS_MAX || p->processes * p->threads > BENCH_NUMA_TASKS_MAX)
		return diag_set(diag, -EINVAL, "there can be 1 to %d tasks", BENCH_NUMA_TASKS_MAX);
	if (p->mb_global > MB_MAX || p->mb_process > MB_MAX || p->mb_thread > MB_MAX)
		return diag_set(diag, -EINVAL, "blocks of memory have at most %d MB", MB_MAX);
	if (p->mb_locked > p->mb_process)
		return diag_set(diag, -EINVAL, "--mb_proc_locked is a part of --mb_proc");
	if (!p->seconds || p->seconds > SECONDS_MAX || !p->loops)
		return diag_set(diag, -EINVAL,
				"--nr_secs is a number from 1 to %d, --nr_loops is not 0",
				SECONDS_MAX);
	if (p->usleep > 1000000)
		return diag_set(diag, -EINVAL, "--usleep is at most 1000000");
	return 0;
}

static void bench_numa_fill_in(struct bench_numa_run *run, const struct bench_numa_params *p,
			       const struct bench_numa_places *l)
{
	run->quiet = p->quiet;
	run->nodes = l->nodes;
	run->cpus = l->cpus;
	run->processes = (unsigned)p->processes;
	run->threads = (unsigned)p->threads;
	run->loops = p->loops;
	run->mb_global = p->mb_global;
	run->mb_process = p->mb_process;
	run->mb_thread = p->mb_thread;
	run->cpu_binding = bench_numa_join(l->task_cpus, l->n_task_cpus);
	run->node_binding = bench_numa_join(l->task_nodes, l->n_task_nodes);
	run->converged_s = run->seconds_shown = -1;
}

static int run_scene(struct bench_numa_scene *s, struct bench_numa_run *run, struct diag *diag)
{
	int r;

	s->n = s->p->processes * s->p->threads;
	s->stage_size = sizeof(*s->stage) + s->n * sizeof(s->stage->tasks[0]);
	s->stage = mmap(NULL, s->stage_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
			0);
	if (s->stage == MAP_FAILED)
		return bench_explain(diag, -errno, "no memory");
	if (s->p->mb_global)
		s->global = bench_numa_map(s->p->mb_global, true, s->p, 1);
	if (s->p->mb_global && !s->global) {
		r = bench_explain(diag, -ENOMEM, "no memory that processes share");
	} else {
		s->pids = xcalloc(s->p->processes, sizeof(*s->pids));
		r = bench_numa_run_stage(s, run, diag);
		free(s->pids);
	}
	bench_numa_unmap(s->global, s->p->mb_global);
	munmap(s->stage, s->stage_size);
	return r;
}

static uint64_t bench_numa_bytes_needed(const struct bench_numa_params *p)
{
	return (p->mb_global + p->mb_process * p->processes +
		p->mb_thread * p->processes * p->threads)
	       << 20;
}

/* -ENOSYS: the machine has less memory than is needed. */
static int bench_numa_check_memory(const struct bench_numa_params *p, char **ret_why)
{
	if (bench_numa_bytes_needed(p) <= bench_memory_available())
		return 0;
	*ret_why = xasprintf("system has only %llu MB of memory left.",
			     (unsigned long long)bench_memory_available() >> 20);
	return -ENOSYS;
}

int bench_numa_run_once(const struct bench_numa_params *p, struct bench_numa_run *ret,
			struct diag *diag)
{
	struct bench_numa_scene s = { .p = p, .converged_s = -1 };
	int r = bench_numa_check(p, diag);

	if (r < 0)
		return r;
	r = bench_numa_places_find(&s.places, p->cpus, p->nodes, &ret->not_applicable, diag);
	if (r >= 0)
		r = bench_numa_check_memory(p, &ret->not_applicable);
	bench_numa_fill_in(ret, p, &s.places);
	if (r >= 0)
		r = run_scene(&s, ret, diag);
	bench_numa_places_done(&s.places);
	return r;
}
