/* SPDX-License-Identifier: MIT */
/*
 * The screen on top of ncursesw.
 *
 * Signals write a byte into a pipe, for which screen_wait() waits in addition to the keys. So no
 * signal is missed between checking and waiting, and the handlers only call functions that are
 * permitted in them. ncurses does not touch signals that already have a handler.
 */
#include "tui/screen.h"

#include <config.h>

#if HAVE_NCURSES

#include <curses.h>
#include <term.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/escape.h"
#include "base/memory-gone.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/config.h"
#include "tui/looks.h"

#define ESCAPE_DELAY_MS  50 /* afterwards Escape is a key, not the beginning of a sequence */
#define DOUBLE_CLICK_MS  400
#define WAIT_FDS_MAX     16
#define MOUSE_EVENTS_MAX 8 /* the number that ncurses keeps */
#define LEAVE_MAX        128

/*
 * Ends the reports of a mouse: ncurses requests them from xterm and similar terminals with these
 * modes.
 */
#define MOUSE_OFF "\033[?1000l\033[?1006l"

/*
 * All buttons are requested, because at any other button ncurses would wait for the next key.
 * Clicks are not requested; they are detected here.
 */
#define MOUSE_BUTTON(n) (BUTTON##n##_PRESSED | BUTTON##n##_RELEASED)
#define MOUSE_BUTTONS                                                                              \
	(MOUSE_BUTTON(1) | MOUSE_BUTTON(2) | MOUSE_BUTTON(3) | MOUSE_BUTTON(4) | MOUSE_BUTTON(5))

/*
 * Global, because signal handlers have no other way to refer to them. There is one terminal, and
 * therefore one screen.
 */
static volatile sig_atomic_t ended_by;
static int wake_fd = -1;

static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP };

struct screen {
	SCREEN *terminal;
	FILE *tty; /* opened by us; or NULL */
	int in_fd, out_fd;
	char *locale; /* the previous locale */
	bool utf8, colours;
	struct looks looks;
	struct sigaction before[ARRAY_SIZE(caught)];
	int pipe[2];
	/* Used to give the terminal back without ncurses: */
	struct termios settings;
	char leave[LEAVE_MAX];
	size_t leave_length;
	/*
	 * The mouse: the place at which the button was pressed, and time and place of the last
	 * click.
	 */
	int pressed_y, pressed_x, clicked_y, clicked_x;
	uint64_t clicked_ms;
	/* Mouse events that were not delivered yet, the newest first. */
	MEVENT mouse[MOUSE_EVENTS_MAX];
	size_t n_mouse;
	bool is_gone;
	/* Scratch: */
	struct text escaped;
	wchar_t *run;
	size_t run_room;
};

static void screen_on_signal(int signal)
{
	int before = errno;
	char c = signal == SIGWINCH ? 'w' : signal == SIGTSTP ? 'z' : 'e';

	if (c == 'e')
		ended_by = signal;
	if (write(wake_fd, &c, 1) < 0) {
		/* The pipe is full, so its reader will check anyway. */
	}
	errno = before;
}

static void screen_catch_signals(struct screen *s)
{
	struct sigaction action = { .sa_handler = screen_on_signal, .sa_flags = SA_RESTART };

	sigemptyset(&action.sa_mask);
	ended_by = 0;
	wake_fd = s->pipe[1];
	for (size_t i = 0; i < ARRAY_SIZE(caught); i++)
		sigaction(caught[i], &action, &s->before[i]);
}

static void release_signals(struct screen *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(caught); i++)
		sigaction(caught[i], &s->before[i], NULL);
	wake_fd = -1;
}

/* Sets the user's locale; if it is UTF-8 but not installed, one that every C library has. */
static void choose_locale(struct screen *s, bool ascii)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *wanted = NULL;

	s->locale = xstrdup(setlocale(LC_CTYPE, NULL));
	for (size_t i = 0; i < ARRAY_SIZE(names) && !(wanted && *wanted); i++)
		wanted = getenv(names[i]);
	if (ascii)
		setlocale(LC_CTYPE, "C");
	else if (!setlocale(LC_CTYPE, "") && wanted &&
		 (strcasestr(wanted, "utf-8") || strcasestr(wanted, "utf8")))
		setlocale(LC_CTYPE, "C.UTF-8");
	s->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
}

static int nearest_colour(int colour)
{
	if (colour < COLORS)
		return colour;
	return colour < 16 ? colour - 8 : COLOUR_TERMINAL;
}

