/* SPDX-License-Identifier: MIT */
#include "options/guest-settings.h"

#include "capture/synth.h"
#include "cli/command.h"
#include "profile/filter-request.h"
#include "symbol/symbol-request.h"

enum event_worlds command_worlds(const struct invocation *inv)
{
	const struct guest_settings *g = inv->settings->guests;

	if (!g || !g->guest)
		return EVENT_HOST;
	return g->host ? EVENT_HOST_AND_GUESTS : EVENT_GUESTS;
}

struct synth_guests command_guests(const struct invocation *inv)
{
	const struct guest_settings *g = inv->settings->guests;

	if (!g)
		return (struct synth_guests){ 0 };
	return (struct synth_guests){ .kallsyms = g->kallsyms,
				      .modules = g->modules,
				      .mount = g->mount };
}

void command_guest_symbols(const struct invocation *inv, struct symbol_request *symbols)
{
	const struct guest_settings *g = inv->settings->guests;

	if (!g)
		return;
	symbols->guest_vmlinux = g->vmlinux;
	symbols->guest_kallsyms = g->kallsyms;
	symbols->guest_mount = g->mount;
	symbols->guest_code = g->code;
}

void command_guest_filter(const struct invocation *inv, struct filter_request *filter)
{
	const struct guest_settings *g = inv->settings->guests;

	if (!g)
		return;
	filter->without_host = !g->host;
	filter->without_guests = !g->guest;
}
