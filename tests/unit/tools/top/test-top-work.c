/* SPDX-License-Identifier: MIT */
/* Alone: it starts itself. */
/*
 * The measured program is this program itself: test-top touch. For each 't' that it reads it
 * touches PAGES fresh pages, and answers; each page is a fault, and each fault a sample.
 *
 * Except for the first one, snapshots come only when the test requests them, because the delay is
 * an hour.
 */
/* The tests include the internal functions, because no test may wait for these times. */
#include "tools/top/top-work.c"

#include "example-top.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/notes.h"
#include "foreign/any-session.h"
#include "measure/words.h"
#include "scratch-folder.h"
#include "symbol/symbol.h"

#define PAGES   1000
#define HOUR_MS 3600000

static volatile char sink;

/* Rows show the name of this function. */
__attribute__((noinline)) static void touch_each(char *pages, size_t size)
{
	for (size_t i = 0; i < PAGES; i++)
		pages[i * size] = 1;
}

/* Executes the requests to the child, which answers each letter with itself. */
static int be_the_child(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, PAGES * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	char letter;

	madvise(pages, PAGES * size, MADV_NOHUGEPAGE);
	while (read(STDIN_FILENO, &letter, 1) == 1 && letter != 'q') {
		madvise(pages, PAGES * size, MADV_DONTNEED);
		if (letter == 't')
			touch_each(pages, size);
		if (write(STDOUT_FILENO, &letter, 1) != 1)
			break;
	}
	sink = pages[0];
	return letter == 'q' ? 0 : 1;
}

struct child {
	pid_t pid;
	int to, from;
};

static void child_begin(struct child *c)
{
	int to[2], from[2];

	assert_int_equal(pipe(to), 0);
	assert_int_equal(pipe(from), 0);
	c->pid = fork();
	assert_true(c->pid >= 0);
	if (!c->pid) {
		dup2(to[0], STDIN_FILENO);
		dup2(from[1], STDOUT_FILENO);
		close(to[1]);
		close(from[0]);
		execl("/proc/self/exe", "job-top", "touch", NULL);
		_exit(127);
	}
	close(to[0]);
	close(from[1]);
	c->to = to[1];
	c->from = from[0];
}

static void child_do(struct child *c, char letter)
{
	char answer = 0;

	assert_int_equal(write(c->to, &letter, 1), 1);
	assert_int_equal(read(c->from, &answer, 1), 1);
	assert_int_equal(answer, letter);
}

static void child_end(struct child *c)
{
	int status;

	if (!c->pid)
		return;
	assert_int_equal(write(c->to, "q", 1), 1);
	assert_int_equal(waitpid(c->pid, &status, 0), c->pid);
	assert_int_equal(status, 0);
	close(c->to);
	close(c->from);
	c->pid = 0;
}

struct fixture {
	void *folder;
	struct child child;
	int pid;
	struct top_request rq;
	struct notes notes;
	struct diag diag;
	struct top *t;
	struct browse *b;
	const struct browse_snapshot *s;
};

static int set_up(void **state)
{
	static struct event_word words[] = { E("page-faults:u") };
	static struct fixture f;

	f = (struct fixture){ .rq = { .what = { .events = { .items = words, .n = 1 },
						.sampling.rate = { SAMPLING_PERIOD, 1 } },
				      .browse.profile = { .plan.sort = "pid",
							  .max_stack = PROFILE_MAX_STACK },
				      .delay_ms = HOUR_MS,
				      .kept_bytes = 8 << 20 } };
	if (enter_scratch_folder(&f.folder) < 0)
		return -1;
	child_begin(&f.child);
	/* From now on all of its code is mapped. */
	child_do(&f.child, 't');
	f.pid = f.child.pid;
	f.rq.what.target.pids.items = &f.pid;
	f.rq.what.target.pids.n = 1;
	*state = &f;
	return 0;
}

static void drop(struct fixture *f)
{
	if (f->s)
		browse_release(f->b, f->s);
	f->s = NULL;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	child_end(&f->child);
	drop(f);
	if (f->t)
		top_end(f->t, &f->notes);
	browse_free(f->b);
	notes_done(&f->notes);
	diag_done(&f->diag);
	return leave_scratch_folder(&f->folder);
}

