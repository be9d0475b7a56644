/* SPDX-License-Identifier: MIT */
#include "options/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/diag.h"
#include "options/value.h"
#include "profile/frame-choice.h"
#include "view/annotate/annotate.h"

int percentage_set(void *field, const struct option *o, const char *value, bool negated,
		   struct diag *diag)
{
	enum percentage *p = field;

	if (negated)
		*p = PERCENTAGE_DEFAULT;
	else if (!strcmp(value, "relative"))
		*p = PERCENTAGE_RELATIVE;
	else if (!strcmp(value, "absolute"))
		*p = PERCENTAGE_ABSOLUTE;
	else
		return value_refuse(diag, o, value, 0, strlen(value),
				    "'%s' is neither relative nor absolute", value);
	return 0;
}

int frames_set(void *field, const struct option *o, const char *value, bool negated,
	       struct diag *diag)
{
	int choice = negated ? FRAME_CHOICE_ALL : frame_choice_find(value);

	if (choice < 0) {
		value_refuse(diag, o, value, 0, strlen(value), "there are no '%s' frames", value);
		diag_hint(diag, "It is all, native or interpreted.");
		return -EINVAL;
	}
	*(enum frame_choice *)field = (enum frame_choice)choice;
	return 0;
}

int percent_set(void *field, const struct option *o, const char *value, bool negated,
		struct diag *diag)
{
	double percent = 0;
	char *end;

	if (!negated) {
		percent = strtod(value, &end);
		if (end == value || (*end && strcmp(end, "%")) || !(percent >= 0 && percent <= 100))
			return value_refuse(diag, o, value, 0, strlen(value),
					    "'%s' is not a percentage from 0 to 100", value);
	}
	*(double *)field = percent;
	return 0;
}

int percent_type_set(void *field, const struct option *o, const char *value, bool negated,
		     struct diag *diag)
{
	static const char *const names[][2] = {
		[ANNOTATE_LOCAL_PERIOD] = { "local-period", "period-local" },
		[ANNOTATE_GLOBAL_PERIOD] = { "global-period", "period-global" },
		[ANNOTATE_LOCAL_HITS] = { "local-hits", "hits-local" },
		[ANNOTATE_GLOBAL_HITS] = { "global-hits", "hits-global" },
	};

	if (negated)
		value = names[ANNOTATE_LOCAL_PERIOD][0];
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i][0], value) || !strcmp(names[i][1], value)) {
			*(enum annotate_base *)field = (enum annotate_base)i;
			return 0;
		}
	value_refuse(diag, o, value, 0, strlen(value), "there is no base '%s'", value);
	diag_hint(diag, "local-period, global-period, local-hits or global-hits");
	return -EINVAL;
}

int gtk_set(void *field, const struct option *o, const char *value, bool negated, struct diag *diag)
{
	(void)field, (void)o, (void)value;
	if (negated)
		return 0;
	diag_set(diag, -EINVAL, "there is no GTK interface");
	diag_hint(diag, "Use --stdio for text.");
	return -EINVAL;
}

bool is_colour_word(const char *word)
{
	return !strcmp(word, "always") || !strcmp(word, "never") || !strcmp(word, "auto");
}

int separator_set(void *field, const struct option *o, const char *value, bool negated,
		  struct diag *diag)
{
	if (!negated && !strcmp(value, "."))
		return value_refuse(
			diag, o, value, 0, 1,
			"'.' is the one separator that cannot be: it takes its place in names");
	*(const char **)field = negated ? NULL : value;
	return 0;
}
