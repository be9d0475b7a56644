/* SPDX-License-Identifier: MIT */
#include "tools/ftrace/trace-buffer-work.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/name-list.h"
#include "base/notes.h"
#include "base/number.h"
#include "base/output-file.h"
#include "base/text.h"
#include "tools/ftrace/trace-note-work.h"

#define INSTANCE_PREFIX "perf-"

/* The maximum size of a note, which contains the previous contents of some lists of functions. */
#define NOTE_SIZE_MAX (256 << 20)

struct trace_buffer {
	struct trace_dir dir;
	bool is_global;
	char *global_path; /* for an instance: the tracing directory */
	char *global_size; /* the size that the global buffer gets on first use, or "" */
	char *note_path;   /* the note of the global buffer */
	int note_fd;       /* locked as long as the buffer is ours */
	struct trace_note originals;
};

bool trace_buffer_is_global(const struct trace_buffer *b)
{
	return b->is_global;
}

const struct trace_dir *trace_buffer_dir(const struct trace_buffer *b)
{
	return &b->dir;
}

static void trace_buffer_free(struct trace_buffer *b)
{
	if (!b)
		return;
	trace_dir_close(&b->dir);
	closep(&b->note_fd);
	free(b->global_path);
	free(b->global_size);
	free(b->note_path);
	trace_note_done(&b->originals);
	free(b);
}
DEFINE_FREEP(trace_buffer)

static struct trace_buffer *buffer_new(bool is_global)
{
	struct trace_buffer *b = xcalloc(1, sizeof(*b));

	*b = (struct trace_buffer){ .dir = TRACE_DIR_NONE, .is_global = is_global, .note_fd = -1 };
	return b;
}

static int explain_denied(const char *path, int error, struct diag *diag)
{
	_cleanup_(freep) char *lockdown = NULL;

	if (geteuid() != 0) {
		diag_set(diag, error, "ftrace only works for root: %s is closed to others", path);
		diag_hint(diag, "Run it with sudo.");
		return error;
	}
	diag_set(diag, error, "the kernel does not let even root trace its functions");
	if (file_read_line(AT_FDCWD, "/sys/kernel/security/lockdown", &lockdown) >= 0)
		diag_hint(diag, "It may be locked down: /sys/kernel/security/lockdown says '%s'.",
			  lockdown);
	else
		diag_hint(diag, "It may be locked down ('dmesg | grep -i lockdown'), as with "
				"Secure Boot, or perf lacks CAP_SYS_ADMIN, as in a container.");
	return error;
}

int trace_buffer_explain(const char *path, int error, struct diag *diag)
{
	if (error == -EACCES || error == -EPERM)
		return explain_denied(path, error, diag);
	if (error != -EROFS)
		return diag_set(diag, error, "cannot set up tracing in %s: %s", path,
				strerror(-error));
	diag_set(diag, error, "tracefs is mounted read-only at %s", path);
	diag_hint(diag, "Mount it for writing: mount -o remount,rw %s", path);
	return error;
}

#define SIZE_FILE "buffer_size_kb"

/*
 * Returns the size that the global buffer will have once it is used, or "" if it has been used
 * already.
 */
static char *unexpanded_size(const char *tracing)
{
	struct trace_dir d = TRACE_DIR_NONE;
	_cleanup_(freep) char *text = NULL;
	bool is_list, is_unexpanded;

	is_unexpanded = trace_dir_open(tracing, &d) >= 0 &&
			trace_dir_read(&d, SIZE_FILE, &text) >= 0 && strstr(text, "expanded");
	trace_dir_close(&d);
	return is_unexpanded ? trace_setting_original(SIZE_FILE, text, &is_list) : xstrdup("");
}

/*
 * Restores the size of the global buffer. Older kernels (6.1) have one mark for all buffers that
 * tells whether they have their full size. After an instance was used, the global buffer stays at
 * some KB, and its next user would lose most of the records.
 */
static void expand_global(const struct trace_buffer *b)
{
	_cleanup_(freep) char *now = unexpanded_size(b->global_path);
	struct trace_dir d = TRACE_DIR_NONE;

	if (*b->global_size && !*now && trace_dir_open(b->global_path, &d) >= 0)
		trace_dir_write(&d, SIZE_FILE, b->global_size);
	trace_dir_close(&d);
}