static int try_to_open(struct fixture *f, bool *ret_planned)
{
	int r = top_open(&f->rq, &f->notes, &f->t, ret_planned, &f->diag);

	if (r == -EACCES || r == -EPERM || r == -ENOSYS) {
		print_message("# the kernel allows no events: %s\n", f->diag.message);
		skip();
	}
	if (r >= 0)
		f->b = top_browse(f->t);
	return r;
}

static void wait_for_news(struct fixture *f)
{
	struct pollfd p = { .fd = f->b->work->fd, .events = POLLIN };

	assert_int_equal(poll(&p, 1, 50000), 1);
}

static void take_newer(struct fixture *f)
{
	const struct browse_snapshot *s;

	while (!(s = browse_take(f->b, f->s)))
		wait_for_news(f);
	if (f->s)
		assert_int_equal(s->serial, f->s->serial + 1);
	drop(f);
	f->s = s;
}

/* Opens the profile as requested, and waits for the early snapshot. */
static void open_as_asked(struct fixture *f)
{
	bool planned = false;

	if (try_to_open(f, &planned) < 0)
		fail_msg("%s", f->diag.message);
	assert_true(planned);
	assert_int_equal(f->notes.n, 1);
	assert_non_null(strstr(f->notes.items[0].what.message, "until the tasks end"));
	take_newer(f);
	assert_int_equal(samples_of(f->s), 0);
}

static bool has_orders(struct top *t)
{
	bool has;

	pthread_mutex_lock(&t->work.lock);
	has = t->orders.is_new;
	pthread_mutex_unlock(&t->work.lock);
	return has;
}

/* Waits until everything that has happened is included, which takes two passes over the rings. */
static void let_it_look(struct fixture *f)
{
	for (int i = 0; i < 3; i++) {
		top_set_delay(f->t, top_settings(f->t).delay_ms);
		while (has_orders(f->t))
			usleep(1000);
	}
}

/* Opens the profile. From now on snapshots come only on request. */
static void open_it(struct fixture *f)
{
	f->rq.delay_ms = TOP_DELAY_LEAST_MS;
	open_as_asked(f);
	top_set_delay(f->t, HOUR_MS);
	let_it_look(f);
	drop(f);
	f->s = browse_take(f->b, NULL);
	assert_int_equal(samples_of(f->s), 0);
}

static void touch(struct fixture *f)
{
	child_do(&f->child, 't');
	let_it_look(f);
}

/* Checks a number of faults; the child needs a few more for itself. */
static void assert_about(uint64_t n, uint64_t expected)
{
	assert_in_range(n, expected, expected + 20);
}

static void set_frozen(struct fixture *f, bool frozen)
{
	top_set_frozen(f->t, frozen);
	assert_int_equal(top_settings(f->t).frozen, frozen);
	take_newer(f);
	assert_int_equal(f->s->is_frozen, frozen);
}

static void end_the_child(struct fixture *f)
{
	child_end(&f->child);
	while (!top_has_ended(f->t)) {
		wait_for_news(f);
		drop(f);
		f->s = browse_take(f->b, NULL);
	}
	drop(f);
	take_newer(f);
}

static int count_them(void *arg, const struct sample_batch *b)
{
	*(uint64_t *)arg += b->n;
	return 0;
}

static uint64_t samples_in(const char *path)
{
	_cleanup_(diag_done) struct diag diag = { 0 };
	uint64_t n = 0;
	const struct consumer consumer = { .samples = count_them, .arg = &n };
	struct session *s;

	assert_int_equal(any_session_open(&(struct session_options){ .path = path }, &s, &diag), 0);
	assert_int_equal(session_feed(s, NULL, &consumer, &diag), 0);
	assert_int_equal(session_damage_count(s), 0);
	session_free(s);
	return n;
}

static void it_freezes_and_goes_on(void **state)
{
	struct fixture *f = *state;
	uint64_t n;

	open_it(f);
	assert_false(f->s->is_frozen);
	touch(f);
	set_frozen(f, true);
	n = samples_of(f->s);
	assert_about(n, PAGES);
	assert_int_equal(top_figures(f->s)->samples, n);
	assert_int_equal(top_figures(f->s)->user, n);
	assert_int_equal(top_figures(f->s)->kernel, 0);
	/* Nothing counts meanwhile. */
	touch(f);
	assert_null(browse_take(f->b, f->s));
	set_frozen(f, false);
	/* Nothing has faded, either. */
	assert_int_equal(samples_of(f->s), n);
	assert_int_equal(top_figures(f->s)->samples, 0);
	touch(f);
	set_frozen(f, true);
	assert_in_range(samples_of(f->s), PAGES + n * 7 / 8 - 10, PAGES + n * 7 / 8 + 30);
	assert_about(top_figures(f->s)->samples, PAGES);
}

