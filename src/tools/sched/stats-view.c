/* SPDX-License-Identifier: MIT */
#include "tools/sched/stats-view.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/text.h"
#include "tools/sched/stats-model.h"

#define WIDTH      100
#define NAME_WIDTH 65

/* A table of one measurement, or of two next to each other. */
struct sched_stats_table {
	const struct sched_stats_look *look;
	const struct sched_stats *sides[2];
	size_t n;
};

static void print_dashes(FILE *out, size_t n)
{
	for (size_t i = 0; i < n; i++)
		fputc('-', out);
}

static void sched_stats_print_rule(FILE *out)
{
	print_dashes(out, WIDTH);
	fputc('\n', out);
}

/* Prints a rule with "<TITLE>" in the middle. */
static void print_category(FILE *out, const char *title)
{
	size_t length = strlen(title) + 4, before = (WIDTH - length) / 2;

	print_dashes(out, before);
	fprintf(out, " <%s> ", title);
	print_dashes(out, WIDTH - length - before);
	fputc('\n', out);
}

static void print_intro(FILE *out)
{
	fputs("Description\n", out);
	sched_stats_print_rule(out);
	fputs("DESC                          -> Description of the field\n"
	      "COUNT                         -> Value of the field\n"
	      "PCT_CHANGE                    -> Percent change with corresponding base value\n"
	      "AVG_JIFFIES                   -> Avg time in jiffies between two consecutive "
	      "occurrence of event\n",
	      out);
	sched_stats_print_rule(out);
	fputc('\n', out);
}

static double sched_stats_change(double a, double b)
{
	return a != 0 ? (b - a) / a * 100 : 0;
}

static double sched_stats_share(uint64_t part, uint64_t all)
{
	return all ? (double)part / (double)all * 100 : 0;
}

static void print_numbers(const struct sched_stats_table *t, const char *name, const uint64_t *v)
{
	FILE *out = t->look->out;

	fprintf(out, "%-*s: %11" PRIu64, NAME_WIDTH, name, v[0]);
	if (t->n > 1)
		fprintf(out, ", %10" PRIu64 "  |%9.2f%% |", v[1],
			sched_stats_change((double)v[0], (double)v[1]));
}

static void print_fractions(const struct sched_stats_table *t, const char *name, const double *v)
{
	FILE *out = t->look->out;

	fprintf(out, "%-*s: %11.2f", NAME_WIDTH, name, v[0]);
	if (t->n > 1)
		fprintf(out, ", %10.2f  |%9.2f%% |", v[1], sched_stats_change(v[0], v[1]));
	fputc('\n', out);
}

static const char *sched_stats_title_of(const struct sched_stats_table *t,
					const struct sched_stats_field *f)
{
	return t->look->descriptions ? f->description : f->name;
}

static void print_cpu_rows(const struct sched_stats_table *t, size_t cpu)
{
	const struct sched_stats_field *fields = sched_stats_cpu_fields();
	FILE *out = t->look->out;

	for (size_t i = 0; i < SCHEDSTAT_CPU_VALUES; i++) {
		unsigned base = fields[i].part_of;
		uint64_t v[2] = { 0 };
		double parts[2] = { 0 };

		for (size_t k = 0; k < t->n; k++) {
			const uint64_t *values = t->sides[k]->cpus.items[cpu].values;

			v[k] = values[i];
			parts[k] = base ? sched_stats_share(v[k], values[base - 1]) : 0;
		}
		print_numbers(t, sched_stats_title_of(t, &fields[i]), v);
		if (base && t->n > 1)
			fprintf(out, "  (%9.2f%%, %9.2f%% )", parts[0], parts[1]);
		else if (base)
			fprintf(out, "  (%9.2f%% )", parts[0]);
		fputc('\n', out);
	}
}

static void print_in_time(const struct sched_stats_table *t, const uint64_t *v)
{
	double times[2] = { 0 };

	for (size_t k = 0; k < t->n; k++)
		if (v[k])
			times[k] = (double)(t->sides[k]->end - t->sides[k]->begin) / (double)v[k];
	if (t->n > 1)
		fprintf(t->look->out, "  $ %11.2f, %11.2f $", times[0], times[1]);
	else
		fprintf(t->look->out, "  $ %11.2f $", times[0]);
}

/* Prints the values computed from the fields of the category that ends with field @last. */
static void print_balancing(const struct sched_stats_table *t,
			    const struct sched_stats_domain *const *domains,
			    const struct sched_stats_field *f, size_t last)
{
	uint16_t version = t->sides[0]->version;
	uint64_t successes[2] = { 0 };
	double pulled[2] = { 0 };

	for (size_t k = 0; k < t->n; k++) {
		successes[k] = sched_stats_successes(domains[k], version, last);
		pulled[k] = sched_stats_pulled(domains[k], version, last);
	}
	print_numbers(t, f->successes[t->look->descriptions], successes);
	fputc('\n', t->look->out);
	print_fractions(t, f->pulled[t->look->descriptions], pulled);
}