int trace_buffer_make(const char *tracing, struct trace_buffer **ret, struct diag *diag)
{
	_cleanup_(trace_buffer_freep) struct trace_buffer *b = buffer_new(false);
	_cleanup_(freep) char *path = xasprintf("%s/instances/" INSTANCE_PREFIX "%d", tracing,
						(int)getpid());
	int r;

	b->global_path = xstrdup(tracing);
	b->global_size = unexpanded_size(tracing);
	r = mkdir(path, 0700);
	/* An earlier process with this pid did not remove its instance. */
	if (r < 0 && errno == EEXIST && rmdir(path) == 0)
		r = mkdir(path, 0700);
	if (r < 0)
		return trace_buffer_explain(tracing, -errno, diag);
	r = trace_dir_open(path, &b->dir);
	/* The lock shows that the instance is in use and not left behind. */
	if (r >= 0 && flock(b->dir.fd, LOCK_EX | LOCK_NB) < 0)
		r = -errno;
	if (r < 0) {
		rmdir(path);
		return trace_buffer_explain(path, r, diag);
	}
	*ret = TAKE(b);
	return 0;
}

/*
 * Opens and locks the file @path, which is created if @make is set. -EWOULDBLOCK: another perf has
 * locked it. The owner removes the file when it releases the lock, so the file that was locked may
 * no longer be the one at @path. Such a lock is worthless, and the file is opened again.
 */
static int lock_note(const char *path, bool make)
{
	for (;;) {
		_cleanup_(closep) int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
		struct stat locked;

		if (fd < 0 && errno == ENOENT && make) {
			struct diag unused = { 0 };

			closep(&fd);
			fd = output_file_open(path, OUTPUT_NEW, 0600, &unused);
			diag_done(&unused);
			if (fd < 0 && fd != -EEXIST)
				return fd;
			continue;
		}
		if (fd < 0)
			return -errno;
		if (flock(fd, LOCK_EX | LOCK_NB) < 0 || fstat(fd, &locked) < 0)
			return -errno;
		if (locked.st_nlink) {
			int taken = fd;

			fd = -1;
			return taken;
		}
	}
}

static void drop_note(struct trace_buffer *b)
{
	output_file_remove(b->note_path);
	closep(&b->note_fd);
	b->note_fd = -1;
}

static int read_note(int fd, struct trace_note *ret)
{
	_cleanup_(freep) char *bytes = NULL;
	size_t size;
	int r = lseek(fd, 0, SEEK_SET) < 0 ? -errno
					   : file_read_fd(fd, NOTE_SIZE_MAX, &bytes, &size);

	return r < 0 ? r : trace_note_parse(bytes, size, ret);
}

static char *boot_id(void)
{
	char *id = NULL;

	return file_read_line(AT_FDCWD, "/proc/sys/kernel/random/boot_id", &id) < 0 ? xstrdup("?")
										    : id;
}

static int begin_note(struct trace_buffer *b)
{
	_cleanup_(freep) char *boot = boot_id();
	_cleanup_(text_done) struct text head = TEXT_EMPTY;

	trace_note_format_head(getpid(), boot, &head);
	if (ftruncate(b->note_fd, 0) < 0 || lseek(b->note_fd, 0, SEEK_SET) < 0)
		return -errno;
	return file_write(b->note_fd, head.chars, head.length);
}

static int trace_buffer_refuse_tracer(const struct trace_dir *d, struct diag *diag)
{
	_cleanup_(freep) char *tracer = NULL, *events = NULL;
	int r = trace_dir_read_line(d, "current_tracer", &tracer);

	if (r < 0)
		return trace_buffer_explain(d->path, r, diag);
	if (strcmp(tracer, "nop") != 0) {
		diag_set(diag, -EBUSY, "the tracer '%s' is at work in the global trace buffer",
			 tracer);
		diag_hint(diag,
			  "perf would end it. If nobody needs it any more: echo nop > "
			  "%s/current_tracer",
			  d->path);
		return -EBUSY;
	}
	if (trace_dir_read(d, "set_event", &events) >= 0 && *events) {
		diag_set(diag, -EBUSY, "events are traced in the global trace buffer: %.*s",
			 (int)strcspn(events, "\n"), events);
		diag_hint(diag,
			  "perf would take them away. If nobody needs them any more: echo > "
			  "%s/set_event",
			  d->path);
		return -EBUSY;
	}
	return 0;
}

