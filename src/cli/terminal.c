/* SPDX-License-Identifier: MIT */
#include "cli/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"

#define WIDTH_DEFAULT 80
#define WIDTH_MIN     20
#define WIDTH_MAX     10000

bool terminal_is(FILE *f)
{
	return isatty(fileno(f)) == 1;
}

bool terminal_understands(FILE *f)
{
	const char *term = getenv("TERM");

	return terminal_is(f) && term && *term && strcmp(term, "dumb") != 0;
}

unsigned terminal_width(FILE *f)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	uint64_t width = WIDTH_DEFAULT;

	if ((!columns || number_parse(columns, &width) < 0) &&
	    ioctl(fileno(f), TIOCGWINSZ, &size) == 0 && size.ws_col)
		width = size.ws_col;
	return width < WIDTH_MIN ? WIDTH_MIN : width > WIDTH_MAX ? WIDTH_MAX : (unsigned)width;
}

unsigned terminal_height(FILE *f)
{
	struct winsize size;

	return ioctl(fileno(f), TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

bool terminal_has_utf8(void)
{
	setlocale(LC_CTYPE, "");
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

const char *terminal_dots(void)
{
	return terminal_has_utf8() ? "…" : "...";
}