static void with_zeroes_each_refresh_begins_anew(void **state)
{
	struct fixture *f = *state;

	f->rq.zeroes = true;
	open_it(f);
	assert_true(top_settings(f->t).zeroes);
	touch(f);
	set_frozen(f, true);
	assert_about(samples_of(f->s), PAGES);
	set_frozen(f, false);
	assert_about(samples_of(f->s), PAGES);
	set_frozen(f, true);
	assert_int_equal(samples_of(f->s), 0);
	top_set_zeroes(f->t, false);
	assert_false(top_settings(f->t).zeroes);
	set_frozen(f, false);
	touch(f);
	set_frozen(f, true);
	set_frozen(f, false);
	set_frozen(f, true);
	assert_in_range(samples_of(f->s), PAGES * 7 / 8 - 10, PAGES * 7 / 8 + 30);
}

static void a_shorter_delay_holds_at_once(void **state)
{
	struct fixture *f = *state;

	open_it(f);
	touch(f);
	/* Half an hour has not passed. */
	top_set_delay(f->t, HOUR_MS / 2);
	let_it_look(f);
	assert_null(browse_take(f->b, f->s));
	top_set_delay(f->t, TOP_DELAY_LEAST_MS);
	assert_int_equal(top_settings(f->t).delay_ms, TOP_DELAY_LEAST_MS);
	/* Other snapshots come without a request. */
	for (int i = 0; i < 3; i++) {
		drop(f);
		while (!(f->s = browse_take(f->b, NULL)))
			wait_for_news(f);
		wait_for_news(f);
	}
	assert_true(f->s->serial > 1);
	assert_true(top_figures(f->s)->span_ns >= TOP_DELAY_LEAST_MS * 1000000ull);
}

static void hidden_samples_have_no_rows_but_are_counted(void **state)
{
	struct fixture *f = *state;

	f->rq.hidden.user = true;
	open_it(f);
	assert_true(top_settings(f->t).hidden.user);
	touch(f);
	set_frozen(f, true);
	assert_int_equal(samples_of(f->s), 0);
	assert_about(top_figures(f->s)->samples, PAGES);
}

static void it_is_saved_while_it_runs_and_after(void **state)
{
	struct fixture *f = *state;
	uint64_t first, second;

	open_it(f);
	touch(f);
	assert_int_equal(top_save(f->t, "one", &f->diag), 0);
	assert_null(f->diag.message);
	first = samples_in("one");
	assert_about(first, PAGES);
	touch(f);
	assert_int_equal(top_save(f->t, "two", &f->diag), 0);
	second = samples_in("two");
	assert_about(second, first + PAGES);
	end_the_child(f);
	assert_int_equal(top_save(f->t, "three", &f->diag), 0);
	assert_in_range(samples_in("three"), second, second + 20);
	assert_int_equal(top_save(f->t, "three", &f->diag), 0);
	assert_int_equal(samples_in("three"), samples_in("three.old"));
	assert_int_equal(samples_in("one"), first);
	assert_null(f->diag.message);
}

static void a_save_that_fails_says_why_each_time(void **state)
{
	struct fixture *f = *state;

	open_it(f);
	touch(f);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(top_save(f->t, "no/such/folder", &f->diag), -ENOENT);
		assert_non_null(strstr(f->diag.message, "no/such/folder"));
	}
	assert_int_equal(top_save(f->t, "works", &f->diag), 0);
	assert_null(f->diag.message);
	assert_about(samples_in("works"), PAGES);
	end_the_child(f);
	assert_int_equal(top_save(f->t, "no/such/folder", &f->diag), -ENOENT);
	assert_non_null(strstr(f->diag.message, "no/such/folder"));
	assert_int_equal(top_save(f->t, "works.2", &f->diag), 0);
	/* The error is not a failure of the profile. */
	assert_int_equal(browse_failure(f->b, &f->diag), 0);
	drop(f);
	top_end(f->t, &f->notes);
	assert_int_equal(top_save(f->t, "late", &f->diag), -ECANCELED);
	assert_string_equal(f->diag.message, "the recording has ended");
	assert_int_equal(access("late", F_OK), -1);
}

