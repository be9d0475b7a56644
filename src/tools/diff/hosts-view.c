/* SPDX-License-Identifier: MIT */
#include "tools/diff/hosts-view.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/diff/fleet-model.h"
#include "tools/diff/peers-model.h"
#include "tools/diff/repeats-model.h"
#include "tools/diff/table-view.h"
#include "view/json.h"

/* More lines than this give no more information. */
#define LINES_MAX 20

static const char *side_name(const struct diff_fleet *f, size_t side)
{
	return f->options->labels[side];
}

static const char *host_name(const struct diff_fleet *f, const struct host_outlier *o)
{
	return f->options->hosts[o->recording];
}

static size_t diff_hosts_columns_of(const char *s)
{
	return escape_columns(s, strlen(s));
}

static void diff_hosts_add_padded(struct text *out, const char *s, size_t width)
{
	size_t n = diff_hosts_columns_of(s);

	escape_terminal(out, s, strlen(s));
	text_addf(out, "%*s", (int)(n < width ? width - n : 0), "");
}

static void add_outlier(struct text *out, const struct diff_view *v, const struct diff_fleet *f,
			const struct host_outlier *o, const size_t *widths)
{
	_cleanup_(freep) char *row = diff_row_name(o->row);

	text_add(out, "#  ");
	diff_hosts_add_padded(out, side_name(f, o->side), widths[0]);
	text_add(out, "  ");
	diff_hosts_add_padded(out, host_name(f, o), widths[1]);
	text_addf(out, "  %6.2f%%  %6.2f%% %s%.2f%%  ", o->share, o->usual,
		  v->ascii ? "+-" : "\u00b1", o->deviation);
	escape_terminal(out, row, strlen(row));
	if (o->n_rows > 1)
		text_addf(out, " (and %zu more)", o->n_rows - 1);
	text_add(out, "\n");
}

static bool diff_hosts_leaves_out(const struct diff_fleet *f, const struct host_outlier *o)
{
	return f->left_out[o->recording];
}

static void add_outliers(struct text *out, const struct diff_view *v, const struct diff_fleet *f,
			 bool left_out)
{
	size_t widths[2] = { 0 }, n = 0;

	for (size_t i = 0; i < f->n_outliers; i++) {
		const struct host_outlier *o = &f->outliers[i];
		size_t side = diff_hosts_columns_of(side_name(f, o->side));
		size_t host = diff_hosts_columns_of(host_name(f, o));

		widths[0] = side > widths[0] ? side : widths[0];
		widths[1] = host > widths[1] ? host : widths[1];
		n += diff_hosts_leaves_out(f, o) == left_out;
	}
	if (!n)
		return;
	text_add(out, "#\n# Hosts that differ from the others of their side");
	text_add(out, left_out ? ", and are left out above: " : ", but still count: ");
	text_add(out, "their share, and that of the others.\n");
	n = 0;
	for (size_t i = 0; i < f->n_outliers; i++)
		if (diff_hosts_leaves_out(f, &f->outliers[i]) == left_out && n++ < LINES_MAX)
			add_outlier(out, v, f, &f->outliers[i], widths);
	if (n > LINES_MAX)
		text_addf(out, "#  ... and %zu more: --json tells all\n", n - LINES_MAX);
}

static void diff_hosts_add_both(struct text *out, const struct diff_fleet *f)
{
	if (!f->n_both)
		return;
	text_addf(out,
		  "#\n# %zu host%s in more than one side, which makes the sides look more alike "
		  "than they are:",
		  f->n_both, f->n_both == 1 ? " is" : "s are");
	for (size_t i = 0; i < f->n_both && i < LINES_MAX; i++) {
		text_add(out, i ? ", " : " ");
		escape_terminal(out, f->both[i], strlen(f->both[i]));
	}
	text_add(out, f->n_both > LINES_MAX ? ", ...\n" : "\n");
}

static void diff_hosts_note_few(struct text *out, const struct diff_fleet *f)
{
	for (size_t i = 0; i < f->options->n_sides; i++)
		if (f->n_hosts[i] > 1 && f->n_hosts[i] < PEERS_MIN) {
			text_addf(out, "# ");
			escape_terminal(out, side_name(f, i), strlen(side_name(f, i)));
			text_addf(out, " has too few hosts to tell whether one differs: %d do.\n",
				  PEERS_MIN);
		}
}

void diff_hosts_add(struct text *out, const struct diff_view *v, const struct diff_fleet *f)
{
	diff_hosts_note_few(out, f);
	add_outliers(out, v, f, true);
	add_outliers(out, v, f, false);
	diff_hosts_add_both(out, f);
}

static void write_hosts(struct json *j, const struct diff_fleet *f)
{
	json_key(j, "hosts");
	json_array(j);
	for (size_t i = 0; i < f->n_recordings; i++) {
		json_object(j);
		json_member(j, "side", side_name(f, f->options->side_of[i]));
		json_member(j, "host", f->options->hosts[i]);
		json_member_bool(j, "left-out", f->left_out[i]);
		json_end(j, '}');
	}
	json_end(j, ']');
}

static void write_number(struct json *j, const char *key, double x)
{
	json_key(j, key);
	json_double(j, x);
}

static void write_outlier(struct json *j, const struct diff_fleet *f, const struct host_outlier *o)
{
	_cleanup_(freep) char *row = diff_row_name(o->row);

	json_object(j);
	json_member(j, "side", side_name(f, o->side));
	json_member(j, "host", host_name(f, o));
	json_member(j, "row", row);
	write_number(j, "share", o->share);
	write_number(j, "usual", o->usual);
	write_number(j, "deviation", o->deviation);
	json_member_unsigned(j, "rows", o->n_rows);
	json_end(j, '}');
}

void diff_hosts_write(struct json *j, const struct diff_fleet *f)
{
	write_hosts(j, f);
	json_key(j, "outliers");
	json_array(j);
	for (size_t i = 0; i < f->n_outliers; i++)
		write_outlier(j, f, &f->outliers[i]);
	json_end(j, ']');
	json_key(j, "in-several-sides");
	json_array(j);
	for (size_t i = 0; i < f->n_both; i++)
		json_string(j, f->both[i]);
	json_end(j, ']');
}
