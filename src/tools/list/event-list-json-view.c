/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "event/catalog.h"
#include "tools/list/event-list-view.h"
#include "tracepoint/format.h"
#include "view/json.h"

static void list_event_list_json_print_field(struct json *j, const struct tracepoint_field *f)
{
	json_object(j);
	json_member(j, "Name", f->name);
	json_member(j, "Type", f->type);
	json_member_unsigned(j, "Offset", f->offset);
	json_member_unsigned(j, "Size", f->size);
	json_member_bool(j, "Signed", f->is_signed);
	json_end(j, '}');
}

static void print_format(struct json *j, const struct tracepoint_format *f)
{
	json_key(j, "Fields");
	json_array(j);
	for (size_t i = 0; i < f->n_fields; i++)
		list_event_list_json_print_field(j, &f->fields[i]);
	json_end(j, ']');
	json_member(j, "PrintFormat", f->print_fmt);
}

static void list_event_list_json_print_event(struct json *j, const struct catalog_entry *e)
{
	json_object(j);
	json_member(j, "Unit", e->pmu);
	json_member(j, "Topic", e->topic);
	json_member(j, "EventName", e->name);
	json_member(j, "EventAlias", e->alias);
	json_member(j, "EventType", catalog_kind_label(e->kind));
	json_member(j, "Deprecated", e->deprecated ? "1" : NULL);
	json_member(j, "ScaleUnit", e->scale_unit);
	json_member(j, "BriefDescription", e->brief);
	json_member(j, "PublicDescription", e->description);
	json_member(j, "Encoding", e->encoding);
	json_member(j, "Image", e->image);
	json_member(j, "BuildId", e->build_id);
	if (e->format)
		print_format(j, e->format);
	json_end(j, '}');
}

static void print_metric(struct json *j, const struct catalog_entry *e)
{
	json_object(j);
	json_member(j, "MetricGroup", e->groups);
	json_member(j, "MetricName", e->name);
	json_member(j, "MetricExpr", e->expression);
	json_member(j, "ScaleUnit", e->scale_unit);
	json_member(j, "BriefDescription", e->brief);
	json_end(j, '}');
}

/*
 * True if @e was listed before. A metric of several groups is listed under each of them, but is one
 * entry here.
 */
static bool list_event_list_json_repeats(const struct catalog_entry *e)
{
	size_t n = e->group ? strlen(e->group) : 0;

	return e->group &&
	       (strncmp(e->groups, e->group, n) != 0 || (e->groups[n] && e->groups[n] != ';'));
}

static void print_entry(struct json *j, const struct catalog_entry *e)
{
	if (e->kind == CATALOG_METRIC_GROUP) {
		json_object(j);
		json_member(j, "MetricGroup", e->name);
		json_end(j, '}');
	} else if (e->kind != CATALOG_METRIC) {
		list_event_list_json_print_event(j, e);
	} else if (!list_event_list_json_repeats(e)) {
		print_metric(j, e);
	}
}

void event_list_print_json(const struct catalog *catalogs, size_t n, FILE *out)
{
	struct json j;

	json_init(&j, out);
	json_array(&j);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < catalogs[i].n; k++) {
			const struct catalog_entry *e = &catalogs[i].items[k];
			bool heading = e->kind == CATALOG_METRIC_GROUP &&
				       catalogs[i].kinds & 1u << CATALOG_METRIC;

			if (!heading)
				print_entry(&j, e);
		}
	json_end(&j, ']');
	json_done(&j);
}