static void the_last_snapshot_has_all_until_the_end(void **state)
{
	struct fixture *f = *state;
	uint64_t serial;

	open_as_asked(f);
	serial = f->s->serial;
	assert_int_equal(serial, 1);
	assert_true(top_figures(f->s)->span_ns >= 1000000000);
	assert_false(top_has_ended(f->t));
	child_do(&f->child, 't');
	end_the_child(f);
	assert_int_equal(f->s->serial, serial + 1);
	assert_about(samples_of(f->s), PAGES);
	assert_int_equal(browse_failure(f->b, &f->diag), 0);
	assert_true(top_has_ended(f->t));
	assert_int_equal(top_frequency(f->t), 0);
}

static void ask_for(struct fixture *f, const char *sort)
{
	struct browse_request rq = f->rq.browse;

	rq.profile.plan.sort = sort;
	browse_ask(f->b, &rq);
}

static void another_question_begins_anew_while_it_runs(void **state)
{
	struct fixture *f = *state;

	open_it(f);
	touch(f);
	ask_for(f, "comm");
	take_newer(f);
	assert_string_equal(f->s->request->profile.plan.sort, "comm");
	assert_int_equal(samples_of(f->s), 0);
	touch(f);
	set_frozen(f, true);
	assert_about(samples_of(f->s), PAGES);
	/* While it is frozen, only requested snapshots come. */
	ask_for(f, "pid");
	take_newer(f);
	assert_true(f->s->is_frozen);
	assert_string_equal(f->s->request->profile.plan.sort, "pid");
}

static void another_question_counts_all_after_the_end(void **state)
{
	struct fixture *f = *state;
	const struct report_table *t;

	open_it(f);
	touch(f);
	set_frozen(f, true);
	set_frozen(f, false);
	touch(f);
	end_the_child(f);
	assert_in_range(samples_of(f->s), PAGES * 15 / 8 - 20, PAGES * 15 / 8 + 40);
	for (int i = 0; i < 2; i++) {
		ask_for(f, i ? "pid,comm" : "comm");
		take_newer(f);
		assert_string_equal(f->s->request->profile.plan.sort, i ? "pid,comm" : "comm");
		assert_about(samples_of(f->s), 2 * PAGES);
		assert_about(top_figures(f->s)->samples, 2 * PAGES);
		t = &f->s->tables->items[0];
		assert_int_equal(t->group->n, 1);
	}
	assert_int_equal(browse_failure(f->b, &f->diag), 0);
}

static uint64_t samples_in_function(const struct browse_snapshot *s, const char *name)
{
	const struct report_group *g = s->tables->items[0].group;
	const struct frames *frames = s->profile->env.frames;

	for (size_t i = 0; i < g->n; i++) {
		const struct report_row *row = g->entries[i].row;
		const struct symbol *sym = frames_get(frames, row->frame)->sym;

		if (sym && !strcmp(sym->name, name))
			return row->self.samples;
	}
	return 0;
}

static void rows_have_the_names_of_functions(void **state)
{
	struct fixture *f = *state;

	f->rq.browse.profile.plan.sort = "symbol";
	open_it(f);
	touch(f);
	set_frozen(f, true);
	assert_int_equal(samples_in_function(f->s, "touch_each"), PAGES);
	set_frozen(f, false);
	end_the_child(f);
	/* The files are gone with the process, but the data that was read from them is not. */
	ask_for(f, "dso,symbol");
	take_newer(f);
	assert_int_equal(samples_in_function(f->s, "touch_each"), PAGES);
}

static void a_filter_after_the_end_leaves_its_samples(void **state)
{
	struct fixture *f = *state;
	struct browse_request rq = f->rq.browse;

	open_it(f);
	touch(f);
	end_the_child(f);
	rq.profile.filter.comms = "nobody";
	browse_ask(f->b, &rq);
	take_newer(f);
	assert_int_equal(f->s->tables->n ? f->s->tables->items[0].group->n : 0, 0);
	browse_ask(f->b, &f->rq.browse);
	take_newer(f);
	assert_about(samples_of(f->s), PAGES);
}

static int wait_for_failure(struct fixture *f)
{
	int r;

	while (!(r = browse_failure(f->b, &f->diag))) {
		wait_for_news(f);
		assert_null(browse_take(f->b, f->s));
	}
	return r;
}