static void make_colours(struct screen *s, bool without)
{
	if (without || !has_colors() || start_color() == ERR || COLORS < 8)
		return;
	s->colours = true;
	use_default_colors();
	for (int i = 0; i < N_STYLES; i++)
		init_pair((short)(i + 1), (short)nearest_colour(s->looks.coloured[i].foreground),
			  (short)nearest_colour(s->looks.coloured[i].background));
}

static void use_mouse(const struct config *config)
{
	bool wanted = true;

	if (config && config_get_bool(config, "tui.mouse", &wanted, NULL) < 0)
		wanted = true;
	if (!wanted)
		return;
	mousemask(MOUSE_BUTTONS, NULL);
	mouseinterval(0);
}

static void set_up(struct screen *s, const struct screen_options *o)
{
	const char *no_color = getenv("NO_COLOR");

	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_DELAY_MS);
	curs_set(0);
	use_mouse(o->config);
	make_colours(s, o->without_colour || (no_color && *no_color));
}

/*
 * Finds the terminal: stdin and stdout; or that of the process, if the caller wants it wherever
 * these lead.
 */
static int find_terminal(struct screen *s, const struct screen_options *o, FILE **in, FILE **out)
{
	*in = stdin, *out = stdout;
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		return 0;
	if (!o->of_process)
		return -ENOTTY;
	s->tty = fopen("/dev/tty", "r+e");
	*in = *out = s->tty;
	return s->tty ? 0 : -ENOTTY;
}

bool screen_knows_terminal(void)
{
	int found = 0;
	bool places;

	if (setupterm(NULL, STDOUT_FILENO, &found) != OK)
		return false;
	places = cursor_address != NULL;
	del_curterm(cur_term);
	return places;
}

static int screen_refuse(struct diag *diag)
{
	const char *term = getenv("TERM");

	if (term && *term && strcmp(term, "dumb") != 0)
		diag_set(diag, -ENOTTY, "cannot browse: no terminal is there, or '%s' is not known",
			 term);
	else
		diag_set(diag, -ENOTTY,
			 "cannot browse: this is not a terminal that can move its cursor");
	diag_hint(diag, "--stdio prints text. $TERM names the terminal.");
	return -ENOTTY;
}

/* Adds a string of terminfo without its delays, "$<5>". */
static void add_leave(struct screen *s, const char *string)
{
	while (string && *string && s->leave_length < sizeof(s->leave)) {
		if (!strncmp(string, "$<", 2) && strchr(string, '>'))
			string = strchr(string, '>') + 1;
		else
			s->leave[s->leave_length++] = *string++;
	}
}

/*
 * Gives the terminal back when memory is exhausted: ncurses may be running in another thread, and
 * may allocate memory itself.
 */
static void leave_at_once(void *arg)
{
	const struct screen *s = arg;

	if (write(s->out_fd, s->leave, s->leave_length) < 0 ||
	    tcsetattr(s->in_fd, TCSANOW, &s->settings) < 0) {
		/* The terminal has gone, too. */
	}
}

/* Called when ncurses knows the terminal. */
static void plan_leave(struct screen *s)
{
	s->leave_length = 0;
	if (key_mouse)
		add_leave(s, MOUSE_OFF);
	add_leave(s, exit_attribute_mode);
	add_leave(s, keypad_local);
	add_leave(s, cursor_normal);
	add_leave(s, exit_ca_mode);
	memory_gone_first(leave_at_once, s);
}

static int screen_start(struct screen *s, const struct screen_options *o, struct diag *diag)
{
	const char *term = getenv("TERM");
	FILE *in, *out;
	int r = looks_init(&s->looks, o->config, diag);

	if (r < 0)
		return r;
	if (!term || !*term || !strcmp(term, "dumb") || find_terminal(s, o, &in, &out) < 0)
		return screen_refuse(diag);
	if (pipe2(s->pipe, O_CLOEXEC | O_NONBLOCK) < 0)
		return diag_set(diag, -errno, "cannot make a pipe: %s", strerror(errno));
	s->in_fd = fileno(in);
	s->out_fd = fileno(out);
	choose_locale(s, o->ascii);
	screen_catch_signals(s);
	if (tcgetattr(s->in_fd, &s->settings) < 0)
		return screen_refuse(diag);
	s->terminal = newterm(NULL, out, in);
	if (!s->terminal)
		return screen_refuse(diag);
	plan_leave(s);
	set_up(s, o);
	return 0;
}