static void print_domain_rows(const struct sched_stats_table *t,
			      const struct sched_stats_domain *const *domains)
{
	size_t n;
	const struct sched_stats_field *fields = sched_stats_domain_fields(t->sides[0]->version,
									   &n);
	FILE *out = t->look->out;

	for (size_t i = 0; i < n; i++) {
		uint64_t v[2] = { domains[0]->values[i], t->n > 1 ? domains[1]->values[i] : 0 };

		if (fields[i].category)
			print_category(out, fields[i].category);
		print_numbers(t, sched_stats_title_of(t, &fields[i]), v);
		if (fields[i].in_time)
			print_in_time(t, v);
		fputc('\n', out);
		if (fields[i].pulled[0])
			print_balancing(t, domains, &fields[i], i);
	}
	sched_stats_print_rule(out);
}

static void sched_stats_print_escaped(FILE *out, const char *s)
{
	_cleanup_(text_done) struct text text = TEXT_EMPTY;

	escape_terminal(&text, s, strlen(s));
	fputs(text.length ? text.chars : "", out);
}

static void print_cpu_name(FILE *out, const struct sched_stats_cpu *c)
{
	if (c)
		fprintf(out, "CPU: %" PRIu32, c->cpu);
	else
		fputs("CPU: <ALL CPUS SUMMARY>", out);
}

/* Prints a title. @c is the CPU of the domain; NULL: an average. */
static void print_domain_title(const struct sched_stats_look *look, const struct sched_stats_cpu *c,
			       uint32_t cpu, uint16_t domain)
{
	const char *name = look->domain_name ? look->domain_name(look->arg, cpu, domain) : NULL;
	const char *cpus = look->domain_cpus && c ? look->domain_cpus(look->arg, cpu, domain)
						  : NULL;

	print_cpu_name(look->out, c);
	fputs(" | DOMAIN: ", look->out);
	if (name && *name)
		sched_stats_print_escaped(look->out, name);
	else
		fprintf(look->out, "%u", domain);
	if (cpus) {
		fputs(" | DOMAIN_CPUS: ", look->out);
		sched_stats_print_escaped(look->out, cpus);
	}
	fputc('\n', look->out);
}

static void print_domains(const struct sched_stats_table *t, size_t i,
			  const struct sched_stats_cpu *c, uint32_t names_of)
{
	const struct sched_stats_cpu *first = &t->sides[0]->cpus.items[i];
	FILE *out = t->look->out;

	for (size_t k = 0; k < first->domains.n; k++) {
		const struct sched_stats_domain *domains[2] = { &first->domains.items[k], NULL };

		if (t->n > 1 && k >= t->sides[1]->cpus.items[i].domains.n)
			break;
		if (t->n > 1)
			domains[1] = &t->sides[1]->cpus.items[i].domains.items[k];
		print_domain_title(t->look, c, names_of, domains[0]->domain);
		sched_stats_print_rule(out);
		fputs(t->n > 1 ? "DESC                                                            "
				 "        COUNT1      COUNT2   PCT_CHANGE     AVG_JIFFIES1 "
				 "AVG_JIFFIES2\n"
			       : "DESC                                                            "
				 "         COUNT    AVG_JIFFIES\n",
		      out);
		print_domain_rows(t, domains);
	}
}

/*
 * Prints CPU @i of each side. @c has the same meaning as above; @names_of is the CPU with the names
 * of domains.
 */
static void sched_stats_print_cpu(const struct sched_stats_table *t, size_t i,
				  const struct sched_stats_cpu *c, uint32_t names_of)
{
	FILE *out = t->look->out;

	sched_stats_print_rule(out);
	print_cpu_name(out, c);
	fputc('\n', out);
	sched_stats_print_rule(out);
	fputs(t->n > 1 ? "DESC                                                                    "
			 "COUNT1      COUNT2   PCT_CHANGE    PCT_CHANGE1 PCT_CHANGE2\n"
		       : "DESC                                                                    "
			 " COUNT   PCT_CHANGE\n",
	      out);
	sched_stats_print_rule(out);
	print_cpu_rows(t, i);
	sched_stats_print_rule(out);
	print_domains(t, i, c, names_of);
}

void sched_stats_print(const struct sched_stats_look *look, const struct sched_stats *s)
{
	_cleanup_(sched_stats_done) struct sched_stats average;
	const struct sched_stats_table all = { look, { &average }, 1 }, each = { look, { s }, 1 };

	sched_stats_average(s, &average);
	print_intro(look->out);
	fprintf(look->out, "%-*s: %11" PRIu64 "\n", NAME_WIDTH, "Time elapsed (in jiffies)",
		s->end - s->begin);
	if (average.cpus.n)
		sched_stats_print_cpu(&all, 0, NULL, s->cpus.items[0].cpu);
	for (size_t i = 0; i < s->cpus.n; i++)
		sched_stats_print_cpu(&each, i, &s->cpus.items[i], s->cpus.items[i].cpu);
}

void sched_stats_print_diff(const struct sched_stats_look *look, const struct sched_stats *a,
			    const struct sched_stats *b)
{
	_cleanup_(sched_stats_done) struct sched_stats average_a, average_b;
	const struct sched_stats_table t = { look, { &average_a, &average_b }, 2 };

	sched_stats_average(a, &average_a);
	sched_stats_average(b, &average_b);
	print_intro(look->out);
	fprintf(look->out, "%-*s: %11" PRIu64 ", %10" PRIu64 "\n", NAME_WIDTH,
		"Time elapsed (in jiffies)", a->end - a->begin, b->end - b->begin);
	if (average_a.cpus.n && average_b.cpus.n)
		sched_stats_print_cpu(&t, 0, NULL, a->cpus.items[0].cpu);
}