static void assert_refuses_colour(struct fixture *f)
{
	ask_for(f, "colour");
	assert_int_equal(wait_for_failure(f), -EINVAL);
	assert_non_null(strstr(f->diag.message, "colour"));
	/* It is reported only once. */
	diag_done(&f->diag);
	f->diag = (struct diag){ 0 };
	assert_int_equal(browse_failure(f->b, &f->diag), 0);
	assert_null(f->diag.message);
}

static void a_mistake_leaves_what_is_there(void **state)
{
	struct fixture *f = *state;

	open_it(f);
	assert_refuses_colour(f);
	assert_refuses_colour(f);
	touch(f);
	set_frozen(f, true);
	assert_about(samples_of(f->s), PAGES);
	set_frozen(f, false);
	end_the_child(f);
	assert_refuses_colour(f);
	assert_true(samples_of(f->s) > PAGES / 2);
	ask_for(f, "comm");
	take_newer(f);
	assert_about(samples_of(f->s), PAGES);
	assert_int_equal(top_save(f->t, "saved", &f->diag), 0);
}

static void settings_after_the_end_are_kept(void **state)
{
	struct fixture *f = *state;
	struct top_settings s;
	uint64_t n;

	open_it(f);
	touch(f);
	end_the_child(f);
	n = samples_of(f->s);
	top_set_delay(f->t, 200);
	top_set_zeroes(f->t, true);
	top_set_frozen(f->t, true);
	let_it_look(f);
	s = top_settings(f->t);
	assert_int_equal(s.delay_ms, 200);
	assert_true(s.zeroes);
	assert_true(s.frozen);
	/* The shown snapshot stays, because nothing happens any more. */
	assert_null(browse_take(f->b, f->s));
	assert_int_equal(samples_of(f->s), n);
	top_set_frozen(f->t, false);
	let_it_look(f);
	assert_null(browse_take(f->b, f->s));
	/* A new request is answered according to the settings. */
	ask_for(f, "comm");
	take_newer(f);
	assert_false(f->s->is_frozen);
	assert_about(samples_of(f->s), PAGES);
}

static void a_snapshot_stays_while_others_come(void **state)
{
	struct fixture *f = *state;
	const struct browse_snapshot *old;
	uint64_t n;

	open_it(f);
	touch(f);
	set_frozen(f, true);
	old = f->s;
	n = samples_of(old);
	f->s = browse_take(f->b, NULL);
	assert_ptr_equal(f->s, old);
	set_frozen(f, false);
	ask_for(f, "comm");
	take_newer(f);
	end_the_child(f);
	ask_for(f, "pid,comm");
	take_newer(f);
	assert_int_equal(samples_of(old), n);
	assert_string_equal(old->request->profile.plan.sort, "pid");
	browse_release(f->b, old);
}

static void questions_that_nobody_answered_are_freed(void **state)
{
	struct fixture *f = *state;

	open_it(f);
	for (int i = 0; i < 20; i++)
		ask_for(f, i % 2 ? "comm" : "pid");
	drop(f);
	top_end(f->t, &f->notes);
	ask_for(f, "comm");
	ask_for(f, "pid");
	assert_true(top_has_ended(f->t));
	top_end(f->t, &f->notes);
}

static void frequencies_are_told(void **state)
{
	struct fixture *f = *state;

	f->rq.what.sampling.rate = (struct sampling_rate){ SAMPLING_FREQ, 123 };
	open_it(f);
	assert_int_equal(top_frequency(f->t), 123);
}

static void a_command_is_run_and_ends_it(void **state)
{
	static char *const argv[] = { "/bin/true", NULL };
	struct fixture *f = *state;
	bool planned = false;

	f->rq.what.target.pids.n = 0;
	f->rq.what.argv = argv;
	f->rq.delay_ms = TOP_DELAY_LEAST_MS;
	assert_int_equal(try_to_open(f, &planned), 0);
	assert_true(planned);
	while (!top_has_ended(f->t))
		wait_for_news(f), drop(f), f->s = browse_take(f->b, NULL);
	drop(f);
	take_newer(f);
	assert_true(samples_of(f->s) > 0);
	assert_int_equal(browse_failure(f->b, &f->diag), 0);
}