static int explain_note(const char *path, int error, struct diag *diag)
{
	if (error == -EWOULDBLOCK) {
		diag_set(diag, -EBUSY, "another perf ftrace is at work in the global trace buffer");
		diag_hint(diag, "Wait until it has ended. The function tracer (-T) has a buffer of "
				"its own each time.");
		return -EBUSY;
	}
	diag_set(diag, error, "the settings of the global trace buffer cannot be noted in %s: %s",
		 path, strerror(-error));
	diag_hint(diag, "Without the note, nobody could restore them if perf were killed.");
	return error;
}

int trace_buffer_take(const char *tracing, const char *note_path, struct trace_buffer **ret,
		      struct diag *diag)
{
	_cleanup_(trace_buffer_freep) struct trace_buffer *b = buffer_new(true);
	int r = trace_dir_open(tracing, &b->dir);

	if (r < 0)
		return trace_buffer_explain(tracing, r, diag);
	b->note_path = xstrdup(note_path);
	b->note_fd = lock_note(note_path, true);
	if (b->note_fd < 0)
		return explain_note(note_path, b->note_fd, diag);
	r = trace_buffer_refuse_tracer(&b->dir, diag);
	if (r < 0) {
		drop_note(b);
		return r;
	}
	r = begin_note(b);
	if (r < 0)
		return explain_note(note_path, r, diag);
	*ret = TAKE(b);
	return 0;
}

static bool is_noted(const struct trace_buffer *b, const char *file)
{
	for (size_t i = 0; i < b->originals.n; i++)
		if (!strcmp(b->originals.items[i].file, file))
			return true;
	return false;
}

/* Writes @text, the current value of @file, to the note before @file is changed. */
static int note_original(struct trace_buffer *b, const char *file, const char *text)
{
	struct trace_original o = { (char *)file, (char *)text };
	_cleanup_(text_done) struct text entry = TEXT_EMPTY;
	int r;

	if (!b->is_global || is_noted(b, file))
		return 0;
	trace_note_format(&o, &entry);
	r = file_write(b->note_fd, entry.chars, entry.length);
	if (r >= 0)
		*ARRAY_ADD(&b->originals) = (struct trace_original){ xstrdup(file), xstrdup(text) };
	return r;
}

int trace_buffer_set(struct trace_buffer *b, const char *file, const char *value)
{
	_cleanup_(freep) char *text = NULL, *now = NULL;
	bool is_list;
	int r = trace_dir_read(&b->dir, file, &text);

	if (r < 0)
		return r;
	now = trace_setting_original(file, text, &is_list);
	if (!strcmp(now, value))
		return 0;
	r = note_original(b, file, text);
	/* Opening a list for writing empties it, and a blank adds nothing to it. */
	return r < 0 ? r : trace_dir_write(&b->dir, file, is_list ? " " : value);
}

int trace_buffer_add(struct trace_buffer *b, const char *file, const char *value)
{
	_cleanup_(freep) char *text = NULL;
	int r = trace_dir_read(&b->dir, file, &text);

	if (r >= 0)
		r = note_original(b, file, text);
	return r < 0 ? r : trace_dir_append(&b->dir, file, value);
}

int trace_buffer_switch(struct trace_buffer *b, bool on)
{
	return trace_buffer_set(b, "tracing_on", on ? "1" : "0");
}

static int trace_buffer_restore(const struct trace_dir *d, const struct trace_original *o)
{
	bool is_list;
	_cleanup_(freep) char *value = trace_setting_original(o->file, o->text, &is_list);
	int r;

	if (!is_list)
		return trace_dir_write(d, o->file, value);
	r = trace_dir_write(d, o->file, " ");
	return r < 0 || !*value ? r : trace_dir_append(d, o->file, value);
}

/*
 * Restores the settings in reverse order: the tracer, which was set last, comes first, and
 * tracing_on comes last. Returns the first error.
 */