int screen_open(const struct screen_options *o, struct screen **ret, struct diag *diag)
{
	_cleanup_(screen_freep) struct screen *s = xcalloc(1, sizeof(*s));
	int r;

	s->pipe[0] = s->pipe[1] = -1;
	s->escaped = (struct text)TEXT_EMPTY;
	r = screen_start(s, o, diag);
	if (r < 0)
		return r;
	*ret = TAKE(s);
	return 0;
}

void screen_free(struct screen *s)
{
	if (!s)
		return;
	if (s->terminal) {
		mousemask(0, NULL);
		endwin();
		memory_gone_first(NULL, NULL);
		delscreen(s->terminal);
	}
	if (s->pipe[0] >= 0 && s->locale)
		release_signals(s);
	closep(&s->pipe[0]);
	closep(&s->pipe[1]);
	if (s->locale)
		setlocale(LC_CTYPE, s->locale);
	if (s->tty)
		fclose(s->tty);
	free(s->locale);
	text_done(&s->escaped);
	free(s->run);
	free(s);
}

int screen_width(const struct screen *s)
{
	(void)s;
	return COLS > 0 ? COLS : 1;
}

int screen_height(const struct screen *s)
{
	(void)s;
	return LINES > 0 ? LINES : 1;
}

bool screen_is_utf8(const struct screen *s)
{
	return s->utf8;
}

bool screen_has_colours(const struct screen *s)
{
	return s->colours;
}

struct area screen_area(const struct screen *s)
{
	return (struct area){ .height = screen_height(s), .width = screen_width(s) };
}

static attr_t screen_attributes(const struct screen *s, enum style style)
{
	const struct style_look *look = s->colours ? &s->looks.coloured[style]
						   : &s->looks.plain[style];
	attr_t a = (look->bold ? A_BOLD : 0) | (look->reverse ? A_REVERSE : 0) |
		   (look->underline ? A_UNDERLINE : 0);

	/* With eight colours, bold replaces bright colours. */
	if (s->colours && look->foreground >= 8 && look->foreground < 16 && COLORS < 16)
		a |= A_BOLD;
	return a;
}

static short pair_of(const struct screen *s, enum style style)
{
	return s->colours ? (short)(style + 1) : 0;
}

static void use_style(const struct screen *s, enum style style)
{
	attr_set(screen_attributes(s, style), pair_of(s, style), NULL);
}

static bool screen_contains(struct area a, int y, int x)
{
	return y >= 0 && y < a.height && x >= 0 && x < a.width;
}

/* The adjacent characters of one text, from @x on. */
struct tui_screen_run {
	struct area area;
	int y, x;
	wchar_t *chars; /* the screen's buffer */
	size_t n;
};

static void screen_run_add(struct tui_screen_run *r, int x, wchar_t c)
{
	if (!r->n)
		r->x = x;
	r->chars[r->n++] = c;
}

static int run_put(struct tui_screen_run *r, const struct screen *s, int x, wchar_t c)
{
	int width = c < 0x80 ? 1 : wcwidth(c);

	if (width < 0 || (!s->utf8 && c >= 0x80))
		c = '?', width = 1;
	/* A wide character that does not fit completely is replaced by a blank. */
	if (width && screen_contains(r->area, r->y, x) &&
	    screen_contains(r->area, r->y, x + width - 1))
		screen_run_add(r, x, c);
	else if (width == 2 &&
		 (screen_contains(r->area, r->y, x) || screen_contains(r->area, r->y, x + 1)))
		screen_run_add(r, x < 0 ? x + 1 : x, ' ');
	return x + width;
}

/* Decodes one character of UTF-8 that escape_terminal() has accepted. */
static wchar_t screen_decode(const char **text, const char *end)
{
	const unsigned char *p = (const unsigned char *)*text;
	size_t n = *p < 0x80 ? 1 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 : 4;
	wchar_t c = n == 1 ? *p : *p & (0xff >> (n + 1));

	if (*p >= 0x80 && (*p < 0xc0 || (size_t)(end - *text) < n)) {
		++*text;
		return 0xfffd;
	}
	for (size_t i = 1; i < n; i++)
		c = c << 6 | (p[i] & 0x3f);
	*text += n;
	return c;
}

static const char *screen_escape(struct screen *s, const char *text, int n)
{
	text_clear(&s->escaped);
	escape_terminal(&s->escaped, text, n < 0 ? strlen(text) : (size_t)n);
	return s->escaped.chars;
}

