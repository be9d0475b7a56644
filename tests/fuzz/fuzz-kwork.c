/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes perf kwork with any number of events of kernel work in any order: there are never more
 * runs than ends, and every event has a partner or is counted. Each event is three bytes: class and
 * role, CPU, number.
 */
#include <stdint.h>
#include <stdlib.h>

#include "tools/kwork/kwork-model.h"
#include "tools/kwork/order-model.h"
#include "base/cleanup.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct taken {
	uint64_t raises, begins, ends;
};

static struct kwork_event event_at(const uint8_t *data, uint64_t time)
{
	return (struct kwork_event){ .class = (enum kwork_class)(data[0] % 3),
				     .role = (enum kwork_role)(KWORK_RAISE + data[0] / 3 % 3),
				     .time = time,
				     .cpu = data[1],
				     .id = data[2],
				     .name = data[2] & 1 ? "odd" : NULL,
				     .name_length = data[2] & 1 ? 3 : 0 };
}

/* Events of roles that the mode does not read are skipped: see kwork_wants(). */
static void take(struct kwork_model *m, const struct kwork_event *e, struct taken *t)
{
	if ((m->o.mode == KWORK_RUNTIME && e->role == KWORK_RAISE) ||
	    (m->o.mode == KWORK_DELAY && e->role == KWORK_END))
		return;
	t->raises += e->role == KWORK_RAISE;
	t->begins += e->role == KWORK_BEGIN;
	t->ends += e->role == KWORK_END;
	kwork_take_event(m, e, NULL);
}

static uint64_t runs(const struct kwork_model *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->items.n; i++)
		n += m->items.items[i]->count;
	return n;
}

static void check(const uint8_t *data, size_t size, enum kwork_mode mode)
{
	static const struct kwork_classes classes = { { KWORK_IRQ, KWORK_SOFTIRQ, KWORK_WORKQUEUE },
						      3 };
	static const struct kwork_order order = { { KWORK_BY_AVERAGE, KWORK_BY_MAX }, 2 };
	_cleanup_(kwork_done) struct kwork_model m;
	_cleanup_(freep) const struct kwork_item **rows = NULL;
	struct taken t = { 0 };
	size_t n;

	kwork_init(&m, &(struct kwork_options){ .mode = mode, .classes = classes });
	for (size_t i = 0; i + 3 <= size; i += 3) {
		struct kwork_event e = event_at(data + i, i);

		take(&m, &e, &t);
	}
	kwork_finish(&m);
	rows = kwork_items_sorted(&m.items, &order, &classes, &n);
	if (mode == KWORK_DELAY &&
	    (t.raises != runs(&m) + m.skipped.raises || t.begins != runs(&m) + m.skipped.begins))
		abort();
	if (mode != KWORK_DELAY &&
	    (t.begins != runs(&m) + m.skipped.begins || t.ends != runs(&m) + m.skipped.ends))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check(data, size, KWORK_RUNTIME);
	check(data, size, KWORK_DELAY);
	check(data, size, KWORK_HISTORY);
	return 0;
}