static void assert_opens_not(struct fixture *f, int error, bool planned, const char *word)
{
	bool is_planned = !planned;

	diag_done(&f->diag);
	f->diag = (struct diag){ 0 };
	f->t = NULL;
	assert_int_equal(try_to_open(f, &is_planned), error);
	assert_null(f->t);
	assert_int_equal(is_planned, planned);
	assert_non_null(f->diag.message);
	assert_non_null(strstr(f->diag.message, word));
}

static void what_makes_no_sense_is_refused_at_once(void **state)
{
	struct fixture *f = *state;
	struct event_word wrong[] = { E("no-such-event") };
	const struct top_request rq = f->rq;

	f->rq.what.events.items = wrong;
	assert_opens_not(f, -ENOENT, false, "no-such-event");
	f->rq = rq;
	f->rq.browse.profile.symbols.vmlinux = "/no/such/vmlinux";
	assert_opens_not(f, -ENOENT, false, "/no/such/vmlinux");
	f->rq = rq;
	f->rq.browse.profile.plan.sort = "colour";
	assert_opens_not(f, -EINVAL, true, "colour");
}

static void a_program_that_is_not_there_is_told(void **state)
{
	static char *const nowhere[] = { "/no/such/program", NULL };
	struct fixture *f = *state;
	bool planned = false;
	int r;

	f->rq.what.target.pids.n = 0;
	f->rq.what.argv = nowhere;
	r = try_to_open(f, &planned);
	assert_true(planned);
	/*
	 * The error comes at once or later, because the thread may have seen it before this one
	 * looks.
	 */
	if (r == 0) {
		while (!top_has_ended(f->t))
			wait_for_news(f), drop(f), f->s = browse_take(f->b, NULL);
		drop(f);
		top_end(f->t, &f->notes);
		r = browse_failure(f->b, &f->diag);
		assert_non_null(strstr(f->diag.message, "/no/such/program"));
		assert_int_equal(browse_failure(f->b, &f->diag), 0);
	} else {
		assert_null(f->t);
		assert_non_null(strstr(f->diag.message, "/no/such/program"));
	}
	assert_int_equal(r, -ENOENT);
}

static void switched_samples_come_in_order(void **state)
{
	struct fixture *f = *state;

	f->rq.browse.profile.filter.switch_on = "page-faults:u";
	open_it(f);
	touch(f);
	set_frozen(f, true);
	assert_int_equal(samples_of(f->s) > 0, true);
}

/* Adds samples of each mode, which the settings hide by mode. There is no kernel. */
static void one_of_each_mode(struct example_top *e)
{
	static const uint16_t modes[] = { PERF_RECORD_MISC_KERNEL,
					  PERF_RECORD_MISC_USER | PERF_RECORD_MISC_EXACT_IP,
					  PERF_RECORD_MISC_HYPERVISOR,
					  PERF_RECORD_MISC_GUEST_KERNEL,
					  PERF_RECORD_MISC_GUEST_USER };

	e->t.figures = (struct top_figures){ 0 };
	e->t.now.zeroes = true;
	top_world_fade(&e->t);
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		for (size_t k = 0; k <= i; k++)
			example_top_sample(e, modes[i], 7, 0x1000 * i, 100 + i);
	example_top_sample(e, PERF_RECORD_MISC_USER, (uint32_t)getpid(), 0x9000, 200);
	example_top_pass(e);
}

static void samples_are_counted_by_mode_and_hidden_by_mode(void **state)
{
	_cleanup_(example_top_done) struct example_top e;

	(void)state;
	example_top_init(&e, "pid");
	one_of_each_mode(&e);
	assert_int_equal(e.t.figures.samples, 16);
	assert_int_equal(e.t.figures.exact, 2);
	assert_int_equal(e.t.figures.kernel, 1);
	assert_int_equal(e.t.figures.user, 3);
	assert_int_equal(e.t.figures.guest_kernel, 4);
	assert_int_equal(e.t.figures.guest_user, 5);
	assert_int_equal(example_top_weight(&e), 16);
	e.t.now.hidden = (struct top_hidden){ .kernel = true };
	one_of_each_mode(&e);
	assert_int_equal(e.t.figures.samples, 16);
	assert_int_equal(example_top_weight(&e), 8);
	e.t.now.hidden = (struct top_hidden){ .user = true };
	one_of_each_mode(&e);
	assert_int_equal(example_top_weight(&e), 8);
	e.t.now.hidden = (struct top_hidden){ .self = true };
	one_of_each_mode(&e);
	assert_int_equal(example_top_weight(&e), 15);
	e.t.now.hidden = (struct top_hidden){ .kernel = true, .self = true };
	one_of_each_mode(&e);
	assert_int_equal(example_top_weight(&e), 7);
	e.t.now.hidden = (struct top_hidden){ .kernel = true, .user = true };
	one_of_each_mode(&e);
	assert_int_equal(e.t.figures.samples, 16);
	assert_int_equal(example_top_weight(&e), 0);
}