int screen_put(struct screen *s, struct area a, int y, int x, enum style style, const char *text,
	       int n)
{
	const char *p = screen_escape(s, text, n);
	const char *end = p + s->escaped.length;
	struct tui_screen_run run = { .area = a, .y = y };

	s->run = array_reserve(s->run, &s->run_room, (size_t)screen_width(s) + 1, sizeof(*s->run));
	run.chars = s->run;
	while (p < end)
		x = run_put(&run, s, x, screen_decode(&p, end));
	if (run.n) {
		use_style(s, style);
		mvaddnwstr(a.y + y, a.x + run.x, run.chars, (int)run.n);
	}
	return x;
}

int screen_putf(struct screen *s, struct area a, int y, int x, enum style style, const char *format,
		...)
{
	char *text;
	va_list args;

	va_start(args, format);
	text = xvasprintf(format, args);
	va_end(args);
	x = screen_put(s, a, y, x, style, text, -1);
	free(text);
	return x;
}

int screen_text_width(struct screen *s, const char *text, int n)
{
	const char *p = screen_escape(s, text, n);
	const char *end = p + s->escaped.length;
	int width = 0;

	while (p < end) {
		wchar_t c = screen_decode(&p, end);
		int w = c < 0x80 || !s->utf8 ? 1 : wcwidth(c);

		width += w < 0 ? 1 : w;
	}
	return width;
}

void screen_clear(struct screen *s, struct area a, enum style style)
{
	cchar_t blank;

	if (a.width <= 0 ||
	    setcchar(&blank, L" ", screen_attributes(s, style), pair_of(s, style), NULL) != OK)
		return;
	for (int y = 0; y < a.height; y++)
		mvhline_set(a.y + y, a.x, &blank, a.width);
}

void screen_restyle(struct screen *s, struct area a, enum style style)
{
	for (int y = 0; y < a.height; y++)
		if (a.width > 0)
			mvchgat(a.y + y, a.x, a.width, screen_attributes(s, style),
				pair_of(s, style), NULL);
}

const char *screen_glyph(const struct screen *s, enum glyph g)
{
	static const char *const glyphs[N_GLYPHS][2] = {
		[GLYPH_HORIZONTAL] = { "-", "─" },  [GLYPH_VERTICAL] = { "|", "│" },
		[GLYPH_TOP_LEFT] = { "+", "┌" },    [GLYPH_TOP_RIGHT] = { "+", "┐" },
		[GLYPH_BOTTOM_LEFT] = { "+", "└" }, [GLYPH_BOTTOM_RIGHT] = { "+", "┘" },
		[GLYPH_TEE_LEFT] = { "+", "├" },    [GLYPH_UP] = { "^", "↑" },
		[GLYPH_DOWN] = { "v", "↓" },        [GLYPH_LEFT] = { "<", "←" },
		[GLYPH_RIGHT] = { ">", "→" },       [GLYPH_BAR_1] = { ".", "▁" },
		[GLYPH_BAR_1 + 1] = { ".", "▂" },   [GLYPH_BAR_1 + 2] = { ":", "▃" },
		[GLYPH_BAR_1 + 3] = { ":", "▄" },   [GLYPH_BAR_1 + 4] = { "=", "▅" },
		[GLYPH_BAR_1 + 5] = { "=", "▆" },   [GLYPH_BAR_1 + 6] = { "#", "▇" },
		[GLYPH_BAR_8] = { "#", "█" },       [GLYPH_TRACK] = { "|", "▒" },
		[GLYPH_THUMB] = { "#", "◆" },       [GLYPH_ELLIPSIS] = { ".", "…" },
	};

	return glyphs[g][s->utf8];
}

void screen_put_box(struct screen *s, struct area a, enum style style, const char *title)
{
	int bottom = a.height - 1, right = a.width - 1;

	for (int x = 1; x < right; x++) {
		screen_put(s, a, 0, x, style, screen_glyph(s, GLYPH_HORIZONTAL), -1);
		screen_put(s, a, bottom, x, style, screen_glyph(s, GLYPH_HORIZONTAL), -1);
	}
	for (int y = 1; y < bottom; y++) {
		screen_put(s, a, y, 0, style, screen_glyph(s, GLYPH_VERTICAL), -1);
		screen_put(s, a, y, right, style, screen_glyph(s, GLYPH_VERTICAL), -1);
	}
	screen_put(s, a, 0, 0, style, screen_glyph(s, GLYPH_TOP_LEFT), -1);
	screen_put(s, a, 0, right, style, screen_glyph(s, GLYPH_TOP_RIGHT), -1);
	screen_put(s, a, bottom, 0, style, screen_glyph(s, GLYPH_BOTTOM_LEFT), -1);
	screen_put(s, a, bottom, right, style, screen_glyph(s, GLYPH_BOTTOM_RIGHT), -1);
	if (title && a.width > 4)
		screen_put(s, (struct area){ a.y, a.x + 2, 1, a.width - 3 }, 0, 0, style, title,
			   -1);
}

