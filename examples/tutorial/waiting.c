/* SPDX-License-Identifier: MIT */
/* The second walk of the tutorial: a program that waits. Two threads write a log, line by line. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_file;

static void write_line(const char *line)
{
	pthread_mutex_lock(&lock);
	if (write(log_file, line, strlen(line)) < 0 || fsync(log_file) < 0)
		exit(1);
	pthread_mutex_unlock(&lock);
}

static void *work(void *name)
{
	char line[64];

	for (int i = 0; i < 150; i++) {
		snprintf(line, sizeof(line), "%s: step %d\n", (const char *)name, i);
		write_line(line);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[2];

	log_file = open("waiting.log", O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (log_file < 0)
		return 1;
	pthread_create(&threads[0], NULL, work, (void *)"first");
	pthread_create(&threads[1], NULL, work, (void *)"second");
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