static int restore_all(const struct trace_dir *d, const struct trace_note *n, const char **ret_file)
{
	int first = 0;

	trace_dir_write(d, "tracing_on", "0");
	for (size_t i = n->n; i-- > 0;) {
		int r = trace_buffer_restore(d, &n->items[i]);

		if (r < 0 && first >= 0) {
			first = r;
			*ret_file = n->items[i].file;
		}
		/*
		 * The rest of the buffer's contents is ours. Opening the file for writing empties
		 * it.
		 */
		if (!strcmp(n->items[i].file, "current_tracer"))
			trace_dir_write(d, "trace", "");
	}
	return first;
}

static int release_global(struct trace_buffer *b, struct diag *diag)
{
	const char *file = NULL;
	int r = restore_all(&b->dir, &b->originals, &file);

	drop_note(b);
	if (r < 0)
		diag_set(diag, r, "%s/%s cannot be set to what it was: %s", b->dir.path, file,
			 strerror(-r));
	return r;
}

static int release_instance(struct trace_buffer *b, struct diag *diag)
{
	_cleanup_(freep) char *path = xstrdup(b->dir.path);

	expand_global(b);
	trace_dir_close(&b->dir);
	if (rmdir(path) == 0)
		return 0;
	return diag_set(diag, -errno, "%s cannot be removed: %s", path, strerror(errno));
}

int trace_buffer_release(struct trace_buffer *b, struct diag *diag)
{
	int r = b->is_global ? release_global(b, diag) : release_instance(b, diag);

	trace_buffer_free(b);
	return r;
}

/* True if @name is an instance of a perf that no longer exists. */
static bool is_left_behind(const char *name, const char *path)
{
	struct trace_dir d = TRACE_DIR_NONE;
	uint64_t pid;
	bool is_unlocked;

	if (strncmp(name, INSTANCE_PREFIX, strlen(INSTANCE_PREFIX)) != 0 ||
	    number_parse(name + strlen(INSTANCE_PREFIX), &pid) < 0 || !pid || pid > INT32_MAX ||
	    kill((pid_t)pid, 0) == 0 || errno != ESRCH || trace_dir_open(path, &d) < 0)
		return false;
	/* The process may be in another namespace, so the lock is checked as well. */
	is_unlocked = flock(d.fd, LOCK_EX | LOCK_NB) == 0;
	trace_dir_close(&d);
	return is_unlocked;
}

static void remove_instances(const char *tracing, struct notes *notes)
{
	_cleanup_(freep) char *folder = xasprintf("%s/instances", tracing);
	struct name_list names = { 0 };

	if (name_list_read(AT_FDCWD, folder, true, &names) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		_cleanup_(freep) char *path = xasprintf("%s/%s", folder, names.items[i]);

		if (is_left_behind(names.items[i], path) && rmdir(path) == 0)
			notes_add(notes, NOTE_WARNING,
				  "a perf ftrace that was killed had left the trace instance %s "
				  "behind: it is removed",
				  names.items[i]);
	}
	name_list_done(&names);
}

static void restore_global(struct trace_buffer *b, struct notes *notes)
{
	_cleanup_(freep) char *boot = boot_id();
	const char *file = NULL;
	int r = read_note(b->note_fd, &b->originals);

	/* Settings of an earlier boot do not exist any more. */
	if (r < 0 || strcmp(b->originals.boot, boot) != 0 || !b->originals.n)
		return;
	r = restore_all(&b->dir, &b->originals, &file);
	if (r < 0)
		notes_add(notes, NOTE_WARNING,
			  "a perf ftrace that was killed had changed %s/%s, which cannot be set to "
			  "what it was: %s",
			  b->dir.path, file, strerror(-r));
	else
		notes_add(notes, NOTE_WARNING,
			  "a perf ftrace that was killed (process %d) had left the global trace "
			  "buffer as it used it: %zu settings are restored",
			  (int)b->originals.pid, b->originals.n);
}

void trace_buffers_repair(const char *tracing, const char *note_path, struct notes *notes)
{
	_cleanup_(trace_buffer_freep) struct trace_buffer *b = buffer_new(true);

	remove_instances(tracing, notes);
	b->note_fd = lock_note(note_path, false);
	b->note_path = xstrdup(note_path);
	if (b->note_fd < 0)
		return;
	if (trace_dir_open(tracing, &b->dir) >= 0)
		restore_global(b, notes);
	drop_note(b);
}