void screen_cursor(struct screen *s, struct area a, int y, int x)
{
	bool shown = screen_contains(a, y, x);

	(void)s;
	curs_set(shown);
	if (shown)
		move(a.y + y, a.x + x);
}

void screen_flush(struct screen *s)
{
	(void)s;
	refresh();
}

void screen_redraw(struct screen *s)
{
	(void)s;
	clearok(curscr, TRUE);
}

/* Handles the release of the button: a click, the second of two, or the end of a movement. */
static void take_release(struct screen *s, struct screen_input *ret)
{
	uint64_t now = (uint64_t)clock_ms();

	ret->y0 = s->pressed_y;
	ret->x0 = s->pressed_x;
	if (ret->y0 != ret->y || ret->x0 != ret->x) {
		ret->mouse = MOUSE_DRAG;
		return;
	}
	ret->mouse = now - s->clicked_ms < DOUBLE_CLICK_MS && s->clicked_y == ret->y &&
				     s->clicked_x == ret->x
			     ? MOUSE_DOUBLE_CLICK
			     : MOUSE_CLICK;
	s->clicked_ms = now;
	s->clicked_y = ret->y;
	s->clicked_x = ret->x;
}

/*
 * Reads mouse events. Events that arrived together are one key for ncurses, which returns the
 * newest first.
 */
static void read_mouse(struct screen *s)
{
	s->n_mouse = 0;
	while (s->n_mouse < MOUSE_EVENTS_MAX && getmouse(&s->mouse[s->n_mouse]) == OK)
		s->n_mouse++;
}

static void tell_mouse(struct screen *s, MEVENT e, struct screen_input *ret)
{
	*ret = (struct screen_input){ .y = e.y, .x = e.x, .key = SCREEN_KEY_NONE };
	if (e.bstate & BUTTON1_PRESSED) {
		s->pressed_y = e.y;
		s->pressed_x = e.x;
		return;
	}
	ret->key = SCREEN_KEY_MOUSE;
	if (e.bstate & BUTTON1_RELEASED)
		take_release(s, ret);
	else if (e.bstate & BUTTON4_PRESSED)
		ret->mouse = MOUSE_WHEEL_UP;
	else if (e.bstate & BUTTON5_PRESSED)
		ret->mouse = MOUSE_WHEEL_DOWN;
	else if (e.bstate & BUTTON3_PRESSED)
		ret->mouse = MOUSE_RIGHT_CLICK;
	else
		ret->key = SCREEN_KEY_NONE;
}

/* Takes the next meaningful event of the mouse. */
static void screen_take_mouse(struct screen *s, struct screen_input *ret)
{
	ret->key = SCREEN_KEY_NONE;
	while (s->n_mouse && ret->key == SCREEN_KEY_NONE)
		tell_mouse(s, s->mouse[--s->n_mouse], ret);
}

static int function_key(wint_t code)
{
	static const struct {
		wint_t code;
		int key;
	} keys[] = {
		{ KEY_UP, SCREEN_KEY_UP },
		{ KEY_DOWN, SCREEN_KEY_DOWN },
		{ KEY_LEFT, SCREEN_KEY_LEFT },
		{ KEY_RIGHT, SCREEN_KEY_RIGHT },
		{ KEY_PPAGE, SCREEN_KEY_PAGE_UP },
		{ KEY_NPAGE, SCREEN_KEY_PAGE_DOWN },
		{ KEY_HOME, SCREEN_KEY_HOME },
		{ KEY_END, SCREEN_KEY_END },
		{ KEY_BTAB, SCREEN_KEY_BACK_TAB },
		{ KEY_BACKSPACE, SCREEN_KEY_BACKSPACE },
		{ KEY_DC, SCREEN_KEY_DELETE },
		{ KEY_F(1), SCREEN_KEY_F1 },
		{ KEY_ENTER, SCREEN_KEY_ENTER },
		{ KEY_SLEFT, SCREEN_KEY_SHIFT_LEFT },
		{ KEY_SRIGHT, SCREEN_KEY_SHIFT_RIGHT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].code == code)
			return keys[i].key;
	return SCREEN_KEY_NONE;
}