/* Begins a job without events, for tests of actions that depend on the clock. */
static void begin_clock(struct example_top *e, uint64_t delay_ms)
{
	example_top_init(e, "pid");
	e->t.now.delay_ms = delay_ms;
	e->t.orders.settings = e->t.now;
	example_top_pass(e);
	assert_non_null(e->t.world);
}

static void end_clock(struct example_top *e)
{
	top_snapshot_unref(&e->t, e->t.newest);
	notes_done(&e->t.told);
	example_top_done(e);
}

static void a_refresh_comes_after_the_delay(void **state)
{
	struct example_top e;

	(void)state;
	begin_clock(&e, 3);
	e.t.begin_ns = 1000;
	top_refresh(&e.t, 5000);
	assert_int_equal(e.t.begin_ns, 5000);
	assert_int_equal(e.t.refresh_ns, 5000 + 3000000);
	assert_int_equal(e.t.newest->base.serial, 1);
	assert_int_equal(e.t.figures.span_ns, 0);
	end_clock(&e);
}

static void the_first_refresh_is_early(void **state)
{
	static const struct {
		uint64_t delay_ms, first_ms;
	} all[] = { { 10, 10 }, { 999, 999 }, { 1000, 1000 }, { 1001, 1000 }, { 60000, 1000 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		struct example_top e;
		int fd = -1;

		begin_clock(&e, all[i].delay_ms);
		e.t.wake_fd = 77;
		e.job.planned = true;
		e.job.facts.synth = (struct synth_plan){ .attr = &e.rec.attr,
							 .root = "/nowhere",
							 .no_bpf_event = true,
							 .no_tasks = true,
							 .no_maps = true };
		assert_int_equal(begin_orders(&e.t, &e.job, &fd), 0);
		assert_int_equal(fd, 77);
		assert_int_equal(e.t.refresh_ns - e.t.begin_ns, all[i].first_ms * 1000000);
		assert_true(e.t.is_open && e.t.planned);
		end_clock(&e);
	}
}

static void another_delay_counts_from_the_last_refresh(void **state)
{
	struct example_top e;

	(void)state;
	begin_clock(&e, 100);
	e.t.begin_ns = 7000;
	e.t.refresh_ns = 1;
	/* Without new orders, or with the same delay, nothing changes. */
	assert_false(top_obey(&e.t));
	assert_int_equal(e.t.refresh_ns, 1);
	e.t.orders.is_new = true;
	assert_false(top_obey(&e.t));
	assert_int_equal(e.t.refresh_ns, 1);
	assert_false(e.t.orders.is_new);
	e.t.orders.is_new = true;
	e.t.orders.settings.delay_ms = 2;
	assert_false(top_obey(&e.t));
	assert_int_equal(e.t.refresh_ns, 7000 + 2000000);
	assert_int_equal(e.t.now.delay_ms, 2);
	e.t.orders.is_new = true;
	e.t.orders.settings.frozen = true;
	assert_false(top_obey(&e.t));
	assert_int_equal(e.t.refresh_ns, 0);
	assert_true(e.t.now.frozen);
	e.t.work.stop = true;
	assert_true(top_obey(&e.t));
	end_clock(&e);
}

/* A frozen table is refreshed once, when it freezes. */
static void passes_refresh_when_it_is_time(void **state)
{
	struct example_top e;

	(void)state;
	begin_clock(&e, 60000);
	e.job.facts.synth = (struct synth_plan){ .attr = &e.rec.attr,
						 .root = "/nowhere",
						 .no_bpf_event = true,
						 .no_tasks = true,
						 .no_maps = true };
	e.t.refresh_ns = UINT64_MAX;
	assert_int_equal(top_on_pass(&e.t), 0);
	assert_null(e.t.newest);
	e.t.refresh_ns = 1;
	assert_int_equal(top_on_pass(&e.t), 0);
	assert_int_equal(e.t.newest->base.serial, 1);
	assert_true(e.t.refresh_ns > 60000000000);
	e.t.now.frozen = true;
	e.t.refresh_ns = 1;
	assert_int_equal(top_on_pass(&e.t), 0);
	assert_int_equal(e.t.newest->base.serial, 1);
	e.t.refresh_ns = 0;
	assert_int_equal(top_on_pass(&e.t), 0);
	assert_int_equal(e.t.newest->base.serial, 2);
	end_clock(&e);
}

static void rings_are_looked_at_four_times_in_a_delay(void **state)
{
	static const uint64_t all[][2] = { { 0, 1 },      { 1, 1 },      { 7, 1 },
					   { 8, 2 },      { 1996, 499 }, { 2000, 500 },
					   { 2004, 500 }, { 60000, 500 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		assert_int_equal(look_ms(&(struct top){ .rq.delay_ms = all[i][0] }), all[i][1]);
}

static void the_order_of_time_is_wanted_for_some_questions(void **state)
{
	struct top_request rq = { 0 };
	struct profile_request *p = &rq.browse.profile;

	(void)state;
	assert_false(top_wants_order(&rq));
	p->symbols.stitch_lbr = true;
	assert_true(top_wants_order(&rq));
	p->symbols.stitch_lbr = false;
	p->filter.switch_on = "x";
	assert_true(top_wants_order(&rq));
	p->filter.switch_on = NULL;
	p->filter.switch_off = "x";
	assert_true(top_wants_order(&rq));
	p->filter.switch_off = NULL;
	p->history_notes = true;
	assert_true(top_wants_order(&rq));
}

static void only_newer_snapshots_are_taken(void **state)
{
	struct example_top e;
	const struct browse_snapshot *first, *second;

	(void)state;
	begin_clock(&e, 100);
	assert_null(top_work_take(&e.t.browse, NULL));
	top_refresh(&e.t, 10);
	first = top_work_take(&e.t.browse, NULL);
	assert_int_equal(first->serial, 1);
	assert_int_equal(((const struct top_snapshot *)first)->refs, 2);
	assert_null(top_work_take(&e.t.browse, first));
	top_refresh(&e.t, 20);
	second = top_work_take(&e.t.browse, first);
	assert_int_equal(second->serial, 2);
	assert_int_equal(((const struct top_snapshot *)first)->refs, 1);
	top_release(&e.t.browse, first);
	top_release(&e.t.browse, second);
	end_clock(&e);
}

#define LIVE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_counted_by_mode_and_hidden_by_mode),
		cmocka_unit_test(a_refresh_comes_after_the_delay),
		cmocka_unit_test(the_first_refresh_is_early),
		cmocka_unit_test(another_delay_counts_from_the_last_refresh),
		cmocka_unit_test(passes_refresh_when_it_is_time),
		cmocka_unit_test(rings_are_looked_at_four_times_in_a_delay),
		cmocka_unit_test(the_order_of_time_is_wanted_for_some_questions),
		cmocka_unit_test(only_newer_snapshots_are_taken),
		LIVE(it_freezes_and_goes_on),
		LIVE(with_zeroes_each_refresh_begins_anew),
		LIVE(a_shorter_delay_holds_at_once),
		LIVE(hidden_samples_have_no_rows_but_are_counted),
		LIVE(it_is_saved_while_it_runs_and_after),
		LIVE(a_save_that_fails_says_why_each_time),
		LIVE(the_last_snapshot_has_all_until_the_end),
		LIVE(another_question_begins_anew_while_it_runs),
		LIVE(another_question_counts_all_after_the_end),
		LIVE(rows_have_the_names_of_functions),
		LIVE(a_filter_after_the_end_leaves_its_samples),
		LIVE(a_mistake_leaves_what_is_there),
		LIVE(settings_after_the_end_are_kept),
		LIVE(a_snapshot_stays_while_others_come),
		LIVE(questions_that_nobody_answered_are_freed),
		LIVE(frequencies_are_told),
		LIVE(a_command_is_run_and_ends_it),
		LIVE(what_makes_no_sense_is_refused_at_once),
		LIVE(a_program_that_is_not_there_is_told),
		LIVE(switched_samples_come_in_order),
	};

	if (argc > 1 && !strcmp(argv[1], "touch"))
		_exit(be_the_child()); /* exits at once, because a leak check would touch pages */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