static int character_key(wint_t c)
{
	if (c == '\n')
		return SCREEN_KEY_ENTER;
	return c == 127 || c == 8 ? SCREEN_KEY_BACKSPACE : (int)c;
}

/* Stops the whole job, as the terminal would have done, and returns when it continues. */
static void screen_suspend(struct screen *s)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, ours;

	sigemptyset(&usual.sa_mask);
	endwin();
	sigaction(SIGTSTP, &usual, &ours);
	kill(0, SIGTSTP);
	sigaction(SIGTSTP, &ours, NULL);
	clearok(curscr, TRUE);
	(void)s;
}

static void fit_to_terminal(struct screen *s)
{
	struct winsize size;

	if (ioctl(s->out_fd, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col)
		resizeterm(size.ws_row, size.ws_col);
	clearok(curscr, TRUE);
}

/* Takes the bytes that signals have written. SCREEN_KEY_NONE: none is relevant here. */
static int screen_take_signals(struct screen *s)
{
	int key = SCREEN_KEY_NONE;
	char bytes[64];
	ssize_t n;

	while ((n = read(s->pipe[0], bytes, sizeof(bytes))) > 0)
		for (ssize_t i = 0; i < n; i++) {
			if (bytes[i] == 'z')
				screen_suspend(s);
			if (bytes[i] != 'e')
				key = SCREEN_KEY_RESIZED;
		}
	if (key == SCREEN_KEY_RESIZED)
		fit_to_terminal(s);
	return ended_by ? SCREEN_KEY_ENDED : key;
}

/* Takes a key that has already arrived. */
static void screen_take_key(struct screen *s, struct screen_input *ret)
{
	wint_t c;
	int r;

	*ret = (struct screen_input){ .key = SCREEN_KEY_NONE };
	screen_take_mouse(s, ret);
	if (ret->key != SCREEN_KEY_NONE)
		return;
	r = wget_wch(stdscr, &c);
	if (r == KEY_CODE_YES && c == KEY_MOUSE) {
		read_mouse(s);
		screen_take_mouse(s, ret);
	} else if (r == KEY_CODE_YES) {
		ret->key = function_key(c);
	} else if (r == OK) {
		ret->key = character_key(c);
	}
	if (ret->key == 26) { /* Ctrl-Z */
		screen_suspend(s);
		fit_to_terminal(s);
		ret->key = SCREEN_KEY_RESIZED;
	}
}

/* True if the input is readable but empty: the other end has gone. */
static bool input_has_ended(const struct screen *s, short revents)
{
	int n = 0;

	if (revents & (POLLHUP | POLLERR | POLLNVAL))
		return true;
	return revents & POLLIN && ioctl(s->in_fd, FIONREAD, &n) == 0 && n == 0;
}

static void screen_wait_for_all(struct screen *s, const struct screen_wait *w,
				struct screen_input *ret)
{
	struct pollfd fds[2 + WAIT_FDS_MAX] = { { .fd = s->in_fd, .events = POLLIN },
						{ .fd = s->pipe[0], .events = POLLIN } };
	size_t n = w->n_fds < WAIT_FDS_MAX ? w->n_fds : WAIT_FDS_MAX;

	for (size_t i = 0; i < n; i++)
		fds[2 + i] = (struct pollfd){ .fd = w->fds[i], .events = POLLIN };
	if (poll(fds, 2 + n, w->timeout_ms) < 0 && errno != EINTR)
		s->is_gone = true;
	for (size_t i = 0; i < n; i++)
		w->ret_ready[i] = fds[2 + i].revents;
	ret->key = screen_take_signals(s);
	if (ret->key != SCREEN_KEY_NONE || !fds[0].revents)
		return;
	if (input_has_ended(s, fds[0].revents))
		s->is_gone = true;
	else
		screen_take_key(s, ret);
}

void screen_wait(struct screen *s, const struct screen_wait *w, struct screen_input *ret)
{
	/* ncurses may have read more than one key. */
	screen_take_key(s, ret);
	for (size_t i = 0; i < w->n_fds; i++)
		w->ret_ready[i] = false;
	if (ret->key == SCREEN_KEY_NONE)
		screen_wait_for_all(s, w, ret);
	if (s->is_gone)
		ret->key = SCREEN_KEY_ENDED;
}

int screen_signal(const struct screen *s)
{
	(void)s;
	return ended_by;
}

#endif
